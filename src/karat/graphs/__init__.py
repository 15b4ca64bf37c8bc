"""Label graphs, from files to results: everything about structured outputs stands behind this door."""
