"""pass@k: its published unbiased estimator, by all subsets; several samples an item as clusters."""

import json
from itertools import combinations
from math import comb

import numpy as np
import pytest

import karat
from karat.tally.votes.samples import samples


def read(right, *, task=None):
    """A table of which samples of each item and model are right."""
    rows = []
    for model, items in right.items():
        for item, answers in items.items():
            of_item = (task or {}).get(item, "t")
            rows += [(item, model, int(answer), of_item) for answer in answers]
    items, models, correct, tasks = zip(*rows, strict=True)
    columns = {"item": items, "system": models, "correct": correct, "task": tasks}
    return karat.read(columns, correct=True, repeats="keep", group="task")


def some(seed, *, items=9, most=6):
    random = np.random.default_rng(seed)
    right = {}
    for model in ("a", "b"):
        right[model] = {
            f"p{item}": (random.random(random.integers(2, most)) < random.random()).tolist()
            for item in range(items)
        }
    return right


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("k", [1, 2, 3])
def test_pass_at_k_is_the_share_of_all_subsets_of_k_that_have_a_right_one(seed, k):
    right = some(seed)
    found = {row["system"]: row for row in read(right).score(measure=f"pass@{k}").rows()}
    for model, items in right.items():
        chances = []
        for answers in items.values():
            subsets = list(combinations(answers, k))
            if subsets:
                chances.append(np.mean([any(subset) for subset in subsets]))
        assert found[model]["value"] == pytest.approx(np.mean(chances), abs=1e-12)


@pytest.mark.parametrize(
    ("taken", "right", "k"), [(200, 3, 100), (10, 0, 5), (10, 10, 1), (20, 7, 20)]
)
def test_the_published_estimator(taken, right, k):
    answers = [True] * right + [False] * (taken - right)
    bench = read({"a": {"p": answers, "q": answers}})
    (row,) = bench.score(measure=f"pass@{k}").rows()
    assert row["value"] == pytest.approx(1 - comb(taken - right, k) / comb(taken, k), abs=1e-12)


def test_items_with_too_few_samples_are_left_out_and_counted():
    bench = read({"a": {"p": [1, 0, 0], "q": [1], "r": [0, 0, 1]}})
    result = bench.score(measure="pass@2")
    assert result.rows()[0]["value"] == pytest.approx(2 / 3)
    assert any("1 item with fewer samples" in note for note in result.notes())


def test_samples_add_and_do_not_depend_on_the_order_of_rows():
    right = some(7)
    bench = read(right)
    first = {model: dict(list(items.items())[:4]) for model, items in right.items()}
    rest = {model: dict(list(items.items())[4:]) for model, items in right.items()}
    added = read(first).counter.count(samples) + read(rest).counter.count(samples)
    whole = bench.counter.count(samples)
    assert added.taken.sum(axis=0).tolist() == whole.taken.sum(axis=0).tolist()
    assert sorted(map(tuple, added.right.tolist())) == sorted(map(tuple, whole.right.tolist()))
    turned = {model: dict(reversed(items.items())) for model, items in right.items()}
    measure = "pass@1,pass@2"
    assert bench.score(measure=measure).to_json() == read(turned).score(measure=measure).to_json()


def test_tasks_and_the_mean_over_tasks():
    right = some(3, items=8)
    task = {f"p{item}": "easy" if item < 3 else "hard" for item in range(8)}
    result = read(right, task=task).score(measure="pass@2", per="group")
    rows = {(row["group"], row["system"]): row for row in result.rows()}
    for model in ("a", "b"):
        mean = (rows["easy", model]["value"] + rows["hard", model]["value"]) / 2
        assert rows["(mean)", model]["value"] == pytest.approx(mean)
        assert rows["(mean)", model]["low"] < mean < rows["(mean)", model]["high"]


def test_one_sample_an_item_is_accuracy():
    columns = {"id": list("abcdef"), "m": [1, 0, 1, 1, 0, 1], "n": [0, 0, 1, 1, 0, 1]}
    bench = karat.read(columns, correct=True)
    by_sample = {row["system"]: row["value"] for row in bench.score(measure="pass@1").rows()}
    by_answer = {row["system"]: row["value"] for row in bench.score(measure="accuracy").rows()}
    assert by_sample == pytest.approx(by_answer)
    assert any("pass@1 is accuracy" in note for note in bench.score(measure="pass@1").notes())


def test_models_are_compared_problem_by_problem():
    right = {"a": {}, "b": {}}
    for item in range(12):
        right["a"][f"p{item}"] = [1, 1, 0]
        right["b"][f"p{item}"] = [0, 0, item % 2]
    (row,) = read(right).compare(measure="pass@1").rows()
    assert (row["units"], row["units_first"], row["units_second"]) == (12, 12, 0)
    assert row["p_value"] == pytest.approx(2 / 2**12)
    assert row["verdict"] == "better"


def written_samples(folder):
    """Two models' samples as HumanEval's own evaluation writes them, and the same as one long table."""
    long = ["problem,model,passed"]
    for model, right in {"small": (2, 0), "large": (3, 1)}.items():
        lines = []
        for problem, passed in enumerate(right):
            for sample in range(4):
                is_right = sample < passed
                name = f"HumanEval/{problem}"
                row = {"task_id": name, "completion": "return 1", "passed": is_right}
                lines.append(json.dumps(row))
                long.append(f"{name},{model},{is_right}")
        (folder / f"{model}.jsonl").write_text("\n".join(lines))
    (folder / "long.csv").write_text("\n".join(long))


def test_samples_of_code_are_read_as_they_are_written(tmp_path):
    written_samples(tmp_path)
    files = [str(tmp_path / f"{name}.jsonl") for name in ("small", "large")]
    named = [f"{name}={tmp_path / name}.jsonl" for name in ("small", "large")]
    for paths in (files, named, [str(tmp_path / "long.csv")]):
        rows = karat.read(paths).score(measure="pass@1,pass@2").rows()
        found = {(row["system"], row["measure"]): row["value"] for row in rows}
        assert found["small", "pass@1"] == pytest.approx((2 / 4 + 0) / 2)
        assert found["large", "pass@1"] == pytest.approx((3 / 4 + 1 / 4) / 2)
        assert found["small", "pass@2"] == pytest.approx((1 - 1 / 6) / 2)


def test_more_samples_than_there_are_is_said_with_the_most_that_can_be_asked(tmp_path):
    written_samples(tmp_path)
    result = karat.read([str(tmp_path / "long.csv")]).score(measure="pass@5")
    assert all(row["value"] is None for row in result.rows())
    assert any("pass@4 is the last" in note for note in result.notes())
