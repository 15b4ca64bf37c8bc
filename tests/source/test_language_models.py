"""Logs of language-model evaluations: what they say of each question is what is counted."""

import csv
import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import karat
from karat.errors import InputError, KaratError

PLAIN = "item,model,task,correct\n1,a,sums,1\n1,b,sums,0\n2,a,sums,true\n2,b,sums,False\n1,a,puns,0\n1,b,puns,1\n"


def sample(number, right, **more):
    return {"doc_id": number, "target": "A", "filter": "none", "metrics": ["acc"], "acc": float(right)} | more


def harness(folder, logs):
    """Write logs as lm_eval does: a folder per model, a file per task."""
    for (model, task), samples in logs.items():
        (folder / model).mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(one) + "\n" for one in samples)
        (folder / model / f"samples_{task}_2025-01-02T03-04-05.678901.jsonl").write_text(lines)
    return str(folder)


def inspect(path, model, samples, **log):
    """Write a log as Inspect does."""
    scores = [{"id": name, "epoch": epoch, "scores": {"match": {"value": value}}} for name, epoch, value in samples]
    path.write_text(
        json.dumps({"status": "success", "eval": {"model": model, "task": "sums"}, "samples": scores} | log)
    )
    return str(path)


def accuracies(bench, **options):
    return {row["system"]: row["value"] for row in bench.score(measure="accuracy", **options).rows()}


def test_tasks_are_groups_and_folders_are_models(tmp_path):
    logs = {("a", "sums"): [sample(0, 1), sample(1, 1)], ("b", "sums"): [sample(0, 0), sample(1, 1)]}
    logs |= {("a", "puns"): [sample(0, 0)], ("b", "puns"): [sample(0, 0)]}
    bench = karat.read(harness(tmp_path, logs))
    assert accuracies(bench) == pytest.approx({"a": 2 / 3, "b": 1 / 3})
    groups = {row["group"] for row in bench.score(measure="accuracy", per="group").rows()}
    assert groups == {"sums", "puns", "(mean)"}
    assert bench.facts.options["source"] == "lm-eval(answer=right, metric=acc, filter=none)"


def test_answers_can_be_read_as_labels(tmp_path):
    likely = {"target": 1, "filtered_resps": [[-3.0, False], [-1.0, True]]}
    said = {"target": "7", "filtered_resps": ["7"]}
    logs = {("a", "sums"): [sample(0, 1, **likely), sample(1, 0, target="0", filtered_resps=["[invalid]"])]}
    logs |= {("b", "sums"): [sample(0, 1, **likely), sample(1, 1, **said, doc={"x": 1})]}
    logs["a", "sums"][1]["target"] = "7"
    bench = karat.read(harness(tmp_path, logs), using={"answer": "label"})
    assert accuracies(bench) == {"b": 1.0, "a": 0.5}
    assert bench.facts.counts.missing == {"a": 1, "b": 0}


def test_repeated_samples_are_repeated_answers_of_one_item(tmp_path):
    drawn = [("q1", 1, "C"), ("q1", 2, "C"), ("q1", 3, "I"), *(("q2", epoch, "I") for epoch in (1, 2, 3))]
    bench = karat.read(inspect(tmp_path / "a.json", "m", drawn))
    row = bench.score(measure="accuracy").rows()[0]
    assert (row["successes"], row["trials"]) == (2, 6)
    assert row["method"] == "jackknife over 2 clusters"
    assert "4 answers repeated" in bench.facts.notes[0]


def test_two_logs_of_inspect_are_two_models(tmp_path):
    first = inspect(tmp_path / "a.json", "m", [(1, 1, "C"), (2, 1, "I")])
    second = inspect(tmp_path / "b.json", "n", [(1, 1, 1), (2, 1, 1.0)])
    assert accuracies(karat.read([first, second])) == {"n": 1.0, "m": 0.5}


def test_a_plain_table_of_who_was_right(tmp_path):
    (tmp_path / "right.csv").write_text(PLAIN)
    assert accuracies(karat.read(tmp_path / "right.csv")) == pytest.approx({"a": 2 / 3, "b": 1 / 3})
    rows = csv.DictReader(PLAIN.splitlines())
    (tmp_path / "right.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert accuracies(karat.read(tmp_path / "right.jsonl")) == pytest.approx({"a": 2 / 3, "b": 1 / 3})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"doc_id": 1, "target": "A", "acc": 0.5, "filtered_resps": []}\n', "no logged number says"),
        ('{"doc_id": 1, "target": "A", "x": 1, "y": 0, "filtered_resps": []}\n', "'x', 'y' could each say"),
        ('{"doc_id": 1, "target": "A", "acc": 1, "filtered_resps": []}\n{"doc_id": 2, "ta', r"line 2: no JSON"),
        ('{"doc_id": 1, "target": "A", "acc": 1, "filtered_resps": []}\n{"id": 2}\n', "line 2: no sample of lm_eval"),
        (
            '{"doc_id": 1, "target": "", "filter": "x"}\n{"doc_id": 1, "target": "", "filter": "y"}\n',
            "filters 'x', 'y'; say --using filter=x",
        ),
    ],
)
def test_a_bad_log_of_the_harness_is_refused_with_its_place(tmp_path, text, message):
    (tmp_path / "samples_sums.jsonl").write_text(text)
    with pytest.raises(InputError, match=message):
        karat.read(tmp_path / "samples_sums.jsonl", format="lm-eval")


def test_lenient_reading_counts_and_lists_what_it_leaves_out(tmp_path):
    text = json.dumps(sample(0, 1)) + '\n{"doc_id": 2, "ta\n' + json.dumps(sample(3, 0)) + "\n\xff\n"
    (tmp_path / "samples_sums.jsonl").write_bytes(text.encode("latin1"))
    bench = karat.read(tmp_path / "samples_sums.jsonl", format="lm-eval", lenient=True)
    assert bench.facts.counts.items == 2
    note = next(note for note in bench.facts.notes if "passed over" in note)
    assert note.startswith("2 faults passed over: ")
    assert "line 2: no JSON" in note
    assert "line 4: not UTF-8" in note


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"eval": {}, "samples": [', "no JSON, line 1; if it is cut off"),
        ('{"eval": {"model": "m"}}', "no log of Inspect: it has no 'eval'"),
        ('{"eval": {}, "samples": [{"id": 1}]}', "sample 1: no scores"),
        ('{"eval": {}, "samples": [{"id": 1, "scores": {"s": {"value": 0.3}}}]}', "the score 's' is 0.3"),
        ('{"eval": {}, "samples": [{"id": 1, "scores": {"s": {}, "r": {}}}]}', "--using scorer=NAME"),
        ('{"eval": {}, "status": "error", "samples": []}', "ended with status 'error'"),
    ],
)
def test_a_bad_log_of_inspect_is_refused_with_its_place(tmp_path, text, message):
    (tmp_path / "log.json").write_text(text)
    with pytest.raises(InputError, match=message):
        karat.read(tmp_path / "log.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PLAIN + "3,a,sums,maybe\n", "line 8: correct is 'maybe'"),
        (PLAIN + "3,a\n", "line 8: 2 values where the header has 4 names"),
        ("model,correct\na,1\n", "needs an item, a model and correct"),
    ],
)
def test_a_bad_table_of_who_was_right_is_refused_with_its_place(tmp_path, text, message):
    (tmp_path / "right.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        karat.read(tmp_path / "right.csv")


VALUES = some.recursive(
    some.none() | some.booleans() | some.integers(0, 2) | some.sampled_from(["C", "x", ""]),
    lambda inner: (
        some.lists(inner, max_size=2)
        | some.dictionaries(
            some.sampled_from(
                ["doc_id", "target", "acc", "filter", "filtered_resps", "eval", "samples", "id", "scores", "value"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(some.lists(VALUES, max_size=3), some.text(max_size=3), some.sampled_from(["lm-eval", "inspect", "correct"]))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_whatever_a_log_holds_it_is_counted_or_refused(tmp_path_factory, values, rest, form):
    path = tmp_path_factory.mktemp("logs") / "samples_x.jsonl"
    text = "".join(json.dumps(value) + "\n" for value in values) + rest
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    for lenient in (False, True):
        try:
            karat.read(path, format=form, lenient=lenient).score()
        except KaratError as error:
            assert str(error)  # noqa: PT017


def test_each_task_has_its_own_measure_and_filter(tmp_path):
    match = {"metrics": ["exact_match"], "exact_match": 1.0}
    strict, flexible = match | {"filter": "strict"}, match | {"filter": "flexible", "exact_match": 0.0}
    logs = {("a", "sums"): [sample(0, 1)], ("a", "puns"): [sample(0, 0, **strict), sample(0, 0, **flexible)]}
    bench = karat.read(harness(tmp_path, logs), using={"filter": "strict"})
    assert accuracies(bench) == {"a": 1.0}
    told = "metric=puns:exact_match+sums:acc, filter=puns:strict+sums:none"
    assert bench.facts.options["source"] == f"lm-eval(answer=right, {told})"
    assert accuracies(karat.read(harness(tmp_path, logs), using={"filter": "flexible"})) == {"a": 0.5}


@pytest.mark.parametrize(
    ("logs", "message"),
    [
        ({("a", "sums"): [sample(0, 1)]}, "no answer went through the filter 'strict'; it is 'none'"),
        ({("a", "sums"): [sample(0, 1, filter="loose")]}, "task sums has no answers through the filter 'strict'"),
        ({("a", "sums"): []}, "holds no samples"),
    ],
)
def test_a_filter_that_is_not_there_is_said(tmp_path, logs, message):
    with pytest.raises(InputError, match=message):
        karat.read(harness(tmp_path, logs), using={"filter": "strict"})


def test_packed_logs_are_named_as_such(tmp_path):
    (tmp_path / "a.eval").write_bytes(b"PK\x03\x04\xff")
    with pytest.raises(InputError, match=r"a.eval is a packed log.*inspect log convert"):
        karat.read(tmp_path / "a.eval")


def test_compressed_logs_in_a_folder_are_found(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "samples_sums.jsonl.gz").write_bytes(gzip.compress(json.dumps(sample(0, 1)).encode()))
    assert accuracies(karat.read(tmp_path)) == {"a": 1.0}


def test_a_row_without_a_model_or_an_item_is_named(tmp_path):
    (tmp_path / "c.csv").write_text("item,model,correct\n1,a,1\n2,,1\n")
    with pytest.raises(InputError, match=r"c.csv, line 3: it has 'item', 'correct', but needs an item, a model"):
        karat.read(tmp_path / "c.csv")
