"""Logs of language-model evaluations: what they say of each question is what is counted."""

import csv
import gzip
import io
import json
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import karat
from karat.errors import InputError, KaratError, OptionError
from karat.source import answer_rows as answers
from karat.source import spill as aside
from karat.source.llm import harness_samples, json_reader
from karat.tally.votes.confusion import confusions
from support.zstandard_frames import compress

PLAIN = "item,model,task,correct\n1,a,sums,1\n1,b,sums,0\n2,a,sums,true\n2,b,sums,False\n1,a,puns,0\n1,b,puns,1\n"


def sample(number, right, **more):
    return {
        "doc_id": number,
        "target": "A",
        "filter": "none",
        "metrics": ["acc"],
        "acc": float(right),
    } | more


def harness(folder, logs):
    """Write logs as lm_eval does: a folder per model, a file per task."""
    for (model, task), samples in logs.items():
        (folder / model).mkdir(parents=True, exist_ok=True)
        lines = "".join(json.dumps(one) + "\n" for one in samples)
        (folder / model / f"samples_{task}_2025-01-02T03-04-05.678901.jsonl").write_text(lines)
    return str(folder)


def inspect(path, model, samples, **log):
    """Write a log as Inspect does."""
    scores = [
        {"id": name, "epoch": epoch, "scores": {"match": {"value": value}}}
        for name, epoch, value in samples
    ]
    path.write_text(
        json.dumps(
            {"status": "success", "eval": {"model": model, "task": "sums"}, "samples": scores} | log
        )
    )
    return str(path)


def accuracies(bench, **options):
    return {
        row["system"]: row["value"] for row in bench.score(measure="accuracy", **options).rows()
    }


def test_tasks_are_groups_and_folders_are_models(tmp_path):
    logs = {
        ("a", "sums"): [sample(0, 1), sample(1, 1)],
        ("b", "sums"): [sample(0, 0), sample(1, 1)],
    }
    logs |= {("a", "puns"): [sample(0, 0)], ("b", "puns"): [sample(0, 0)]}
    bench = karat.read(harness(tmp_path, logs))
    assert accuracies(bench) == pytest.approx({"a": 2 / 3, "b": 1 / 3})
    groups = {row["group"] for row in bench.score(measure="accuracy", per="group").rows()}
    assert groups == {"sums", "puns", "(mean)"}
    assert bench.facts.options["source"] == "lm-eval(answer=right, metric=acc, filter=none)"


def test_answers_can_be_read_as_labels(tmp_path):
    likely = {"target": 1, "filtered_resps": [[-3.0, False], [-1.0, True]]}
    said = {"target": "7", "filtered_resps": ["7"]}
    logs = {
        ("a", "sums"): [
            sample(0, 1, **likely),
            sample(1, 0, target="0", filtered_resps=["[invalid]"]),
        ]
    }
    logs |= {("b", "sums"): [sample(0, 1, **likely), sample(1, 1, **said, doc={"x": 1})]}
    logs["a", "sums"][1]["target"] = "7"
    bench = karat.read(harness(tmp_path, logs), using={"answer": "label"})
    assert accuracies(bench) == {"b": 1.0, "a": 0.5}
    assert bench.facts.counts.missing == {"a": 1, "b": 0}


def test_repeated_samples_are_repeated_answers_of_one_item(tmp_path):
    drawn = [
        ("q1", 1, "C"),
        ("q1", 2, "C"),
        ("q1", 3, "I"),
        *(("q2", epoch, "I") for epoch in (1, 2, 3)),
    ]
    bench = karat.read(inspect(tmp_path / "a.json", "m", drawn))
    row = bench.score(measure="accuracy").rows()[0]
    assert (row["successes"], row["trials"]) == (2, 6)
    assert row["method"] == "jackknife over 2 clusters"
    assert "4 answers repeated" in bench.facts.notes[0]


def test_a_scorer_of_inspect_may_give_several_values(tmp_path):
    values = [{"style": 0.3, "correct": 1}, {"style": 0.9, "correct": 0}]
    path = inspect(tmp_path / "a.json", "m", [(1, 1, values[0]), (2, 1, values[1])])
    scorer = next(iter(json.loads(Path(path).read_text())["samples"][0]["scores"]))
    with pytest.raises(InputError, match=f"'{scorer}/style', '{scorer}/correct' could each say"):
        karat.read(path)
    with pytest.raises(InputError, match=f"no score 'correct'; it has '{scorer}/style'"):
        karat.read(path, using={"scorer": "correct"})
    bench = karat.read(path, using={"scorer": f"{scorer}/correct"})
    assert accuracies(bench) == {"m": 0.5}


@pytest.mark.parametrize("value", ["P", 0.5])
def test_a_grade_of_inspect_between_right_and_wrong_is_refused(tmp_path, value):
    path = inspect(tmp_path / "a.json", "m", [(1, 1, "C"), (2, 1, value)])
    with pytest.raises(
        InputError, match=r"neither right .* nor wrong .*; karat counts right and wrong"
    ):
        karat.read(path)


def test_two_logs_of_inspect_are_two_models(tmp_path):
    first = inspect(tmp_path / "a.json", "m", [(1, 1, "C"), (2, 1, "I")])
    second = inspect(tmp_path / "b.json", "n", [(1, 1, 1), (2, 1, 1.0)])
    assert accuracies(karat.read([first, second])) == {"n": 1.0, "m": 0.5}


def test_a_plain_table_of_who_was_right(tmp_path):
    (tmp_path / "right.csv").write_text(PLAIN)
    assert accuracies(karat.read(tmp_path / "right.csv")) == pytest.approx({"a": 2 / 3, "b": 1 / 3})
    rows = csv.DictReader(PLAIN.splitlines())
    (tmp_path / "right.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert accuracies(karat.read(tmp_path / "right.jsonl")) == pytest.approx(
        {"a": 2 / 3, "b": 1 / 3}
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"doc_id": 1, "target": "A", "acc": 0.5, "filtered_resps": []}\n',
            "no logged number says",
        ),
        (
            '{"doc_id": 1, "target": "A", "x": 1, "y": 0, "filtered_resps": []}\n',
            "'x', 'y' could each say",
        ),
        (
            '{"doc_id": 1, "target": "A", "acc": 1, "filtered_resps": []}\n{"doc_id": 2, "ta',
            r"line 2: not valid JSON",
        ),
        (
            '{"doc_id": 1, "target": "A", "acc": 1, "filtered_resps": []}\n{"id": 2}\n',
            "line 2: no sample of lm_eval",
        ),
        (
            '{"doc_id": 1, "target": "", "filter": "x"}\n{"doc_id": 1, "target": "", "filter": "y"}\n',
            "filters 'x', 'y'; choose one with using={'filter': 'x'}",
        ),
    ],
)
def test_a_bad_log_of_the_harness_is_refused_with_its_place(tmp_path, text, message):
    (tmp_path / "samples_sums.jsonl").write_text(text)
    with pytest.raises(InputError, match=message):
        karat.read(tmp_path / "samples_sums.jsonl", format="lm-eval")


def test_lenient_reading_counts_and_lists_what_it_leaves_out(tmp_path):
    text = (
        json.dumps(sample(0, 1)) + '\n{"doc_id": 2, "ta\n' + json.dumps(sample(3, 0)) + "\n\xff\n"
    )
    (tmp_path / "samples_sums.jsonl").write_bytes(text.encode("latin1"))
    bench = karat.read(tmp_path / "samples_sums.jsonl", format="lm-eval", lenient=True)
    assert bench.facts.counts.items == 2
    note = next(note for note in bench.facts.notes if "passed over" in note)
    assert note.startswith("2 faults passed over: ")
    assert "line 2: not valid JSON" in note
    assert "line 4: not UTF-8" in note


def test_a_task_without_a_sample_is_none(tmp_path):
    (tmp_path / "samples_sums.jsonl").write_text(json.dumps(sample(0, 1)))
    (tmp_path / "samples_empty.jsonl").write_text("")
    (tmp_path / "samples_bad.jsonl").write_text('{"id": 2}')
    for options in ({}, {"answer": "label"}):
        bench = karat.read(tmp_path, format="lm-eval", lenient=True, using=options)
        assert bench.facts.counts.items == 1
        assert any("1 fault passed over" in note for note in bench.facts.notes)


def test_logs_may_be_read_a_few_samples_at_a_time(tmp_path, monkeypatch):
    lines = [json.dumps(sample(number, number % 3 > 0)) for number in range(20)]
    (tmp_path / "samples_sums.jsonl").write_text("\n".join(lines))
    whole = karat.read(tmp_path, format="lm-eval").score().to_json()
    monkeypatch.setattr(harness_samples, "TOGETHER", 3)
    assert karat.read(tmp_path, format="lm-eval").score().to_json() == whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"eval": {}, "samples": [', "not valid JSON, line 1; if it is cut off"),
        ('{"eval": {"model": "m"}}', "not a log of Inspect: it has no 'eval'"),
        ('{"eval": {}, "samples": [{"id": 1}]}', "sample 1: no scores"),
        (
            '{"eval": {}, "samples": [{"id": 1, "scores": {"s": {"value": 0.3}}}]}',
            "the score 's' is 0.3",
        ),
        (
            '{"eval": {}, "samples": [{"id": 1, "scores": {"s": {}, "r": {}}}]}',
            "using={'scorer': 'NAME'}",
        ),
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
                [
                    "doc_id",
                    "target",
                    "acc",
                    "filter",
                    "filtered_resps",
                    "eval",
                    "samples",
                    "id",
                    "scores",
                    "value",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(
    some.lists(VALUES, max_size=3),
    some.text(max_size=3),
    some.sampled_from(["lm-eval", "inspect", "correct"]),
)
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
    strict, flexible = (
        match | {"filter": "strict"},
        match | {"filter": "flexible", "exact_match": 0.0},
    )
    logs = {
        ("a", "sums"): [sample(0, 1)],
        ("a", "puns"): [sample(0, 0, **strict), sample(0, 0, **flexible)],
    }
    bench = karat.read(harness(tmp_path, logs), using={"filter": "strict"})
    assert accuracies(bench) == {"a": 1.0}
    told = "metric=puns:exact_match+sums:acc, filter=puns:strict+sums:none"
    assert bench.facts.options["source"] == f"lm-eval(answer=right, {told})"
    assert accuracies(karat.read(harness(tmp_path, logs), using={"filter": "flexible"})) == {
        "a": 0.5
    }


@pytest.mark.parametrize(
    ("logs", "message"),
    [
        (
            {("a", "sums"): [sample(0, 1)]},
            "no answer went through the filter 'strict'; it is 'none'",
        ),
        (
            {("a", "sums"): [sample(0, 1, filter="loose")]},
            "no answer went through the filter 'strict'; it is 'loose'",
        ),
        (
            {("a", "sums"): [sample(0, 1, filter=name) for name in ("loose", "tight")]},
            "task sums has no answers through the filter 'strict'; it has 'loose', 'tight'",
        ),
        ({("a", "sums"): []}, "holds no samples"),
    ],
)
def test_a_filter_that_is_not_there_is_said(tmp_path, logs, message):
    with pytest.raises(InputError, match=message):
        karat.read(harness(tmp_path, logs), using={"filter": "strict"})


HEAD = {"version": 2, "status": "success", "eval": {"model": "m", "task": "sums"}}
SHORT = [
    {"id": f"a/{k}", "epoch": epoch, "scores": {"match": {"value": "CI"[k % 2]}}}
    for k in (1, 2)
    for epoch in (1, 2)
]


def packed(path, members):
    """Write a log as Inspect does if nothing is said: a zip of JSON."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(
                name, content if isinstance(content, str) else json.dumps(content, indent=2)
            )
    return str(path)


def squeezed(path, members):
    """Write the same with Zstandard, by hand: before 3.14 Python cannot."""
    plain = {name: json.dumps(content).encode() for name, content in members.items()}
    frames = {name: compress(data) for name, data in plain.items()}
    with zipfile.ZipFile(path, "w") as file:
        for name, frame in frames.items():
            file.writestr(name, frame)
    data = bytearray(path.read_bytes())
    for mark, method, checksum, size, length, rest in (
        (b"PK\3\4", 8, 14, 22, 26, 30),
        (b"PK\1\2", 10, 16, 24, 28, 46),
    ):
        at = -1
        while (at := data.find(mark, at + 1)) >= 0:
            name = bytes(
                data[
                    at + rest : at
                    + rest
                    + int.from_bytes(data[at + length : at + length + 2], "little")
                ]
            )
            original = plain[name.decode()]
            data[at + method : at + method + 2] = (93).to_bytes(2, "little")
            data[at + checksum : at + checksum + 4] = zlib.crc32(original).to_bytes(4, "little")
            data[at + size : at + size + 4] = len(original).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    return str(path)


def whole(short):
    """The samples one by one, as a log has them beside the list of all in short."""
    return {
        f"samples/{one['id']}_epoch_{one['epoch']}.json": one | {"messages": ["..."]}
        for one in short
    }


@pytest.mark.parametrize("write", [packed, squeezed])
@pytest.mark.parametrize("listed", [True, False])
def test_packed_logs_say_what_the_same_log_says_as_json(tmp_path, write, listed):
    members = {"_journal/start.json": HEAD, **whole(SHORT)}
    members |= {
        "samples/a/3_epoch_1/sample.json": SHORT[0] | {"id": "a/3"},
        "samples/a/3_epoch_1/events/0.json": [{}],
    }
    short = [*SHORT, SHORT[0] | {"id": "a/3"}]
    members |= {"summaries.json": short, "header.json": HEAD} if listed else {"header.json": HEAD}
    (tmp_path / "a.json").write_text(json.dumps(HEAD | {"samples": short}))
    plain = karat.read(tmp_path / "a.json")
    bench = karat.read(write(tmp_path / "a.eval", members))
    assert bench.score(measure="accuracy").rows() == plain.score(measure="accuracy").rows()
    assert bench.facts.notes == plain.facts.notes
    assert accuracies(karat.read(tmp_path)) == {"m": 2 / 5}


def test_of_two_members_of_one_name_the_last_counts(tmp_path):
    packed(tmp_path / "a.eval", {"header.json": HEAD, "summaries.json": SHORT[:2]})
    file = zipfile.ZipFile(tmp_path / "a.eval", "a")
    with pytest.warns(UserWarning, match="Duplicate name"):
        file.writestr("summaries.json", json.dumps(SHORT))
    file.close()
    assert accuracies(karat.read(tmp_path / "a.eval")) == {"m": 0.5}


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            {"_journal/start.json": {"eval": HEAD["eval"]}, **whole(SHORT)},
            "ended with status 'started'; run it again",
        ),
        (
            {"header.json": HEAD, "summaries.json": '[{"id": 1, "scores"'},
            "a.eval: not valid JSON, line 1; if it is cut off",
        ),
        (
            {"header.json": "[]", "summaries.json": SHORT},
            "is not a log of Inspect: it has no header.json",
        ),
        ({"summaries.json": SHORT}, "is not a log of Inspect: it has no header.json"),
        ({"header.json": HEAD}, "a.eval holds no answers"),
        (
            {
                "header.json": HEAD,
                "summaries.json": [{"id": 1, "scores": {}, "error": "out of time"}],
            },
            "sample 1: no scores, so nothing says whether the answer is right; it ended with 'out of time'",
        ),
        (
            {
                "header.json": HEAD,
                "summaries.json": [{"id": 1, "scores": {"match": {"value": {}}}}],
            },
            "sample 1: its scores hold no value, so nothing says whether the answer is right",
        ),
    ],
)
def test_a_bad_packed_log_is_refused_with_its_place(tmp_path, members, message):
    with pytest.raises(InputError, match=message):
        karat.read(packed(tmp_path / "a.eval", members))


def test_what_is_no_zip_or_a_spoilt_one_is_named(tmp_path):
    path = tmp_path / "a.eval"
    path.write_bytes(b"PK\x03\x04\xff")
    with pytest.raises(
        InputError, match=r"a.eval is not a log of Inspect, or it is cut off.*inspect log convert"
    ):
        karat.read(path)
    for write in (packed, squeezed):
        data = bytearray(
            Path(write(path, {"header.json": HEAD, "summaries.json": SHORT})).read_bytes()
        )
        place = data.find(b"summaries.json") + len("summaries.json") + 5
        data[place : place + 4] = b"\xff\xff\xff\xff"
        path.write_bytes(bytes(data))
        with pytest.raises(InputError, match=r"a.eval"):
            karat.read(path)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python reads it itself")
def test_zstandard_that_is_not_installed_is_asked_for(tmp_path, monkeypatch):
    path = squeezed(tmp_path / "a.eval", {"header.json": HEAD, "summaries.json": SHORT})
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(
        InputError, match=r"a.eval is compressed by Zstandard.*pip install zstandard"
    ):
        karat.read(path)


def test_json_beside_packed_logs_is_left_out_and_told(tmp_path):
    packed(tmp_path / "a.eval", {"header.json": HEAD, "summaries.json": SHORT})
    (tmp_path / "eval-set.json").write_text("{}")
    bench = karat.read(tmp_path)
    assert "1 .json file beside the .eval ones" in bench.facts.notes[0]


@given(VALUES, some.sampled_from([None, 0, 3]))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_a_document_in_parts_is_the_document(value, indent):
    document = {"eval": 1, "samples": [value, value, 12], "rest": value}
    text = json.dumps(document, indent=indent)
    for size in (1, 7, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_reader, "SIZE", size)
            parts = json_reader.JsonReader(io.BytesIO(text.encode()))
            found = {
                name: list(parts.elements()) if name == "samples" else parts.value()
                for name in parts.fields()
            }
        assert found == json.loads(text)


def test_the_head_of_a_log_may_stand_behind_its_samples(tmp_path):
    log = {"samples": SHORT, "eval": HEAD["eval"], "status": "success"}
    (tmp_path / "a.json").write_text(json.dumps(log))
    assert accuracies(karat.read(tmp_path / "a.json")) == {"m": 0.5}


def test_many_answers_are_laid_aside_and_say_the_same(tmp_path, monkeypatch):
    logs = {
        (model, "sums"): [sample(k, k % 3 == shift) for k in range(50)]
        for shift, model in enumerate("ab")
    }
    folder = harness(tmp_path / "logs", logs)
    odd = {"target": 'a "b",\n\ud800', "filtered_resps": ['a "b",\n\ud800']}
    labels = harness(tmp_path / "labels", {("a", "sums"): [sample(k, 1, **odd) for k in range(50)]})
    few = [
        karat.read(folder).score().rows(),
        karat.read(labels, using={"answer": "label"}).score().rows(),
    ]
    monkeypatch.setattr(aside, "FEW", 7)
    monkeypatch.setattr(answers, "FEW", 7)
    assert karat.read(folder).score().rows() == few[0]
    assert karat.read(labels, using={"answer": "label"}).score().rows() == few[1]


def test_a_task_that_was_run_again_counts_once(tmp_path):
    folder = harness(tmp_path, {("a", "sums"): [sample(0, 1), sample(1, 1)]})
    trial = tmp_path / "a" / "samples_sums_2024-12-31T00-00-00.000000.jsonl"
    trial.write_text(json.dumps(sample(0, 0)) + "\n")
    bench = karat.read(folder)
    assert accuracies(bench) == {"a": 1.0}
    assert "1 older log left out" in bench.facts.notes[0]
    assert accuracies(karat.read(folder, using={"runs": "all"})) == {"a": pytest.approx(2 / 3)}


def test_the_first_measure_that_a_task_has_is_taken(tmp_path):
    both = {"metrics": ["acc", "acc_norm"], "acc_norm": 0.0}
    logs = {("a", "arc"): [sample(0, 1, **both)], ("a", "sums"): [sample(0, 1)]}
    folder = harness(tmp_path, logs)
    assert accuracies(karat.read(folder, using={"metric": "acc_norm,acc"})) == {"a": 0.5}
    with pytest.raises(
        InputError, match=r"no acc_norm; it has 'acc'; .* using={'metric': 'acc_norm'},NAME"
    ):
        karat.read(folder, using={"metric": "acc_norm"})
    with pytest.raises(OptionError, match="says what was right"):
        karat.read(folder, using={"metric": "acc", "answer": "label"})


def test_results_without_samples_are_told_apart_from_logs_of_inspect(tmp_path):
    (tmp_path / "results_2025-01-02.json").write_text('{"results": {}, "configs": {}}')
    for path in (tmp_path, tmp_path / "results_2025-01-02.json"):
        with pytest.raises(InputError, match=r"holds no samples_.*--log_samples"):
            karat.read(path)


def test_measures_that_could_be_meant_are_told(tmp_path):
    both = {"metrics": ["acc", "acc_norm"], "acc_norm": 0.0}
    bench = karat.read(
        harness(tmp_path, {("a", "arc"): [sample(0, 1, **both)], ("a", "sums"): [sample(0, 1)]})
    )
    assert bench.facts.notes[0] == "right or wrong by 'acc'; logged too: 'acc_norm'"


def test_a_target_that_is_no_answer_is_told(tmp_path):
    solved = {
        "target": "2 + 2 = 4 #### 4",
        "filtered_resps": ["4"],
        "metrics": ["exact_match"],
        "exact_match": 1.0,
    }
    folder = harness(tmp_path, {("a", "sums"): [sample(0, 0, **solved)]})
    (note,) = karat.read(folder, using={"answer": "label"}).facts.notes
    assert (
        note
        == "in 'sums' the target does not decide which answers are right: the log contradicts it for 1 of 1 answer"
    )


def test_compressed_logs_in_a_folder_are_found(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "samples_sums.jsonl.gz").write_bytes(
        gzip.compress(json.dumps(sample(0, 1)).encode())
    )
    assert accuracies(karat.read(tmp_path)) == {"a": 1.0}


def test_a_row_without_a_model_or_an_item_is_named(tmp_path):
    (tmp_path / "c.csv").write_text("item,model,correct\n1,a,1\n2,,1\n")
    with pytest.raises(
        InputError, match=r"c.csv, line 3: it has 'item', 'correct', but needs an item, a model"
    ):
        karat.read(tmp_path / "c.csv")


def test_half_a_sign_is_a_question_mark(tmp_path):
    text = json.dumps(sample(0, 1, target="\ud800\U0001f600", filtered_resps=["\ud800\U0001f600"]))
    (tmp_path / "samples_x.jsonl").write_text(text)
    bench = karat.read(tmp_path / "samples_x.jsonl", format="lm-eval", using={"answer": "label"})
    assert bench.counter.count(confusions)[bench.facts.systems[0]].labels == ("?\U0001f600",)


def run_of(folder, logs, *, stamp="2025-01-02T03-04-05.678901", **arguments):
    """Write a run as lm_eval does: its samples, and its results with the model's arguments."""
    folder.mkdir(parents=True, exist_ok=True)
    for task, rights in logs.items():
        lines = [json.dumps(sample(k, right)) + "\n" for k, right in enumerate(rights)]
        (folder / f"samples_{task}_{stamp}.jsonl").write_text("".join(lines))
    model_args = ",".join(f"{name}={value}" for name, value in arguments.items())
    results = {"config": {"model": "hf", "model_args": model_args}}
    (folder / f"results_{stamp}.json").write_text(json.dumps(results))


LATER = "2025-01-03T03-04-05.678901"


def three_models(tmp_path):
    for name, rights in {"alpha": [1, 1], "beta": [0, 1], "gamma": [0, 0]}.items():
        run_of(tmp_path / name / "dummy", {"sums": rights}, pretrained="dummy", weights=name)


def test_models_in_folders_of_the_same_name_are_told_apart(tmp_path):
    three_models(tmp_path)
    bench = karat.read(tmp_path)
    expected = {"alpha": 1.0, "beta": 0.5, "gamma": 0.0}
    assert accuracies(bench) == expected
    assert any("'alpha', 'beta', 'gamma' are all logged as 'dummy'" in x for x in bench.facts.notes)
    folders = [str(tmp_path / name) for name in expected]
    assert accuracies(karat.read(folders)) == expected
    named = [f"{name}1={tmp_path / name}" for name in expected]
    assert accuracies(karat.read(named)) == {f"{name}1": v for name, v in expected.items()}


def test_models_in_folders_of_the_same_name_are_told_apart_without_results(tmp_path):
    three_models(tmp_path)
    for results in tmp_path.rglob("results_*"):
        results.unlink()
    assert accuracies(karat.read(tmp_path)) == {"alpha": 1.0, "beta": 0.5, "gamma": 0.0}


def test_one_name_for_several_models_is_refused(tmp_path):
    three_models(tmp_path)
    with pytest.raises(InputError, match="3 models, 'weights=alpha' and 'weights=beta'"):
        karat.read([f"all={tmp_path}"])
    for results in tmp_path.rglob("results_*"):
        results.unlink()
    with pytest.raises(InputError, match="'all' has the task 'sums' several times"):
        karat.read([f"all={tmp_path}"])


def test_tasks_of_one_model_in_several_folders_are_one_system(tmp_path):
    for name, rights in {"sums": [1, 1], "puns": [0, 0]}.items():
        run_of(tmp_path / name / "m", {name: rights}, pretrained="m", device=name)
    bench = karat.read(tmp_path)
    assert accuracies(bench) == {"m": 0.5}
    assert not any("logged as" in note for note in bench.facts.notes)


def test_runs_of_one_model_on_the_same_task_are_two_systems_unless_all_are_wanted(tmp_path):
    run_of(tmp_path / "shots0" / "m", {"sums": [0, 1]}, pretrained="m")
    run_of(tmp_path / "shots5" / "m", {"sums": [1, 1]}, pretrained="m")
    assert accuracies(karat.read(tmp_path)) == {"shots0": 0.5, "shots5": 1.0}
    both = karat.read(tmp_path, using={"runs": "all"})
    assert accuracies(both) == {"m": 0.75}


def test_revisions_in_one_folder_are_told_apart_not_taken_for_older_runs(tmp_path):
    run_of(tmp_path / "m", {"sums": [0, 0]}, pretrained="m", revision="1")
    run_of(tmp_path / "m", {"sums": [1, 0]}, pretrained="m", revision="2", stamp=LATER)
    assert accuracies(karat.read(tmp_path)) == {"m revision=1": 0.0, "m revision=2": 0.5}
    (tmp_path / "m" / f"results_{LATER}.json").unlink()
    bench = karat.read(tmp_path)  # one model only is known there
    assert accuracies(bench) == {"m": 0.5}
    assert any("1 older log left out" in note for note in bench.facts.notes)


def test_a_log_of_no_known_model_beside_two_models_is_refused(tmp_path):
    run_of(tmp_path / "m", {"sums": [0, 0]}, pretrained="m", revision="1")
    run_of(tmp_path / "m", {"sums": [1, 0]}, pretrained="m", revision="2", stamp=LATER)
    harness(tmp_path, {("m", "puns"): [sample(0, 1)]})
    (tmp_path / "m" / "samples_puns_2025-01-02T03-04-05.678901.jsonl").rename(
        tmp_path / "m" / "samples_puns_2024-01-02T03-04-05.678901.jsonl"
    )
    with pytest.raises(InputError, match="no results show which of them wrote"):
        karat.read(tmp_path)


def test_logs_of_inspect_take_names(tmp_path):
    first = inspect(tmp_path / "x.json", "m", [(1, 1, "C"), (2, 1, "I")])
    second = inspect(tmp_path / "y.json", "m", [(1, 1, "C"), (2, 1, "C")])
    assert accuracies(karat.read([f"low={first}", f"high={second}"])) == {"low": 0.5, "high": 1.0}
    (tmp_path / "logs").mkdir()
    inspect(tmp_path / "logs" / "x.json", "m", [(1, 1, "C")])
    assert accuracies(karat.read([f"all={tmp_path / 'logs'}"])) == {"all": 1.0}
    inspect(tmp_path / "logs" / "y.json", "other", [(1, 1, "I")])
    with pytest.raises(InputError, match=r"'all' would be two models, 'm' in .* and 'other' in"):
        karat.read([f"all={tmp_path / 'logs'}"])
