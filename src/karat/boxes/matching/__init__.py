"""Which box of a system is which of the truth, and what is counted of it."""
