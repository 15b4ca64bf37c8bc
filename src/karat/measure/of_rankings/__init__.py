"""Measures of ranked lists, query by query."""
