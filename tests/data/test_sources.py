"""The real texts, entities and answers through their sources: the numbers are those of the field's own tools."""

import csv
import gzip
import json
from collections import Counter
from pathlib import Path

import jiwer
import numpy as np
import pytest
from seqeval.metrics.sequence_labeling import get_entities

import karat
from karat.source.entities.tags import Span
from karat.tally.votes.confusion import confusions
from karat.words import NOTHING
from support import contest_entities

DATA = Path(__file__).parents[3] / "shared" / "data"
if not DATA.is_dir():
    pytest.skip(f"the real data sets are not at {DATA}", allow_module_level=True)

pytestmark = pytest.mark.shared
ENGINES = ("dai", "tesseract", "textract")


def rows(path):
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as file
    ):
        return list(csv.DictReader(file))


def edits(bench, system):
    """Right, substituted, lost and inserted signs."""
    cells, number = bench.counter.count(confusions)[system], Counter()
    for truth, answer, times in zip(cells.truth, cells.answer, cells.number, strict=True):
        texts = [cells.labels[truth], cells.labels[answer]]
        kind = "right" if truth == answer else "wrong"
        number["inserted" if texts[0] == NOTHING else "lost" if texts[1] == NOTHING else kind] += (
            int(times)
        )
    return [number[kind] for kind in ("right", "wrong", "lost", "inserted")]


@pytest.fixture(scope="module")
def scans(tmp_path_factory):
    """The pages as folders of .txt, and as texts; blurred scans."""
    place = tmp_path_factory.mktemp("pages")
    pages = {
        "truth": {
            row["page"]: row["truth_text"] for row in rows(DATA / "ocr_pages" / "truth_text.csv.gz")
        }
    }
    read = [
        row for row in rows(DATA / "ocr_pages" / "ocr_text.csv.gz") if row["noise"] == "col_blur"
    ]
    pages |= {engine: {row["page"]: row[engine] for row in read} for engine in ENGINES}
    for name, texts in pages.items():
        (place / name).mkdir()
        for page, text in texts.items():
            (place / name / f"{page}.txt").write_text(text, encoding="utf-8")
    tidy = {
        name: [" ".join(texts[page].split()) for page in pages["truth"]]
        for name, texts in pages.items()
    }
    return [str(place / name) for name in pages], tidy


def levenshtein(one, other):
    """The least number of edits, a row of the textbook's table at a time."""
    left, right = (np.frombuffer(text.encode("utf-32-le"), np.uint32) for text in (one, other))
    steps = np.arange(len(right) + 1)
    row = steps.copy()
    for place, sign in enumerate(left, 1):
        best = np.minimum(row[1:] + 1, row[:-1] + (right != sign))
        row = np.minimum.accumulate(np.concatenate([[place], best]) - steps) + steps
    return int(row[-1])


def test_errors_of_characters_are_the_distance_of_levenshtein(scans):
    paths, texts = scans
    bench = karat.read(paths, format="text", using={"normalise": "space"}, group="page")
    errors = {
        (row["group"], row["system"]): row["trials"] - row["successes"]
        for row in bench.score(measure="accuracy", per="group").rows()
        if row["group"] != "(mean)"
    }
    pages = sorted({page for page, _ in errors})
    assert len(pages) == 80
    for page in pages[:4]:
        place = [row["page"] for row in rows(DATA / "ocr_pages" / "truth_text.csv.gz")].index(page)
        for engine in ENGINES:
            assert errors[page, engine] == levenshtein(texts["truth"][place], texts[engine][place])


@pytest.mark.parametrize(
    ("form", "process"), [("text", jiwer.process_characters), ("words", jiwer.process_words)]
)
def test_edits_of_scanned_pages_are_those_of_jiwer(scans, form, process):
    paths, texts = scans
    bench = karat.read(paths, format=form, using={"normalise": "space"})
    for engine in ENGINES:
        theirs = process(texts["truth"], texts[engine])
        assert edits(bench, engine) == [
            theirs.hits,
            theirs.substitutions,
            theirs.deletions,
            theirs.insertions,
        ]


def test_pipelines_rank_alike_with_truth_and_without_it_by_both_methods(scans):
    paths, _ = scans
    told = karat.read(paths, format="words").score(measure="micro-f1").rows()
    order = [row["system"] for row in told]
    for form in ("bag", "words"):
        found = karat.read(["-", *paths[1:]], format=form).consensus().rows()
        assert [row["system"] for row in found if not row["system"].startswith("(")] == order


def test_entities_of_newspapers_are_found_as_seqeval_and_the_contest_count_them(tmp_path):
    tokens = rows(DATA / "hipe2020_ner" / "tokens_en.csv.gz")
    systems = [name for name in tokens[0] if name.endswith(("_en_1", "_en_2", "_en_3"))]
    documents = {}
    for token in tokens:
        documents.setdefault(token["doc"], []).append(token)
    for name in ("truth_coarse", *systems):
        text = "\n\n".join(
            "\n".join(f"{t['token']}\t{t[name]}" for t in found) for found in documents.values()
        )
        (tmp_path / f"{name}.conll").write_text(text + "\n", encoding="utf-8")
    bench = karat.read([str(tmp_path / f"{name}.conll") for name in ("truth_coarse", *systems)])
    found = {
        (row["system"], row["measure"]): row
        for row in bench.score(measure="micro-precision,micro-recall").rows()
    }
    tags = {
        name: [[token[name] for token in one] for one in documents.values()]
        for name in ("truth_coarse", *systems)
    }
    true = set(get_entities(tags["truth_coarse"]))
    assert len(systems) == 13
    for name in systems:
        said = set(get_entities(tags[name]))
        for measure, whole in {"micro-precision": said, "micro-recall": true}.items():
            row = found[name, measure]
            assert (row["successes"], row["trials"]) == (len(true & said), len(whole))

    fuzzy = karat.read(
        [str(tmp_path / f"{name}.conll") for name in ("truth_coarse", *systems)],
        using={"match": "fuzzy"},
    )
    scores = fuzzy.score(measure="micro-precision,micro-recall").rows()
    by_measure = {(row["system"], row["measure"]): row for row in scores}
    for name in systems:
        expected = [0, 0, 0]
        for given, said in zip(tags["truth_coarse"], tags[name], strict=True):
            spans = [
                [Span(*one) for one in contest_entities.entities(each)] for each in (given, said)
            ]
            for place, number in enumerate(contest_entities.fuzzy(*spans)):
                expected[place] += number
        right, answers, true_ones = expected
        precision, recall = (
            by_measure[name, measure] for measure in ("micro-precision", "micro-recall")
        )
        assert (precision["successes"], precision["trials"]) == (right, answers)
        assert (recall["successes"], recall["trials"]) == (right, true_ones)


def test_word_errors_of_transcriptions_are_those_printed():
    # README of crowdspeech: test-other, ROVER 11.6, RASA 14.1, HRRASA 14.1, T5 9.7 % word errors (with apostrophes).
    path = DATA / "crowdspeech" / "systems_test-other.csv.gz"
    bench = karat.read(path, format="words", using={"normalise": "case,space", "classes": "no"})
    printed = {"rover_result": 11.6, "rasa_result": 14.1, "hrrasa_result": 14.1, "t5_result": 9.7}
    for system, percent in printed.items():
        right, wrong, lost, inserted = edits(bench, system)
        assert round(100 * (wrong + lost + inserted) / (right + wrong + lost), 1) == percent


def test_language_models_keep_their_printed_accuracies_in_logs_of_the_harness(tmp_path):
    truth = {row["item"]: row for row in rows(DATA / "mmlu_redux_14" / "items.csv")}
    answers = rows(DATA / "mmlu_redux_14" / "systems.csv")
    models = [name for name in answers[0] if name != "item"]
    assert len(models) == 14
    for model in models:
        tasks = {}
        for row in answers:
            question = truth[row["item"]]
            right = float(row[model] == question["truth_original"])
            sample = {
                "doc_id": row["item"],
                "target": question["truth_original"],
                "filtered_resps": [row[model]],
            }
            tasks.setdefault(question["subject"], []).append(
                sample | {"filter": "none", "metrics": ["acc"], "acc": right}
            )
        (tmp_path / model).mkdir()
        for task, samples in tasks.items():
            lines = "".join(json.dumps(one) + "\n" for one in samples)
            (tmp_path / model / f"samples_{task}_2025-01-02T03-04-05.jsonl").write_text(lines)
    table = rows(DATA / "mmlu_redux_14" / "scores.csv")
    column = next(name for name in table[0] if "original" in name)
    printed = {row["system"]: float(row[column]) for row in table if row["system"] in models}
    bench = karat.read(tmp_path)
    found = {row["system"]: row["value"] for row in bench.score(measure="accuracy").rows()}
    assert found == pytest.approx(printed, abs=5e-4)
    labels = karat.read(tmp_path, using={"answer": "label"}).score(measure="accuracy").rows()
    assert {row["system"]: row["value"] for row in labels} == found
    assert len({row["group"] for row in bench.score(measure="accuracy", per="group").rows()}) == 58
