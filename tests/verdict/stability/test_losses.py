"""Rankings by mean error and by divergence under errors in the truth: the paper's table, loops and enumerations."""

import json
from itertools import product
from math import log, sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

import karat
from karat.errors import KaratError, OptionError, TallyError
from karat.verdict.stability import losses

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "golden.json").read_text(encoding="utf-8")
)
TABLE_4 = [
    pytest.param(entry, id=entry["id"]) for entry in GOLDEN if entry["id"].startswith("LP-T4")
]
LABELS = ("i1", "i2", "i3", "i4")
DRAWS = 20_000
WITHIN = 5 * 0.5 / DRAWS**0.5


def wide(given):
    columns = {
        "item": [f"phi{k}" for k in range(6)],
        "truth": [LABELS[code] for code in given["labels"]],
    }
    for system, (place, label) in product(("A1", "A2"), enumerate(LABELS)):
        columns[f"{system}.p.{label}"] = [row[place] for row in given[system]]
    return columns


def long(given):
    """A row for each confidence that is not 0."""
    rows = [
        (f"phi{k}", system, LABELS[given["labels"][k]], label, share)
        for system in ("A1", "A2")
        for k, row in enumerate(given[system])
        for label, share in zip(LABELS, row, strict=True)
        if share
    ]
    return dict(
        zip(
            ("item", "system", "truth", "label", "p"),
            map(list, zip(*rows, strict=True)),
            strict=True,
        )
    )


def law(row):
    return row["kept"], row["tie"], row["reversed"]


@pytest.mark.parametrize("entry", TABLE_4)
@pytest.mark.parametrize("layout", [wide, long])
def test_the_papers_table_4_from_a_wide_and_a_long_table(entry, layout):
    given, wanted = entry["inputs"], entry["exact"]
    measure = "divergence" if "forward" in entry["id"] else "cross-entropy"
    bench = karat.read(layout(given))
    found = bench.stability(
        measure=measure, label_error=given["eps"], floor=given.get("delta", 0.0)
    )
    (row,), (whole,) = found.rows(), found.rankings
    chances = [wanted["D1_gt_D2"], wanted["tie"], wanted["D1_lt_D2"]]
    assert (row["better"], row["worse"], row["method"]) == ("A2", "A1", "exact")
    assert law(row) == pytest.approx(chances, abs=entry["tolerance"])
    assert whole.under_noise.kept == pytest.approx(chances[0], abs=entry["tolerance"])


def sure(random, items=5, systems=("a", "b")):
    """Distributions over three labels, none of them 0."""
    table = {"truth": random.choice(list("xyz"), items).tolist()}
    for system in systems:
        shares = random.dirichlet([1, 1, 1], items)
        table |= {f"{system}.p.{label}": shares[:, k].tolist() for k, label in enumerate("xyz")}
    return table


def cost(table, system, item, true, floor):
    """-ln of the confidence in the true label; a missing one is none."""
    return -log(max(table[f"{system}.p.{true}"][item] or 0.0, floor))


def spent(table, system, item, true, floor):
    """Sum of a ln(a / t) over the labels, t being 1 for the true one and the floor elsewhere.

    Who says nothing costs as much as who is sure of a wrong label.
    """
    shares = {label: table[f"{system}.p.{label}"][item] for label in "xyz"}
    if None in shares.values():
        shares = dict.fromkeys("xyz", 0.0) | {next(label for label in "xyz" if label != true): 1.0}
    return sum(a * log(a / (1.0 if label == true else floor)) for label, a in shares.items() if a)


def enumerated(table, first, second, error, loss, floor):
    """P(first strictly smaller, tie, greater) over every labelling."""
    chances = np.zeros(3)
    for true in product("xyz", repeat=len(table["truth"])):
        moved = sum(one != given for one, given in zip(true, table["truth"], strict=True))
        gap = sum(
            loss(table, second, k, label, floor) - loss(table, first, k, label, floor)
            for k, label in enumerate(true)
        )
        place = 1 if abs(gap) < 1e-9 else 0 if gap > 0 else 2
        chances[place] += (error / 2) ** moved * (1 - error) ** (len(true) - moved)
    return chances


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("measure", "loss", "floor"), [("cross-entropy", cost, 0.0), ("divergence", spent, 1e-6)]
)
def test_a_ranking_of_distributions_has_the_values_of_a_loop_and_the_law_of_all_labellings(
    seed, measure, loss, floor
):
    table = sure(np.random.default_rng(seed))
    found = karat.read(table).stability(measure=measure, label_error=0.2, floor=floor)
    (row,), (whole,) = found.rows(), found.rankings
    for system, value in whole.values.items():
        each = [loss(table, system, k, true, floor) for k, true in enumerate(table["truth"])]
        assert value == pytest.approx(sum(each) / 5)
    assert whole.values[row["better"]] < whole.values[row["worse"]]
    assert law(row) == pytest.approx(
        enumerated(table, row["better"], row["worse"], 0.2, loss, floor), abs=1e-9
    )


def test_the_simulation_of_three_systems_agrees_with_each_pair():
    table = sure(np.random.default_rng(1), systems=("a", "b", "c"))
    found = karat.read(table).stability(measure="cross-entropy", label_error=0.2, draws=DRAWS)
    (whole,) = found.rankings
    assert "draws" in whole.under_noise.method
    for one, two in ((0, 1), (0, 2), (1, 2)):
        exact = enumerated(table, whole.systems[one], whole.systems[two], 0.2, cost, 0.0)
        assert whole.under_noise.before[one, two] == pytest.approx(exact[0], abs=WITHIN)


def without(table, system, item):
    return {
        name: [
            None if name.startswith(f"{system}.p.") and k == item else value
            for k, value in enumerate(column)
        ]
        for name, column in table.items()
    }


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("measure", "loss"), [("cross-entropy", cost), ("divergence", spent)])
def test_a_missing_distribution_costs_as_much_as_one_that_is_sure_of_a_wrong_label(
    seed, measure, loss
):
    table = without(sure(np.random.default_rng(seed)), "a", 3)
    found = karat.read(table).stability(measure=measure, label_error=0.2, floor=0.01)
    (row,), (whole,) = found.rows(), found.rankings
    each = [loss(table, "a", k, true, 0.01) for k, true in enumerate(table["truth"])]
    assert each[3] == pytest.approx(-log(0.01))
    assert whole.values["a"] == pytest.approx(sum(each) / 5)
    assert law(row) == pytest.approx(
        enumerated(table, row["better"], row["worse"], 0.2, loss, 0.01), abs=1e-9
    )
    assert "1 answer of 'a' missing" in found.notes()[-1]


def test_without_a_floor_no_confidence_in_the_truth_is_infinitely_bad():
    table = {"truth": ["x"] * 9, "a.p.x": [1.0] * 8 + [0.0], "a.p.y": [0.0] * 8 + [1.0]}
    table |= {"b.p.x": [0.01] * 9, "b.p.y": [0.99] * 9}
    (whole,) = karat.read(table).stability(measure="cross-entropy", label_error=0.0).rankings
    assert whole.order == ("b", "a")
    assert whole.values == {"a": None, "b": pytest.approx(-log(0.01))}


def test_divergence_needs_a_floor():
    with pytest.raises(OptionError, match="divergence is infinite without a floor="):
        karat.read(sure(np.random.default_rng(0))).stability(measure="divergence", label_error=0.1)


NUMBERS = {
    "truth": [1.5, 2.5, 3.25, 0.5, 4.75],
    "a": [1.25, 2.5, 3.5, 0.75, 4.5],
    "b": [1.5, 2.25, 3.75, 0.25, 4.25],
    "c": [2.5, 2.0, 3.0, 0.0, 4.0],
}
TRUTH, ANSWERS = np.array(NUMBERS["truth"]), np.array([NUMBERS[name] for name in "abc"])


def test_two_systems_by_squared_error_have_the_closed_form():
    noise = 0.4
    bench = karat.read({name: NUMBERS[name] for name in ("truth", "a", "b")})
    found = bench.stability(measure="mean-squared-error", noise=noise)
    (row,), (whole,) = found.rows(), found.rankings
    losses = ((ANSWERS - TRUTH) ** 2).mean(axis=1)
    spread = 2 * noise / 5 * sqrt(((ANSWERS[0] - ANSWERS[1]) ** 2).sum())
    assert whole.values == pytest.approx({"a": losses[0], "b": losses[1]})
    assert (row["better"], row["model"], row["method"]) == ("a", "noise 0.4", "exact (normal)")
    assert row["kept"] == pytest.approx(NormalDist().cdf((losses[1] - losses[0]) / spread))
    assert (row["tie"], row["kept"] + row["reversed"]) == pytest.approx((0, 1))


@pytest.mark.parametrize(
    ("measure", "power"), [("mean-absolute-error", 1), ("mean-squared-error", 2)]
)
def test_three_systems_with_noisy_truths_are_those_of_a_simulation_in_numpy(measure, power):
    found = karat.read(NUMBERS).stability(measure=measure, noise=0.4, draws=DRAWS, all_pairs=True)
    noisy = TRUTH + 0.4 * np.random.default_rng(99).standard_normal((DRAWS, 1, 5))
    drawn = (np.abs(ANSWERS - noisy) ** power).mean(axis=2)
    (whole,) = found.rankings
    assert whole.values == pytest.approx(
        dict(zip("abc", (np.abs(ANSWERS - TRUTH) ** power).mean(axis=1), strict=True))
    )
    order = ["abc".index(name) for name in whole.order]
    kept = (np.diff(drawn[:, order], axis=1) > 0).all(axis=1).mean()
    assert whole.under_noise.kept == pytest.approx(kept, abs=2**0.5 * WITHIN)
    for row in found.rows():
        better, worse = "abc".index(row["better"]), "abc".index(row["worse"])
        assert row["kept"] == pytest.approx(
            (drawn[:, better] < drawn[:, worse]).mean(), abs=2**0.5 * WITHIN
        )


GRADES = {"truth": [1, 2, 3, 5, 4], "a": [1, 2, 4, 5, 4], "b": [2, 2, 3, 3, 5]}


def graded(error, power):
    """P(a strictly better, tie, b) over every way in which grades are one up or down; 1 and 5 are the ends."""
    chances = np.zeros(3)
    for shifts in product((-1, 0, 1), repeat=5):
        weight, gap = 1.0, 0
        for given, shift, a, b in zip(
            GRADES["truth"], shifts, GRADES["a"], GRADES["b"], strict=True
        ):
            there = [step for step in (-1, 1) if 1 <= given + step <= 5]
            weight *= 1 - error if shift == 0 else error / len(there) if shift in there else 0.0
            gap += abs(b - given - shift) ** power - abs(a - given - shift) ** power
        chances[0 if gap > 0 else 1 if gap == 0 else 2] += weight
    return chances


@pytest.mark.parametrize(
    ("measure", "power"), [("mean-absolute-error", 1), ("mean-squared-error", 2)]
)
def test_grades_have_the_law_of_all_grades_one_up_or_down(measure, power):
    found = karat.read(GRADES).stability(measure=measure, label_error=[0.1, 0.4], draws=DRAWS)
    rows = found.rows()
    assert [row["label_error"] for row in rows] == [0.1, 0.4]
    assert len(found.rankings) == 2
    for row in rows:
        assert (row["better"], row["worse"]) == ("a", "b")
        assert law(row) == pytest.approx(graded(row["label_error"], power), abs=WITHIN)


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ({**GRADES, "c": [2, 3, 3, 4, 4]}, {"measure": "mean-absolute-error", "label_error": 0.2}),
        (NUMBERS, {"measure": "mean-absolute-error", "noise": 0.4}),
    ],
)
def test_the_pairs_of_a_simulation_are_read_off_the_whole_of_it(monkeypatch, table, options):
    drawn = []
    for name in ("grades_under_label_noise", "numbers_under_label_noise"):
        law = getattr(losses, name)
        monkeypatch.setattr(
            losses, name, lambda *given, law=law, **more: drawn.append(1) or law(*given, **more)
        )
    found = karat.read(table).stability(**options, draws=500, all_pairs=True)
    assert len(drawn) == 1
    (whole,) = found.rankings
    for row in found.rows():
        better, worse = (whole.systems.index(row[name]) for name in ("better", "worse"))
        before = whole.under_noise.before
        assert (row["kept"], row["reversed"]) == (before[better, worse], before[worse, better])
        assert row["method"] == whole.under_noise.method


def test_two_of_three_systems_have_the_closed_form_where_two_have_one():
    found = karat.read(NUMBERS).stability(measure="mean-squared-error", noise=0.4, all_pairs=True)
    losses = dict(zip("abc", ((ANSWERS - TRUTH) ** 2).mean(axis=1), strict=True))
    for row in found.rows():
        better, worse = row["better"], row["worse"]
        apart = np.subtract(NUMBERS[better], NUMBERS[worse])
        lead = (losses[worse] - losses[better]) / (2 * 0.4 / 5 * sqrt((apart**2).sum()))
        assert row["kept"] == pytest.approx(NormalDist().cdf(lead))


def test_items_that_a_system_did_not_answer_are_left_out_for_all_and_it_says_so():
    gap = {**NUMBERS, "c": [None, *NUMBERS["c"][1:]]}
    rest = {name: column[1:] for name, column in NUMBERS.items()}
    found = karat.read(gap, missing="skip").stability(measure="mean-squared-error", noise=0.4)
    assert (
        found.rows() == karat.read(rest).stability(measure="mean-squared-error", noise=0.4).rows()
    )
    assert "1 item that some system did not answer left out for all." in found.notes()
    with pytest.raises(OptionError, match="leave such items out: missing='skip'"):
        karat.read(gap).stability(measure="mean-squared-error", noise=0.4)


def test_only_the_pair_that_is_asked_about_is_told():
    found = karat.read(NUMBERS).stability(measure="mean-squared-error", noise=0.4, pair=("c", "a"))
    assert [(row["better"], row["worse"]) for row in found.rows()] == [("a", "c")]
    assert found.rankings == ()


def test_systems_that_tie_have_no_order_to_keep():
    table = {"truth": [1, 2, 3], "a": [1, 2, 2], "b": [2, 2, 3]}
    (row,) = karat.read(table).stability(measure="mean-absolute-error", label_error=0.1).rows()
    assert row["kept"] is None


TEXTS = {"truth": list("xyx"), "a": list("xyy"), "b": list("xxx"), "w": [1, 2, 3]}
P = sure(np.random.default_rng(0))


@pytest.mark.parametrize(
    ("table", "options", "says"),
    [
        (TEXTS, {"measure": "mean-absolute-error", "noise": 1}, "'x' is not a number"),
        (TEXTS, {"measure": "cross-entropy", "label_error": 0.1}, "no probability for every label"),
        (
            NUMBERS,
            {"measure": "cross-entropy", "label_error": 0.1},
            "no probability for every label",
        ),
        (NUMBERS, {"measure": "mean-squared-error"}, "needs noise=SD for numbers"),
        (
            GRADES,
            {"measure": "mean-squared-error", "noise": 1, "label_error": 0.1},
            "needs noise=SD",
        ),
        (NUMBERS, {"measure": "mean-squared-error", "label_error": 0.1}, "not whole grades"),
        (NUMBERS, {"measure": "mean-squared-error", "noise": -1}, "it is 0 or more"),
        (
            NUMBERS,
            {"measure": "mean-squared-error", "noise": 1, "floor": 0.1},
            "floor= is for confidences",
        ),
        (GRADES, {"measure": "mean-absolute-error", "label_error": {"1": 0.1}}, "label_error=E"),
        (
            GRADES,
            {"measure": "mean-absolute-error", "label_error": "3/100"},
            "other forms of errors",
        ),
        (P, {"measure": "cross-entropy"}, "give a share with label_error="),
        (P, {"measure": "cross-entropy", "noise": 1}, "noise= is for numbers"),
        (P, {"measure": "cross-entropy", "noise": 1, "label_error": 0.1}, "noise= is for numbers"),
        (P, {"measure": "cross-entropy", "label_error": 0.1, "floor": 2}, "floor= is 2"),
        (P, {"measure": "cross-entropy", "label_error": 3}, "probabilit"),
    ],
)
def test_what_has_no_answer_is_refused(table, options, says):
    with pytest.raises(KaratError, match=says):
        karat.read(table, systems=("a", "b")).stability(**options)


@pytest.mark.parametrize("role", ["weight", "cluster", "error"])
@pytest.mark.parametrize(
    ("table", "options"),
    [
        (NUMBERS, {"measure": "mean-squared-error", "noise": 0.1}),
        (P, {"measure": "cross-entropy", "label_error": 0.1}),
    ],
)
def test_weights_clusters_and_errors_by_item_have_no_law(table, options, role):
    bench = karat.read({**table, "w": [0.1, 0.1, 0.2, 0.2, 0.3]}, systems=("a", "b"), **{role: "w"})
    with pytest.raises(OptionError, match=f"have no distribution here; leave {role}= out"):
        bench.stability(**options)


@pytest.mark.parametrize(
    ("table", "options"),
    [
        (GRADES, {"measure": "mean-absolute-error", "label_error": 0.1}),
        (P, {"measure": "cross-entropy", "label_error": 0.1}),
    ],
)
def test_a_set_of_truths_has_no_law(table, options):
    with pytest.raises(OptionError, match="a truth that is a set of labels"):
        karat.read(table, truth_sep=";").stability(**options)


@pytest.mark.parametrize("missing", ["skip", "as:x"])
def test_a_missing_distribution_is_neither_skipped_nor_a_label(missing):
    bench = karat.read(without(P, "a", 3), missing=missing)
    with pytest.raises(OptionError, match="taken to have confidence 0; leave missing= out"):
        bench.stability(measure="cross-entropy", label_error=0.1, floor=0.01)


def test_a_saved_tally_has_numbers_and_no_confidences(tmp_path):
    grades, shares = tmp_path / "grades.tally", tmp_path / "shares.tally"
    karat.read(GRADES).save(grades)
    karat.read(P).save(shares)
    found, fresh = (
        karat.read(one).stability(measure="mean-squared-error", noise=1) for one in (grades, GRADES)
    )
    assert found.rows() == fresh.rows()
    with pytest.raises(TallyError, match="a saved tally holds no confidences"):
        karat.read(shares).stability(measure="cross-entropy", label_error=0.1)


def test_options_of_labels_are_refused_for_losses_and_the_other_way_round():
    with pytest.raises(OptionError, match="is not a measure of labels; leave classes="):
        karat.read(NUMBERS).stability(measure="mean-absolute-error", noise=0.1, few=True)
    with pytest.raises(OptionError, match="noise= and floor= go with measure="):
        karat.read({"truth": ["x", "y"], "a": ["x", "x"], "b": ["x", "y"]}).stability(noise=0.1)


@pytest.mark.parametrize("measure", ["nonsense", "cross_entropy"])
def test_a_loss_that_does_not_exist_is_refused(measure):
    bench = karat.read(
        {
            "truth": ["x", "y"],
            "a.p.x": [0.9, 0.2],
            "a.p.y": [0.1, 0.8],
            "b.p.x": [0.5, 0.5],
            "b.p.y": [0.5, 0.5],
        }
    )
    with pytest.raises(KaratError, match=r"no (loss|measure) is called '(nonsense|cross_entropy)'"):
        bench.stability(measure=measure, floor=0.01, label_error=0.05)
