"""Image files: every form gives the same grey values, and what is no grey image is refused in words."""

import struct
import zlib

import numpy as np
import pytest

import karat
from karat.source.pixels import decoding, rasters

Image = pytest.importorskip("PIL.Image")

MOST = 10**9
SHAPE = (97, 130)
RANDOM = np.random.default_rng(1)
GREY = RANDOM.integers(0, 256, SHAPE).astype(np.uint8)
DEEP = RANDOM.integers(0, 65536, SHAPE).astype(np.uint16)
FRACTION = RANDOM.normal(size=SHAPE).astype(np.float32)


def opened(path, most_pixels=MOST):
    with rasters.rasters() as opener:
        return opener.open(path, most_pixels=most_pixels).whole()


def tiled(path, values, *, compressed, tile=(32, 48), order="<"):
    """Write a TIFF of tiles by hand: no writer that is installed makes one."""
    height, width = values.shape
    rows, columns = tile
    values = values.astype(values.dtype.newbyteorder(order))
    parts = []
    for top in range(0, height, rows):
        for left in range(0, width, columns):
            block = np.zeros(tile, values.dtype)
            part = values[top : top + rows, left : left + columns]
            block[: part.shape[0], : part.shape[1]] = part
            data = block.tobytes()
            parts.append(zlib.compress(data) if compressed else data)
    sizes = [len(part) for part in parts]
    places = (8 + np.concatenate([[0], np.cumsum(sizes)[:-1]])).tolist()
    end = 8 + sum(sizes)
    lists = struct.pack(f"{order}{len(places)}I", *places)
    lists += struct.pack(f"{order}{len(sizes)}I", *sizes)
    is_fraction = values.dtype.kind == "f"
    tags = [
        (256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8 * values.itemsize),
        (259, 3, 1, 8 if compressed else 1), (262, 3, 1, 1), (277, 3, 1, 1),
        (322, 4, 1, columns), (323, 4, 1, rows), (324, 4, len(places), end),
        (325, 4, len(sizes), end + 4 * len(places)), (339, 3, 1, 3 if is_fraction else 1),
    ]  # fmt: skip
    directory = struct.pack(f"{order}H", len(tags))
    for tag, kind, number, value in tags:
        form = "H2x" if kind == 3 else "I"
        directory += struct.pack(f"{order}HHI{form}", tag, kind, number, value)
    directory += struct.pack(f"{order}I", 0)
    start = b"II*\0" if order == "<" else b"MM\0*"
    header = start + struct.pack(f"{order}I", end + len(lists))
    path.write_bytes(header + b"".join(parts) + lists + directory)


@pytest.mark.parametrize("values", [GREY, DEEP, FRACTION], ids=["8", "16", "32"])
@pytest.mark.parametrize("compression", [None, "tiff_lzw", "tiff_adobe_deflate"])
def test_strips_of_a_large_tiff_are_the_whole(tmp_path, monkeypatch, values, compression):
    path = tmp_path / "a.tif"
    Image.fromarray(values).save(path, compression=compression, tiffinfo={278: 10})
    whole = opened(path)
    assert np.array_equal(whole, values)
    monkeypatch.setattr(decoding, "WHOLE", 0)
    monkeypatch.setattr(rasters, "HELD", 0)
    assert np.array_equal(opened_by_rows(path), values)


def opened_by_rows(path):
    with rasters.rasters() as opener:
        one = opener.open(path, most_pixels=MOST)
        rows = [one.rows(top, min(SHAPE[0], top + 13)) for top in range(0, SHAPE[0], 13)]
        return np.concatenate(rows)


@pytest.mark.parametrize("values", [GREY, DEEP, FRACTION], ids=["8", "16", "32"])
@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("tile", [(32, 48), (16, 160)])
@pytest.mark.parametrize("order", ["<", ">"])
def test_tiles_of_a_tiff_are_the_whole(tmp_path, monkeypatch, values, compressed, tile, order):
    path = tmp_path / "a.tif"
    tiled(path, values, compressed=compressed, tile=tile, order=order)
    if compressed and order == ">" and values.dtype.kind == "f":
        assert "which Pillow misreads" in words(path)
        return
    assert np.array_equal(opened(path), values)
    monkeypatch.setattr(decoding, "WHOLE", 0)
    monkeypatch.setattr(rasters, "HELD", 0)
    assert np.array_equal(opened_by_rows(path), values)


def test_grey_values_are_the_same_in_every_form(tmp_path):
    image = Image.fromarray(GREY)
    for name in ("a.png", "a.tif", "a.bmp", "a.pgm", "a.gif"):
        image.save(tmp_path / name)
        assert np.array_equal(opened(tmp_path / name), GREY), name
    image.convert("RGB").save(tmp_path / "rgb.png")
    image.convert("RGBA").save(tmp_path / "rgba.png")
    image.convert("LA").save(tmp_path / "la.png")
    for name in ("rgb", "rgba", "la"):
        assert np.array_equal(opened(tmp_path / f"{name}.png"), GREY), name
    bits = Image.fromarray(GREY > 128)
    bits.save(tmp_path / "bits.png")
    bits.save(tmp_path / "bits.tif", compression="group4")
    for name in ("bits.png", "bits.tif"):
        assert np.array_equal(opened(tmp_path / name), GREY > 128), name


def words(path, **options):
    with pytest.raises(karat.KaratError) as error:
        opened(path, **options)
    return str(error.value)


def test_an_alpha_channel_that_is_not_opaque_is_refused(tmp_path):
    values = np.dstack([GREY, np.full(SHAPE, 255, np.uint8)])
    values[5, 7, 1] = 0
    Image.fromarray(values, "LA").save(tmp_path / "a.png")
    assert "alpha channel that is not opaque everywhere, first in row 5, column 7" in words(
        tmp_path / "a.png"
    )
    Image.fromarray(GREY).save(tmp_path / "l.png", transparency=int(GREY[0, 0]))
    assert "first in row 0, column 0" in words(tmp_path / "l.png")
    palette = Image.fromarray(GREY // 128).convert("P")
    palette.save(tmp_path / "p.gif", transparency=1)
    assert "alpha channel" in words(tmp_path / "p.gif")
    palette.save(tmp_path / "p.png", transparency=b"\xff\0")
    assert "alpha channel" in words(tmp_path / "p.png")


def test_colours_are_refused(tmp_path):
    values = np.dstack([GREY, GREY, GREY])
    values[3, 4] = (10, 20, 30)
    Image.fromarray(values).save(tmp_path / "a.png")
    assert "first in row 3, column 4 (from 0): red 10, green 20, blue 30" in words(
        tmp_path / "a.png"
    )
    Image.new("CMYK", (4, 4)).save(tmp_path / "c.tif")
    assert "has colours (CMYK)" in words(tmp_path / "c.tif")


def test_colours_of_16_bits_are_not_cut_to_8(tmp_path):
    rows = b"".join(b"\0" + bytes(range(24)) for _ in range(4))
    header = struct.pack(">IIBBBBB", 4, 4, 16, 2, 0, 0, 0)
    chunks = b""
    for name, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")):
        check = struct.pack(">I", zlib.crc32(name + data))
        chunks += struct.pack(">I", len(data)) + name + data + check
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)
    assert "16 bits a channel and 3 channels" in words(tmp_path / "a.png")


def test_a_small_file_that_would_unpack_to_a_very_large_image_is_refused(tmp_path):
    Image.new("1", (30_000, 30_000)).save(tmp_path / "bomb.png")
    said = words(tmp_path / "bomb.png", most_pixels=500_000_000)
    assert "30,000 x 30,000 pixels" in said
    assert "using={'most_pixels': '900000000'}" in said


def test_damaged_files_are_refused_whole(tmp_path):
    Image.fromarray(GREY).save(tmp_path / "a.png")
    data = (tmp_path / "a.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(data[: len(data) // 2])
    assert "damaged" in words(tmp_path / "cut.png")
    (tmp_path / "text.png").write_text("no image")
    assert "cannot be read as an image" in words(tmp_path / "text.png")
    frames = [Image.fromarray(GREY), Image.fromarray(255 - GREY)]
    frames[0].save(tmp_path / "two.tif", save_all=True, append_images=frames[1:])
    assert "holds 2 images" in words(tmp_path / "two.tif")


def test_arrays_that_are_no_images_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((2, 3, 4)))
    assert "has 3 dimensions, 2 x 3 x 4" in words(tmp_path / "a.npy")
    np.save(tmp_path / "b.npy", np.array([["x"]]))
    assert "holds <U1" in words(tmp_path / "b.npy")
    np.save(tmp_path / "c.npy", np.array([[None]]), allow_pickle=True)
    assert "holds object" in words(tmp_path / "c.npy")
    (tmp_path / "d.npy").write_bytes(b"no array")
    assert "not an array of numbers" in words(tmp_path / "d.npy")
    np.save(tmp_path / "e.npy", GREY)
    data = (tmp_path / "e.npy").read_bytes()
    (tmp_path / "e.npy").write_bytes(data[:-10])
    assert "is cut off" in words(tmp_path / "e.npy")
