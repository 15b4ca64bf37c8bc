"""The cases of the table of speeds, a module a kind of data."""
