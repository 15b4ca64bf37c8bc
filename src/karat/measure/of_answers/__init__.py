"""Measures of labels, from the confusion of truth and answer."""
