"""Measures of whole texts: how far what was read or heard is from the true text."""
