"""Pictures: only of the named folder, only pictures, and only read."""

import os

import pytest

import karat
from karat.errors import OptionError
from karat.serve.pictures import LARGEST, NoPictureError, PictureFolder, type_of
from karat.serve.session import LabelRequest
from support.served import opened

PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)
SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'


@pytest.fixture
def folder(tmp_path):
    """A folder with a picture, beside a file that is nobody's business."""
    inside = tmp_path / "pictures"
    (inside / "sub").mkdir(parents=True)
    (inside / "a.png").write_bytes(PNG)
    (inside / "sub" / "b.png").write_bytes(PNG)
    (inside / "page.png").write_bytes(b"<html><script>alert(1)</script>")
    (inside / "drawing.svg").write_bytes(SVG)
    (tmp_path / "secret.png").write_bytes(PNG)
    (tmp_path / "pictures-too").mkdir()
    (tmp_path / "pictures-too" / "c.png").write_bytes(PNG)
    (inside / "out.png").symlink_to(tmp_path / "secret.png")
    (inside / "in.png").symlink_to(inside / "a.png")
    (inside / "up").symlink_to(tmp_path)
    return inside


@pytest.mark.parametrize(
    "name", ["a.png", "sub/b.png", "./a.png", "sub/../a.png", "in.png", "drawing.svg"]
)
def test_pictures_of_the_folder_are_read(folder, name):
    assert PictureFolder(folder).problem(name) is None
    assert PictureFolder(folder).read(name).content == (folder / name).read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        "../secret.png",
        "../pictures-too/c.png",
        "out.png",
        "up/secret.png",
        "sub/../../secret.png",
        "/etc/passwd",
        "file:///etc/passwd",
        "..",
        ".",
        "",
        "sub",
        "none.png",
        "a.png\0.txt",
        "~/a.png",
        "x" * 5000,
        "page.png",
        "\ud800.png",
    ],
)
def test_nothing_else_is(folder, name):
    with pytest.raises(NoPictureError):
        PictureFolder(folder).read(name)
    assert PictureFolder(folder).problem(name)


def test_an_absolute_path_inside_the_folder_is_inside(folder):
    assert PictureFolder(folder).problem(str(folder / "a.png")) is None
    assert PictureFolder(folder).problem(str(folder.parent / "secret.png"))


def test_a_pipe_is_not_waited_for(folder):
    os.mkfifo(folder / "pipe.png")
    with pytest.raises(NoPictureError, match="it is not a file"):
        PictureFolder(folder).read("pipe.png")


def test_a_huge_file_is_not_read(folder):
    with (folder / "huge.png").open("wb") as file:
        file.write(PNG)
        file.truncate(LARGEST + 1)
    with pytest.raises(NoPictureError, match="larger than 64 MB"):
        PictureFolder(folder).read("huge.png")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"\0\0\0\x20ftypavif", "image/avif"),
        (SVG, "image/svg+xml"),
        (b"  <svg>", "image/svg+xml"),
        (b"<html><svg>", None),
        (b"%PDF-1.7", None),
        (b"", None),
        (b"#!/bin/sh", None),
    ],
)
def test_types_go_by_the_first_bytes(content, kind):
    assert type_of(content) == kind


@pytest.mark.parametrize("name", ["none", "a.csv"])
def test_a_folder_that_is_none_is_refused(tmp_path, name):
    (tmp_path / "a.csv").write_text("x")
    with pytest.raises(OptionError, match="fields"):
        PictureFolder(tmp_path / name)


def test_fields_say_what_is_a_picture_and_why_others_are_none(folder, tmp_path):
    names = ["a.png", "../secret.png", "page.png", "a plain text", "none.png"]
    fields = tmp_path / "fields.csv"
    fields.write_text("item,file\n" + "".join(f"i{k},{name}\n" for k, name in enumerate(names)))
    table = {
        "item": [f"i{k}" for k in range(5)],
        "truth": ["x"] * 5,
        "a": ["x"] * 5,
        "b": ["y"] * 5,
    }
    audit = karat.read(table).audit(claim=("a", "b"), seed=1, fields=fields, risk=0.001)
    session = opened(audit, tmp_path / "list.csv", images=folder)
    shown = {}
    for _ in range(5):
        state = session.state()
        entry = state["entry"]
        shown[entry["item"]] = entry["fields"][0]
        if state["next"] is None:
            break
        request = LabelRequest(
            sequence=state["sequence"] + 1, draw=entry["draw"], right="(undecidable)", note=""
        )
        session.label(request)
    assert shown["i0"]["picture"]
    assert shown["i1"]["problem"] == "it lies outside of the folder"
    assert shown["i2"]["problem"] == "it is not a picture that a browser shows"
    assert (shown["i3"]["picture"], shown["i3"].get("problem")) == (False, None)
    assert shown["i4"]["problem"] == "there is no such file in the folder"
    session.close()
