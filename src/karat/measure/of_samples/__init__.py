"""Measures of items that were answered several times."""
