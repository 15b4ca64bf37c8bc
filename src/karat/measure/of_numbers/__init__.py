"""Measures of answers that are numbers: how far they are from the truth."""
