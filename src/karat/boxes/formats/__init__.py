"""How boxes are written in files: one file a format."""
