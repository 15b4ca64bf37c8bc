"""Doubt about numbers at another prevalence than that of the data."""
