"""Pictures of masks and score maps: what is drawn is what was counted."""

import numpy as np
import pytest

import karat
from karat.questions.pixel_picture import pixel_picture
from karat.report.pictures import png, svg
from karat.report.pixel_pictures import ALARM, HIT, MISS, NEITHER, smaller, smaller_outcome

Image = pytest.importorskip("PIL.Image")
SHAPE = (20, 30)


@pytest.fixture
def images(tmp_path):
    random = np.random.default_rng(2)
    truth = np.zeros(SHAPE, bool)
    truth[5:15, 10:12] = True
    for annotator in ("ann", "bob", "eve"):
        marks = truth | (random.random(SHAPE) < 0.02)
        save(tmp_path / "annotators" / annotator / "one.png", np.where(marks, 255, 0))
    score = 150 * truth + random.integers(0, 100, SHAPE)
    save(tmp_path / "detector" / "one.png", score)
    save(tmp_path / "mask" / "one.png", np.where(score > 100, 255, 0))
    save(tmp_path / "truth.png", np.where(truth, 255, 0))
    photo = np.dstack([score, score, 255 - score]).astype(np.uint8)
    Image.fromarray(photo).save(tmp_path / "photo.png")
    return tmp_path


def save(path, values):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(values.astype(np.uint8)).save(path)


def test_counts_are_those_of_the_pixels(images):
    found = pixel_picture(images / "detector" / "one.png", images / "annotators", threshold=120)
    total = np.zeros(SHAPE, int)
    for path in (images / "annotators").glob("*/one.png"):
        total += np.asarray(Image.open(path)) > 0
    truth = total >= 2
    marked = np.asarray(Image.open(images / "detector" / "one.png")) >= 120
    (row,) = found.rows()
    assert row["hits"] == (truth & marked).sum()
    assert row["misses"] == (truth & ~marked).sum()
    assert row["false_alarms"] == (~truth & marked).sum()
    assert found.annotators == 3
    assert np.allclose(found.agreement, total / 3)


def test_scores_are_cut_where_f1_is_best(images):
    found = pixel_picture(images / "detector" / "one.png", images / "truth.png")
    truth = np.asarray(Image.open(images / "truth.png")) > 0
    score = np.asarray(Image.open(images / "detector" / "one.png"))
    best = max(
        2 * (truth & (score >= cut)).sum() / (truth.sum() + (score >= cut).sum())
        for cut in np.unique(score)
    )
    f1 = 2 * found.hits / (2 * found.hits + found.misses + found.alarms)
    assert f1 == pytest.approx(best)
    assert "where F1 is best" in found.chosen


@pytest.mark.parametrize("system", ["detector", "mask"])
def test_pictures_are_drawn_and_the_same_each_time(images, system):
    pytest.importorskip("matplotlib")
    found = pixel_picture(
        images / system / "one.png", images / "annotators", photo=images / "photo.png"
    )
    assert png(found).startswith(b"\x89PNG")
    drawn = svg(found).decode()
    assert drawn == svg(found).decode()
    assert f"{found.hits:,} hits" in drawn
    assert ("scores" in drawn) == (system == "detector")


def test_large_images_are_made_smaller_and_thin_lines_stay():
    outcome = np.zeros((9, 10), np.int64)
    outcome[4, :] = MISS
    outcome[5, :] = HIT
    outcome[3, 9] = ALARM
    assert smaller_outcome(outcome, 3).tolist() == [
        [NEITHER] * 4,
        [HIT] * 3 + [HIT],
        [NEITHER] * 4,
    ]
    assert smaller(np.arange(6.0).reshape(2, 3), 2).tolist() == [[2.0, 3.5]]


def test_what_cannot_be_drawn_is_refused(images):
    detector = images / "detector" / "one.png"
    save(images / "mask.png", np.zeros(SHAPE))
    with pytest.raises(karat.KaratError, match="have no image in common"):
        pixel_picture(images / "mask.png", images / "annotators")
    with pytest.raises(karat.KaratError, match="not an option of a picture"):
        pixel_picture(detector, images / "truth.png", using={"unit": "object"})
    with pytest.raises(karat.KaratError, match="there are 3 annotators"):
        pixel_picture(detector, images / "annotators", using={"at_least": "4"})
    save(images / "small.png", np.zeros((3, 3)))
    with pytest.raises(karat.KaratError, match="3 pixels wide and 3 high"):
        pixel_picture(detector, images / "truth.png", photo=images / "small.png")
