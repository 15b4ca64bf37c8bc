"""How sure numbers of boxes are, over images."""
