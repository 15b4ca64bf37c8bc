"""Everything in karat that parses bytes or text by itself: each as a function of bytes, and where a search begins."""

import contextlib
import io
import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from karat.ask.counts import parse_count
from karat.ask.label_errors import parse_label_errors
from karat.ask.prevalence_options import deployment_prevalences
from karat.ask.threshold_goal import goal_of
from karat.boxes.formats.run_lengths import lengths_of_texts, runs_of_lengths
from karat.cli.app import app
from karat.cli.demo import write_files
from karat.graphs.formats.formulas.latex_lines import parse_latex_lines
from karat.graphs.formats.formulas.mathml import parse_mathml
from karat.graphs.formats.inkml import parse_inkml
from karat.graphs.formats.label_graph import parse as parse_label_graph
from karat.measure.quantity import Quantity
from karat.questions.repeat import earlier_result
from karat.source.xml_tree import parse_xml
from karat.verdict.requirement import parse as parse_requirement
from karat.verdict.score.retrieval import quantity_of_ranking
from support.every_input import EVERY_INPUT, FORMULA, IN_TEXT, RESULT
from support.formulas import inkml
from support.valid_inputs import CONTENT, LATEX, LG, MATHML, Input, plain

USAGE = (typer.BadParameter.__base__, typer.Exit, typer.Abort)
"""What the command line raises for words that make no sense."""
ELSEWHERE = re.compile(r"(^|=)[/~]|\.\./")
"""How the name of a file in another folder looks."""
WITHOUT_OWN_PARSER = (
    "csv", "tsv", "jsonl", "parquet", "arrow", "feather", "truth in", "scores ", "checked labels",
    "shares of", "trajectory", "prior",
)  # fmt: skip
"""How the names of inputs begin that an engine or a library parses."""


@dataclass(frozen=True)
class Parser:
    """Reads bytes of any kind."""

    read: Callable[[bytes], object]
    seeds: Sequence[bytes]


def parser_of(given: Input, folder: Path, *, with_engine: bool = False) -> Parser:
    """Return the reader of an input one of whose parts is other bytes: the first byte says which part."""
    read = given.read if with_engine else given.parse
    slots = [(name, part) for name, file in given.files.items() for part in file.parts]
    packed = []
    for name, file in given.files.items():
        if file.packed() not in file.parts.values():
            packed.append((name, None))
    places = [*slots, *packed]

    def attempt(data: bytes) -> None:
        name, part = places[data[0] % len(places)] if data else places[0]
        file = given.files[name]
        content = data[1:]
        if part is None:
            damaged = plain(content).packed()
        else:
            damaged = type(file)(file.parts | {part: content}, file.pack).packed()
        if not folder.exists():
            folder.mkdir(parents=True)
            given.write(folder)
        try:
            (folder / name).write_bytes(damaged)
            read(folder)
        finally:
            (folder / name).write_bytes(file.packed())

    seeds = []
    for number, (name, part) in enumerate(places):
        file = given.files[name]
        content = file.packed() if part is None else file.parts[part]
        seeds.append(bytes([number]) + content)
    return Parser(attempt, seeds)


def is_own(name: str) -> bool:
    """Return whether karat parses an input by itself."""
    return not name.startswith(WITHOUT_OWN_PARSER)


def _of_text(read: Callable[[str], object], *examples: str) -> Parser:
    """Return the reader of a text as a terminal gives it: what is no UTF-8 becomes halves of characters."""
    return Parser(
        lambda data: read(data.decode(errors="surrogateescape")),
        [example.encode() for example in examples],
    )


def _of_name_or_text(read: Callable[[str], object], *examples: str) -> Parser:
    """Return the reader of a text that may name a file: none outside of this folder is asked about."""

    def attempt(text: str) -> object:
        return None if ELSEWHERE.search(text) else read(text)

    return _of_text(attempt, *examples)


def _prevalences(option: str, *examples: str) -> Parser:
    others = {"prior": {"low": 0.1, "high": 0.5}}.get(option, {})
    return _of_name_or_text(
        lambda text: deployment_prevalences(**{option: text}, **others), *examples
    )


def _timed(text: str) -> object:
    return deployment_prevalences(trajectory=text, time=3.0)


def _run_lengths(data: bytes) -> object:
    return runs_of_lengths(*lengths_of_texts(data.split(b"\n")))


TEXTS = {
    "--goal": _of_text(
        goal_of, "recall>=0.9", "precision >= 90%", "f1", "f0.5", "utility:1,-1,-2,0"
    ),
    "--to": _prevalences("to", "0.01", "1%", "1:99", "0.01..0.1", "0.1,20%"),
    "--prior": _prevalences("prior", "uniform", "normal:0.2,0.1", "landgrebe"),
    "--trajectory": _prevalences("trajectory", "linear:0.1,0.4"),
    "--trajectory, timed": _of_name_or_text(
        _timed, "constant:0.1", "exponential:0.1,2", "sine:0.5,0.2", "logistic:0.9,2,1"
    ),
    "--label-error": _of_text(parse_label_errors, "0.03", "0.01:0.05", "3/100", "0.03+-0.01"),
    "counts": _of_text(parse_count, "42/100", "alpha=42/100", "0.853/5000", "a=85.3%/5000"),
    "--measure": _of_text(Quantity.parse, "macro-f0.5", "recall[cat]", "P@10", "accuracy"),
    "--measure of rankings": _of_text(
        quantity_of_ranking, "AP", "P@5", "nDCG(dcg='exp-log2')@10", "AP(rel=2)", "ndcg_cut_10"
    ),
    "--require": _of_text(
        parse_requirement,
        "better:a,b",
        "no-worse:a,b,0.1",
        "recall[cat]>=0.9",
        "kept>=0.95",
        "error-rate<=0.1",
    ),
    "signature": _of_name_or_text(
        earlier_result,
        "karat 0.1.0 | score t.csv --per class | f1 | level=0.95 bound='exact' | tally=abc8b44e4b7e",
        RESULT,
    ),
    "run lengths": Parser(_run_lengths, [IN_TEXT["counts"].encode(), b"52\n04", b"5P\nPP"]),
    "xml": Parser(parse_xml, [MATHML.encode(), MATHML.encode("utf-16"), inkml().encode()]),
    "lg, in memory": _of_text(parse_label_graph, LG, FORMULA),
    "inkml, in memory": Parser(parse_inkml, [inkml().encode(), inkml().encode("utf-16")]),
    "mathml, in memory": Parser(parse_mathml, [MATHML.encode(), CONTENT.encode()]),
    "latex, in memory": _of_text(parse_latex_lines, LATEX),
}

LINES = (
    "score t.csv --measure macro-f1,recall[cat] --per class --bound wilson --level 0.9",
    "score 42/100 b=0.9/50 --side lower",
    "compare t.csv --measure recall[cat] --test exact --baseline a --json",
    "compare 40/50 92/100 --require better:92/100,40/50",
    "plan --baseline 0.9 --increase 0.02",
    "plan --lower 0.9 --estimate 0.95 --power 0.8",
    "stability t.csv --label-error 0.01:0.05 --draws 20 --pair a,b",
    "stability t.csv --checked a --model uniform --draws 9",
    "audit t.csv --claim best --seed 1 --risk 0.1 --plan 0.05 --budget 3",
    "consensus t.csv --estimator vote --trust a=2,b=1,(all)=1 --draws 40",
    "skew s.csv --to 1% --low 0.01 --high 0.5 --prior normal:0.2,0.1 --draws 40",
    "skew s.csv --trajectory logistic:0.9,2,1 --time 2 --draws 0 --threshold 0.5",
    "skew published --precision 0.73 --from 0.5 --to 0.01 --check 0.9,0.8",
    "retrieval qrels.txt bm25.run dense.run --measure AP,P@5 --per query",
    "graph truth parser-a --per file --level n=x,y",
    "graph find 1.lg parser-b --most 3",
    "check parser-a --csv",
    "convert formulas.tex --to lg --names long -o new",
    "show formulas.tex --as matrix --only 00001",
    "repeat published.json digits.csv --with --json",
    "read t.csv --item item --truth truth --systems a,b --kind a=label",
    "boxes layout_a.json --truth layout.json --using overlap=0.75 --level 0.9",
    "sources xlsx",
    "cite wilson",
)
"""Command lines: a word a line of a case."""
REFUSED = re.compile(r"(?<!\d)/|/(?!\d)|\.\.|~|spark|^--(s|se|ser|serv|serve|en.*)$")
"""What no word may hold that is tried: other folders, another engine, a server."""


class CommandLine:
    """Runs a line of words in this process, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, data: bytes) -> None:
        words = data.decode(errors="surrogateescape").split("\n")
        if any(map(REFUSED.search, words)):
            return
        self._lay_out()
        run = app()
        quiet = io.StringIO()
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
                run(words, standalone_mode=False, prog_name="karat")
        finally:
            os.chdir(before)

    def _lay_out(self) -> None:
        """Begin anew: what a case wrote is no input of the next."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        write_files(self.folder)
        EVERY_INPUT["csv"].write(self.folder)
        (self.folder / "1.lg").write_bytes((self.folder / "truth" / "00001.lg").read_bytes())
        (self.folder / "s.csv").write_bytes(EVERY_INPUT["csv of scores"].files["t.csv"].packed())


def command_line(folder: Path) -> Parser:
    """Return the command line as a parser: its case are words, one a line."""
    return Parser(CommandLine(folder), [line.replace(" ", "\n").encode() for line in LINES])


def parsers(folder: Path) -> dict[str, Parser]:
    """Return every parser by name; those of files write into the folder."""
    found = dict(TEXTS)
    inputs = folder / "inputs"
    for name, given in EVERY_INPUT.items():
        if is_own(name):
            found[name] = parser_of(given, inputs / name)
    found["command line"] = command_line(inputs / "words")
    for name, given in EVERY_INPUT.items():
        found[f"{name}, counted"] = parser_of(given, inputs / name, with_engine=True)
    return found
