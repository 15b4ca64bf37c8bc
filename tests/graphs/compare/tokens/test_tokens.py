"""Formulas as tokens: distances beside a slow and obvious one, rates and intervals worked by hand."""

import json
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import karat
from karat.errors import OptionError
from karat.graphs.compare.tokens.token_counts import token_distances
from support.edits import slow_distance

pytest.importorskip("rapidfuzz")

TOKENS = st.lists(st.sampled_from(["x", "^", "{", "}", r"\frac", "2"]), max_size=12).map(tuple)


@given(TOKENS, TOKENS)
def test_the_distance_is_that_of_the_obvious_way(first, second):
    assert token_distances([first], [second]) == [slow_distance(first, second)]


TRUTH = [r"x ^ { 2 } + 1", r"\frac { a } { b }", r"\sqrt { x }", r"\alpha + \beta"]
MINE = ["x^2 + 1", r"\frac { a } { 6 }", r"\sqrt { x", r"\alpha + \beta"]
OTHER = ["x^2 - 1", r"\frac{a}{b}", "", r"\alpha \beta"]


def bench(tmp_path, **options):
    files = {"truth": TRUTH, "mine": MINE, "other": OTHER}
    for name, lines in files.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    systems = {name: tmp_path / f"{name}.txt" for name in ("mine", "other")}
    return karat.read_graphs(tmp_path / "truth.txt", systems, **options)


def test_rates_worked_by_hand(tmp_path):
    rows = {(row["measure"], row["system"]): row for row in bench(tmp_path).tokens().rows()}
    # mine: a wrong 6, and a brace that is missing. other: a wrong sign, all four tokens of the root, a lost plus.
    assert [rows[name, "mine"]["successes"] for name in ("ExpRate", "<= 1", "<= 3")] == [2, 4, 4]
    assert [rows[name, "other"]["successes"] for name in ("ExpRate", "<= 1", "<= 3")] == [1, 3, 3]
    # 7 + 7 + 4 + 3 tokens of the truth.
    assert (
        rows["token error rate", "mine"]["successes"],
        rows["token error rate", "mine"]["trials"],
    ) == (2, 21)
    assert rows["token error rate", "other"]["value"] == pytest.approx(6 / 21)
    # By graph the formula that cannot be read is wholly wrong.
    assert rows["<= 1", "mine"]["by_graph"] == 0.75


def test_intervals_beside_scipy(tmp_path):
    rows = bench(tmp_path).tokens(level=0.9).rows()
    share = next(row for row in rows if row["measure"] == "ExpRate" and row["system"] == "mine")
    exact = stats.binomtest(2, 4).proportion_ci(0.9)
    assert (share["low"], share["high"]) == pytest.approx((exact.low, exact.high))
    rate = next(
        row for row in rows if row["measure"] == "token error rate" and row["system"] == "mine"
    )
    errors, tokens = np.array([0, 1, 1, 0]), np.array([7, 7, 4, 3])
    without = (errors.sum() - errors) / (tokens.sum() - tokens)
    spread = np.sqrt(3 / 4 * ((without - 2 / 21) ** 2).sum())
    reach = stats.t.ppf(0.95, 3) * spread
    assert (rate["low"], rate["high"]) == pytest.approx((max(0, 2 / 21 - reach), 2 / 21 + reach))


def test_the_table_of_many_formulas_is_that_of_the_slow_distance(tmp_path):
    chance = Random(7)  # noqa: S311 (no secret)
    words = ["x", "y", "2", "+", r"\alpha", "^ { 2 }", r"\frac { 1 } { 2 }"]
    truth, output = [], []
    for _ in range(60):
        formula = [chance.choice(words) for _ in range(chance.randint(1, 7))]
        truth.append(" ".join(["x", *formula]))
        changed = [chance.choice(words) if chance.random() < 0.2 else word for word in formula]
        output.append(" ".join(["x", *changed]))
    (tmp_path / "t.txt").write_text("\n".join(truth))
    (tmp_path / "o.txt").write_text("\n".join(output))
    sets = tmp_path / "t.txt", {"o": tmp_path / "o.txt"}
    scores = karat.read_graphs(*sets, lenient=True).tokens()
    # x ^ { 2 } ^ { 2 } has two upper scripts, which graphs refuse: such a truth is not among these.
    kept = [int(name) - 1 for name in scores.counts.formulas]
    slow = [slow_distance(truth[place].split(), output[place].split()) for place in kept]
    assert scores.counts.distances[0].tolist() == slow
    for row in scores.rows()[:4]:
        most = 0 if row["measure"] == "ExpRate" else int(row["measure"][-1])
        assert row["successes"] == sum(number <= most for number in slow)


def test_formulas_are_rows_of_a_table(tmp_path):
    accuracy = bench(tmp_path, unit="formula").score().rows()
    assert {row["system"]: row["successes"] for row in accuracy} == {"mine": 2, "other": 1}
    within = bench(tmp_path, unit="formula", within=1).score().rows()
    assert {row["system"]: row["successes"] for row in within} == {"mine": 4, "other": 3}
    (pair,) = bench(tmp_path, unit="formula", within=1).compare().rows()
    assert (pair["only_first"], pair["only_second"], pair["test"]) == (1, 0, "mcnemar")
    with pytest.raises(OptionError, match="for unit='formula'"):
        bench(tmp_path, unit="object", within=1)


def test_graphs_are_written_as_latex_first(tmp_path):
    for name, label in (("truth", "2"), ("mine", "3")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "f.lg").write_text(
            f"O, a, x, 1, s\nO, b, {label}, 1, t\nR, a, b, Sup, 1\n"
        )
        (tmp_path / name / "g.lg").write_text("O, a, x, 1, s\nO, b, y, 1, t\n")
    scores = karat.read_graphs(tmp_path / "truth", {"mine": tmp_path / "mine"}).tokens()
    assert scores.counts.formulas == ("f",)
    assert scores.counts.distances.tolist() == [[1]]
    assert (
        "1 graph of the truth left out, as they are not formulas of LaTeX: 'g'"
        in scores.warnings()[0]
    )
    assert json.loads(scores.to_json())["left_out"] == ["g"]
