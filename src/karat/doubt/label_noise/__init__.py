"""What wrong labels in the truth do to an order, a ranking or an area."""
