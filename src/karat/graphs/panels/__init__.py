"""What the page shows of graphs."""
