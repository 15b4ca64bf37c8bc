"""Intervals and ranks from resampled items or clusters of items."""
