"""Which measures are shown where none is named: choices, not traits."""

RIGHT_ANSWERS = "accuracy"
"""What a ranking is by, and the measure that counts right answers."""
OF_CLASSES = ("precision", "recall", "f")
"""Shown for every class, and behind the first measure for all together."""
OF_SCORES = ("roc-area", "average-precision")
OF_RANKINGS = ("AP", "P@10", "R@100")
