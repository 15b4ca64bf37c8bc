"""Is there a file or a folder of this name? Any text may be asked about.

pathlib raises where no file can have a name, being too long or with a null in it; here such a file is just not there.
"""

from glob import glob
from os.path import exists, isdir, isfile

__all__ = ["exists", "is_a_file", "is_folder", "matching"]

is_a_file = isfile
is_folder = isdir


def matching(pattern: str, *, recursive: bool = False) -> list[str]:
    """Return the paths that match a pattern, each begun as the user wrote it, in the order of their names."""
    if "\0" in pattern:
        return []
    return sorted(glob(pattern, recursive=recursive))  # noqa: PTH207 (pathlib does not keep the user's spelling)
