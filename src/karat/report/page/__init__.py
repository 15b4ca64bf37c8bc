"""The page: one file that works offline, recomputes its numbers, and loads nothing."""
