"""Formulas compared as tokens of LaTeX: their rows, error rates and results."""
