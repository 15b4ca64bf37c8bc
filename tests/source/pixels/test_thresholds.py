"""Score maps of different scales, cut each at its own threshold."""

import numpy as np
import pytest

import karat

Image = pytest.importorskip("PIL.Image")


@pytest.fixture
def images(tmp_path):
    random = np.random.default_rng(4)
    for number in ("1", "2"):
        truth = random.random((12, 9)) < 0.3
        score = (0.4 * truth + 0.6 * random.random(truth.shape)).clip(0, 1)
        kinds = {
            "truth": np.where(truth, 255, 0).astype(np.uint8),
            "bytes": np.round(255 * score).astype(np.uint8),
            "wide": np.round(65535 * score).astype(np.uint16),
            "fractions": score.astype(np.float32),
        }
        for name, values in kinds.items():
            folder = tmp_path / name
            folder.mkdir(exist_ok=True)
            Image.fromarray(values).save(folder / f"{number}.tif")
    return tmp_path


def read(images, *systems, threshold):
    paths = [str(images / name) for name in ("truth", *systems)]
    return karat.read(paths, using={"threshold": threshold})


def test_each_system_has_its_own(images):
    bench = read(
        images, "bytes", "wide", "fractions", threshold="wide:32768,bytes:128,fractions:0.5"
    )
    counts = {row["successes"] for row in bench.score(measure="iou").rows()}
    assert len(counts) == 1
    assert not [note for note in bench.facts.notes if "threshold" in note]


@pytest.mark.parametrize(
    ("threshold", "system"), [("0.5", "bytes"), ("128", "wide"), ("128", "fractions")]
)
def test_one_that_is_meant_for_other_scores_is_said(images, threshold, system):
    bench = read(images, "bytes", "wide", "fractions", threshold=threshold)
    (note,) = [note for note in bench.facts.notes if f"of {system!r}, whose files hold" in note]
    assert "give each system its own" in note


@pytest.mark.parametrize(
    ("threshold", "said"),
    [
        ("byte:1", "no system is called 'byte'; there are 'bytes', 'wide'"),
        ("bytes:1", "says nothing of 'wide'; add wide:VALUE"),
        ("bytes:1,wide:x", "is not a number"),
    ],
)
def test_what_is_unclear_is_refused(images, threshold, said):
    with pytest.raises(karat.KaratError, match=said):
        read(images, "bytes", "wide", threshold=threshold)
