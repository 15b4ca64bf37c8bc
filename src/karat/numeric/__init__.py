"""Sums, draws and means that several methods need: no statistics of their own."""
