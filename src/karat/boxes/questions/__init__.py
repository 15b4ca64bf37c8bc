"""The questions one can ask of boxes, one file each."""
