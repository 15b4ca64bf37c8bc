"""Doubt about numbers that were estimated without a truth."""
