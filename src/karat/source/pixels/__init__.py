"""Masks and score maps: images whose pixels are the items."""
