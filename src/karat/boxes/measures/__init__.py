"""From matched boxes to numbers, each with what every image adds to it."""
