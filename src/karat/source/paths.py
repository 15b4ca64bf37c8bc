"""Is there a file or a folder of this name? Any text may be asked about.

pathlib raises where no file can have a name, being too long or with a null in it; here such a file is just not there.
"""

from os.path import exists, isdir, isfile

__all__ = ["exists", "is_a_file", "is_folder"]

is_a_file = isfile
is_folder = isdir
