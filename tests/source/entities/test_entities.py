"""Entities: what counts as found is what seqeval counts."""

import json
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from seqeval.metrics import accuracy_score, classification_report
from seqeval.metrics.sequence_labeling import get_entities

import karat
from karat.errors import InputError, KaratError, OptionError
from karat.source.entities.entities import matched, without_types
from karat.source.entities.tags import Span, spans, split
from karat.source.entities.token_alignment import aligned
from karat.tally.votes.confusion import confusions
from support import contest_entities

LAWS = settings(derandomize=True, deadline=None, max_examples=80)
TAGS = some.sampled_from(
    ["O", "O", *(f"{letter}-{kind}" for letter in "BIES" for kind in ("PER", "LOC"))]
)
BIO = some.sampled_from(["O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC"])

TRUTH = "EU B-ORG\nrejects O\nGerman B-MISC\ncall O\n\nPeter B-PER\nBlackburn I-PER\n"
FOUND = "EU B-ORG\nrejects O\nGerman B-LOC\ncall B-MISC\n\nPeter B-PER\nBlackburn O\n"


def written(place, files):
    for name, text in files.items():
        (place / name).write_text(text)
    return [str(place / name) for name in files]


def columns(sentences):
    return (
        "\n\n".join("\n".join(f"w{k}\t{tag}" for k, tag in enumerate(tags)) for tags in sentences)
        + "\n"
    )


def counts(bench, measure, system="found"):
    rows = [row for row in bench.score(measure=measure).rows() if row["system"] == system]
    return [(row["successes"], row["trials"]) for row in rows]


@given(some.lists(TAGS, max_size=12))
@LAWS
def test_tags_are_the_spans_that_seqeval_reads(tags):
    theirs = [(start, end + 1, kind) for kind, start, end in get_entities(tags)]
    assert [tuple(span) for span in spans([split(tag) for tag in tags])] == theirs


@given(
    some.lists(some.lists(some.tuples(BIO, BIO), min_size=1, max_size=8), min_size=1, max_size=6)
)
@settings(derandomize=True, deadline=None, max_examples=8)
def test_entity_counts_and_f1_are_those_of_seqeval(tmp_path_factory, sentences):
    truth, found = (
        [[pair[side] for pair in sentence] for sentence in sentences] for side in (0, 1)
    )
    if all(tag == "O" for tags in truth for tag in tags):
        return
    place = tmp_path_factory.mktemp("conll")
    paths = written(place, {"truth.conll": columns(truth), "found.conll": columns(found)})
    report = classification_report(truth, found, output_dict=True, zero_division=0)
    bench = karat.read(paths)
    rows = {
        (row["measure"], row["label"]): row["value"] or 0 for row in bench.score(per="class").rows()
    }
    for kind in {"PER", "LOC"} & set(report):
        assert rows.get(("f1", kind), 0) == pytest.approx(report[kind]["f1-score"], abs=1e-12)
        assert rows.get(("recall", kind), 0) == pytest.approx(report[kind]["recall"], abs=1e-12)
    (row,) = bench.score(measure="micro-f1").rows()
    assert (row["value"] or 0) == pytest.approx(report["micro avg"]["f1-score"], abs=1e-12)
    (row,) = karat.read(paths, format="tokens").score(measure="accuracy").rows()
    assert row["value"] == pytest.approx(accuracy_score(truth, found), abs=1e-12)


def test_exact_and_partial_matches_by_hand(tmp_path):
    paths = written(tmp_path, {"truth.conll": TRUTH, "found.conll": FOUND})
    exact = karat.read(paths)
    assert counts(exact, "micro-recall") == [(1, 3)]  # EU
    assert counts(exact, "micro-precision") == [(1, 4)]
    partial = karat.read(paths, using={"match": "partial"})
    assert counts(partial, "micro-recall") == [(2, 3)]  # and Peter, of Peter Blackburn
    assert exact.counter.count(confusions)["found"].cell("MISC", "LOC") == 1
    assert exact.facts.options["source"] == "conll(match=exact, column=-1)"


def test_a_span_matches_once_and_the_best_match_goes_first():
    true = [Span(0, 4, "A"), Span(5, 9, "A")]
    assert matched(true, [Span(3, 9, "A")], match="partial") == (["∅", "A"], [])
    assert matched(true, [Span(0, 4, "B"), Span(0, 5, "A")], match="partial") == (
        ["B", "∅"],
        [Span(0, 5, "A")],
    )
    assert matched([Span(0, 4, "A"), Span(0, 4, "B")], [Span(0, 4, "B")], match="exact") == (
        ["∅", "B"],
        [],
    )


@given(some.data())
@LAWS
def test_matching_loses_and_invents_no_span(data):
    a_span = some.tuples(some.integers(0, 6), some.integers(1, 3), some.sampled_from("AB"))
    true, found = (
        [
            Span(start, start + length, label)
            for start, length, label in data.draw(some.lists(a_span, max_size=5))
        ]
        for _ in range(2)
    )
    for match in ("exact", "partial", "fuzzy"):
        said, rest = matched(true, found, match=match)
        assert Counter(label for label in said if label != "∅") + Counter(
            span.label for span in rest
        ) == Counter(span.label for span in found)
    exact = sum((Counter(true) & Counter(found)).values())
    said, _ = matched(true, found, match="exact")
    assert sum(one == span.label for one, span in zip(said, true, strict=True)) == exact


@pytest.mark.parametrize(
    ("answers", "said", "spurious"),
    [
        ([Span(0, 2, "A")], ["A", "∅"], 0),  # equal
        ([Span(1, 2, "A")], ["A", "∅"], 0),  # one token in common, the same type
        ([Span(1, 2, "B")], ["B", "∅"], 0),  # another type: wrong, but not spurious
        ([Span(2, 3, "A")], ["∅", "∅"], 1),  # no token in common
        (
            [Span(1, 5, "B")],
            ["B", "∅"],
            0,
        ),  # both overlap; the left one is taken, though the right one has the type
        ([Span(0, 1, "A"), Span(1, 2, "A")], ["A", "∅"], 1),  # only one of two halves
        ([Span(0, 1, "B"), Span(1, 4, "B")], ["B", "B"], 0),  # the second answer takes what is left
        ([Span(3, 5, "A"), Span(0, 4, "B")], ["B", "A"], 0),  # the right ends go before an overlap
    ],
)
def test_fuzzy_matches_by_hand(answers, said, spurious):
    truth = [Span(0, 2, "A"), Span(3, 5, "B")]
    labels, rest = matched(truth, answers, match="fuzzy")
    assert (labels, len(rest)) == (said, spurious)


def separate(data):
    """Spans of a sentence that share no token."""
    found = []
    start = 0
    for gap, length, label in data.draw(
        some.lists(
            some.tuples(some.integers(0, 2), some.integers(1, 3), some.sampled_from("AB")),
            max_size=5,
        )
    ):
        found.append(Span(start + gap, start + gap + length, label))
        start = found[-1].end
    return found


@given(some.data())
@LAWS
def test_fuzzy_matches_are_those_of_the_contests(data):
    truth, answers = separate(data), separate(data)
    labels, rest = matched(truth, answers, match="fuzzy")
    right = sum(label == true.label for label, true in zip(labels, truth, strict=True))
    found = sum(label != "∅" for label in labels)
    expected = contest_entities.fuzzy(truth, answers)
    assert (right, found + len(rest), len(labels)) == expected


@given(some.data())
@LAWS
def test_semevals_partial_credit_is_the_mean_of_ends_and_overlaps_without_types(data):
    truth, answers = (without_types(separate(data)) for _ in range(2))
    hits = []
    for match in ("exact", "fuzzy"):
        labels, _ = matched(truth, answers, match=match)
        hits.append(sum(label != "∅" for label in labels))
    assert sum(hits) / 2 == contest_entities.partial(truth, answers)


def test_contests_schemes_are_options(tmp_path):
    paths = written(tmp_path, {"truth.conll": TRUTH, "found.conll": FOUND})
    truth, found = ([Span(*one) for one in bio(text)] for text in (TRUTH, FOUND))
    expected = contest_entities.fuzzy(truth, found)
    bench = karat.read(paths, using={"match": "fuzzy"})
    assert counts(bench, "micro-precision") == [(expected.right, expected.answers)]
    assert counts(bench, "micro-recall") == [(expected.right, expected.truth)]
    ends = karat.read(paths, using={"types": "no"})
    same_ends = {span[:2] for span in truth} & {span[:2] for span in found}
    assert counts(ends, "micro-recall") == [(len(same_ends), len(truth))]
    assert "types=no" in ends.facts.options["source"]
    lines = [json.dumps({"id": 1, "spans": [list(span) for span in one]}) for one in (truth, found)]
    files = written(tmp_path, {"truth.jsonl": lines[0], "found.jsonl": lines[1]})
    spans = karat.read(files, using={"match": "fuzzy"})
    assert counts(spans, "micro-recall") == [(expected.right, expected.truth)]
    untyped = karat.read(files, using={"types": "no"})
    assert counts(untyped, "micro-recall") == counts(ends, "micro-recall")


def bio(text):
    """The entities of a text in columns, all sentences after each other with a token between them."""
    tags = [line.split()[-1] if line.strip() else "O" for line in text.split("\n")]
    return contest_entities.entities(tags)


def test_one_file_has_truth_and_answer_in_its_last_columns(tmp_path):
    lines = [
        f"{a} {b.split()[1]}" if a else ""
        for a, b in zip(TRUTH.split("\n"), FOUND.split("\n"), strict=True)
        if a or not b
    ]
    (path,) = written(tmp_path, {"found.conll": "\n".join(lines)})
    assert counts(karat.read(path), "micro-recall") == [(1, 3)]


def test_a_truth_that_is_its_own_system_is_right(tmp_path):
    (path,) = written(tmp_path, {"found.conll": TRUTH})
    bench = karat.read([path, path])
    assert counts(bench, "micro-recall") == [(3, 3)]
    assert bench.facts.notes == ()


def test_columns_as_conll_2003_has_them(tmp_path):
    # -DOCSTART-, spaces and tabs, types that begin with I (IOB1), no empty line at the end.
    truth = (
        "-DOCSTART- -X- -X- O\n\n"
        "EU NNP B-NP I-ORG\nsays VBZ B-VP O\n\nPeter NNP B-NP I-PER\nPaul NNP B-NP B-PER"
    )
    found = "EU\tI-ORG\nsays\tO\n\nPeter\tI-PER\nPaul\tI-PER\n"
    paths = written(tmp_path, {"truth.txt": truth, "found.txt": found})
    assert counts(karat.read(paths), "micro-recall") == [(1, 3)]
    columns, types = karat.read(paths[0], format="conll").facts.notes
    assert columns == "one file: the last column is the system's, the one before it the truth"
    assert types.startswith(
        "the system's column: none of its types, 'ORG', 'PER', is one of those of"
    )


def test_without_truth_the_finders_vote_on_each_span(tmp_path):
    paths = written(tmp_path, {"a.conll": TRUTH, "b.conll": FOUND, "c.conll": FOUND})
    bench = karat.read(["-", *paths])
    assert bench.facts.kind == "yesno"
    assert bench.facts.counts.items == 6  # EU, German MISC and LOC, call, Peter, Peter Blackburn
    assert [row["system"] for row in bench.consensus().rows()][:2] == ["b", "c"]


def document(name, *found, **more):
    return json.dumps({"id": name, "spans": list(found), **more}) + "\n"


def test_spans_of_documents(tmp_path):
    truth = document("d1", [0, 5, "PER"], {"start": 9, "end": 12, "label": "LOC"}) + document("d2")
    found = document("d2", [1, 2, "PER"]) + document("d1", [0, 5, "PER"], [9, 11, "LOC"])
    paths = written(tmp_path, {"truth.jsonl": truth, "found.jsonl": found})
    assert counts(karat.read(paths), "micro-recall") == [(1, 2)]
    assert counts(karat.read(paths, using={"match": "partial"}), "micro-precision") == [(2, 3)]
    groups = karat.read(paths, group="document").score(measure="micro-recall", per="group").rows()
    assert {row["group"] for row in groups} == {"d1", "d2", "(mean)"}


@given(some.permutations(range(6)), some.permutations(range(6)))
@settings(derandomize=True, deadline=None, max_examples=10)
def test_the_order_of_documents_makes_no_difference(tmp_path_factory, first, second):
    place = tmp_path_factory.mktemp("spans")
    sides = [
        "".join(
            document(f"d{k}", *[[j, j + 1, "AB"[(j + k + side) % 2]] for j in range(k)])
            for k in order
        )
        for side, order in enumerate((first, second))
    ]
    paths = written(place, dict(zip(("truth.jsonl", "found.jsonl"), sides, strict=True)))
    assert counts(karat.read(paths), "micro-recall") == [(0, 15)]
    assert counts(karat.read([paths[0], f"found={paths[0]}"]), "micro-recall") == [(15, 15)]


def test_a_document_that_every_file_has_twice_is_told(tmp_path):
    twice = document("d1", [0, 5, "PER"]) * 2
    paths = written(tmp_path, {"truth.jsonl": twice, "found.jsonl": twice})
    with pytest.raises(InputError, match=r"truth.jsonl, line 2: the document 'd1' is there twice"):
        karat.read(paths)
    bench = karat.read(paths, lenient=True)
    assert counts(bench, "micro-recall") == [(1, 1)]
    assert bench.facts.notes[0].startswith("2 faults passed over")


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (
            document("d1", [0, 5, "PER"], [3, 7, "LOC"]),
            r"line 1: the spans \[0, 5, 'PER'\] and \[3, 7, 'LOC'\] overlap",
        ),
        (document("d1", [5, 5, "PER"]), r"line 1: \[5, 5, 'PER'\] is not a span"),
        (document("d1", [0, 9, "PER"], text="short"), "0 <= start < end <= 5"),
        (document("d1") + document("d3"), "1 document not in the truth, 'd3'"),
        (document("d9"), "1 document missing, 'd1'"),
        (document("d1") * 2, "line 2: the document 'd1' is there twice"),
        ('{"id": "d1", "spans": [[0, 5', "line 1: not valid JSON"),
        ('{"id": "d1", "text": "x"}', "no list of spans; it has 'id', 'text'"),
    ],
)
def test_bad_spans_are_refused_with_their_place_or_listed(tmp_path, found, message):
    paths = written(tmp_path, {"truth.jsonl": document("d1", [0, 5, "PER"]), "found.jsonl": found})
    with pytest.raises(InputError, match=message):
        karat.read(paths, format="spans")
    assert "passed over" in karat.read(paths, format="spans", lenient=True).facts.notes[0]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (TRUTH.replace("B-MISC", "MISC"), r"found.conll, line 3: 'MISC' is not a tag"),
        (
            TRUTH.replace("call O\n", ""),
            r"found.conll, line 5: the token is 'Peter', in .*, line 4, 'call'",
        ),
        (TRUTH.replace("call O", "cell O"), r"found.conll, line 4: the token is 'cell'"),
        (TRUTH.partition("\n\n")[0], r"found.conll: it ends before sentence 2"),
        (TRUTH + "\nMore O\n", r"line 9: the token 'More' comes after the end of"),
        (TRUTH.partition("\nBlack")[0], r"found.conll: it ends within sentence 2"),
        (TRUTH.replace("call O", "call"), r"line 4: a token alone, 'call'"),
    ],
)
def test_bad_columns_are_refused_with_their_place_or_listed(tmp_path, found, message):
    paths = written(tmp_path, {"truth.conll": TRUTH, "found.conll": found})
    with pytest.raises(InputError, match=message):
        karat.read(paths)
    assert "passed over" in karat.read(paths, lenient=True).facts.notes[0]


def test_an_option_that_cannot_be_is_refused(tmp_path):
    paths = written(tmp_path, {"truth.conll": TRUTH, "found.conll": FOUND})
    for using in ({"match": "loose"}, {"column": "tag"}, {"types": "some"}):
        with pytest.raises(OptionError):
            karat.read(paths, using=using)
    with pytest.raises(OptionError, match="needs a truth"):
        karat.read(["-", *paths], using={"match": "partial"})


@given(
    some.text(alphabet='AB-IOE \n\t"{}[]:,0é', max_size=40),
    some.sampled_from(["conll", "tokens", "spans"]),
    some.booleans(),
)
@settings(derandomize=True, deadline=None, max_examples=20)
def test_whatever_a_file_holds_it_is_counted_or_refused(tmp_path_factory, text, form, lenient):
    place = tmp_path_factory.mktemp("found")
    truth = document("d1", [0, 5, "PER"]) if form == "spans" else TRUTH
    try:
        karat.read(
            written(place, {"truth": truth, "found": text}), format=form, lenient=lenient
        ).score()
    except KaratError as error:
        assert str(error)  # noqa: PT017


def test_without_truth_two_types_at_one_place_are_two_spans(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": 1, "spans": [[0, 5, "A"], [0, 5, "B"]]}\n')
    (tmp_path / "b.jsonl").write_text('{"id": 1, "spans": [[0, 5, "B"]]}\n')
    bench = karat.read(
        ["-", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")], using={"overlap": "yes"}
    )
    assert bench.facts.counts.items == 2
    # P(A) = 2/4, P(B) = 3/4, with the systems that see all and none.
    rows = {
        row["system"]: (row["precision"], row["recall"])
        for row in bench.consensus(estimator="vote", draws=0).rows()
    }
    assert rows["a"] == pytest.approx((0.625, 1.0))
    assert rows["b"] == pytest.approx((0.75, 0.6))


@pytest.mark.parametrize(
    ("found", "using", "message"),
    [
        ("a B-PER\n\nb O\n", {}, r"s.conll, line 3: the token 'b' comes after the end"),
        (
            "a B-PER\n",
            {"column": "5"},
            r"t.conll, line 1: 2 columns, and column 5 is not among them",
        ),
    ],
)
def test_the_place_of_what_does_not_fit_is_said(tmp_path, found, using, message):
    (tmp_path / "t.conll").write_text("a B-PER\n")
    (tmp_path / "s.conll").write_text(found)
    with pytest.raises(InputError, match=message):
        karat.read([str(tmp_path / "t.conll"), str(tmp_path / "s.conll")], using=using)


def test_a_span_cannot_be_called_nothing(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"id": 1, "spans": [[0, 5, "A"]]}\n')
    (tmp_path / "s.jsonl").write_text('{"id": 1, "spans": [[0, 5, "∅"]]}\n')
    with pytest.raises(InputError, match=r"s.jsonl, line 1: \[0, 5, '∅'\] is not a span"):
        karat.read([str(tmp_path / "t.jsonl"), str(tmp_path / "s.jsonl")])


def micro(paths, **options):
    """The true positives and the entities given, by system."""
    bench = karat.read(paths, **options)
    rows = bench.score(measure="micro-precision").rows()
    return {row["system"]: (row["successes"], row["trials"]) for row in rows}


def test_sentences_may_be_broken_elsewhere_if_the_tokens_are_the_same(tmp_path):
    texts = {"truth.conll": TRUTH, "found.conll": FOUND}
    texts["whole.conll"] = FOUND.replace("\n\n", "\n")
    texts["words.conll"] = FOUND.replace("\n", "\n\n")
    paths = written(tmp_path, texts)
    assert set(micro(paths).values()) == {(1, 4)}
    notes = karat.read(paths).facts.notes
    assert any("whole.conll breaks 1 sentence elsewhere" in note for note in notes)
    assert not any("found.conll breaks" in note for note in notes)


def test_headers_comments_and_tags_that_say_nothing_are_read_as_such(tmp_path):
    head = "TOKEN\tNE\tMISC\n# language = en\n#segment 1\n"
    body = "EU\tB-ORG\tNoSpace\nmet\t_\t_\n#\tO\t_\nPeter\tB-PER\t_\n"
    texts = {"truth.conll": head + body, "found.conll": body.replace("B-PER", "_")}
    paths = written(tmp_path, texts)
    with pytest.raises(InputError, match="'NoSpace' is not a tag"):
        karat.read(paths)
    for column in ("1", "-2"):
        assert micro(paths, using={"column": column}) == {"found": (1, 1)}
    (tmp_path / "found.conll").write_text(head + body)
    assert micro(paths, using={"column": "NE"}) == {"found": (2, 2)}
    with pytest.raises(InputError, match=r"no column 'NER', which using=.*column.* names; it has"):
        karat.read(paths, using={"column": "NER"})


def test_types_of_another_case_are_other_types_unless_said(tmp_path):
    lower = TRUTH.replace("-ORG", "-org").replace("-PER", "-Per")
    paths = written(tmp_path, {"truth.conll": TRUTH, "found.conll": lower})
    assert micro(paths) == {"found": (1, 3)}
    assert micro(paths, using={"case": "no"}) == {"found": (3, 3)}
    with pytest.raises(OptionError, match="takes yes or no"):
        karat.read(paths, using={"case": "maybe"})


def numbered(sentences, tag):
    """Sentences of tokens that all differ; each begins with an entity."""
    lines = []
    for s in range(sentences):
        lines += [f"w{s}.{k} {tag if k == 0 else 'O'}" for k in range(5)]
        lines.append("")
    return lines


def test_with_lenient_reading_a_lost_line_costs_its_own_entity_only(tmp_path):
    truth = numbered(30, "B-PER")
    lost = [line for line in truth if line != "w3.0 B-PER"]
    added = [*truth[:10], "new B-PER", *truth[10:]]
    respelt = [line.replace("w5.2", "W5.2") for line in truth]
    half = truth[len(truth) // 2 :]
    names = {"truth": truth, "lost": lost, "added": added, "respelt": respelt, "half": half}
    paths = written(tmp_path, {f"{name}.conll": "\n".join(x) for name, x in names.items()})
    with pytest.raises(InputError, match=r"lost.conll, line 19: the token is 'w3.1'"):
        karat.read(paths[:2])
    bench = karat.read(paths, lenient=True)
    rows = bench.score(measure="micro-recall").rows()
    found = {row["system"]: (row["successes"], row["trials"]) for row in rows}
    assert found == {"lost": (29, 30), "added": (30, 30), "respelt": (30, 30), "half": (15, 30)}
    notes = "\n".join(bench.facts.notes)
    assert "lost.conll: 1 token of" in notes
    assert "added.conll: 1 token more than there" in notes
    assert "half.conll: 75 tokens of" in notes


@pytest.mark.parametrize("form", ["conll", "tokens"])
def test_a_system_that_fits_nowhere_is_refused_by_name_lenient_or_not(tmp_path, form):
    other = [line.replace("w", "v") for line in numbered(30, "B-PER")]
    texts = {"truth.conll": numbered(30, "B-PER"), "other.conll": other}
    paths = written(tmp_path, {name: "\n".join(x) for name, x in texts.items()})
    for lenient in (False, True):
        with pytest.raises(InputError, match=r"other\.conll"):
            karat.read(paths, format=form, lenient=lenient)
    with pytest.raises(InputError, match=r"does not fit .*: 0 of 150 tokens are the same"):
        karat.read(paths, format=form, lenient=True)


def test_a_token_that_is_not_there_has_no_tag(tmp_path):
    truth = numbered(4, "B-PER")
    paths = written(
        tmp_path, {"truth.conll": "\n".join(truth), "found.conll": "\n".join(truth[1:])}
    )
    bench = karat.read(paths, format="tokens", lenient=True)
    assert bench.facts.counts.missing == {"found": 1}


@given(some.lists(some.sampled_from("abcdef"), max_size=60), some.data())
@LAWS
def test_what_is_left_of_a_text_is_aligned_in_order_and_never_worse_than_by_chance(tokens, data):
    kept = data.draw(some.lists(some.booleans(), min_size=len(tokens), max_size=len(tokens)))
    rest = [token for token, keep in zip(tokens, kept, strict=True) if keep]
    pairs = list(aligned(tokens, rest))
    for (i, j), (k, m) in pairwise(pairs):
        assert i < k
        assert j < m
    assert list(aligned(tokens, tokens)) == [(k, k) for k in range(len(tokens))]
    numbered = [f"{token}{place}" for place, token in enumerate(tokens)]
    rest = [token for token, keep in zip(numbered, kept, strict=True) if keep]
    assert [numbered[i] for i, _ in aligned(numbered, rest)] == rest


def brat(folder, documents):
    folder.mkdir()
    for name, text in documents.items():
        (folder / f"{name}.ann").write_text(text, encoding="utf-8")
        (folder / f"{name}.txt").write_text("Ada met Bob in Rome", encoding="utf-8")
    return str(folder)


def test_a_folder_of_brat_is_what_the_same_spans_in_json_are(tmp_path):
    true = {"d1": "T1\tPER 0 3\tAda\nT2\tLOC 15 19\tRome\nR1\tin Arg1:T1 Arg2:T2\n", "d2": ""}
    found = {"d1": "T1\tPER 0 7\tAda met\nT2\tLOC 15 19\tRome\n", "d2": "T1\tPER 8 11\tBob\n"}
    folders = [brat(tmp_path / "gold", true), brat(tmp_path / "tagger", found)]
    lists = {
        "gold": {"d1": [[0, 3, "PER"], [15, 19, "LOC"]], "d2": []},
        "tagger": {"d1": [[0, 7, "PER"], [15, 19, "LOC"]], "d2": [[8, 11, "PER"]]},
    }
    files = []
    for name, documents in lists.items():
        path = tmp_path / f"{name}.jsonl"
        rows = [json.dumps({"id": key, "spans": spans}) for key, spans in documents.items()]
        path.write_text("\n".join(rows), encoding="utf-8")
        files.append(str(path))
    for options in ({}, {"rows": "documents"}):
        measure = "strict-f1,partial-f1" if options else "micro-f1"
        one, other = (karat.read(paths, using=options) for paths in (folders, files))
        assert one.score(measure=measure).rows() == other.score(measure=measure).rows()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("T1\tPER 0 3;8 11\tAda Bob", "in several pieces"),
        ("T1\tPER 3 0\tAda", "cannot be read"),
        ("T1 PER 0 3 Ada", "cannot be read"),
    ],
)
def test_a_line_of_brat_that_cannot_be_read_is_named(tmp_path, line, words):
    paths = [brat(tmp_path / "gold", {"d1": ""}), brat(tmp_path / "tagger", {"d1": line})]
    with pytest.raises(InputError, match=f"d1.ann, line 1: .*{words}"):
        karat.read(paths)
    assert karat.read(paths, lenient=True, using={"rows": "documents"}).facts.counts.items == 1


SAME_TAGS = "Ada {}\nin O\nRome {}\n"


@pytest.mark.parametrize("name", ["conll", "tokens"])
def test_types_that_differ_only_in_case_are_told(tmp_path, name):
    truth = SAME_TAGS.format("B-pers", "B-loc")
    system = SAME_TAGS.format("B-PERS", "B-loc")
    paths = written(tmp_path, {"gold.conll": truth, "tagger.conll": system})
    (note,) = karat.read(paths, format=name).facts.notes
    assert note == (
        f"{paths[1]}: its types 'PERS' differ only in case from those of {paths[0]}, 'pers', and count as others; "
        "--using case=no takes them for the same"
    )
    assert not karat.read(paths, format=name, using={"case": "no"}).facts.notes
    if name == "conll":
        assert not karat.read(paths, format=name, using={"types": "no"}).facts.notes


def test_a_system_that_calls_all_types_otherwise_is_told(tmp_path):
    truth = SAME_TAGS.format("B-PER", "B-LOC")
    system = SAME_TAGS.format("B-PERSON", "B-GPE")
    paths = written(tmp_path, {"gold.conll": truth, "tagger.conll": system})
    (note,) = karat.read(paths, using={"rows": "documents"}).facts.notes
    assert "tagger.conll: none of its types, 'GPE', 'PERSON', is one of those of" in note
    assert note.endswith("gold.conll, 'LOC', 'PER'; spell them the same")
    one_right = SAME_TAGS.format("B-PERSON", "B-LOC")
    paths = written(tmp_path, {"gold.conll": truth, "tagger.conll": one_right})
    assert not karat.read(paths).facts.notes


def test_types_of_spans_that_differ_only_in_case_are_told(tmp_path):
    truth = '{"id": "d1", "spans": [[0, 3, "PER"]]}\n'
    paths = written(tmp_path, {"gold.jsonl": truth, "found.jsonl": truth.replace("PER", "per")})
    (note,) = karat.read(paths).facts.notes
    assert "its types 'per' differ only in case" in note
    assert note.endswith("and count as others; spell them the same")
