"""Boxes as pictures."""
