"""What boxes are: columns of places, classes and scores."""
