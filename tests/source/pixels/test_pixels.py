"""Masks and score maps: counts against scikit-learn and against a row for each pixel."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score, jaccard_score, roc_auc_score

import karat
from karat.questions.agreement_levels import agreement_in_images, agreement_levels
from karat.source import SOURCES
from karat.source.pixels import scenes
from karat.tally.votes.patterns import patterns

Image = pytest.importorskip("PIL.Image")

SHAPE = (40, 30)


def save(folder, name, values):
    folder.mkdir(parents=True, exist_ok=True)
    if name.endswith(".npy"):
        np.save(folder / name, values)
    else:
        Image.fromarray(values).save(folder / name)


def mask(marks):
    return np.where(marks, 255, 0).astype(np.uint8)


@pytest.fixture
def images(tmp_path):
    """Six images: truth, two systems' scores of 8 bits, and their masks."""
    random = np.random.default_rng(3)
    for number in range(6):
        truth = random.random(SHAPE) < 0.05 + 0.1 * number
        save(tmp_path / "truth", f"{number:02d}.png", mask(truth))
        for system, noise in {"good": 40, "poor": 120}.items():
            score = 100 * truth + random.normal(60, noise, SHAPE)
            score = score.clip(0, 255).astype(np.uint8)
            save(tmp_path / system, f"{number:02d}.png", score)
            save(tmp_path / f"{system}_mask", f"{number:02d}.png", mask(score >= 100))
    return tmp_path


def pixels_of(folder):
    return [np.asarray(Image.open(path)).ravel() for path in sorted(folder.iterdir())]


def everything(images, *names):
    return [np.concatenate(pixels_of(images / name)) for name in names]


def read(images, *systems, **options):
    return karat.read([str(images / name) for name in ("truth", *systems)], **options)


def test_areas_are_those_of_scikit_learn(images):
    rows = read(images, "good", "poor").score().rows()
    truth, good, poor = everything(images, "truth", "good", "poor")
    for row in rows:
        score = good if row["system"] == "good" else poor
        function = {"roc-area": roc_auc_score, "average-precision": average_precision_score}
        expected = function[row["measure"]](truth > 0, score)
        assert row["value"] == pytest.approx(expected, abs=1e-12)


def test_masks_are_those_of_scikit_learn_pooled_and_by_image(images):
    bench = read(images, "good_mask", "poor_mask")
    truth, good = everything(images, "truth", "good_mask")
    by_measure = {"iou": jaccard_score, "dice": f1_score}
    for name, function in by_measure.items():
        row = next(row for row in bench.score(measure=name).rows() if row["system"] == "good_mask")
        assert row["value"] == pytest.approx(function(truth > 0, good > 0), abs=1e-12)
        pairs = zip(pixels_of(images / "truth"), pixels_of(images / "good_mask"), strict=True)
        expected = [function(one > 0, other > 0) for one, other in pairs]
        groups = bench.score(measure=name, per="group").rows()
        found = [row["value"] for row in groups if row["system"] == "good_mask"]
        assert found[:-1] == pytest.approx(expected, abs=1e-12)
        assert found[-1] == pytest.approx(np.mean(expected), abs=1e-12)


def rows_of_pixels(images, *systems):
    columns = {"image": [], "truth": []} | {name: [] for name in systems}
    for number, truth in enumerate(pixels_of(images / "truth")):
        columns["image"] += [f"{number:02d}"] * truth.size
        columns["truth"] += (truth > 0).astype(int).tolist()
        for name in systems:
            columns[name] += pixels_of(images / name)[number].tolist()
    return columns


def test_counts_give_what_a_row_for_each_pixel_gives(images):
    """Intervals and tests over images are the same numbers, whichever way the pixels are read."""
    table = karat.read(rows_of_pixels(images, "good", "poor"), cluster="image", kinds={"": "score"})
    counted = read(images, "good", "poor")
    for one, other in zip(table.score().rows(), counted.score().rows(), strict=True):
        assert one == pytest.approx(other)
    first = table.compare(measure="roc-area").rows()
    second = counted.compare(measure="roc-area").rows()
    for one, other in zip(first, second, strict=True):
        assert one == pytest.approx(other)
    skewed = [bench.skew(to=0.01, draws=200, seed=1) for bench in (table, counted)]
    for one, other in zip(skewed[0].rows(), skewed[1].rows(), strict=True):
        assert one == pytest.approx(other)


def test_masks_are_counted_together(images):
    source = SOURCES["pixels"]([str(images / name) for name in ("truth", "good_mask", "poor_mask")])
    table = rows_of_pixels(images, "good_mask", "poor_mask")
    expected = {}
    for row in zip(*table.values(), strict=True):
        image, truth, good, poor = row
        key = (image, truth, int(good > 0), int(poor > 0))
        expected[key] = expected.get(key, 0) + 1
    columns = [source.data[name] for name in ("image", "truth", "good_mask", "poor_mask", "count")]
    found = {row[:-1]: row[-1] for row in zip(*columns, strict=True)}
    assert found == expected
    assert "one_by_one" not in source.roles


@pytest.mark.parametrize("band", [1, 7, 64, 10**6])
def test_bands_give_the_counts_of_the_whole(images, monkeypatch, band):
    paths = [str(images / name) for name in ("truth", "good", "poor_mask")]
    whole = SOURCES["pixels"](paths).data
    monkeypatch.setattr(scenes, "BAND_PIXELS", band)
    for name, column in SOURCES["pixels"](paths).data.items():
        assert column.tolist() == whole[name].tolist()


def test_scores_of_16_and_32_bits_keep_all_their_values(tmp_path):
    random = np.random.default_rng(0)
    truth = random.random((50, 60)) < 0.2
    score = random.random((50, 60)) + 0.3 * truth
    save(tmp_path / "truth", "a.png", mask(truth))
    whole = (score / 1.3 * 65535).astype(np.uint16)
    forms = {
        "png": ("a.png", whole),
        "tiff": ("a.tif", whole),
        "float": ("a.tiff", score.astype(np.float32)),
        "array": ("a.npy", score),
        "columns": ("a.npy", np.asfortranarray(score)),
    }
    for form, (name, values) in forms.items():
        save(tmp_path / form, name, values)
        row = read(tmp_path, form).score(measure="roc-area").rows()[0]
        expected = roc_auc_score(truth.ravel(), values.astype(float).ravel())
        assert row["value"] == pytest.approx(expected, abs=1e-12), form


def test_pixels_that_do_not_count(images):
    random = np.random.default_rng(5)
    kept_truth, kept_score = [], []
    for number, (truth, score) in enumerate(
        zip(pixels_of(images / "truth"), pixels_of(images / "good"), strict=True)
    ):
        ignored = random.random(SHAPE) < 0.3
        save(images / "ignore", f"{number:02d}.png", mask(ignored))
        save(images / "within", f"{number:02d}.gif", mask(~ignored))
        void = np.where(ignored, 127, truth.reshape(SHAPE)).astype(np.uint8)
        save(images / "void" / "truth", f"{number:02d}.png", void)
        kept_truth.append(truth[~ignored.ravel()] > 0)
        kept_score.append(score[~ignored.ravel()])
    expected = roc_auc_score(np.concatenate(kept_truth), np.concatenate(kept_score))
    ways = [
        read(images, "good", using={"ignore": str(images / "ignore")}),
        read(images, "good", using={"within": str(images / "within")}),
        karat.read([str(images / "void" / "truth"), str(images / "good")], using={"void": "127"}),
    ]
    for bench in ways:
        row = bench.score(measure="roc-area").rows()[0]
        assert row["value"] == pytest.approx(expected, abs=1e-12)
        assert bench.facts.counts.items == sum(map(len, kept_truth))


def test_a_threshold_makes_masks_of_score_maps(images):
    by_threshold = read(images, "good", "poor", using={"threshold": "100"})
    by_masks = read(images, "good_mask", "poor_mask")
    for one, other in zip(by_threshold.score().rows(), by_masks.score().rows(), strict=True):
        assert one["value"] == other["value"]
    asked = by_threshold.compare(measure="f1").rows()[0]
    assert asked["p_value"] == by_masks.compare(measure="f1").rows()[0]["p_value"]
    assert (
        read(images, "good").score(threshold=100, measure="f1").rows()[0]["value"]
        == (by_masks.score(measure="f1").rows()[0]["value"])
    )


def test_what_needs_answers_together_is_refused_for_score_maps(images):
    with pytest.raises(karat.KaratError, match="counted one at a time"):
        read(images, "good", "poor", using={"clusters": "none"})
    with pytest.raises(karat.KaratError, match="let pixels vote"):
        read(images, "good", "poor").consensus()
    bench = read(images, "good", "poor").at(100)
    with pytest.raises(karat.KaratError, match="one system at a time"):
        bench.count(patterns)


def test_steps_round_scores_down(images):
    truth, good = everything(images, "truth", "good")
    row = read(images, "good", using={"step": "32"}).score(measure="roc-area").rows()[0]
    assert row["value"] == pytest.approx(roc_auc_score(truth > 0, good // 32), abs=1e-12)


def annotate(images, annotators=4):
    random = np.random.default_rng(9)
    for number, truth in enumerate(pixels_of(images / "truth")):
        total = np.zeros(SHAPE, np.uint8)
        for annotator in range(annotators):
            own = (truth.reshape(SHAPE) > 0) & (random.random(SHAPE) < 0.9)
            own |= random.random(SHAPE) < 0.02
            save(images / "annotators" / f"ann{annotator}", f"{number:02d}_marks.png", mask(own))
            total += own
        save(images / "levels", f"{number:02d}.png", total)


def test_levels_of_agreement_are_those_of_a_row_for_each_pixel(images):
    annotate(images)
    table = rows_of_pixels(images, "good", "poor")
    names = [f"ann{number}" for number in range(4)]
    for name in names:
        marks = np.concatenate(pixels_of(images / "annotators" / name))
        table[name] = (marks > 0).astype(int).tolist()
    asked = {"low": 0.0, "high": 0.5}
    expected = agreement_levels(
        table, annotators=names, systems=["good", "poor"], cluster="image", **asked
    )
    folders = [str(images / name) for name in ("annotators", "good", "poor")]
    by_level = [str(images / name) for name in ("levels", "good", "poor")]
    for found in (
        agreement_in_images(folders, **asked),
        agreement_in_images(by_level, using={"annotators": "4"}, **asked),
    ):
        assert found.items == expected.items
        for one, other in zip(found.rows(), expected.rows(), strict=True):
            assert one == pytest.approx(other, abs=1e-12)
        assert found.correlations.keys() == expected.correlations.keys()


def test_one_level_of_agreement_is_a_truth(images):
    annotate(images)
    total, good = everything(images, "levels", "good")
    bench = karat.read([str(images / "annotators"), str(images / "good")], using={"at_least": "3"})
    row = bench.score(measure="roc-area").rows()[0]
    assert row["value"] == pytest.approx(roc_auc_score(total >= 3, good), abs=1e-12)


def test_an_annotator_may_lack_an_image(images):
    annotate(images)
    (images / "annotators" / "ann2" / "03_marks.png").unlink()
    folders = [str(images / name) for name in ("annotators", "good")]
    found = agreement_in_images(folders)
    assert any("Not every annotator" in remark for remark in found.remarks)
    assert found.items == 6 * SHAPE[0] * SHAPE[1]


def test_the_same_images_give_the_same_bytes(images):
    paths = [str(images / name) for name in ("truth", "good", "poor")]
    first, second = (karat.read(paths).skew(to=0.1, draws=50, seed=4).to_json() for _ in range(2))
    assert first == second


def test_tallies_of_masks_are_saved_and_read(images, tmp_path, monkeypatch):
    from karat.cli import main

    paths = [str(images / name) for name in ("truth", "good_mask", "poor_mask")]
    saved = str(tmp_path / "masks.tally")
    monkeypatch.setattr("sys.argv", ["karat", "tally", *paths, "-o", saved])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    one, other = karat.read(saved), karat.read(paths)
    for first, second in zip(one.score().rows(), other.score().rows(), strict=True):
        assert first == second


def test_a_false_alarm_may_begin_where_an_object_does(tmp_path):
    truth = np.zeros((6, 12), bool)
    truth[1, 1] = True
    marks = np.zeros((6, 12), bool)
    marks[1, 1:9] = True
    save(tmp_path / "truth", "1.png", mask(truth))
    save(tmp_path / "net", "1.png", mask(marks))
    bench = read(tmp_path, "net", using={"unit": "object"})
    assert bench.facts.counts.items == 2
    (row,) = bench.score(measure="precision").rows()
    assert (row["successes"], row["trials"]) == (1, 2)
