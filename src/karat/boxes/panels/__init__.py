"""What the page shows of boxes."""
