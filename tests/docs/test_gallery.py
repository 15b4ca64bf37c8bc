"""The gallery shows every picture that karat draws."""

import re
from pathlib import Path

from karat.questions import PLOTS

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_every_picture_is_in_the_gallery_with_its_command():
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ karat plot (\w+) .*-o (\S+)$", page, re.MULTILINE)
    assert sorted(name for name, _ in commands) == sorted(PLOTS)
    for name, file in commands:
        assert file == f"{name}.svg"
        assert f"](pictures/gallery/{file})" in page
        assert (DOCS / "pictures" / "gallery" / file).read_bytes().startswith(b"<?xml")
