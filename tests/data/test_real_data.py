"""The real sets, read as they come: karat's numbers are those their own score files and READMEs print."""

import csv
import gzip
import re
from pathlib import Path

import numpy as np
import pytest

import karat
from karat.errors import InputError
from karat.tally.votes.pairs import pairs
from karat.tally.votes.patterns import patterns

DATA = Path(__file__).parents[3] / "shared" / "data"
if not DATA.is_dir():
    pytest.skip(f"the real data sets are not at {DATA}", allow_module_level=True)

pytestmark = pytest.mark.shared
CROWD = ["bluebird", "rte", "trec", "web", "dog", "product", "adult_content2"]


def printed(folder, column):
    """A column of a set's own scores, by system."""
    with (DATA / folder / "scores.csv").open() as file:
        return {row["system"]: float(row[column]) for row in csv.DictReader(file)}


def accuracies(bench):
    return {row["system"]: row["value"] for row in bench.score(measure="accuracy").rows()}


def one(folder, name):
    """The file of this name, compressed or not."""
    return str(next((DATA / folder).glob(f"{name}.csv*")))


def crowd(name, **options):
    return karat.read(
        one(f"crowd/{name}", "answers"), truth=one(f"crowd/{name}", "truth"), **options
    )


def readme(name):
    """Items, annotators, answers, classes and the majority's accuracy of a crowd set, as its README prints them."""
    text = (DATA / "crowd" / "README.md").read_text()
    line = next(line for line in text.splitlines() if re.match(rf"\| {name}\b", line))
    cells = [cell.strip().split()[0].replace(",", "") for cell in line.split("|")[2:7]]
    return (*map(int, cells[:4]), float(cells[4]))


@pytest.mark.parametrize(
    ("folder", "truth", "column", "options"),
    [
        ("imagenet_val_34", "truth_original", "acc_original", {}),
        ("imagenet_val_34", "truth_real", "acc_real", {"truth_sep": " "}),
        ("imagenet_val_34", "truth_mturk3", "acc_mturk3", {"no_truth": "-1"}),
        ("cifar10_test_13", "truth_original", "acc_original", {}),
        ("cifar10_test_13", "truth_human_majority", "acc_human_majority", {}),
        ("cifar10_test_13", "truth_mturk3", "acc_mturk3", {"no_truth": "-1"}),
    ],
)
def test_classifiers_of_images_have_their_printed_accuracies(folder, truth, column, options):
    # The READMEs leave cleanlab's own model out: it chose the images that were reviewed.
    expected = {
        name: value
        for name, value in printed(folder, column).items()
        if not name.startswith("cleanlab")
    }
    bench = karat.read(
        one(folder, "systems_label"),
        truth=f"{one(folder, 'items')}:{truth}",
        systems=tuple(expected),
        **options,
    )
    assert len(expected) == int(folder.rpartition("_")[2])
    assert accuracies(bench) == pytest.approx(expected, abs=5.1e-6)


def test_images_without_a_valid_label_are_left_out_of_imagenet_real():
    folder = "imagenet_val_34"
    bench = karat.read(
        one(folder, "systems_label"), truth=f"{one(folder, 'items')}:truth_real", truth_sep=" "
    )
    assert (bench.facts.counts.items, bench.facts.counts.without_truth) == (50_000, 3_163)


def mmlu(truth, **options):
    folder = DATA / "mmlu_redux_14"
    return karat.read(
        folder / "systems.csv", truth=f"{folder / 'items.csv'}:{truth}", group="subject", **options
    )


def test_language_models_have_their_printed_accuracies_with_no_answer_counted_wrong():
    assert accuracies(mmlu("truth_original")) == pytest.approx(
        printed("mmlu_redux_14", "acc_original"), abs=5.1e-6
    )
    corrected = accuracies(mmlu("truth_corrected", truth_sep=" "))
    assert corrected == pytest.approx(printed("mmlu_redux_14", "acc_corrected"), abs=5.1e-6)


def test_answers_that_are_missing_are_counted():
    assert dict(mmlu("truth_original").facts.counts.missing) == printed(
        "mmlu_redux_14", "n_missing"
    )


def test_every_subject_has_a_hundred_questions():
    rows = mmlu("truth_original").score(measure="accuracy", per="group").rows()
    subjects = {row["group"]: row["trials"] for row in rows if row["group"] != "(mean)"}
    assert len(subjects) == 57
    assert set(subjects.values()) == {100}


@pytest.mark.parametrize("name", CROWD)
def test_crowds_are_read_as_long_tables_with_nothing_but_their_truth(name):
    items, annotators, answers, _, _ = readme(name)
    options = {"repeats": "first"} if name == "adult_content2" else {}
    facts = crowd(name, **options).facts
    assert (facts.counts.items, len(facts.systems)) == (items, annotators)
    assert next(use.filled for use in facts.uses if use.role == "answer") == answers


def test_a_crowd_that_contradicts_itself_is_refused_with_the_remedy():
    with pytest.raises(
        InputError, match=r"answered item '.+' 2 times; .*repeats='first', majority or keep"
    ):
        crowd("adult_content2")


def majority(patterns):
    """How often the majority is right, a tie being right by the share of the true label among the first."""
    told = patterns.truth >= 0
    votes = np.stack(
        [(patterns.answers[told] == code).sum(axis=1) for code in range(len(patterns.labels))],
        axis=1,
    )
    first = votes == votes.max(axis=1, keepdims=True)
    right = first[np.arange(len(first)), patterns.truth[told]] / first.sum(axis=1)
    return float((right * patterns.number[told]).sum() / patterns.number[told].sum())


@pytest.mark.parametrize("name", ["bluebird", "rte", "web", "dog", "product"])
def test_the_majority_of_a_crowd_is_as_often_right_as_printed(name):
    _, _, _, classes, expected = readme(name)
    rows = crowd(name).counter.count(patterns)
    assert len(rows.labels) == classes
    assert majority(rows) == pytest.approx(expected, abs=5.1e-5)


def test_every_pair_of_34_classifiers_is_compared_on_who_is_right_alone():
    systems = tuple(
        name
        for name in printed("imagenet_val_34", "acc_original")
        if not name.startswith("cleanlab")
    )
    truth = f"{one('imagenet_val_34', 'items')}:truth_original"
    bench = karat.read(one("imagenet_val_34", "systems_label"), truth=truth, systems=systems)
    rows = bench.compare(ranks=False).rows()
    assert len(rows) == 34 * 33 // 2
    for row in rows[::70]:
        _, first, second, _ = bench.counter.count(pairs, row["first"], row["second"]).counts()
        assert (row["only_first"], row["only_second"]) == (first, second)


def test_the_91_pairs_of_language_models_leave_one_model_alone_at_the_top():
    truth = f"{one('mmlu_redux_14', 'items')}:truth_original"
    found = karat.read(one("mmlu_redux_14", "systems"), truth=truth).compare(ranks=False)
    assert len(found.rows()) == 91
    assert found.rankings[0].groups[0] == ("anthropic_claude-3-5-sonnet-20240620",)


def bootstrap_over_images(rows, score, prevalence, draws=1000):
    """Average precisions at a prevalence, images drawn with replacement: plain NumPy, nothing of karat's."""
    _, image = np.unique([row["image"] for row in rows], return_inverse=True)
    truth = np.array([int(row["a1"]) for row in rows])
    _, cell = np.unique([-float(row[score]) for row in rows], return_inverse=True)
    images, cells = image.max() + 1, cell.max() + 1
    positive, negative = np.zeros((images, cells)), np.zeros((images, cells))
    np.add.at(positive, (image, cell), truth)
    np.add.at(negative, (image, cell), 1 - truth)
    random = np.random.default_rng(0)
    values = []
    for _ in range(draws):
        times = np.bincount(random.integers(0, images, images), minlength=images)
        recall = (times @ positive).cumsum() / (times @ positive).sum()
        false = (times @ negative).cumsum() / (times @ negative).sum()
        hits = prevalence * recall
        with np.errstate(invalid="ignore"):
            precision = np.nan_to_num(hits / (hits + (1 - prevalence) * false))
        values.append(np.diff(recall, prepend=0) @ precision)
    return np.array(values)


def test_boundaries_of_one_image_are_no_independent_items():
    path = DATA / "bsds500_boundaries" / "cells.csv.gz"
    options = {"truth": "a1", "systems": ["gpb_owt_ucm"], "kinds": "score"}
    with pytest.raises(InputError, match="use cluster='image'"):
        karat.read(path, **options)
    (row,) = karat.read(path, cluster="image", **options).skew(to=0.1).rows()
    with gzip.open(path, "rt") as file:
        drawn = bootstrap_over_images(list(csv.DictReader(file)), "gpb_owt_ucm", 0.1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    # 0.365 to 0.459: karat's is a little wider, for 50 images and what none of them shows.
    assert row["area_low"] == pytest.approx(low, abs=0.015)
    assert row["area_high"] == pytest.approx(high, abs=0.015)
    assert row["area_high"] - row["area_low"] == pytest.approx(high - low, rel=0.15)
    plain = karat.read(path, duplicate_check=False, **options).skew(to=0.1)
    (as_items,) = plain.rows()
    assert as_items["area_high"] - as_items["area_low"] < (high - low) / 3
