"""Draw the pictures of docs/gallery.md: runs each `karat plot` of that page on the files of the demo."""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
PICTURES = DOCS / "pictures" / "gallery"
COMMAND = re.compile(r"^\$ karat (.*)$", re.MULTILINE)


def karat(*arguments: str, folder: str) -> None:
    """Run a command of karat in a folder."""
    command = [sys.executable, "-m", "karat", *arguments]
    subprocess.run(command, cwd=folder, check=True)  # noqa: S603 (the page's own commands)


def main() -> None:
    """Draw every picture that the page names."""
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for command in COMMAND.findall(page):
            karat(*shlex.split(command), folder=folder)
        for picture in Path(folder).glob("*.svg"):
            shutil.move(picture, PICTURES / picture.name)


if __name__ == "__main__":
    main()
