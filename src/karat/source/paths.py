"""Is there a file or a folder of this name? Any text is allowed.

pathlib raises where no file can have a name, being too long or with a null in it; here such a file is just not there.
"""

from collections import Counter
from glob import glob
from os.path import exists, isdir, isfile
from pathlib import Path
from unicodedata import normalize

__all__ = ["composed", "exists", "is_a_file", "is_folder", "matching", "pattern_inside"]

is_a_file = isfile
is_folder = isdir


def matching(pattern: str, *, recursive: bool = False) -> list[str]:
    """Return the paths that match a pattern, each begun as the user wrote it, in the order of their names."""
    if "\0" in pattern:
        return []
    return sorted(glob(pattern, recursive=recursive))  # noqa: PTH207 (pathlib does not keep the user's spelling)


def composed(name: str) -> str:
    """Return the name of a file as files are matched by it: with é as one character.

    Some systems and archives write such letters as two, e and an accent, which look the same.
    """
    return normalize("NFC", name)


def pattern_inside(folder: Path) -> str:
    """Return the pattern of a folder's files, for a message: by their most frequent ending, or that of a table."""
    endings = Counter(
        path.suffix for path in sorted(folder.iterdir()) if path.suffix and path.is_file()
    )
    ending = endings.most_common(1)[0][0] if endings else ".csv"
    return f"{folder}/*{ending}"
