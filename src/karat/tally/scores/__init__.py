"""Counts of scores and ranked lists."""
