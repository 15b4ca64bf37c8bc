"""More classes than can be meant: right answers are counted, and nothing class by class."""

import pytest

import karat
from karat.errors import OptionError
from karat.verdict.score import scores

NUMBER = 50


@pytest.fixture
def bench(monkeypatch):
    """As many classes as items, and a limit below it."""
    monkeypatch.setattr(scores, "MOST_CLASSES", NUMBER - 1)
    truth = [f"t{k}" for k in range(NUMBER)]
    first = [*truth[:40], *["t0"] * 10]
    second = [*["t1"] * 30, *truth[30:]]
    return karat.read({"truth": truth, "a": first, "b": second}, systems=["a", "b"])


def test_accuracy_is_counted(bench):
    result = bench.score()
    found = {row["system"]: row["successes"] for row in result.rows()}
    assert found == {"a": 40, "b": 21}
    assert {row["measure"] for row in result.rows()} == {"accuracy"}
    assert "only right answers are counted" in str(result)
    assert len(bench.score(measure="accuracy,error-rate").rows()) == 4


def test_comparisons_and_stability_by_accuracy_go_on(bench):
    (row,) = bench.compare().rows()
    assert (row["only_first"], row["only_second"]) == (29, 10)
    assert bench.stability(label_error=0.01).rows()[0]["kept"] > 0.9


@pytest.mark.parametrize(
    "ask",
    [
        lambda bench: bench.score(measure="macro-f1"),
        lambda bench: bench.score(per="class"),
        lambda bench: bench.compare(measure="macro-f1"),
        lambda bench: bench.stability(measure="macro-f1", label_error=0.01),
    ],
)
def test_what_goes_over_classes_is_refused(bench, ask):
    with pytest.raises(OptionError, match="is over classes, and there are 50"):
        ask(bench)


@pytest.mark.slow
def test_over_20000_real_classes_are_counted_quickly():
    items = 30_000
    truth = [f"t{k}" for k in range(items)]
    answers = [label if k % 10 else "t0" for k, label in enumerate(truth)]
    bench = karat.read({"item": list(range(items)), "truth": truth, "a": answers}, systems=["a"])
    (row,) = bench.score().rows()
    assert row["successes"] == 27_001


@pytest.mark.parametrize(("sizes", "largest"), [([3] * 25, False), ([3] * 24 + [4], True)])
def test_of_classes_of_one_size_none_is_called_the_largest(sizes, largest):
    truth = [f"t{k}" for k, size in enumerate(sizes) for _ in range(size)]
    shown = str(karat.read({"truth": truth, "a": truth}, systems=["a"]).score(per="class"))
    assert "the 10 worst of 25 classes" in shown
    assert ("largest" in shown) == largest
