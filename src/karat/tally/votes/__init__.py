"""Counts of labels and yes/no answers."""
