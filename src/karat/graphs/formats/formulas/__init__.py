"""Formulas written as LaTeX or MathML."""
