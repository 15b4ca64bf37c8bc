"""Mistakes that people make with masks and score maps, and what they are told."""

import numpy as np
import pytest

import karat

Image = pytest.importorskip("PIL.Image")

MARKS = np.zeros((8, 10), np.uint8)
MARKS[2:4, 3:6] = 255


def save(folder, name, values):
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(values).save(folder / name)


@pytest.fixture
def images(tmp_path):
    for number in ("1", "2"):
        save(tmp_path / "truth", f"{number}.png", MARKS)
        save(tmp_path / "system", f"{number}.png", MARKS // 2)
    return tmp_path


def refused(images, *systems, **options):
    with pytest.raises(karat.KaratError) as error:
        karat.read([str(images / name) for name in ("truth", *(systems or ("system",)))], **options)
    return str(error.value)


def test_another_size(images):
    save(images / "system", "2.png", MARKS[:, :9])
    said = refused(images)
    assert "9 pixels wide and 8 high" in said
    assert "10 wide and 8 high" in said
    save(images / "system", "2.png", MARKS.T.copy())
    assert "one of them is turned" in refused(images)


def test_a_mask_with_grey_values(images):
    values = MARKS.copy()
    values[2, 4] = 37
    save(images / "truth", "2.png", values)
    said = refused(images)
    assert "grey value 37 in row 2, column 4" in said
    assert "using={'truth_threshold': '128'}" in said
    bench = karat.read(
        [str(images / "truth"), str(images / "system")], using={"truth_threshold": "128"}
    )
    assert bench.facts.counts.items == 160


def test_a_mask_of_one_unusual_value(images):
    save(images / "truth", "2.png", MARKS // 2)
    said = refused(images)
    assert "grey value 127" in said
    assert said.endswith("if values are classes, make a mask for each")


def test_16_bits_beside_8(images):
    save(images / "system", "2.png", MARKS.astype(np.uint16) * 257)
    said = refused(images)
    assert "2.png holds whole numbers of 16 bits" in said
    assert "1.png whole numbers of 8 bits" in said


def test_names_that_do_not_match(images):
    save(images / "other", "x.png", MARKS)
    save(images / "other", "y.png", MARKS)
    said = refused(images, "other")
    assert "no image in common; the first has '1', '2', the other 'x', 'y'" in said
    (images / "system" / "2.png").unlink()
    assert "1 image of" in refused(images)
    bench = karat.read([str(images / "truth"), str(images / "system")], lenient=True)
    assert bench.facts.counts.items == 80
    assert any("missing, '2'" in note for note in bench.facts.notes)


def test_other_files_beside_images(images):
    for folder in ("truth", "system"):
        (images / folder / "README.txt").write_text("masks", encoding="utf-8")
        (images / folder / ".DS_Store").write_bytes(b"")
    bench = karat.read([str(images / "truth"), str(images / "system")])
    assert bench.facts.counts.items == 160


def test_a_truth_that_is_not_there(images):
    with pytest.raises(karat.KaratError, match="there is no file or folder nowhere"):
        karat.read([str(images / "system")], truth="nowhere")


def test_the_files_of_a_folder_one_by_one(images):
    files = ["system/1.png", "system/2.png"]
    assert "2 images of" in refused(images, *files)


def test_bands_of_curves_are_over_images(images):
    bench = karat.read([str(images / "truth"), str(images / "system")], kinds={"": "score"})
    (band,) = bench.skew(to=0.1, bands=True).bands.values()
    assert "clusters" in band.method
    assert bench.skew(to=0.1, threshold=100).rows()


def test_an_image_without_truth(images):
    save(images / "system", "3.png", MARKS)
    said = refused(images)
    assert "1 image that" in said
    assert "lacks, '3'; remove them" in said


def test_two_files_for_one_image(images):
    save(images / "system", "2.tif", MARKS)
    assert "would both be the image '2'" in refused(images)


def test_scores_that_are_no_numbers(images):
    for number in ("1", "2"):
        (images / "system" / f"{number}.png").unlink()
        values = MARKS.astype(np.float32)
        values[3, 3] = np.nan
        np.save(images / "system" / f"{number}.npy", values)
    assert "row 3, column 3 (from 0) has the score nan" in refused(images)


def test_files_with_loss(images):
    save(images / "photo", "1.jpg", MARKS)
    assert "compressed with loss" in refused(images, "photo")


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("unit", "voxel", "pixel or object"),
        ("tolerance", "near", "is not a number"),
        ("tolerance", "-1", "above 0"),
        ("at_least", "2", "has one truth for each image"),
        ("overlap", "3", "at most 1"),
        ("most_pixels", "70", "up to 70"),
        ("ignore", "nowhere", "there is no file or folder nowhere"),
        ("depth", "3", "not an option of pixels"),
    ],
)
def test_options_that_cannot_be_honoured(images, option, value, said):
    assert said in refused(images, using={option: value})


def test_values_that_are_no_numbers_of_annotators(images):
    assert "should stand, 0 to 3" in refused(images, using={"annotators": "3", "at_least": "2"})


def test_pixels_are_not_what_is_wrong_in_a_truth(images):
    bench = karat.read([str(images / "truth"), str(images / "system")], using={"threshold": "100"})
    with pytest.raises(karat.KaratError, match="a wrong label is not one pixel"):
        bench.stability(label_error=0.01)
    with pytest.raises(karat.KaratError, match="a wrong label is not one pixel"):
        bench.audit(claim="best")


def test_single_files_may_be_called_as_they_like(tmp_path):
    save(tmp_path, "truth.png", MARKS)
    save(tmp_path, "net.tif", MARKS)
    bench = karat.read([str(tmp_path / "truth.png"), str(tmp_path / "net.tif")])
    assert bench.facts.counts.items == 80
    assert bench.facts.systems == ("net",)
