"""The smallest valid input of every format that karat reads, and how a user reads it."""

import gzip
import io
import json
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import karat
from karat.graphs import read_graphs, read_metrics
from karat.graphs.formats.inkml import traces
from karat.source.recognise import recognise
from karat.tally.saved import load
from support.formulas import inkml
from support.zstandard_frames import compress

Parts = dict[str, bytes]


@dataclass(frozen=True)
class File:
    """A file as its parts, and how they are packed: one part as it is, or compressed, or several in an archive."""

    parts: Parts
    pack: Callable[[Parts], bytes] = lambda parts: b"".join(parts.values())

    def packed(self) -> bytes:
        return self.pack(self.parts)


@dataclass(frozen=True)
class Input:
    """Files by name, and what a user does with the folder that they are in."""

    files: dict[str, File]
    read: Callable[[Path], object]

    def parse(self, folder: Path) -> object:
        """Read only what Python reads, without an engine, where that can be had: a tenth of the time."""
        return self.read.parse(folder) if isinstance(self.read, Scored) else self.read(folder)

    def write(self, folder: Path) -> None:
        for name, file in self.files.items():
            (folder / name).write_bytes(file.packed())


def plain(data: str | bytes) -> File:
    return File({"": data.encode() if isinstance(data, str) else data})


def in_gzip(data: str | bytes) -> File:
    return replace(plain(data), pack=lambda parts: gzip.compress(parts[""], mtime=0))


def in_zstandard(data: str | bytes) -> File:
    return replace(plain(data), pack=lambda parts: compress(parts[""]))


def in_zip(members: Parts) -> File:
    return File(members, _zip)


def in_zip_by_zstandard(members: Parts) -> File:
    return File(members, _zip_by_zstandard)


def _zip(members: Parts) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _zip_by_zstandard(members: Parts) -> bytes:
    """Return an archive by hand: before 3.14 Python does not know the method."""
    body = directory = b""
    for name, data in members.items():
        frame = compress(data)
        sizes = struct.pack("<III", zlib.crc32(data), len(frame), len(data))
        about = struct.pack("<HHHHH", 63, 0, 93, 0, 33) + sizes
        about += struct.pack("<HH", len(name), 0)
        directory += b"PK\1\2" + struct.pack("<H", 63) + about
        directory += struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
        body += b"PK\3\4" + about + name.encode() + frame
    number = len(members)
    end = struct.pack("<HHHHIIH", 0, 0, number, number, len(directory), len(body), 0)
    return body + directory + b"PK\5\6" + end


COLUMNS = {
    "item": ["1", "2", "3", "4"],
    "truth": ["cat", "dog", "cat", "bird"],
    "a": ["cat", "dog", None, "été"],
    "b": ["dog", "dog", "cat", "cat"],
}
CSV = 'item,truth,a,b\n1,cat,cat,dog\n2,dog,dog,dog\n3,cat,,"c,at"\n4,bird,été,cat\n'
JSON_LINES = "".join(
    json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False) + "\n"
    for row in zip(*COLUMNS.values(), strict=True)
)
NUMBERS = {"truth": [1, 0, 1, 0] * 3, "a": [0.9, 0.1, 0.4, 0.6] * 3, "b": [0.8, 0.3, 0.7, 0.2] * 3}
SCORES = "truth,a,b\n" + "".join(
    f"{truth},{a},{b}\n" for truth, a, b in zip(*NUMBERS.values(), strict=True)
)
ANSWERS = "id,truth,prediction\n1,cat,cat\n2,dog,cat\n"
PLAIN_LOG = "item,model,task,correct\n1,a,sums,1\n1,b,sums,0\n2,a,sums,true\n2,b,sums,False\n"
SAMPLES = "".join(
    json.dumps(
        {"doc_id": k, "target": "A", "filter": "none", "metrics": ["acc"], "acc": float(k % 2),
         "filtered_resps": ["A"]}
    ) + "\n"
    for k in range(4)
)  # fmt: skip
SUMMARIES = [{"id": k, "epoch": 1, "scores": {"match": {"value": "CI"[k % 2]}}} for k in range(4)]
HEADER = {"status": "success", "eval": {"model": "a", "task": "sums"}}
CONLL = "-DOCSTART- O\n\nAnn B-PER\nLee I-PER\nsings O\n\nin O\nRome B-LOC\n"
SPANS = (
    '{"id": 1, "text": "Ann in Rome", "spans": [{"start": 0, "end": 3, "label": "PER"}]}\n'
    '{"id": 2, "spans": [[0, 4, "LOC"]]}\n'
)
QRELS = "1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n2 0 d3 0\n"
RUN = "1 Q0 d1 1 0.9 a\n1 Q0 d2 2 0.8 a\n2 Q0 d1 1 3.5 a\n2 Q0 d4 2 1e-3 a\n"
CATEGORIES = "doc,truth,a\n1,x;y,x\n2,,y\n3,z,z;x\n"
LG = "# IUD, one\nN, s1, 2, 1.0\nN, s2, +\nO, o1, x, 1.0, s3, s4\nO, o2, y, 1.0, s5\nE, s1, s2, Right\nR, o1, o2, Sup\n"
MATHML = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE math PUBLIC "-//W3C//DTD MathML 2.0//EN" "mathml2.dtd">\n'
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>&times;</mo>'
    "<mfrac><mi>a</mi><msqrt><mi>b</mi></msqrt></mfrac><mtable><mtr><mtd><mi>c</mi></mtd></mtr></mtable></mrow></math>"
)
CONTENT = "<math><apply><plus/><ci>x</ci><apply><power/><ci>y</ci><cn>2</cn></apply></apply></math>"
LATEX = "a.png\t\\frac{x^2}{\\sqrt{y}} \\begin{matrix} a & b \\\\ c & d \\end{matrix}\nb.png\tx_{1}+\\alpha\n"
METRICS = (
    "*M,out/a.lg,truth/a.lg\nD_C,1,D_L,2,nNodes,4\n*M,out/b.lg,truth/b.lg\nD_C,0,D_L,0,nNodes,3\n"
)


def _parquet(columns: dict[str, list[object]], compression: str) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, compression=compression)
    return out.getvalue()


def _arrow(
    columns: dict[str, list[object]], *, stream: bool, compression: str | None = None
) -> bytes:
    table = pa.table(columns)
    out = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    write = pa.ipc.new_stream if stream else pa.ipc.new_file
    with write(out, table.schema, options=options) as writer:
        writer.write_table(table)
    return out.getvalue()


def _tally() -> Parts:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.tally"
        karat.read(COLUMNS, systems=["a", "b"], group="item").save(path)
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


class Scored:
    """Reads files and scores what is in them; a name may stand after `system=`, an option after @ is a file too."""

    def __init__(self, *names: str, **options: object) -> None:
        self.names = names
        self.options = options

    def __call__(self, folder: Path) -> object:
        options = {key: _in_folder(value, folder) for key, value in self.options.items()}
        return karat.read(self._paths(folder), **options).score(draws=20)

    def parse(self, folder: Path) -> object:
        paths = self._paths(folder)
        if str(paths).endswith(".tally"):
            return load([paths])
        given = {key: self.options[key] for key in ("format", "using") if key in self.options}
        return recognise(paths, context={"lenient": self.options.get("lenient", False)}, **given)

    def _paths(self, folder: Path) -> str | list[str]:
        paths = []
        for name in self.names:
            system, equals, file = name.rpartition("=")
            paths.append(f"{system}{equals}{folder / file}")
        return paths if len(paths) > 1 else paths[0]


def _in_folder(value: object, folder: Path) -> object:
    is_file = isinstance(value, str) and value.startswith("@")
    return str(folder / value[1:]) if is_file else value


def _table(name: str, file: File, **options: object) -> Input:
    return Input({name: file}, Scored(name, **options))


def _pair(
    truth: str, system: str, text: str, pack: Callable[[str], File] = plain, **options: object
) -> Input:
    return Input({truth: pack(text), system: pack(text)}, Scored(truth, f"a={system}", **options))


def _skewed(name: str, text: str, **options: str) -> Input:
    def read(folder: Path) -> object:
        own = {key: _in_folder(value, folder) for key, value in options.items()}
        return karat.read(NUMBERS).skew(draws=0, **own)

    return Input({name: plain(text)}, read)


def _graphs(name: str, text: str | bytes) -> Input:
    def read(folder: Path) -> object:
        bench = read_graphs(str(folder / f"truth{name}"), {"a": str(folder / f"a{name}")})
        return bench.graph().rows()

    return Input({f"truth{name}": plain(text), f"a{name}": plain(text)}, read)


def _checked(name: str, text: str) -> Input:
    return Input(
        {name: plain(text)}, lambda folder: karat.bench.read_checked(folder / name).mistakes()
    )


LM_EVAL = "samples_sums_2025-01-02T03-04-05.678901.jsonl"
INSPECT = json.dumps(HEADER | {"samples": SUMMARIES})
EVAL = {
    "header.json": json.dumps(HEADER).encode(),
    "summaries.json": json.dumps(SUMMARIES).encode(),
}
WHOLE_EVAL = {"_journal/start.json": json.dumps(HEADER).encode()} | {
    f"samples/{one['id']}_epoch_1.json": json.dumps(one).encode() for one in SUMMARIES
}

INPUTS: dict[str, Input] = {
    "csv": _table("t.csv", plain(CSV)),
    "csv, lenient": _table("t.csv", plain(CSV), lenient=True),
    "csv of scores": _table("t.csv", plain(SCORES)),
    "csv.gz": _table("t.csv.gz", in_gzip(CSV)),
    "csv.gz, lenient": _table("t.csv.gz", in_gzip(CSV), lenient=True),
    "csv.zst": _table("t.csv.zst", in_zstandard(CSV)),
    "tsv": _table("t.tsv", plain(CSV.replace(",", "\t"))),
    "tsv.gz": _table("t.tsv.gz", in_gzip(CSV.replace(",", "\t"))),
    "jsonl": _table("t.jsonl", plain(JSON_LINES)),
    "jsonl, lenient": _table("t.jsonl", plain(JSON_LINES), lenient=True),
    "jsonl.gz": _table("t.jsonl.gz", in_gzip(JSON_LINES)),
    "jsonl.gz, lenient": _table("t.jsonl.gz", in_gzip(JSON_LINES), lenient=True),
    "jsonl.zst": _table("t.jsonl.zst", in_zstandard(JSON_LINES)),
    "parquet": _table("t.parquet", plain(_parquet(COLUMNS, "none"))),
    "parquet, snappy": _table("t.parquet", plain(_parquet(COLUMNS, "snappy"))),
    "parquet, zstd": _table("t.parquet", plain(_parquet(COLUMNS, "zstd"))),
    "parquet of numbers": _table("t.parquet", plain(_parquet(NUMBERS, "gzip"))),
    "arrow file": _table("t.arrow", plain(_arrow(COLUMNS, stream=False))),
    "arrow stream": _table("t.arrow", plain(_arrow(COLUMNS, stream=True))),
    "arrow of numbers": _table("t.arrow", plain(_arrow(NUMBERS, stream=False))),
    "feather, lz4": _table("t.feather", plain(_arrow(COLUMNS, stream=False, compression="lz4"))),
    "feather, zstd": _table("t.feather", plain(_arrow(COLUMNS, stream=False, compression="zstd"))),
    "tally": _table("t.tally", in_zip(_tally())),
    "truth in csv": Input(
        {"t.csv": plain(CSV), "truth.csv": plain("item,gold\n1,cat\n2,dog\n3,dog\n")},
        Scored("t.csv", truth="@truth.csv", systems=["a", "b"]),
    ),
    "scores in jsonl": Input(
        {
            "t.csv": plain(CSV),
            "s.jsonl": plain('{"item": "1", "a": 0.5}\n{"item": "2", "a": 0.7}\n'),
        },
        Scored("t.csv", scores="@s.jsonl", systems=["a"]),
    ),
    "checked labels": _checked("c.csv", "given,true,count\nx,x,9\nx,y,1\ny,y,19\n"),
    "shares of labels": _checked("c.csv", "given,true,share\nx,x,0.9\nx,y,0.1\ny,y,1\n"),
    "trajectory": _skewed(
        "t.csv", "time,skew\n0,0.1\n1,0.5\n2,0.2\n", trajectory="@t.csv"
    ),
    "prior": _skewed("p.csv", "skew,weight\n0.1,1\n0.5,2\n", low="0.1", high="0.5", prior="@p.csv"),
    "scores without labels": _skewed("s.csv", "a,b\n0.1,0.2\n0.7,0.9\n0.3,0.1\n", to="@s.csv"),
    "files-per-system": Input(
        {"a.csv": plain(ANSWERS), "b.tsv": plain(ANSWERS.replace(",", "\t"))},
        Scored("a=a.csv", "b=b.tsv"),
    ),
    "apart.jsonl.gz": Input(
        {"x.jsonl.gz": in_gzip('{"id": 1, "truth": "x", "answer": "x"}\n')},
        Scored("a=x.jsonl.gz"),
    ),
    "correct": _table("log.csv", plain(PLAIN_LOG)),
    "correct.gz": _table("log.csv.gz", in_gzip(PLAIN_LOG)),
    "lm-eval": _table(LM_EVAL, plain(SAMPLES)),
    "lm-eval of labels, lenient": _table(
        f"{LM_EVAL}.gz", in_gzip(SAMPLES), lenient=True, format="lm-eval", using={"answer": "label"}
    ),
    "inspect": _table("log.json", plain(INSPECT)),
    "inspect, lenient": _table("log.json", plain(INSPECT), lenient=True),
    "inspect.gz": _table("log.json.gz", in_gzip(INSPECT), format="inspect"),
    "eval": _table("log.eval", in_zip(EVAL)),
    "eval, sample by sample": _table("log.eval", in_zip(WHOLE_EVAL), lenient=True),
    "eval, Zstandard": _table("log.eval", in_zip_by_zstandard(EVAL)),
    "text": _pair("truth.txt", "a.txt", "The cät sat\non the mat.\n", format="text"),
    "text.gz": _pair("truth.txt.gz", "a.txt.gz", "The cät sat\n", in_gzip, format="text"),
    "words by line": _pair(
        "truth.txt", "a.txt", "The cät sat\non the mat.\n", format="words", using={"page": "line"}
    ),
    "texts in a table": _table(
        "t.csv", plain("page,truth,a\n1,the cat,the hat\n2,x,\n"), format="text"
    ),
    "bag in a table": _table(
        "t.jsonl", plain('{"page": 1, "truth": "the cat", "a": "the the"}\n'), format="bag"
    ),
    "conll": _pair("truth.conll", "a.conll", CONLL),
    "conll, lenient": _pair("truth.conll", "a.conll", CONLL, lenient=True),
    "tokens": _table(
        "t.conll", plain("Ann B-PER B-PER\nsings O I-PER\n\nRome B-LOC O\n"), format="tokens"
    ),
    "spans": _pair("truth.jsonl", "a.jsonl", SPANS),
    "spans, lenient": _pair("truth.jsonl", "a.jsonl", SPANS, lenient=True),
    "trec": Input({"x.qrels": plain(QRELS), "a.run": plain(RUN)}, Scored("x.qrels", "a.run")),
    "trec.gz, lenient": Input(
        {"x.qrels.gz": in_gzip(QRELS), "a.run.gz": in_gzip(RUN)},
        Scored("x.qrels.gz", "a.run.gz", lenient=True),
    ),
    "categories": _table("t.csv", plain(CATEGORIES), format="categories"),
    "cells in jsonl": _table(
        "t.jsonl", plain('{"doc": 1, "truth": ["x"], "a": ["x", "y"]}\n'), format="cells"
    ),
    "lg": _graphs(".lg", LG),
    "inkml": _graphs(".inkml", inkml()),
    "inkml, UTF-16": _graphs(".inkml", inkml().encode("utf-16")),
    "strokes of inkml": Input(
        {"a.inkml": plain(inkml())}, lambda folder: traces(folder / "a.inkml")
    ),
    "mathml": _graphs(".mml", MATHML),
    "content mathml": _graphs(".mathml", CONTENT),
    "latex": _graphs(".tex", LATEX),
    "graphs without an ending": _graphs(".xml", MATHML),
    "metrics of LgEval": Input({"a.m": plain(METRICS)}, lambda folder: read_metrics(folder / "a.m")),
}  # fmt: skip
