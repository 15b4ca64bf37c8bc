"""Colours of pictures."""

BLUE, ORANGE, GREEN, GREY, DIM = "#0072b2", "#d55e00", "#009e73", "#e8e8e8", "#b8b8b8"
"""Colours that colour-blind readers can distinguish; what has a colour also has a sign."""
