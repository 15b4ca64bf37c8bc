"""Recognised text: counts of right, wrong, lost and inserted signs are those of the field's own tools."""

import csv
import gzip
import itertools
import random
import sys
from collections import Counter

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import karat
from karat.errors import InputError, KaratError, OptionError, RoleError
from karat.source import counted_rows as counted
from karat.source.text.alignment import against, aligned
from karat.source.text.multiple_alignment import multiple_alignment
from karat.tally.votes.confusion import confusions
from karat.words import NOTHING

LAWS = settings(derandomize=True, deadline=None, max_examples=60)
TEXTS = some.text(alphabet="ab c", max_size=12)


def folders(place, pages):
    """A folder per engine and a file per page; `pages` is {engine: {page: text}}."""
    for engine, texts in pages.items():
        (place / engine).mkdir(parents=True)
        for page, text in texts.items():
            (place / engine / f"{page}.txt").write_text(text)
    return [str(place / engine) for engine in pages]


PAGES = {
    "truth": {"p1": "the cat sat on the mat", "p2": "a dog"},
    "one": {"p1": "the cat sat  on the mat", "p2": "a dog"},
    "two": {"p1": "the bat sat on mat", "p2": "a big d0g"},
}


def edits(bench, system):
    """Right, substituted, lost and inserted signs."""
    cells = bench.counter.count(confusions)[system]
    number = Counter()
    for truth, answer, times in zip(cells.truth, cells.answer, cells.number, strict=True):
        texts = [cells.labels[truth], cells.labels[answer]]
        kind = "right" if truth == answer else "wrong"
        number["inserted" if texts[0] == NOTHING else "lost" if texts[1] == NOTHING else kind] += (
            int(times)
        )
    return [number[kind] for kind in ("right", "wrong", "lost", "inserted")]


def distance(one, other):
    """The least number of edits, by the textbook's recurrence."""
    row = list(range(len(other) + 1))
    for place, sign in enumerate(one, 1):
        before, row[0] = row[0], place
        for at, its in enumerate(other, 1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (sign != its))
    return row[-1]


@given(TEXTS, TEXTS)
@LAWS
def test_an_alignment_has_the_least_edits_and_gives_both_texts_back(truth, answer):
    found = aligned(truth, answer)
    wrong = sum(one != other for one, other in zip(truth, found.at, strict=True))
    assert wrong + sum(map(len, found.inserted.values())) == distance(truth, answer)
    read = []
    for place in range(len(truth) + 1):
        read += found.inserted.get(place, "")
        read += found.at[place : place + 1]
    assert "".join(sign for sign in read if sign != NOTHING) == answer


@given(some.lists(TEXTS, min_size=1, max_size=4))
@LAWS
def test_a_multiple_alignment_gives_every_text_back_and_has_no_empty_row(texts):
    rows = multiple_alignment(texts)
    for place, text in enumerate(texts):
        assert "".join(row[place] for row in rows if row[place] != NOTHING) == text
    assert all(set(row) != {NOTHING} for row in rows)
    assert rows == multiple_alignment(texts)


@given(TEXTS, TEXTS)
@LAWS
def test_two_texts_are_aligned_with_the_least_edits(one, other):
    assert sum(left != right for left, right in multiple_alignment([one, other])) == distance(
        one, other
    )


def test_what_is_read_where_the_others_differ_stays_in_its_place():
    rows = multiple_alignment(
        [["the", "cat", "sat"], ["the", "bat", "sat"], ["the", "cat", "sat", "down"]]
    )
    assert rows == [("the",) * 3, ("cat", "bat", "cat"), ("sat",) * 3, (NOTHING, NOTHING, "down")]


@given(TEXTS, some.lists(TEXTS, min_size=1, max_size=3))
@LAWS
def test_each_system_is_aligned_with_the_truth_as_if_it_were_alone(truth, answers):
    together = against(truth, answers)
    for place, answer in enumerate(answers, 1):
        alone = against(truth, [answer])
        assert [row[place] for row in together.rows] == [row[1] for row in alone.rows]
        inserted = [row[place] for row in together.insertions if row[place] != NOTHING]
        assert inserted == [row[1] for row in alone.insertions]


@pytest.mark.parametrize(
    ("form", "process"), [("text", jiwer.process_characters), ("words", jiwer.process_words)]
)
def test_edits_are_those_of_jiwer(tmp_path, form, process):
    draw = random.Random(1)  # noqa: S311 (a seeded example)
    truth = {
        f"p{page}": " ".join(draw.choices(["ant", "bee", "cat", "dog"], k=40)) for page in range(8)
    }
    read = {
        page: "".join(draw.choice("xy ") if draw.random() < 0.1 else sign for sign in text)
        for page, text in truth.items()
    }
    bench = karat.read(folders(tmp_path, {"truth": truth, "a": read}), format=form)
    tidy = [[" ".join(text.split()) for text in texts.values()] for texts in (truth, read)]
    theirs = process(*tidy)
    assert edits(bench, "a") == [
        theirs.hits,
        theirs.substitutions,
        theirs.deletions,
        theirs.insertions,
    ]


def test_right_wrong_lost_and_inserted_words_by_hand(tmp_path):
    bench = karat.read(folders(tmp_path, PAGES), format="words")
    assert edits(bench, "one") == [8, 0, 0, 0]
    assert edits(bench, "two") == [5, 2, 1, 1]  # bat, d0g; the; big
    rows = bench.score(measure="recall[the],precision[the],micro-recall,accuracy").rows()
    counts = {(row["system"], row["measure"]): (row["successes"], row["trials"]) for row in rows}
    assert counts["two", "recall"] == (1, 2)
    assert counts["two", "precision"] == (1, 1)
    assert counts["two", "micro-recall"] == (5, 8)
    assert counts["two", "accuracy"] == (5, 9)
    assert bench.facts.options["source"] == "words(normalise=nfc+space, rows=labels)"


def test_a_bag_counts_copies_of_a_word(tmp_path):
    bench = karat.read(folders(tmp_path, PAGES), format="bag")
    assert edits(bench, "two") == [5, 0, 3, 3]
    votes = karat.read(["-", *folders(tmp_path / "more", PAGES)], format="bag")
    assert votes.facts.kind == "yesno"
    assert votes.facts.counts.items == 8 + 3


def test_without_truth_positions_are_kept_and_every_reading_is_voted_on(tmp_path):
    truth, *others = folders(tmp_path, PAGES)
    assert karat.read(["-", truth, *others], format="words").facts.counts.items == 8 + 3
    labels = karat.read(["-", *others], format="words", using={"rows": "labels"})
    assert labels.facts.counts.items == 8 + 1
    assert [
        row["system"]
        for row in karat.read(["-", truth, *others], format="words")
        .consensus(estimator="vote")
        .rows()
    ][-1] == "(none)"


def test_texts_may_be_the_cells_of_a_table(tmp_path):
    with (tmp_path / "pages.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["page", *PAGES])
        writer.writerows(
            [page, *(texts[page] for texts in PAGES.values())] for page in ("p1", "p2")
        )
    bench = karat.read(tmp_path / "pages.csv", format="words")
    assert (edits(bench, "one"), edits(bench, "two")) == ([8, 0, 0, 0], [5, 2, 1, 1])


def test_lines_may_be_texts(tmp_path):
    for engine, texts in PAGES.items():
        (tmp_path / f"{engine}.txt").write_text("\n".join(texts.values()) + "\n")
    bench = karat.read(
        [str(tmp_path / f"{engine}.txt") for engine in PAGES],
        format="words",
        using={"page": "line"},
    )
    assert edits(bench, "two") == [5, 2, 1, 1]


@pytest.mark.parametrize(
    ("normalise", "right"),
    [
        ("none", 3),
        ("space", 5),
        ("case,space", 9),
        ("case,space,punctuation", 11),
        ("nfkc,case,space,punctuation", 12),
    ],
)
def test_what_makes_no_difference_is_said(tmp_path, normalise, right):
    texts = {"truth": {"p": "the cat,\tﬁ 2 a"}, "a": {"p": "THE  cat fi 2! b"}}
    bench = karat.read(folders(tmp_path, texts), format="text", using={"normalise": normalise})
    assert edits(bench, "a")[0] >= right
    assert "normalise=" in bench.facts.options["source"]


def test_signs_need_not_be_classes(tmp_path):
    plain, single = (
        karat.read(folders(tmp_path / classes, PAGES), format="words", using={"classes": classes})
        for classes in ("yes", "no")
    )
    for measure in ("accuracy", "micro-precision", "micro-recall"):
        mine, other = (
            [row["value"] for row in bench.score(measure=measure).rows()]
            for bench in (plain, single)
        )
        if measure != "micro-precision":
            assert mine == other
    assert edits(single, "two") == [5, 2, 1, 1]


def test_the_sign_for_nothing_may_occur_in_a_text(tmp_path):
    bench = karat.read(folders(tmp_path, {"truth": {"p": "a∅b"}, "a": {"p": "a∅c"}}), format="text")
    assert edits(bench, "a") == [2, 1, 0, 0]


def test_pages_and_places_are_there_when_asked_for(tmp_path, monkeypatch):
    paths = folders(tmp_path, PAGES)
    by_page = karat.read(paths, format="words", group="page").score(measure="accuracy", per="group")
    assert {row["group"] for row in by_page.rows()} == {"p1", "p2", "(mean)"}
    clustered = karat.read(paths, format="words", cluster="page").score(measure="accuracy").rows()
    assert "clusters" in clustered[0]["method"]
    items = karat.read(paths, format="words", item="place")
    assert items.facts.counts.items == 9
    with pytest.raises(
        RoleError, match="no column 'book'; its rows are identified by 'page' and 'place'"
    ):
        karat.read(paths, format="words", group="book")
    monkeypatch.setattr(counted, "MOST", 2)
    assert edits(karat.read(paths, format="words", group="page"), "two") == [5, 2, 1, 1]


@pytest.mark.parametrize("most", [1, 3, 10_000])
@pytest.mark.parametrize("asked", [frozenset(), frozenset({"page"}), frozenset({"page", "place"})])
def test_rows_laid_aside_on_disk_are_the_same_rows(most, asked):
    signs = ["a", '"', ",", "\n", " x ", NOTHING, None, "é"]
    pages = [counted.Page(f"p{k}", list(itertools.product(signs, signs[:3]))) for k in range(3)]
    source = counted.counted_rows(pages, ["truth", "a"], origin="here", asked=asked, most=most)
    read = karat.read(source, truth="truth", systems=("a",), kinds="label")
    assert read.facts.counts.items == 3 * len(signs) * 3
    assert read.counter.count(confusions)["a"].cell('"', '"') == 3
    assert read.counter.count(confusions)["a"].total == 3 * (len(signs) - 1) * 3
    assert read.facts.counts.without_truth == 9


def test_a_missing_page_is_an_error_or_a_listed_fault(tmp_path):
    pages = {engine: dict(texts) for engine, texts in PAGES.items()}
    del pages["one"]["p2"]
    pages["two"]["p3"] = "more"
    paths = folders(tmp_path, pages)
    with pytest.raises(InputError, match=r"one: 1 page missing, 'p2'; add them"):
        karat.read(paths, format="words")
    with pytest.raises(InputError, match=r"two: 1 page without truth, 'p3'"):
        karat.read([paths[0], paths[2]], format="words")
    bench = karat.read(paths, format="words", lenient=True)
    assert bench.facts.notes[0].startswith("2 faults passed over")
    assert bench.facts.counts.missing == {"one": 2, "two": 0}


@pytest.mark.parametrize(
    ("using", "message"),
    [
        ({"normalise": "shout"}, "is unknown; it takes 'nfc'"),
        ({"page": "book"}, "using={'page': ...} is 'book'"),
        ({"rows": "tall"}, "takes labels, votes or texts"),
        ({"depth": "3"}, "using={'depth': ...} is not an option of words; it takes 'normalise'"),
    ],
)
def test_an_unknown_option_is_refused(tmp_path, using, message):
    with pytest.raises(OptionError, match=message):
        karat.read(folders(tmp_path, PAGES), format="words", using=using)


def test_what_is_no_text_or_not_there_is_refused_with_its_place(tmp_path):
    paths = folders(tmp_path, PAGES)
    with pytest.raises(InputError, match="there is no file or folder"):
        karat.read([paths[0], str(tmp_path / "three")], format="text")
    with pytest.raises(InputError, match="stands alone"):
        karat.read(paths[:1], format="text")
    with pytest.raises(InputError, match="the name 'one' is also that of"):
        karat.read([paths[0], paths[1], paths[1]], format="text")
    assert karat.read([paths[0], paths[1], f"again={paths[1]}"], format="text").facts.systems == (
        "again",
        "one",
    )
    (tmp_path / "two" / "p1.txt").write_bytes(b"the cat\nb\xe4t")
    with pytest.raises(InputError, match=r"p1.txt, line 2: not UTF-8"):
        karat.read(paths, format="text")
    bench = karat.read(paths, format="words", lenient=True)
    assert "p1.txt, line 2: not UTF-8" in bench.facts.notes[0]
    assert bench.facts.counts.missing == {"one": 0, "two": 6}


def test_a_packed_file_that_breaks_off_is_refused_with_its_place(tmp_path):
    packed = gzip.compress(b"a line of text\n" * 1000)
    (tmp_path / "a.txt.gz").write_bytes(packed[:-20])
    (tmp_path / "b.txt").write_text("a line of text\n" * 1000)
    for using in ({"page": "line"}, {"page": "file"}):
        with pytest.raises(InputError, match=r"a.txt.gz.* cannot be read"):
            karat.read(
                [str(tmp_path / "b.txt"), str(tmp_path / "a.txt.gz")], format="text", using=using
            )


def test_without_rapidfuzz_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(InputError, match=r"pip install rapidfuzz"):
        karat.read(folders(tmp_path, PAGES), format="text")


@given(some.binary(max_size=30), some.sampled_from(["text", "words", "bag"]), some.booleans())
@settings(derandomize=True, deadline=None, max_examples=20)
def test_whatever_bytes_a_page_holds_it_is_counted_or_refused(tmp_path_factory, data, form, told):
    place = tmp_path_factory.mktemp("pages")
    (place / "a.txt").write_bytes(data)
    (place / "b.txt").write_bytes(b"some text")
    try:
        bench = karat.read(
            [str(place / "b.txt") if told else "-", f"a={place / 'a.txt'}", f"b={place / 'b.txt'}"],
            format=form,
        )
    except KaratError as error:
        assert str(place) in str(error)  # noqa: PT017
        return
    assert bench.facts.counts.items >= 2


def test_a_line_that_cannot_be_read_does_not_move_the_others(tmp_path):
    (tmp_path / "good.txt").write_text("one\ntwo\nthree\nfour\n")
    (tmp_path / "bad.txt").write_bytes(b"one\ntw\xff\nthree\nfour\n")
    good, bad = str(tmp_path / "good.txt"), str(tmp_path / "bad.txt")
    lenient = {"format": "words", "using": {"page": "line"}, "lenient": True}
    lost = karat.read([good, bad], **lenient).score(measure="accuracy").rows()[0]
    assert (lost["successes"], lost["trials"]) == (3, 4)
    without = karat.read([bad, good], **lenient).score(measure="accuracy").rows()[0]
    assert (without["successes"], without["trials"]) == (3, 3)


def test_two_files_for_one_page_are_refused(tmp_path):
    paths = folders(tmp_path, {"truth": {"1.gt": "abc", "1": "xyz"}, "one": {"1": "abc"}})
    with pytest.raises(
        InputError, match=r"1.gt.txt and 1.txt are one page, '1'; keep them in two folders"
    ):
        karat.read(paths)


def test_a_cell_may_be_a_whole_book(tmp_path):
    (tmp_path / "long.csv").write_text(f"page,truth,a\n1,{'word ' * 40_000},{'word ' * 40_000}\n")
    (row,) = karat.read(tmp_path / "long.csv", format="words").score(measure="accuracy").rows()
    assert row["successes"] == row["trials"] == 40_000


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            '{"truth": "a", "a": "a"}\n{"truth": "a", "a": "a", "b": "a"}\n',
            "line 2: 'b' is not in the first row, whose columns count; add it",
        ),
        ('{"truth": "a", "a": ["a"]}\n', "line 1: 'a' holds a list, not a text"),
        ('{"truth": "a", "count": "a"}\n', "karat has a column 'count' of its own"),
    ],
)
def test_a_table_of_texts_that_would_be_misread_is_refused(tmp_path, lines, message):
    (tmp_path / "pages.jsonl").write_text(lines)
    with pytest.raises(InputError, match=message):
        karat.read(tmp_path / "pages.jsonl", format="text")


def test_wide_text_is_called_so(tmp_path):
    (tmp_path / "a.txt").write_text("abc")
    (tmp_path / "b.txt").write_bytes("abc".encode("utf-16"))
    with pytest.raises(InputError, match=r"b.txt, line 1: UTF-16 text; .*iconv -f utf-16"):
        karat.read([str(tmp_path / "a.txt"), str(tmp_path / "b.txt")], format="text")


def test_single_files_are_one_page_whatever_they_are_called(tmp_path):
    for name, text in {"a": "the cat", "b": "the cat", "c": "the bat"}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    paths = [str(tmp_path / f"{name}.txt") for name in "abc"]
    rows = karat.read(["-", *paths], format="words").consensus(draws=0, estimator="vote").rows()
    assert {row["system"]: row["rank"] for row in rows if row["rank"]} == {"a": 1, "b": 1, "c": 3}


def test_an_ending_that_all_pages_of_an_engine_have_is_no_part_of_their_names(tmp_path):
    pages = {"truth": {"p1.gt": "one", "p2.gt": "two"}, "x": {"p1.tess": "one", "p2.tess": "too"}}
    (row,) = karat.read(folders(tmp_path, pages)).score(measure="accuracy").rows()
    assert (row["successes"], row["trials"]) == (5, 6)


def test_pages_of_other_names_are_told(tmp_path):
    pages = {"truth": {"p1": "one", "p2": "two"}, "x": {"scan1": "one", "scan2": "too"}}
    with pytest.raises(
        InputError, match=r"2 pages missing, 'p1', 'p2' \(it has 'scan1', 'scan2'\)"
    ):
        karat.read(folders(tmp_path, pages))


def test_capital_endings_are_endings(tmp_path):
    paths = folders(tmp_path, {"truth": {"p1": "one"}, "x": {"p1": "one"}})
    (tmp_path / "x" / "p1.txt").rename(tmp_path / "x" / "p1.TXT")
    assert karat.read(paths).score(measure="accuracy").rows()[0]["value"] == 1


def test_marks_line_ends_and_forms_make_no_difference(tmp_path):
    paths = folders(tmp_path, {"truth": {}, "x": {}})
    (tmp_path / "truth" / "p.txt").write_bytes("Café\r\nau lait\r\n".encode())
    (tmp_path / "x" / "p.txt").write_bytes(
        "\N{ZERO WIDTH NO-BREAK SPACE}Cafe\u0301\nau lait".encode()
    )
    assert karat.read(paths).score(measure="accuracy").rows()[0]["value"] == 1


def test_the_pages_of_folders_one_by_one_are_no_systems(tmp_path):
    paths = folders(tmp_path, PAGES)
    files = [f"{path}/{page}.txt" for path in paths[:2] for page in ("p1", "p2")]
    with pytest.raises(InputError, match=r"name the folders instead: .*truth .*one"):
        karat.read(files, format="text")


def test_lines_of_a_table_cannot_be_pages(tmp_path):
    (tmp_path / "t.csv").write_text("page,truth,a\n1,one,one\n")
    with pytest.raises(OptionError, match="in a table a row is a text"):
        karat.read(tmp_path / "t.csv", format="text", using={"page": "line"})
