"""Measures of scores, from the positives and negatives at each score."""
