"""How likely each prevalence of a range is, one file per prior."""
