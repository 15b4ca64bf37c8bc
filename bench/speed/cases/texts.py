"""Texts, ranked lists, formulas as tokens, and logs of language models."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import ir_measures
import jiwer
import numpy as np
from case import Case, Way
from common import made
from rapidfuzz.distance import Levenshtein

import karat
from karat.graphs.compare.tokens.token_counts import token_distances
from karat.graphs.formats.formulas.latex_normal import normal_tokens

WORDS = [f"w{number}" for number in range(5_000)]
QUERIES, CANDIDATES, RETRIEVED, JUDGED = 200, 3_000, 1_000, 150
RUNS = ("one", "two", "three")
NDCG = ir_measures.nDCG @ 10
SYMBOLS = ("x", "y", "2", "+", "=", "\\alpha", "\\frac { a } { 2 }", "^ { 2 }", "_ { i }", "\\sqrt { z }")  # fmt: skip
FORMULAS, TOKENS = 40_000, 20


@dataclass(frozen=True)
class Read:
    """Texts, and what a recogniser made of them."""

    truth: list[str]
    output: list[str]


def texts(number: int, words: int) -> Read:
    chance = Random(number)  # noqa: S311 (no secret)
    split = [chance.choices(WORDS, k=words) for _ in range(number)]
    misread = [" ".join(_misread(words, chance)) for words in split]
    return Read([" ".join(words) for words in split], misread)


def _misread(words: list[str], chance: Random) -> Iterable[str]:
    """Give the words, some of them lost, some others, and some added."""
    for word in words:
        place = chance.random()
        if place >= 0.03:
            yield chance.choice(WORDS) if place < 0.1 else word
        if chance.random() < 0.03:
            yield chance.choice(WORDS)


def rate(data: Read, *, measure: str) -> float:
    names = [str(number) for number in range(len(data.truth))]
    columns = {"item": names, "truth": data.truth, "a": data.output}
    bench = karat.read(columns, truth="truth", item="item", systems=["a"])
    return float(bench.score(measure=measure).rows()[0]["value"])


def words_by_jiwer(data: Read) -> float:
    return float(jiwer.process_words(data.truth, data.output).wer)


def characters_by_jiwer(data: Read) -> float:
    return float(jiwer.process_characters(data.truth, data.output).cer)


def distances(data: Read, *, characters: bool) -> int:
    """Let RapidFuzz count the errors, aligning nothing and checking nothing."""
    pairs = zip(data.truth, data.output, strict=True)
    if characters:
        return sum(Levenshtein.distance(one, other) for one, other in pairs)
    return sum(Levenshtein.distance(one.split(), other.split()) for one, other in pairs)


def apart(one: float, other: float) -> float:
    return abs(one - other)


def runs() -> Path:
    return made("ranked-lists", _write_runs)


def _write_runs(folder: Path) -> None:
    """Write runs that retrieve the first thousand of the same candidates, with noise, and judgements of some."""
    random = np.random.default_rng(1)
    folder.mkdir()
    qrels = []
    lines: dict[str, list[str]] = {name: [] for name in RUNS}
    for query in range(QUERIES):
        worth = random.normal(size=CANDIDATES)
        for place in np.argsort(-worth)[: 2 * JUDGED : 2]:
            qrels.append(f"{query} 0 doc-{place:06} {max(0, int(worth[place]))}")  # noqa: PERF401
        for name in RUNS:
            score = worth + random.normal(size=CANDIDATES)
            for rank, place in enumerate(np.argsort(-score)[:RETRIEVED], 1):
                lines[name].append(f"{query} Q0 doc-{place:06} {rank} {score[place]:.6f} {name}")
    (folder / "topics.qrels").write_text("\n".join(qrels) + "\n", encoding="utf-8")
    for name, own in lines.items():
        (folder / f"{name}.run").write_text("\n".join(own) + "\n", encoding="utf-8")


def _paths(folder: Path) -> tuple[str, dict[str, str]]:
    return str(folder / "topics.qrels"), {name: str(folder / f"{name}.run") for name in RUNS}


def ndcg(folder: Path) -> dict[str, float]:
    qrels, paths = _paths(folder)
    rows = karat.read([qrels, *paths.values()]).score(measure="nDCG@10").rows()
    return {row["system"]: row["value"] for row in rows}


def ndcg_by_ir_measures(folder: Path) -> dict[str, float]:
    qrels, paths = _paths(folder)
    evaluator = ir_measures.evaluator([NDCG], list(ir_measures.read_trec_qrels(qrels)))
    evaluated = {}
    for name, path in paths.items():
        evaluated[name] = evaluator.calc_aggregate(ir_measures.read_trec_run(path))[NDCG]
    return evaluated


def apart_by_name(ours: dict[str, float], others: dict[str, float]) -> float:
    return max(abs(value - others[name]) for name, value in ours.items())


def split_lines(folder: Path) -> int:
    qrels, paths = _paths(folder)
    return sum(len(line.split()) for path in (qrels, *paths.values()) for line in Path(path).open())


def formulas() -> tuple[list[Any], list[Any]]:
    """Return the tokens of formulas, and of the same with up to three words changed in half of them."""
    chance = Random(0)  # noqa: S311 (no secret)
    truth, output = [], []
    for _ in range(FORMULAS):
        words = " ".join(chance.choice(SYMBOLS) for _ in range(TOKENS // 2)).split()
        truth.append(normal_tokens(" ".join(words)))
        if chance.random() < 0.5:
            for _ in range(chance.randint(1, 3)):
                words[chance.randrange(len(words))] = chance.choice("xyz123")
        output.append(normal_tokens(" ".join(words)))
    return truth, output


def tokens(data: tuple[list[Any], list[Any]]) -> list[int]:
    return token_distances(*data)


def tokens_by_rapidfuzz(data: tuple[list[Any], list[Any]]) -> list[int]:
    return list(map(Levenshtein.distance, *data))


def equal_tokens(data: tuple[list[Any], list[Any]]) -> int:
    return sum(map(tuple.__ne__, *data))


def largest_gap(ours: list[int], others: list[int]) -> float:
    return float(max(abs(one - other) for one, other in zip(ours, others, strict=True)))


def log() -> Path:
    return made("samples_sums.jsonl", _write_log)


def _write_log(path: Path) -> None:
    """Write 1e5 samples as the harness for evaluating language models writes them, 800 characters of question each."""
    chance = Random(1)  # noqa: S311
    question = "What is the capital of the country whose name begins with the next letter? " * 10
    with path.open("w") as file:
        for place in range(100_000):
            right = float(chance.random() < 0.7)
            sample = {
                "doc_id": place,
                "doc": {"question": question},
                "target": "A",
                "resps": [["A"]],
            }
            sample |= {"filtered_resps": ["A"], "filter": "none", "metrics": ["acc"], "acc": right}
            file.write(json.dumps(sample) + "\n")


def accuracy_of_log(path: Path) -> float:
    return float(karat.read(path).score(measure="accuracy").rows()[0]["value"])


def parse(path: Path) -> float:
    with path.open() as file:
        return sum(json.loads(line)["acc"] for line in file) / 100_000


SHORT, LONG = partial(texts, 20_000, 12), partial(texts, 500, 400)
WORDS_LIMIT = Way("RapidFuzz, distances alone", partial(distances, characters=False))
CHARACTERS_LIMIT = Way("RapidFuzz, distances alone", partial(distances, characters=True))
ALIGNED = "the limit counts errors; karat aligns, to tell what was lost from what was added, and makes a table"
CASES = (
    Case(
        "WER of 20,000 texts of 12 words", SHORT, partial(rate, measure="WER"), WORDS_LIMIT,
        Way("jiwer, no interval", words_by_jiwer), apart, reason=ALIGNED,
    ),
    Case(
        "CER of 20,000 texts of 12 words", SHORT, partial(rate, measure="CER"), CHARACTERS_LIMIT,
        Way("jiwer, no interval", characters_by_jiwer), apart, reason=ALIGNED,
    ),
    Case(
        "WER of 500 texts of 400 words", LONG, partial(rate, measure="WER"), WORDS_LIMIT,
        Way("jiwer, no interval", words_by_jiwer), apart, reason=ALIGNED,
    ),
    Case(
        "CER of 500 texts of 400 words", LONG, partial(rate, measure="CER"), CHARACTERS_LIMIT,
        Way("jiwer, no interval", characters_by_jiwer), apart, reason=ALIGNED,
    ),
    Case(
        "nDCG@10 of 3 TREC runs, 630,000 lines", runs, ndcg, Way("Python, every line split", split_lines),
        Way("ir_measures, no intervals", ndcg_by_ir_measures), apart_by_name,
        reason="lines are joined with the judgements by query and document, and ranked with their ties",
    ),
    Case(
        "edit distances of 40,000 formulas as tokens", formulas, tokens, Way("Python, equal or not", equal_tokens),
        Way("RapidFuzz", tokens_by_rapidfuzz), largest_gap,
        reason="half of the formulas differ and have to be aligned, which a test of equality does not do",
    ),
    Case(
        "accuracy of a language model, log of 1e5 samples", log, accuracy_of_log,
        Way("Python's json, every line", parse), Way("Python's json, no interval", parse), apart,
        reason="what a line says of its sample is checked, and every answer becomes a row of a table",
    ),
)  # fmt: skip
