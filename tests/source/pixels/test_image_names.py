"""Which files are of the same image: what published sets of vessel images call theirs, and what is not guessed."""

import gzip
import io

import numpy as np
import pytest

import karat
from karat.source.pixels.image_names import paired, shortened

Image = pytest.importorskip("PIL.Image")

random = np.random.default_rng(2)
SETS = {
    "drive": ("{:02d}_manual1.gif", "{:02d}_test.tif", "{:02d}_test_mask.gif"),
    "numbers": ("{:02d}_manual1.gif", "{}_prob.png", "pred_{}.png"),
    "stare": ("im{:04d}.ah.ppm.gz", "im{:04d}.png", "im{:04d}.vk.ppm.gz"),
    "chase": ("Image_{:02d}L_1stHO.png", "Image_{:02d}L.png", "image_{}L_prob.tif"),
}


def save(folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    marks = Image.fromarray(np.where(random.random((9, 7)) < 0.4, 255, 0).astype(np.uint8))
    if not name.endswith(".gz"):
        marks.save(folder / name)
        return
    unpacked = io.BytesIO()
    marks.save(unpacked, "PPM")
    with gzip.open(folder / name, "wb") as file:
        file.write(unpacked.getvalue())


def read(home, *names, **how):
    return karat.read([str(home / name) for name in names], **how)


@pytest.mark.parametrize("name", SETS)
def test_published_sets_match_as_they_are_named(tmp_path, name):
    for pattern, folder in zip(SETS[name], ("truth", "net", "other"), strict=True):
        for number in (1, 2, 11):
            save(tmp_path / folder, pattern.format(number))
    bench = read(tmp_path, "truth", "net", "other")
    assert bench.facts.counts.items == 3 * 63
    (note,) = bench.facts.notes
    assert note.startswith("taken for the same image, ")
    assert SETS[name][1].format(1) in note


@pytest.mark.parametrize(
    ("first", "other", "names", "rule"),
    [
        (["a", "b"], ["b", "a"], {"a": "a", "b": "b"}, ""),
        (["a", "b"], ["b", "c"], {"b": "b"}, ""),
        (["a2", "a3"], ["b2", "b3"], {"a2": "b2", "a3": "b3"}, "first number"),
        (["1", "2"], ["01_test", "02_training"], {"1": "01_test", "2": "02_training"}, "begins"),
        (
            ["test/01", "test/02"],
            ["1_seg", "2_seg"],
            {"test/01": "1_seg", "test/02": "2_seg"},
            "zeros",
        ),
        # A name that is there is not passed over for one with the same number.
        (["a1", "a2"], ["a1", "b2"], {"a1": "a1"}, ""),
        # Three eyes of one number, two files that begin alike: which is meant is unclear.
        (["01_dr", "01_g", "02_h"], ["1_seg", "2_seg"], {}, ""),
        (["L_first", "L_second", "R_first", "R_second"], ["L", "R"], {}, ""),
        (["left", "right"], ["one", "two"], {}, ""),
    ],
)
def test_names_are_paired_by_the_strictest_rule_that_pairs_any(first, other, names, rule):
    found = paired(first, other)
    assert found.names == names
    assert rule in found.rule
    assert bool(rule) == bool(found.rule)
    turned = paired(other, first)
    assert turned.names == {one: own for own, one in names.items()}


def test_words_that_all_names_share_are_left_out_unless_names_would_be_equal():
    assert list(shortened(["a_1", "a_1_b"])) == ["1", "1_b"]
    assert list(shortened(["a_1", "b_1", "a.1"])) == ["a_1", "b_1", "a.1"]


def test_a_pattern_names_one_kind_of_files_in_a_folder(tmp_path, monkeypatch):
    for eye in ("01L", "01R"):
        for name in (f"Image_{eye}_1stHO.png", f"Image_{eye}_2ndHO.png"):
            save(tmp_path / "chase", name)
        save(tmp_path / "net", f"Image_{eye}.png")
    monkeypatch.chdir(tmp_path)
    bench = karat.read(["net", "chase/*_2ndHO.png"], truth="chase/*_1stHO.png")
    assert bench.facts.systems == ("2ndHO", "net")
    named = karat.read(["second=chase/*_2ndHO.png"], truth="chase/*_1stHO.png")
    assert named.facts.systems == ("second",)
    with pytest.raises(karat.KaratError, match=r"several files of one image.*'chase/\*_1stHO.png'"):
        karat.read("net", truth="chase")
    with pytest.raises(karat.KaratError, match=r"2 images of chase are named one by one.*'chase/"):
        karat.read(
            ["net", "chase/Image_01R_1stHO.png"],
            truth="chase/Image_01L_1stHO.png",
        )


def test_annotators_are_named_where_other_folders_lie_beside_theirs(tmp_path):
    home = tmp_path / "test"
    for number in ("01", "02"):
        save(home / "1st_manual", f"{number}_manual1.gif")
        save(home / "2nd_manual", f"{number}_manual2.gif")
        save(home / "mask", f"{number}_test_mask.gif")
        save(tmp_path / "net", f"{number}_test.png")
    with pytest.raises(
        karat.KaratError, match=r"holds 3 sets of images, '1st_manual'.*if only some"
    ):
        read(tmp_path, "test", "net")
    using = {"annotators": "1st_manual,2nd_manual", "at_least": "2"}
    bench = read(tmp_path, "test", "net", using=using)
    assert "2 annotators: '1st_manual', '2nd_manual'" in bench.facts.notes
    marks = []
    for name in (
        "1st_manual/01_manual1",
        "1st_manual/02_manual1",
        "2nd_manual/01_manual2",
        "2nd_manual/02_manual2",
    ):
        with Image.open(home / f"{name}.gif") as image:
            marks.append(np.asarray(image.convert("L")) > 0)
    both = (marks[0] & marks[2]).sum() + (marks[1] & marks[3]).sum()
    (row,) = bench.score(measure="recall").rows()
    assert row["trials"] == both
    one = read(tmp_path, "test", "net", using={"annotators": "2nd_manual"})
    assert one.score(measure="recall").rows()[0]["trials"] == marks[2].sum() + marks[3].sum()
    with pytest.raises(karat.KaratError, match="holds no '3rd'; it has '1st_manual', '2nd_manual'"):
        read(tmp_path, "test", "net", using={"annotators": "1st_manual,3rd", "at_least": "1"})


def test_folders_without_a_common_image_are_refused_with_both_their_names(tmp_path):
    for number in (1, 2):
        save(tmp_path / "truth", f"{number}_manual.png")
        save(tmp_path / "net", f"{number + 20}_test.png")
    with pytest.raises(karat.KaratError, match="'1_manual', '2_manual', the other '21_test'"):
        read(tmp_path, "truth", "net", lenient=True)
    save(tmp_path / "sets/a/x", "1.png")
    save(tmp_path / "sets/b/x", "2.png")
    save(tmp_path / "net/b/y", "2.png")
    with pytest.raises(karat.KaratError, match="holds 2 sets of images, 'a', 'b'"):
        read(tmp_path, "sets", "net")


def test_a_folder_with_overlays_beside_the_scores_is_told_of_patterns(tmp_path):
    for number in ("01", "02"):
        save(tmp_path / "truth", f"{number}_manual1.gif")
        save(tmp_path / "net", f"{number}_test.png")
        save(tmp_path / "net", f"{number}_test_overlay.png")
    with pytest.raises(karat.KaratError, match=r"several files of one image.*/\*_test.png'"):
        read(tmp_path, "truth", "net")
