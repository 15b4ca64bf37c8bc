"""How a prevalence changes with time, one file per shape."""
