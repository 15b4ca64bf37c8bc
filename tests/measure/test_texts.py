"""CER, WER and bags of words: agreement with jiwer, cases by hand, and laws."""

import gzip
import json
import random
import sys
from collections import Counter
from unittest import mock

import jiwer
import numpy as np
import pytest

import karat
from karat.cli import main
from karat.errors import OptionError, RoleError
from karat.tally.votes.edits import edits
from karat.tally.votes.patterns import patterns

WORDS = ["ant", "bee", "cat", "dog", "é", "ox"]
SYSTEMS = ["a", "b"]


def noisy(text, draw, rate):
    read = []
    for word in text.split():
        chance = draw.random()
        if chance < rate / 3:
            continue
        read.append(draw.choice(WORDS) if chance < rate else word)
        if draw.random() < rate / 3:
            read.append(draw.choice(WORDS))
    return " ".join(read) or "ox"


def table(seed, *, pages=12):
    draw = random.Random(seed)  # noqa: S311 (a seeded example)
    truth = [" ".join(draw.choices(WORDS, k=draw.randint(1, 30))) for _ in range(pages)]
    answers = {
        name: [noisy(text, draw, rate) for text in truth]
        for name, rate in zip(SYSTEMS, (0.2, 0.9), strict=True)
    }
    return {"page": [f"p{k}" for k in range(pages)], "truth": truth, **answers}


def read(data):
    return karat.read(data, truth="truth", item="page", systems=SYSTEMS)


def run_command(arguments):
    with mock.patch.object(sys, "argv", ["karat", *arguments]):
        try:
            main()
        except SystemExit as end:
            return end.code or 0
    return 0


def rows_of(bench, measure):
    return {row["system"]: row for row in bench.score(measure=measure).rows()}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("measure", "process", "rate"),
    [("CER", jiwer.process_characters, "cer"), ("WER", jiwer.process_words, "wer")],
)
def test_error_rates_and_their_parts_are_those_of_jiwer(seed, measure, process, rate):
    data = table(seed)
    found = rows_of(read(data), measure)
    for name in SYSTEMS:
        theirs = process(data["truth"], data[name])
        row = found[name]
        assert row["value"] == pytest.approx(getattr(theirs, rate), abs=1e-12)
        parts = (row["substitutions"], row["deletions"], row["insertions"])
        assert parts == (theirs.substitutions, theirs.deletions, theirs.insertions)
        assert row["successes"] == sum(parts)
        assert row["trials"] == theirs.hits + theirs.substitutions + theirs.deletions


@pytest.mark.parametrize("seed", range(3))
def test_a_macro_rate_is_the_mean_of_those_of_the_texts(seed):
    data = table(seed)
    found = rows_of(read(data), "macro-WER")
    for name in SYSTEMS:
        each = [jiwer.wer(*pair) for pair in zip(data["truth"], data[name], strict=True)]
        assert found[name]["value"] == pytest.approx(np.mean(each), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_bags_of_words_are_counted_as_counters_do(seed):
    data = table(seed)
    bench = read(data)
    found = {name: rows_of(bench, f"bag-{name}") for name in ("WER", "precision", "recall", "f1")}
    for name in SYSTEMS:
        common = true = given = errors = 0
        for truth, answer in zip(data["truth"], data[name], strict=True):
            here = Counter(truth.split())
            there = Counter(answer.split())
            shared = (here & there).total()
            common += shared
            true += here.total()
            given += there.total()
            errors += max(here.total(), there.total()) - shared
        assert found["WER"][name]["value"] == pytest.approx(errors / true)
        assert found["precision"][name]["value"] == pytest.approx(common / given)
        assert found["recall"][name]["value"] == pytest.approx(common / true)
        assert found["f1"][name]["value"] == pytest.approx(2 * common / (true + given))


def test_more_is_inserted_than_is_true_and_the_rate_is_more_than_1():
    data = {
        "page": ["1", "2"],
        "truth": ["a b", "c"],
        "a": ["a b", "x y z c"],
        "b": ["b", "c d e f g"],
    }
    found = rows_of(read(data), "WER")
    assert (found["a"]["value"], found["b"]["value"]) == (1.0, pytest.approx(5 / 3))
    assert found["b"]["high"] >= found["b"]["value"]


def test_a_missing_text_is_deleted_wholly_or_skipped():
    data = {"page": ["1", "2"], "truth": ["a b", "c d"], "a": ["a b", None], "b": ["a x", "c d"]}
    found = rows_of(read(data), "WER")
    assert (found["a"]["successes"], found["a"]["trials"], found["a"]["deletions"]) == (2, 4, 2)
    skipped = karat.read(data, truth="truth", item="page", systems=SYSTEMS, missing="skip")
    row = rows_of(skipped, "WER")["a"]
    assert (row["successes"], row["trials"]) == (0, 2)


def test_edits_add():
    data = table(1)
    one = {name: values[:5] for name, values in data.items()}
    rest = {name: values[5:] for name, values in data.items()}
    parts = [read(part).counter.count(edits, unit="word") for part in (one, rest)]
    whole = read(data).counter.count(edits, unit="word")
    added = parts[0] + parts[1]
    for name in ("length", "substituted", "deleted", "inserted"):
        sums = [tally.number @ getattr(tally, name) for tally in (added, whole)]
        assert sums[0].tolist() == sums[1].tolist()


def test_edits_of_saved_patterns_are_those_of_the_table():
    counter = read(table(2)).counter
    whole = counter.count(patterns)
    assert edits.from_patterns(whole, unit="character").digest() == (
        counter.count(edits, unit="character").digest()
    )


def test_rows_in_another_order_give_the_same_bytes():
    data = table(3)
    turned = {name: values[::-1] for name, values in data.items()}
    measure = "CER,macro-CER,WER"
    assert (
        read(data).score(measure=measure).to_json() == read(turned).score(measure=measure).to_json()
    )
    one, other = (read(part).compare(measure="macro-WER") for part in (data, turned))
    assert one.to_json() == other.to_json()


def test_clusters_are_the_units():
    data = {**table(4), "book": [f"b{k % 3}" for k in range(12)]}
    bench = karat.read(data, truth="truth", item="page", systems=SYSTEMS, cluster="book")
    plain = rows_of(read(data), "CER")
    for name, row in rows_of(bench, "CER").items():
        assert row["value"] == plain[name]["value"]
        assert row["method"] == "ratio over 3 clusters"


def test_comparisons_are_paired_over_texts():
    data = table(5)
    (row,) = read(data).compare(measure="WER").rows()
    assert (row["first"], row["second"], row["verdict"]) == ("a", "b", "better")
    assert (row["units"], row["units_first"] + row["units_second"] <= 12) == (12, True)
    assert row["difference"] == pytest.approx(
        jiwer.wer(data["truth"], data["a"]) - jiwer.wer(data["truth"], data["b"])
    )
    assert row["low"] < row["difference"] < row["high"] < 0


def test_the_p_value_is_that_of_all_swaps():
    data = table(6, pages=8)
    data["b"] = [noisy(text, random.Random(k), 0.3) for k, text in enumerate(data["truth"])]  # noqa: S311
    (row,) = read(data).compare(measure="WER").rows()
    counts = []
    for truth, *answers in zip(data["truth"], data["a"], data["b"], strict=True):
        counts.append([sum(_edits(truth, answer)) for answer in answers])
    counts = np.array(counts)
    observed = abs(counts[:, 0].sum() - counts[:, 1].sum())
    as_far = 0
    for swaps in range(2**8):
        signs = np.array([1 if swaps >> k & 1 else -1 for k in range(8)])
        as_far += abs((signs * (counts[:, 0] - counts[:, 1])).sum()) >= observed
    assert row["p_value"] == pytest.approx(as_far / 2**8)


def _edits(truth, answer):
    found = jiwer.process_words(truth, answer)
    return found.substitutions, found.deletions, found.insertions


def test_folders_and_lines_are_read_whole_and_normalised(tmp_path):
    for folder, pages in {"truth": ["The  cat.", "a b"], "sys": ["the cat.", "a"]}.items():
        (tmp_path / folder).mkdir()
        for number, text in enumerate(pages):
            (tmp_path / folder / f"p{number}.txt").write_text(text, encoding="utf-8")
    paths = [str(tmp_path / "truth"), str(tmp_path / "sys")]
    bench = karat.read(paths, format="text", using={"rows": "texts", "normalise": "case,space"})
    (row,) = bench.score(measure="WER").rows()
    assert (row["successes"], row["trials"]) == (1, 4)
    assert any("case, space" in note for note in bench.score(measure="WER").notes())


def test_characters_are_no_texts(tmp_path):
    for folder in ("truth", "sys"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "p.txt").write_text("a b c", encoding="utf-8")
    bench = karat.read([str(tmp_path / "truth"), str(tmp_path / "sys")])
    with pytest.raises(OptionError, match="'rows': 'texts'"):
        bench.score(measure="CER")


@pytest.mark.parametrize(
    ("measure", "words"),
    [("CER,accuracy", "by itself"), ("CER[a]", "whole table"), ("macro-pass@1", "whole table")],
)
def test_what_makes_no_sense_is_refused(measure, words):
    with pytest.raises(OptionError, match=words):
        read(table(7)).score(measure=measure)


def test_texts_without_errors_have_an_interval_all_the_same():
    data = table(8)
    data["a"] = data["truth"]
    row = rows_of(read(data), "CER")["a"]
    assert (row["value"], row["low"]) == (0, 0)
    assert row["high"] == pytest.approx(1 - 0.025 ** (1 / 12))


@pytest.mark.parametrize("ending", ["html", "md"])
def test_a_page_shows_a_rate_that_has_no_largest_value(ending, tmp_path):
    page = tmp_path / f"page.{ending}"
    read(table(9)).report(page, measure="WER", draws=200)
    text = page.read_text(encoding="utf-8")
    assert "WER" in text


def test_texts_of_tables_and_files_are_read_whole_where_the_measure_is_of_texts(tmp_path, capsys):
    path = tmp_path / "heard.csv"
    path.write_text("page,truth,a\n1,the cat sat on the mat today,the bat sat on a mat today\n")
    with gzip.open(tmp_path / "heard.csv.gz", "wb") as file:
        file.write(path.read_bytes())
    lines = {"ref.txt": "a b c\nd e\n", "one.txt": "a x c\nd e\n"}
    for name, text in lines.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    parallel = [str(tmp_path / name) for name in lines]
    for paths in ([str(path)], [f"{path}.gz"], [*parallel, "--using", "page=line"]):
        assert run_command(["score", *paths, "--measure", "WER", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["rows"][0]["successes"] == (1 if "--using" in paths else 2)


HEARD = """utt_id,speaker,seconds,reference,one,two
u1,ann,1.5,the cat sat,the cat sat,the bat sat
u2,ann,0.7,on a mat,on the mat,
u3,bob,0.2,,um,
u4,bob,2.0,all day long,all day,all day long long
"""


def score(capsys, *arguments):
    assert run_command(["score", *arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    return {row["system"]: row for row in json.loads(out)["rows"]}, err


def test_columns_of_a_table_that_hold_no_texts_are_no_systems(tmp_path, capsys):
    path = tmp_path / "heard.csv"
    path.write_text(HEARD)
    found, err = score(capsys, str(path), "--measure", "WER")
    references = ["the cat sat", "on a mat", "", "all day long"]
    heard = {
        "one": ["the cat sat", "on the mat", "um", "all day"],
        "two": ["the bat sat", "", "", "all day long long"],
    }
    assert {name: row["value"] for name, row in found.items()} == {
        name: pytest.approx(jiwer.wer(references, texts)) for name, texts in heard.items()
    }
    assert "left out, as they hold no texts: 'speaker', 'seconds'" in err


def test_a_table_of_texts_has_clusters_groups_and_names_of_its_own(tmp_path, capsys):
    path = tmp_path / "heard.csv"
    path.write_text(HEARD)
    texts, _ = score(capsys, str(path), "--measure", "WER")
    for option in ("--cluster", "--item"):
        column = "speaker" if option == "--cluster" else "utt_id"
        found, _ = score(capsys, str(path), "--measure", "WER", option, column)
        assert found["one"]["value"] == texts["one"]["value"]
    clustered, _ = score(capsys, str(path), "--measure", "WER", "--cluster", "speaker")
    assert clustered["one"]["method"] == "ratio over 2 clusters"
    whole = ["--measure", "CER", "--group", "speaker", "--per", "group"]
    assert run_command(["score", str(path), *whole, "--json"]) == 0
    groups = {row["group"] for row in json.loads(capsys.readouterr().out)["rows"]}
    assert groups == {"ann", "bob", "(mean)"}


def test_what_is_read_of_an_empty_page_is_inserted(tmp_path, capsys):
    pages = {
        "truth": ["a b", "", "c d e"],
        "one": ["a b", "x y", "c d"],
        "none": ["", "", ""],
    }
    for name, texts in pages.items():
        (tmp_path / name).mkdir()
        for page, text in enumerate(texts):
            (tmp_path / name / f"{page}.txt").write_text(text)
    folders = [str(tmp_path / name) for name in pages]
    for measure, theirs in (("WER", jiwer.wer), ("CER", jiwer.cer)):
        for missing in ("wrong", "skip"):
            found, _ = score(capsys, *folders, "--measure", measure, "--missing", missing)
            for name in ("one", "none"):
                expected = theirs(pages["truth"], pages[name])
                assert found[name]["value"] == pytest.approx(expected)
    assert found["none"]["value"] == 1


def test_a_row_for_each_system_is_not_taken_for_a_column_each(tmp_path, capsys):
    path = tmp_path / "long.csv"
    path.write_text("id,model,text,reference\n1,a,x y,x z\n1,b,x z,x z\n")
    assert run_command(["score", str(path), "--measure", "WER"]) == 2
    assert "--long ITEM,model,TEXT" in capsys.readouterr().err
    long = ["--long", "id,model,text", "--truth", "reference"]
    found, _ = score(capsys, str(path), "--measure", "WER", *long)
    assert found["a"]["value"] == 0.5


def test_texts_without_a_measure_of_texts_are_not_scored_as_labels():
    data = table(5, pages=60)
    data["speaker"] = ["ann", "bob"] * 30
    with pytest.raises(RoleError, match="hold texts, as the truth does"):
        karat.read(data)


def test_a_page_of_texts_shows_no_vote_and_says_why(tmp_path):
    data = table(6, pages=20)
    data["c"] = data["a"]
    bench = karat.read(data, truth="truth", item="page", systems=["a", "b", "c"])
    page = tmp_path / "page.md"
    bench.report(page, measure="WER", draws=100)
    text = page.read_text(encoding="utf-8")
    assert "Votes are on labels" in text
    assert "by all systems together" not in text


def test_less_is_better_where_errors_are_counted():
    notes = read(table(4)).compare(measure="WER").notes()
    assert any("below 0 the first is" in note for note in notes)
