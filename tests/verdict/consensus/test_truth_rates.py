"""Precision and recall by the truth beside those without it, at every cut-off; confidences that vote by their sums."""

import numpy as np
import pytest

import karat
from karat.ask import voting as polling
from karat.doubt.bounds.goutte_gaussier import goutte_gaussier
from karat.errors import OptionError
from karat.measure.cells import Cells
from karat.measure.consensus.agreement_coefficients import cohen_kappa
from karat.verdict.consensus import consensus as room

MADE = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.65}


def confident(seed, items=80, missing=0.1):
    """Systems whose confidences are higher where the truth is yes, some of them missing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, items)
    table = {"truth": truth.tolist()}
    for name, shift in (("a", 0.6), ("b", 0.4), ("c", 0.2)):
        scores = np.clip(rng.random(items) * (1 - shift) + shift * truth, 0.01, 0.99).round(4)
        table[name] = [
            None if gap else score
            for score, gap in zip(scores, rng.random(items) < missing, strict=True)
        ]
    return table


# By the truth


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_precision_and_recall_by_the_truth_are_those_of_score(drawn, labels, missing):
    table = drawn(3, labels=labels, missing=missing, **MADE)
    bench = karat.read(table, missing="skip")
    names = {"precision": "precision", "recall": "recall", "f1": "f1"}
    wanted = names if labels == "01" else {name: f"micro-{name}" for name in names}
    scores = {
        (row["system"], row["measure"]): row
        for row in bench.score(measure=list(wanted.values())).rows()
    }
    for row in karat.read(table).consensus(draws=0, estimator="vote").beside()["told"]:
        for name, measure in wanted.items():
            assert row[name] == pytest.approx(scores[row["system"], measure]["value"])
        for name in ("precision", "recall"):
            exact = scores[row["system"], wanted[name]]
            assert (row[f"{name}_exact_low"], row[f"{name}_exact_high"]) == (
                exact["low"],
                exact["high"],
            )


def test_the_posterior_is_that_of_the_counts(drawn):
    (row, *_) = (
        karat.read(drawn(1, **MADE)).consensus(draws=0, beta=2.0, level=0.9).beside()["told"]
    )
    cells = Cells(*(np.array(float(row[name])) for name in ("hits", "missed", "false")), 2.0)
    law = goutte_gaussier(cells, level=0.9)
    assert (row["f2_low"], row["f2_high"]) == (float(law.f.low), float(law.f.high))
    assert row["method"] == "Goutte-Gaussier (prior=0.5)"


def test_rows_bear_both_sides(drawn):
    rows = karat.read(drawn(2, **MADE)).consensus(draws=0, estimator="vote").rows()
    assert {"precision", "recall", "truth_precision", "truth_recall", "truth_f1"} <= rows[0].keys()
    assert rows[-1]["truth_precision"] is None  # (none) is no system


def test_an_oracle_that_is_sure_tells_where_there_is_no_truth(drawn, without_truth):
    table = without_truth(drawn(4, missing=0.1, **MADE))
    sure = karat.read(table).consensus(draws=0, oracles={"a": 1.0})
    as_truth = karat.read({**table, "truth": table["a"]}, systems=("b", "c", "d")).consensus(
        draws=0
    )
    counts = ("hits", "missed", "false", "f1_low", "f1_high")
    told, right = (
        [[row[name] for name in counts] for row in one.beside()["told"]] for one in (sure, as_truth)
    )
    assert told == right
    assert {row["by"] for row in sure.beside()["told"]} == {"a"}
    assert any("and by a (level 0.95)" in heading for heading in sure.parts())
    assert "told" not in karat.read(table).consensus(draws=0, oracles={"a": 0.9}).beside()


def test_the_positive_label_is_what_the_vote_is_about(drawn):
    table = drawn(5, **MADE)
    turned = {name: [1 - value for value in column] for name, column in table.items()}
    one = karat.read(table, positive="0").consensus(draws=0, estimator="vote")
    other = karat.read(turned).consensus(draws=0, estimator="vote")
    assert one.labels == ("0",)
    for row, right in zip(one.rows(), other.rows(), strict=True):
        assert row["system"] == right["system"]
        for name in ("precision", "truth_recall"):
            assert row[name] == pytest.approx(right[name])
    items = [
        row["label"]
        for row in karat.read(table, positive="0").consensus(per="item", estimator="vote").rows()
    ]
    assert {*items} == {"0", "1"}
    assert items == [
        str(1 - int(row["label"]))
        for row in karat.read(turned).consensus(per="item", estimator="vote").rows()
    ]


def test_every_pair_has_its_kappa_and_the_mean_is_told(drawn):
    table = drawn(6, **MADE)
    found = karat.read(table).consensus(draws=0, estimator="vote").beside()["agreement"]
    kappas = {(row["first"], row["second"]): row["kappa"] for row in found["cohen_kappa_of_pairs"]}
    assert kappas["a", "c"] == pytest.approx(cohen_kappa(table["a"], table["c"]))
    assert len(kappas) == 6
    assert found["cohen_kappa"] == pytest.approx(sum(kappas.values()) / 6)


# At every cut-off


def test_each_cutoff_is_a_table_of_yes_and_no():
    bench = karat.read(confident(1))
    found = bench.consensus(per="cutoff", cutoffs=[0.7, 0.3])
    assert list(dict.fromkeys(row["cutoff"] for row in found.rows())) == [0.3, 0.7]
    for cutoff in (0.3, 0.7):
        own = {row["system"]: row for row in found.rows() if row["cutoff"] == cutoff}
        for row in bench.consensus(threshold=cutoff, draws=0, estimator="vote").rows():
            names = (
                "precision",
                "recall",
                "f1",
                *["truth_precision", "truth_recall"] * (row["rank"] is not None),
            )
            assert [own[row["system"]][name] for name in names] == [row[name] for name in names]


def test_without_a_truth_there_is_one_side():
    found = karat.read(
        {name: column for name, column in confident(2).items() if name != "truth"}
    ).consensus(per="cutoff")
    assert len({row["cutoff"] for row in found.rows()}) == 9
    assert "truth_precision" not in found.rows()[0]
    assert "true recall" not in next(iter(found.parts().values()))[0]


def test_cutoffs_are_of_scores_and_of_the_vote(drawn):
    with pytest.raises(OptionError, match="for scores"):
        karat.read(drawn(1, **MADE)).consensus(per="cutoff")
    with pytest.raises(OptionError, match="per='cutoff' is for the vote"):
        karat.read(confident(1)).consensus(per="cutoff", estimator="majority")


# By sums


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"trust": {"a": 3, "(all)": 0}},
        {"oracles": {"b": 0.6}},
        {"families": {"f": ("a", "c")}},
        {"leave_out": "itself"},
    ],
    ids=str,
)
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_sums_of_confidences_give_what_their_patterns_give(monkeypatch, options, missing):
    bench = karat.read(confident(3, missing=missing))
    by_patterns = bench.consensus(draws=0, **options)
    monkeypatch.setattr(polling, "MANY", 10)
    by_sums = bench.consensus(draws=0, **options)
    assert by_sums.method == "vote, from sums of confidences"
    assert by_sums.ranks == by_patterns.ranks
    for one, other in zip(by_sums.rows(), by_patterns.rows(), strict=True):
        for name in (
            "weight",
            "retrieved",
            "precision",
            "recall",
            "f1",
            "truth_value",
            "truth_precision",
        ):
            assert one[name] == pytest.approx(other[name], abs=1e-7), name
    assert by_sums.agreement.alpha == by_patterns.agreement.alpha
    assert any("by their sums" in note for note in by_sums.notes())


def test_the_spread_by_blocks_is_that_of_the_resampled_items(monkeypatch):
    table = {"item": list(range(1_500)), **confident(5, items=1_500)}
    options = {"draws": 1_000, "leave_out": "itself", "beta": 2.0}
    by_items = karat.read(table).consensus(**options)
    monkeypatch.setattr(polling, "MANY", 10)
    by_blocks = karat.read(table).consensus(**options)
    assert "Student's t over 25" in by_blocks.method
    for one, other in zip(by_blocks.rows()[:3], by_items.rows()[:3], strict=True):
        width = other["spread_high"] - other["spread_low"]
        # A doubt from 256 blocks is right to 1/sqrt(512) of itself, 4 %; three times that, and what 1,000 draws leave.
        assert one["spread_high"] - one["spread_low"] == pytest.approx(width, rel=0.18)
        assert one["spread_low"] == pytest.approx(other["spread_low"], abs=0.12 * width)
        assert one["spread_high"] == pytest.approx(other["spread_high"], abs=0.12 * width)


def test_the_order_of_the_rows_moves_no_spread_by_blocks(monkeypatch):
    monkeypatch.setattr(polling, "MANY", 10)
    table = {"item": list(range(80)), **confident(8)}
    orders = (table, {name: column[::-1] for name, column in table.items()})
    one, other = (karat.read(columns).consensus(estimator="vote").to_json() for columns in orders)
    assert one == other


def test_without_names_there_are_no_blocks_and_that_is_said(monkeypatch):
    monkeypatch.setattr(polling, "MANY", 10)
    found = karat.read(confident(6)).consensus(estimator="vote")
    assert found.rows()[0]["spread_low"] is None
    assert (
        "No spread over items: blocks of items need the items' names; name their column with --item."
        in found.notes()[-1]
    )
    assert (
        "No spread" not in karat.read(confident(6)).consensus(draws=0, estimator="vote").notes()[-1]
    )


def test_answers_too_many_to_be_resampled_are_told(monkeypatch, drawn):
    monkeypatch.setattr(room, "CHEAP", 1)
    found = karat.read(drawn(7, **MADE)).consensus(estimator="vote")
    assert found.rows()[0]["spread_low"] is None
    assert "too many to be resampled" in found.notes()[-1]


def test_what_sums_cannot_tell_is_asked_of_the_patterns(monkeypatch):
    monkeypatch.setattr(polling, "MANY", 10)
    bench = karat.read(confident(4))
    for options in (
        {"estimator": "dawid-skene"},
        {"oracles": {"(truth)": 1.0}},
        {"threshold": 0.4},
    ):
        assert "sums" not in bench.consensus(draws=0, **options).method


@pytest.mark.parametrize("name", ["(all)", "(none)", "(truth)"])
def test_no_system_can_bear_the_name_of_a_virtual_one(name):
    bench = karat.read({name: [1, 0, 1], "b": [1, 1, 0]}, systems=(name, "b"))
    with pytest.raises(OptionError, match="means something else in a vote; rename it"):
        bench.consensus(draws=0, estimator="vote")


def test_a_name_in_brackets_has_a_rank():
    bench = karat.read({"(our) model": [1, 0, 1], "b": [1, 1, 0], "c": [1, 0, 1]})
    found = bench.consensus(per="family", families={"f": ("(our) model", "b", "c")}, draws=0).rows()
    assert [row["system"] for row in found if row["rank"] is None] == ["(all)", "(none)"]


def test_cutoffs_that_are_near_each_other_are_told_apart():
    found = karat.read({"a": [0.2, 0.9], "b": [0.1, 0.4]}).consensus(
        per="cutoff", cutoffs=[0.1234567, 0.1234568]
    )
    assert len(found.parts()) == 2
    assert "cutoffs='0.1234567,0.1234568'" in found.to_json()


def test_agreement_is_not_judged_where_nobody_can_agree_on_a_no():
    chosen = {"a": [1, 1, 1, 0, 1, 0], "b": [1, 1, 0, 1, 0, 1]}
    found = karat.read(chosen).consensus(draws=0, estimator="vote")
    assert not any("by chance" in note for note in found.warnings())
    assert any(
        note.startswith("Items that no system chose are not in the table") for note in found.notes()
    )
    whole = karat.read({name: [*column, 0, 0] for name, column in chosen.items()}).consensus(
        draws=0
    )
    assert any(note.startswith("Krippendorff's alpha") for note in whole.notes())


def test_an_estimator_without_precision_shows_none():
    table = {"a": list("xyxy"), "b": list("xyyy"), "c": list("xxxy")}
    (rows,) = karat.read(table).consensus(estimator="majority", draws=0).parts().values()
    assert "precision" not in rows[0]
    yes = {name: [int(label == "x") for label in column] for name, column in table.items()}
    assert (
        "precision"
        in next(iter(karat.read(yes).consensus(draws=0, estimator="vote").parts().values()))[0]
    )
