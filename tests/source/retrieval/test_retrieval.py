"""Runs and relevance judgements: precision, recall and average precision are those of trec_eval."""

import gzip
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import karat
from karat.doubt.bounds.query_mean import query_mean
from karat.errors import InputError, KaratError, OptionError, TallyError
from karat.source.faults import Faults
from karat.source.retrieval import trec_files
from karat.source.retrieval.trec_files import RUN as RUN_FORM
from karat.source.retrieval.trec_files import IrregularFileError, _read_at_once, _read_by_line
from karat.tally.scores.rankings import rankings
from karat.verdict.score.retrieval import quantity_of_ranking

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 0\nq2 0 d4 1\n"
RUN = "q1 Q0 d1 1 3.0 r\nq1 Q0 d9 2 2.0 r\nq1 Q0 d3 3 1.0 r\nq2 Q0 d1 1 5 r\nq2 Q0 d4 2 5 r\n"


def written(place, **files):
    for name, text in files.items():
        (place / f"{name}.{'qrels' if name == 'judged' else 'run'}").write_text(text)
    return [str(place / f"{name}.{'qrels' if name == 'judged' else 'run'}") for name in files]


def drawn(seed, queries=12, documents=40):
    """Judgements and two runs, with ties, unjudged documents and a query that one run does not have."""
    random = np.random.default_rng(seed)
    qrels, runs = [], {"a": [], "b": []}
    for query in range(queries):
        grades = random.integers(0, 4, documents) * (random.random(documents) < 0.4)
        grades[random.random(documents) < 0.1] = -1
        grades[0] = 3
        qrels += [
            f"q{query} 0 d{k} {grade}"
            for k, grade in enumerate(grades)
            if random.random() < 0.8 or k == 0
        ]
        for name, lines in runs.items():
            if (name, query) == ("b", 3):
                continue
            found = random.permutation(documents + 5)[: random.integers(1, 30)]
            lines += [
                f"q{query} Q0 d{k} {place} {random.integers(0, 9)} {name}"
                for place, k in enumerate(found, 1)
            ]
    return "\n".join(qrels) + "\n", {name: "\n".join(lines) + "\n" for name, lines in runs.items()}


def means(bench, measure):
    return {row["system"]: row["value"] for row in bench.retrieval(measure=measure).rows()}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("relevant", [1, 2])
def test_measures_are_those_of_ir_measures(tmp_path, seed, relevant):
    qrels, runs = drawn(seed)
    paths = written(tmp_path, judged=qrels, **runs)
    bench = karat.read(paths, using={"relevant": str(relevant)})
    theirs = {
        "P@5": ir_measures.P(rel=relevant) @ 5,
        "P@20": ir_measures.P(rel=relevant) @ 20,
        "R@10": ir_measures.R(rel=relevant) @ 10,
        "AP": ir_measures.AP(rel=relevant),
        "MAP@7": ir_measures.AP(rel=relevant) @ 7,
        "map_cut_7": ir_measures.AP(rel=relevant) @ 7,
        "R-Prec": ir_measures.Rprec(rel=relevant),
        "RR": ir_measures.RR(rel=relevant),
        "mrr": ir_measures.RR(rel=relevant),
        "recip_rank": ir_measures.RR(rel=relevant),
        "p.5": ir_measures.P(rel=relevant) @ 5,
        "ndcg_cut.10": ir_measures.nDCG @ 10,
        "Success@3": ir_measures.Success(rel=relevant) @ 3,
        "nDCG": ir_measures.nDCG,
        "ndcg@10": ir_measures.nDCG @ 10,
        "nDCG(dcg='exp-log2')@10": ir_measures.nDCG(gains={1: 1, 2: 3, 3: 7}) @ 10,
        "bpref": ir_measures.Bpref(rel=relevant),
        "infAP": ir_measures.infAP(rel=relevant),
    }
    judged = list(ir_measures.read_trec_qrels(paths[0]))
    for name, path in zip("ab", paths[1:], strict=True):
        run = list(ir_measures.read_trec_run(path))
        # Asked for together, ir_measures gives nDCG with gains as plain nDCG under some seeds of Python's hashes.
        expected = {}
        for their in theirs.values():
            expected |= ir_measures.calc_aggregate([their], judged, run)
        for measure, their in theirs.items():
            assert means(bench, measure)[name] == pytest.approx(expected[their], abs=1e-9), measure
        each = {
            (one.query_id, str(one.measure)): one.value
            for one in ir_measures.iter_calc([theirs["AP"]], judged, run)
        }
        mine = {
            row["query"]: row["value"]
            for row in bench.retrieval(per="query", measure="AP").rows()
            if row["system"] == name
        }
        assert mine == pytest.approx({query: value for (query, _), value in each.items()}, abs=1e-9)


def going_down(qrels, run):
    """Yield the grade of each document down the list of each query; None where it was not judged."""
    grades = {}
    for line in qrels.splitlines():
        query, _, document, grade = line.split()
        grades[query, document] = int(grade)
    lists = {}
    for line in run.splitlines():
        query, _, document, _, score, _ = line.split()
        lists.setdefault(query, []).append((float(score), document))
    for query, documents in lists.items():
        yield query, [grades.get((query, name)) for _, name in sorted(documents, reverse=True)]


def of_queries(bench, measure):
    rows = bench.retrieval(per="query", measure=measure).rows()
    return {row["query"]: row["value"] for row in rows if row["system"] == "a"}


@pytest.mark.parametrize(("measure", "p"), [("RBP", 0.8), ("rbp(p=0.5)", 0.5)])
def test_rank_biased_precision_adds_what_a_reader_sees(tmp_path, measure, p):
    qrels, runs = drawn(4)
    mine = of_queries(karat.read(written(tmp_path, judged=qrels, **runs)), measure)
    for query, grades in going_down(qrels, runs["a"]):
        seen = [(1 - p) * p**place for place, grade in enumerate(grades) if (grade or 0) >= 1]
        assert mine[query] == pytest.approx(sum(seen), abs=1e-12)


def test_judged_documents_are_those_that_somebody_looked_at(tmp_path):
    qrels, runs = drawn(5)
    mine = of_queries(karat.read(written(tmp_path, judged=qrels, **runs)), "Judged@10")
    for query, grades in going_down(qrels, runs["a"]):
        looked_at = [grade is not None and grade >= 0 for grade in grades[:10]]
        assert mine[query] == pytest.approx(sum(looked_at) / len(looked_at))


def test_grades_are_those_of_the_truth_where_none_are_given():
    """A table of yes and no: all that have a truth were judged."""
    table = {
        "query": ["q"] * 4,
        "item": ["d1", "d2", "d3", "d4"],
        "truth": [1, 0, 1, 0],
        "run": [0.9, 0.8, 0.7, 0.6],
    }
    bench = karat.read(table, group="query", systems=["run"])
    gain = (1 + 1 / np.log2(4)) / (1 + 1 / np.log2(3))
    assert means(bench, "nDCG")["run"] == pytest.approx(gain)
    assert means(bench, "nDCG-exp")["run"] == pytest.approx(gain)
    assert means(bench, "Bpref")["run"] == pytest.approx((1 + 1 / 2) / 2)
    assert means(bench, "Judged@3")["run"] == 1


def test_by_hand(tmp_path):
    bench = karat.read(written(tmp_path, judged=QRELS, r=RUN))
    rows = {
        (row["measure"], row["query"]): row["value"]
        for row in bench.retrieval(per="query", measure="AP,P@2,R,P").rows()
    }
    assert rows["AP", "q1"] == pytest.approx((1 + 2 / 3) / 2)
    assert rows["AP", "q2"] == 1.0  # d4 and d1 have one score: the later name is first
    assert (rows["P@2", "q1"], rows["P", "q1"], rows["R", "q1"]) == (0.5, pytest.approx(2 / 3), 1.0)
    assert bench.facts.notes[0].startswith(
        "1 retrieved document without judgement: taken as irrelevant"
    )


def test_unjudged_documents_may_be_left_out(tmp_path):
    bench = karat.read(written(tmp_path, judged=QRELS, r=RUN), using={"unjudged": "unknown"})
    rows = {row["query"]: row["value"] for row in bench.retrieval(per="query", measure="AP").rows()}
    assert rows["q1"] == 1.0
    assert bench.facts.counts.without_truth == 1


def test_a_depth_makes_answers_of_yes_and_no_for_every_other_command(tmp_path):
    paths = written(tmp_path, judged=QRELS, r=RUN, s=RUN.replace("d9", "d2"))
    bench = karat.read(paths, using={"depth": "2"})
    rows = {
        (row["system"], row["measure"]): (row["successes"], row["trials"])
        for row in bench.score().rows()
    }
    assert rows["r", "precision"] == (2, 4)
    assert rows["r", "recall"] == (2, 3)
    assert bench.compare(measure="recall").rows()
    assert karat.read(["-", *paths[1:]], using={"depth": "2"}).consensus().rows()


def test_a_pool_leaves_documents_unjudged_that_no_run_has_near_its_top(tmp_path):
    paths = written(tmp_path, judged=QRELS, r=RUN)
    rows = {
        row["query"]: row
        for row in karat.read(paths, using={"pool": "1"}).retrieval(per="query", measure="R").rows()
    }
    assert rows["q1"]["relevant"] == 1


def test_a_query_with_nothing_to_find_is_said_and_left_out(tmp_path):
    paths = written(tmp_path, judged=QRELS + "q3 0 d1 0\n", r=RUN)
    found = karat.read(paths).retrieval(measure="AP,P@1")
    assert [row["queries"] for row in found.rows()] == [2, 3]
    assert "Queries without a relevant document: 1" in found.notes()[0]


def test_a_table_of_scores_with_queries_is_ranked_as_well():
    table = {"item": ["a", "b", "c"], "query": ["q"] * 3, "truth": [0, 1, 1], "s": [0.9, 0.5, 0.1]}
    (row,) = karat.read(table).retrieval(measure="AP").rows()
    assert row["value"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert (row["low"], row["high"]) == (0, 1)


def test_tallies_of_different_queries_add_and_those_of_the_same_do_not(tmp_path):
    first, second = (
        karat.read(written(tmp_path, judged=QRELS.replace("q", name), r=RUN.replace("q", name)))
        for name in "uv"
    )
    one, other = (bench.counter.count(rankings)["r"] for bench in (first, second))
    both = one + other
    assert both.queries == ("u1", "u2", "v1", "v2")
    assert both.place.tolist() == [*one.place, *other.place]
    with pytest.raises(TallyError, match="in both"):
        one + one


def test_many_systems_are_ranked_as_few_are():
    random = np.random.default_rng(6)
    scores = random.integers(0, 4, (60, 12)).astype(float)
    columns: dict[str, object] = {f"s{k:02}": scores[:, k] for k in range(12)}
    beside = {
        "item": [f"d{k}" for k in range(60)],
        "query": [f"q{k % 3}" for k in range(60)],
        "truth": random.integers(0, 2, 60),
    }
    options = {"kinds": "score", "truth": "truth", "group": "query"}
    together = karat.read({**beside, **columns}, **options).counter.count(rankings, judged=True)
    for name, own in columns.items():
        alone = karat.read({**beside, name: own}, **options).counter.count(rankings, judged=True)
        assert alone[name].digest() == together[name].digest()


def test_names_of_other_tools_mean_the_same_in_every_command(tmp_path):
    qrels, runs = drawn(7)
    bench = karat.read(written(tmp_path, judged=qrels, **runs))
    (ranking,) = bench.compare(measure="ndcg_cut_10").beside()["ranking"]
    assert ranking["measure"] == "nDCG@10"
    # MAP is not the mean average precision of boxes, whose name differs in case only.
    assert {row["measure"] for row in bench.score(measure="MAP").rows()} == {"AP"}


def test_a_grade_in_a_measure_is_named_where_it_belongs(tmp_path):
    qrels, runs = drawn(7)
    bench = karat.read(written(tmp_path, judged=qrels, **runs))
    with pytest.raises(OptionError, match="relevant is one for all measures"):
        bench.retrieval(measure="P(rel=2)@5")


def test_the_page_compares_runs_and_says_how_much_was_judged(tmp_path):
    qrels, runs = drawn(8)
    bench = karat.read(written(tmp_path, judged=qrels, **runs))
    page = tmp_path / "page.md"
    bench.report(page, measure="nDCG@10", draws=100)
    text = page.read_text(encoding="utf-8")
    assert "nDCG@10: is the first better than the second?" in text
    assert "are judged for" in text


def test_a_document_that_a_query_has_twice_is_found_wherever_it_stands(tmp_path):
    judged = "1 0 a 1\n2 0 a 1\n"
    line = "{} Q0 {} 1 {} r\n"
    together = [line.format(1, "a", 2), line.format(1, "a", 1), line.format(2, "a", 1)]
    apart = [line.format(1, "a", 2), line.format(2, "a", 1), line.format(1, "a", 1)]
    for lines in (together, apart):
        paths = written(tmp_path, judged=judged, a="".join(lines))
        with pytest.raises(InputError, match="query '1' has the document 'a' twice"):
            karat.read(paths)


def test_an_interval_of_equal_values_is_no_point():
    found = query_mean(np.ones(10))
    assert (float(found.low), float(found.high)) == (pytest.approx(0.025**0.1), 1.0)
    assert float(query_mean(np.array([0.5, 0.7])).low) == 0.0


@pytest.mark.parametrize(
    ("qrels", "run", "message"),
    [
        (
            QRELS,
            RUN + "q1 Q0 d7 4\n",
            r"r.run, line 6: 'q1 Q0 d7 4' cannot be read; a line of a run is QUERY",
        ),
        (QRELS, RUN + "q1 Q0 d7 4 high r\n", r"r.run, line 6"),
        (
            QRELS,
            RUN + "q1 Q0 d1 4 0.5 r\n",
            r"r.run, line 6: query 'q1' has the document 'd1' twice",
        ),
        (
            QRELS + "q1 0 d8\n",
            RUN,
            r"judged.qrels, line 6: 'q1 0 d8' cannot be read; a line of qrels is",
        ),
        (QRELS, RUN[:-20], r"r.run, line"),
    ],
)
def test_bad_lines_are_refused_with_their_place_or_listed(tmp_path, qrels, run, message):
    paths = written(tmp_path, judged=qrels, r=run)
    with pytest.raises(InputError, match=message):
        karat.read(paths)
    assert any("passed over" in note for note in karat.read(paths, lenient=True).facts.notes)


def test_an_option_that_cannot_be_is_refused(tmp_path):
    paths = written(tmp_path, judged=QRELS, r=RUN)
    for using in ({"unjudged": "good"}, {"depth": "0"}, {"relevant": "high"}):
        with pytest.raises(OptionError):
            karat.read(paths, using=using)
    with pytest.raises(OptionError, match="has no truth to score by"):
        karat.read(["-", paths[1]]).retrieval()
    with pytest.raises(OptionError, match="not a measure of rankings"):
        quantity_of_ranking("P@0")
    with pytest.raises(OptionError, match="holds no scores to rank by"):
        karat.read(paths, using={"depth": "2"}).retrieval()


@given(some.text(alphabet="q1dQ0 \n.-é", max_size=60), some.booleans(), some.booleans())
@settings(derandomize=True, deadline=None, max_examples=20)
def test_whatever_a_file_holds_it_is_counted_or_refused(tmp_path_factory, text, lenient, run):
    place = tmp_path_factory.mktemp("trec")
    files = {"judged": QRELS, "r": text} if run else {"judged": text, "r": RUN}
    try:
        karat.read(written(place, **files), lenient=lenient).retrieval()
    except KaratError as error:
        assert str(error)  # noqa: PT017


def test_a_byte_order_mark_is_no_part_of_the_first_query(tmp_path):
    paths = written(tmp_path, judged=f"\N{ZERO WIDTH NO-BREAK SPACE}{QRELS}", r=RUN)
    assert means(karat.read(paths), "AP") == means(
        karat.read(written(tmp_path, judged=QRELS, r=RUN)), "AP"
    )
    marked = written(tmp_path, judged=QRELS, r=f"\N{ZERO WIDTH NO-BREAK SPACE}{RUN}")
    assert means(karat.read(marked), "AP") == means(karat.read(paths), "AP")


def test_a_slash_in_a_name_does_not_make_two_pairs_one(tmp_path):
    paths = written(tmp_path, judged="a 0 b/c 1\na/b 0 c 0\n", r="a Q0 b/c 1 1 r\na/b Q0 c 1 2 r\n")
    found = karat.read(paths).retrieval(per="query", measure="P@1").rows()
    assert {row["query"]: row["value"] for row in found} == {"a": 1.0, "a/b": 0.0}


def test_the_signature_says_at_which_level(tmp_path):
    found = karat.read(written(tmp_path, judged=QRELS, r=RUN)).retrieval(measure="AP", level=0.9)
    assert "level='0.9'" in found.beside()["signature"]


CELLS = some.sampled_from(
    ["q1", "d1", "d2", "é", "0", "7", "-1.5", "1e3", "1_0", "nan", "x" * 40, "\x00", "\xa0"]
)
GAPS = some.sampled_from([" ", "  ", "\t", " \t ", "\r", "\x1c"])
LINES = some.lists(
    some.one_of(
        some.builds("q{} Q0 d{} {} {} r".format, *[some.integers(0, 30)] * 4),
        some.builds(lambda cells, gap: gap.join(cells), some.lists(CELLS, max_size=7), GAPS),
    ),
    max_size=40,
)


@given(LINES, some.sampled_from(["\n", "\r\n"]), some.booleans())
@settings(derandomize=True, deadline=None, max_examples=200)
def test_reading_many_lines_at_once_gives_what_reading_each_line_gives(
    tmp_path_factory, found, end, closed
):
    path = tmp_path_factory.mktemp("trec") / "r.run"
    path.write_bytes((end.join(found) + end * closed).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trec_files, "SIZE", 64)
        try:
            quick = _read_at_once(path, RUN_FORM)
        except IrregularFileError:
            return
    (slow,) = _read_by_line(path, RUN_FORM, Faults(lenient=False)).values()
    assert quick.names == slow.names
    assert quick.query.tolist() == slow.query.tolist()
    assert quick.value.tolist() == slow.value.tolist()


def test_regular_files_are_read_many_lines_at_once(tmp_path):
    (path,) = written(
        tmp_path, r="".join(f"q{k // 50}\tQ0 déjà{k}  {k} {-k / 7} r\r\n" for k in range(2_000))
    )
    found = _read_at_once(Path(path), RUN_FORM)
    assert found.names[1999] == "q39 déjà1999"
    assert found.value.tolist() == [-k / 7 for k in range(2_000)]


@pytest.mark.parametrize(
    ("form", "scale"),
    [("{:.6f}", 1e3), ("{:.14f}", 1), ("{:.0f}", 1e15), ("{:.15f}", 1), ("{:.3g}", 1)],
)
def test_numbers_are_what_their_text_says(tmp_path, form, scale):
    texts = [form.format(scale * part) for part in np.random.default_rng(5).random(500)]
    (path,) = written(
        tmp_path, r="".join(f"q Q0 d{k} 1 {text} r\n" for k, text in enumerate(texts))
    )
    assert _read_at_once(Path(path), RUN_FORM).value.tolist() == [float(text) for text in texts]


def test_a_file_with_lines_of_two_names_for_a_query_holds_two_runs(tmp_path):
    paths = written(
        tmp_path, judged=QRELS, r=RUN, s=RUN.replace(" r\n", " s\n").replace("d9", "d2")
    )
    apart = karat.read(paths)
    both = written(tmp_path, all="".join((tmp_path / f"{name}.run").read_text() for name in "rs"))
    together = karat.read([paths[0], *both])
    assert means(together, "AP") == means(apart, "AP")
    assert "holds 2 runs" in together.facts.notes[0]
    with pytest.raises(InputError, match="a run in it is called 'r', as another is"):
        karat.read([*paths, *both])


def test_names_that_change_only_from_query_to_query_are_one_run(tmp_path):
    paths = written(tmp_path, judged=QRELS, r=RUN.replace("5 r\n", "5 late\n"))
    assert set(means(karat.read(paths), "AP")) == {"r"}


@pytest.mark.parametrize(
    "option",
    [{"repeats": "keep"}, {"missing": "skip"}, {"nothing": "0"}]
    + [{name: name} for name in ("run", "count", "error")],
)
def test_what_means_nothing_for_a_ranking_is_refused(option):
    table = {"item": ["a", "b"], "query": ["q", "q"], "truth": [0, 1], "s": [0.9, 0.5]}
    table |= {name: [1, 1] for name in option.values() if name in option}
    (name,) = option
    with pytest.raises(OptionError, match=f"leave {name}="):
        karat.read(table, systems=("s",), **option).retrieval()


def test_judgements_cannot_be_spoken_of_where_there_are_none(tmp_path):
    (path,) = written(tmp_path, r=RUN)
    for using in ({"relevant": "2"}, {"unjudged": "unknown"}, {"pool": "3"}):
        with pytest.raises(
            OptionError, match=f"using={{'{next(iter(using))}': ...}} is about judgements"
        ):
            karat.read(["-", path], using=using | {"depth": "2"})


def test_whole_scores_are_shown_as_scores(tmp_path):
    paths = written(tmp_path, judged=QRELS, r=RUN)
    kinds = {use.column: use.kind for use in karat.read(paths).describe().uses}
    assert kinds["r"] == "score"


def test_the_worst_grade_of_a_negative_one_is_irrelevant(tmp_path):
    paths = written(tmp_path, judged=QRELS.replace("d1 0", "d1 -2"), r=RUN)
    assert means(karat.read(paths), "AP") == means(
        karat.read(written(tmp_path, judged=QRELS, r=RUN)), "AP"
    )


def test_judged_queries_that_a_run_lacks_are_told(tmp_path):
    judged = QRELS + "q8 0 d1 1\nq9 0 d1 1\n"
    paths = written(tmp_path, judged=judged, r=RUN)
    notes = karat.read(paths).facts.notes
    assert (
        f"{tmp_path / 'r.run'}: 2 of 4 judged queries missing, 'q8', 'q9'; it counts as finding nothing there"
        in notes
    )
    both = RUN + RUN.replace(" r\n", " s\n") + "q8 Q0 d1 1 0.5 s\n"
    notes = karat.read(written(tmp_path, judged=judged, r=both)).facts.notes
    path = tmp_path / "r.run"
    assert (
        f"{path}, run 'r': 2 of 4 judged queries missing, 'q8', 'q9'; it counts as finding nothing there"
        in notes
    )
    assert (
        f"{path}, run 's': 1 of 4 judged queries missing, 'q9'; it counts as finding nothing there"
        in notes
    )


def test_a_folder_of_runs_is_answered_with_its_pattern(tmp_path):
    paths = written(tmp_path, judged=QRELS, r=RUN)
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "a.run").write_text(RUN)
    for options in ({}, {"format": "trec"}):
        with pytest.raises(
            InputError, match=r"runs is a folder; name its files, for example '.*runs/\*\.run'"
        ):
            karat.read([paths[0], str(folder)], **options)


def test_queries_without_judgements_are_left_out_and_told(tmp_path):
    paths = written(tmp_path, judged=QRELS, r=RUN)
    expected = karat.read(paths).retrieval().rows()
    paths = written(tmp_path, judged=QRELS, r=RUN + "q9 Q0 d1 4 0.5 r\n")
    bench = karat.read(paths)
    assert bench.retrieval().rows() == expected
    assert any("1 query without judgements left out, 'q9'" in x for x in bench.facts.notes)
    paths = written(tmp_path, judged=QRELS, r="q8 Q0 d1 1 0.5 r\nq9 Q0 d1 1 0.5 r\n")
    for lenient in (False, True):
        with pytest.raises(InputError, match=r"r\.run: none of its queries, 'q8', 'q9', is in"):
            karat.read(paths, lenient=lenient)


def test_published_runs_have_the_names_in_their_last_column(tmp_path):
    (judged,) = written(tmp_path, judged=QRELS)
    for name in ("bm25", "dense"):
        with gzip.open(tmp_path / f"input.{name}.gz", "wt") as file:
            file.write(RUN.replace(" r\n", f" {name}\n"))
    assert karat.read([judged, f"{tmp_path}/input.*.gz"]).facts.systems == ("bm25", "dense")
    named = [judged, f"x={tmp_path}/input.bm25.gz", f"{tmp_path}/input.dense.gz"]
    assert karat.read(named).facts.systems == ("dense", "x")


def test_a_table_of_queries_is_complete_and_names_each_once(tmp_path):
    paths = written(tmp_path, judged=QRELS, r=RUN)
    table = tmp_path / "queries.csv"
    queries = sorted({line.split()[0] for line in QRELS.splitlines()})
    all_of_them = "".join(f"{query},a\n" for query in queries)
    cases = {
        "qid,area\nq1,a\nq1,b\n": "line 3: query 'q1' occurs twice",
        "name,area\nq1,a\n": "has no column of queries; it has 'name', 'area'",
        "qid,area\nnone,a\n": "has no row for",
        f"qid,r\n{all_of_them}": "has a column 'r', which is called as a run is",
    }
    for text, said in cases.items():
        table.write_text(text)
        with pytest.raises(InputError, match=said):
            karat.read(paths, using={"queries": str(table)})
