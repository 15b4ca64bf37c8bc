"""Entities in documents: the contests' schemes on hand-made cases, their own counting, and seqeval."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from seqeval.metrics import f1_score, precision_score, recall_score

import karat
from karat.errors import OptionError
from karat.source.entities.tags import Span
from karat.tally.votes.span_matches import _credit, span_matches
from support import contest_entities

LAWS = settings(deadline=None, derandomize=True, max_examples=200)
TAGS = ["O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG"]


def read(folder, truth, **systems):
    """Documents as lists of spans, by name of the file."""
    paths = []
    for name, documents in {"truth": truth, **systems}.items():
        path = folder / f"{name}.jsonl"
        lines = [json.dumps({"id": k, "spans": spans}) for k, spans in enumerate(documents)]
        path.write_text("\n".join(lines), encoding="utf-8")
        paths.append(str(path))
    return karat.read(paths, format="spans", using={"rows": "documents"})


def value(bench, measure):
    (row,) = bench.score(measure=measure).rows()
    return row["value"]


# The cases that the schemes are explained by (SemEval-2013 task 9.1, section on the evaluation): what is true, what is
# given, and the credit by strict, exact, partial and type.
CASES = {
    "same ends and type": ([[0, 2, "DRUG"]], [[0, 2, "DRUG"]], (1, 1, 1, 1)),
    "spurious": ([], [[0, 2, "BRAND"]], (0, 0, 0, 0)),
    "missing": ([[0, 2, "DRUG"]], [], (0, 0, 0, 0)),
    "other ends, same type": ([[0, 3, "DRUG"]], [[1, 3, "DRUG"]], (0, 0, 0.5, 1)),
    "same ends, other type": ([[0, 2, "DRUG"]], [[0, 2, "BRAND"]], (0, 1, 1, 0)),
    "other ends and type": ([[0, 3, "DRUG"]], [[2, 5, "BRAND"]], (0, 0, 0.5, 0)),
    "one answer over two": ([[0, 2, "A"], [2, 4, "B"]], [[0, 4, "A"]], (0, 0, 0.5, 1)),
    "two answers in one": ([[0, 4, "A"]], [[0, 2, "A"], [2, 4, "A"]], (0, 0, 0.5, 1)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_schemes_by_hand(name, tmp_path):
    truth, answers, expected = CASES[name]
    bench = read(tmp_path, [truth, [[0, 1, "X"]]], a=[answers, [[0, 1, "X"]]])
    for scheme, credit in zip(("strict", "exact", "partial", "type"), expected, strict=True):
        right = 1 + credit
        assert value(bench, f"{scheme}-precision") == pytest.approx(right / (1 + len(answers)))
        assert value(bench, f"{scheme}-recall") == pytest.approx(right / (1 + len(truth)))
        both = len(truth) + len(answers) + 2
        assert value(bench, f"{scheme}-f1") == pytest.approx(2 * right / both)


def separate(draw):
    found = []
    start = 0
    parts = some.tuples(some.integers(0, 2), some.integers(1, 3), some.sampled_from("AB"))
    for gap, length, label in draw(some.lists(parts, max_size=5)):
        found.append(Span(start + gap, start + gap + length, label))
        start = found[-1].end
    return found


@given(some.data())
@LAWS
def test_credits_are_those_of_the_contests_own_counting(data):
    truth = separate(data.draw)
    answers = separate(data.draw)
    credit = _credit(truth, answers)
    assert credit.strict == len(set(truth) & set(answers))
    assert credit.exact == len({one[:2] for one in truth} & {one[:2] for one in answers})
    assert credit.partial == contest_entities.partial(truth, answers)
    assert credit.type == contest_entities.fuzzy(truth, answers).right
    assert credit.strict <= min(credit.exact, credit.type)
    assert credit.exact <= credit.partial <= min(len(truth), len(answers))


def sentences(seed, number=40):
    draw = random.Random(seed)  # noqa: S311 (a seeded example)
    truth = [[draw.choice(TAGS) for _ in range(8)] for _ in range(number)]
    found = [[tag if draw.random() < 0.8 else draw.choice(TAGS) for tag in tags] for tags in truth]
    return truth, found


def conll(folder, name, tagged, *, every=None):
    lines = []
    for number, tags in enumerate(tagged):
        if every and number % every == 0:
            lines += ["-DOCSTART- O", ""]
        lines += [f"w{place} {tag}" for place, tag in enumerate(tags)]
        lines.append("")
    path = folder / f"{name}.conll"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("seed", range(4))
def test_strict_matches_are_those_of_seqeval(seed, tmp_path):
    truth, found = sentences(seed)
    paths = [conll(tmp_path, "truth", truth), conll(tmp_path, "found", found)]
    bench = karat.read(paths, using={"rows": "documents"})
    assert value(bench, "strict-precision") == pytest.approx(precision_score(truth, found))
    assert value(bench, "strict-recall") == pytest.approx(recall_score(truth, found))
    assert value(bench, "strict-f1") == pytest.approx(f1_score(truth, found))
    by_type = karat.read(paths)
    assert value(by_type, "macro-f1") == pytest.approx(f1_score(truth, found, average="macro"))


def test_the_mean_over_documents_is_that_of_seqeval_on_each(tmp_path):
    truth, found = sentences(7)
    paths = [conll(tmp_path, "truth", truth, every=5), conll(tmp_path, "found", found)]
    bench = karat.read(paths, using={"rows": "documents"})
    each = [f1_score(truth[k : k + 5], found[k : k + 5]) for k in range(0, 40, 5)]
    assert value(bench, "macro-strict-f1") == pytest.approx(sum(each) / len(each))
    (row,) = bench.score(measure="macro-strict-f1").rows()
    assert row["method"] == "ratio over 8 documents"


def test_systems_are_compared_over_documents(tmp_path):
    truth, found = sentences(3)
    worse = [["O"] * 8 for _ in truth]
    paths = [
        conll(tmp_path, name, one)
        for name, one in (("truth", truth), ("good", found), ("bad", worse))
    ]
    bench = karat.read(paths, using={"rows": "documents"})
    (row,) = bench.compare(measure="partial-recall").rows()
    assert (row["first"], row["verdict"]) == ("good", "better")
    assert row["units_second"] == 0


def test_matches_add(tmp_path):
    truth, found = sentences(5)
    tallies = []
    for name, part in {"a": slice(0, 10), "b": slice(10, 40), "c": slice(0, 40)}.items():
        folder = tmp_path / name
        folder.mkdir()
        paths = [conll(folder, "truth", truth[part]), conll(folder, "found", found[part])]
        bench = karat.read(paths, using={"rows": "documents"})
        tallies.append(bench.counter.count(span_matches))
    added = tallies[0] + tallies[1]
    for name in ("truth", "answered", "strict_credit", "partial_credit"):
        sums = [tally.number @ getattr(tally, name) for tally in (added, tallies[2])]
        assert sums[0].tolist() == sums[1].tolist()


def test_single_entities_are_no_documents(tmp_path):
    truth, found = sentences(6)
    paths = [conll(tmp_path, "truth", truth), conll(tmp_path, "found", found)]
    with pytest.raises(OptionError, match="documents"):
        karat.read(paths).score(measure="partial-f1")
