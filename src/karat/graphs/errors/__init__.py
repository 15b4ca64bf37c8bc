"""Confusions of labels, the parts in which they occur, and the errors that systems share."""
