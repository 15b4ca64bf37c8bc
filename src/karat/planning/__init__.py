"""How many items, and how many checks: the exact bounds and tests, solved for their numbers."""
