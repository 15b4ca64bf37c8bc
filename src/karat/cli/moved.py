"""Forms that moved: the old one is understood for one release, and says what to write instead."""

from karat.cli.printing import tell


def tell_moved(old: str, new: str) -> None:
    """Say on standard error that an old form is used, and what it is now."""
    tell(f"note: {old} is now {new}; the old form goes with the next release")
