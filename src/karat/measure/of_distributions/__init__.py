"""Measures of distributions over labels, from every system's confidence in every label."""
