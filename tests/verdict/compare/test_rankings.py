"""Runs compared over queries: the means are those of `karat retrieval`, the tests those of the differences."""

import json

import numpy as np
import pytest
from scipy import stats

import karat
from karat.errors import InputError, OptionError, UnknownNameError

QUERIES = 24


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """Three runs over the same queries, one of them without the last query."""
    folder = tmp_path_factory.mktemp("runs")
    random = np.random.default_rng(7)
    lines = [f"q{q} 0 d{d} {int(d < 4)}" for q in range(QUERIES) for d in range(20)]
    lines += ["q99 0 d1 0"]
    (folder / "t.qrels").write_text("\n".join(lines) + "\n")
    for name, lead, last in (("good", 2.0, 1), ("fair", 1.2, 0), ("poor", 0.2, 0)):
        run = []
        for q in range(QUERIES - last):
            for d in range(20):
                score = random.normal() + lead * (d < 4)
                run.append(f"q{q} Q0 d{d} 0 {score:.6f} {name}")
        (folder / f"{name}.run").write_text("\n".join(run) + "\n")
    return karat.read([folder / "t.qrels", *sorted(folder.glob("*.run"))])


def by_query(bench, measure):
    values = {}
    for row in bench.retrieval(measure=measure, per="query").rows():
        if row["value"] is not None:
            values.setdefault(row["system"], {})[row["query"]] = row["value"]
    return values


@pytest.mark.parametrize("measure", ["AP", "P@5", "R@10", "RR"])
def test_differences_are_those_of_the_queries(bench, measure):
    result = bench.compare(measure=measure, test="paired-t")
    values = by_query(bench, measure)
    means = {row["system"]: row["value"] for row in bench.retrieval(measure=measure).rows()}
    assert len(result.rows()) == 3
    for row in result.rows():
        first, second = values[row["first"]], values[row["second"]]
        pairs = np.array([(first[query], second[query]) for query in first])
        assert row["queries"] == len(pairs) == (QUERIES if measure != "P@5" else QUERIES + 1)
        assert row["queries_first"] == (pairs[:, 0] > pairs[:, 1]).sum()
        assert row["queries_second"] == (pairs[:, 0] < pairs[:, 1]).sum()
        assert row["first_value"] == pytest.approx(means[row["first"]])
        tested = stats.ttest_rel(pairs[:, 0], pairs[:, 1])
        assert row["p_value"] == pytest.approx(tested.pvalue, rel=1e-8)
        interval = tested.confidence_interval(0.95)
        assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))
        assert row["difference"] == pytest.approx(pairs[:, 0].mean() - pairs[:, 1].mean())


def test_the_default_is_ap_by_randomisation_with_holm(bench):
    result = bench.compare()
    rows = result.rows()
    assert {row["measure"] for row in rows} == {"AP"}
    assert [row["p_adjusted"] for row in rows] == karat.holm(
        [row["p_value"] for row in rows]
    ).tolist()
    assert rows[0]["test"] == "randomisation over 24 queries (draws=2000, seed=0)"
    ranking = json.loads(result.to_json())["ranking"][0]
    assert ranking["order"] == ["good", "fair", "poor"]
    assert sum(ranking["best"].values()) >= 1
    assert "first has the better value" in str(result)


def test_a_baseline_a_margin_and_a_condition(bench):
    rows = bench.compare(baseline="poor", margin=0.05).rows()
    assert [(row["first"], row["second"]) for row in rows] == [("good", "poor"), ("fair", "poor")]
    assert all(row["p_no_worse"] < 0.05 for row in rows)
    bench.require("better:good,poor")
    with pytest.raises(AssertionError, match="'poor' is not shown to be better than 'good': worse"):
        bench.require("better:poor,good")
    with pytest.raises(UnknownNameError):
        bench.compare(baseline="por")


def test_tests_of_answers_are_refused_for_rankings_and_the_other_way_round(bench):
    with pytest.raises(OptionError, match="use randomisation or paired-t"):
        bench.compare(test="mcnemar")
    answers = karat.read({"truth": [1, 0, 1], "a": [1, 0, 0], "b": [1, 1, 1]})
    for test in ("randomisation", "paired-t"):
        with pytest.raises(OptionError, match="is for rankings of documents"):
            answers.compare(test=test)


def test_one_run_is_not_compared(tmp_path):
    (tmp_path / "t.qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 1.0 a\n")
    with pytest.raises(OptionError, match="has one run, 'a'"):
        karat.read([tmp_path / "t.qrels", tmp_path / "a.run"]).compare()


def test_runs_that_are_the_same_are_undecided(tmp_path):
    (tmp_path / "t.qrels").write_text("".join(f"q{q} 0 d1 1\n" for q in range(30)))
    for name in "ab":
        run = "".join(f"q{q} Q0 d1 1 1.0 {name}\n" for q in range(30))
        (tmp_path / f"{name}.run").write_text(run)
    bench = karat.read([tmp_path / "t.qrels", tmp_path / "a.run", tmp_path / "b.run"])
    (row,) = bench.compare().rows()
    assert (row["p_value"], row["verdict"], row["queries_first"]) == (1.0, "undecided", 0)
    assert row["low"] < 0 < row["high"]


@pytest.fixture(scope="module")
def clustered(tmp_path_factory):
    """Twelve queries in four clusters, as a table and as TREC files with a table of queries."""
    folder = tmp_path_factory.mktemp("clustered")
    random = np.random.default_rng(11)
    qrels, queries, columns = [], ["qid,area,importance"], {}
    runs = {"good": [], "fair": []}
    names = ("item", "query", "area", "importance", "truth", "good", "fair")
    columns = {name: [] for name in names}
    for q in range(12):
        area, importance = f"area {q % 4}", 1 + q // 4
        queries.append(f"q{q},{area},{importance}")
        for d in range(10):
            qrels.append(f"q{q} 0 d{d} {int(d < 3)}")
            scores = [round(random.normal() + lead * (d < 3), 6) for lead in (1.5, 0.8)]
            for name, score in zip(runs, scores, strict=True):
                runs[name].append(f"q{q} Q0 d{d} 0 {score:.6f} {name}")
            cells = (f"q{q} d{d}", f"q{q}", area, importance, int(d < 3), *scores)
            for name, cell in zip(names, cells, strict=True):
                columns[name].append(cell)
    (folder / "t.qrels").write_text("\n".join(qrels) + "\n")
    (folder / "queries.csv").write_text("\n".join(queries) + "\n")
    for name, lines in runs.items():
        (folder / f"{name}.run").write_text("\n".join(lines) + "\n")
    return folder, columns


def read_clustered(folder, **options):
    paths = [folder / "t.qrels", folder / "good.run", folder / "fair.run"]
    return karat.read(paths, using={"queries": str(folder / "queries.csv")}, **options)


def test_queries_in_clusters_are_compared_cluster_by_cluster(clustered):
    folder, _ = clustered
    (row,) = read_clustered(folder, cluster="area").compare(test="paired-t").rows()
    values = by_query(read_clustered(folder), "AP")
    gaps = np.zeros(4)
    for query, value in values["good"].items():
        gaps[int(query[1:]) % 4] += (value - values["fair"][query]) / 3
    oracle = stats.ttest_1samp(gaps, 0)
    assert row["difference"] == pytest.approx(gaps.mean())
    assert row["test"] == "paired t over 12 queries in 4 clusters"
    # The clusters are of the same size, so that Student's test over them is the oracle, unless queries spread more.
    single = [value - values["fair"][query] for query, value in values["good"].items()]
    assert row["p_value"] == pytest.approx(max(oracle.pvalue, stats.ttest_1samp(single, 0).pvalue))


def test_weights_are_of_queries(clustered):
    folder, _ = clustered
    (row,) = read_clustered(folder, weight="importance").compare().rows()
    values = by_query(read_clustered(folder), "AP")
    weights = [1 + int(query[1:]) // 4 for query in values["good"]]
    assert row["first_value"] == pytest.approx(
        np.average(list(values["good"].values()), weights=weights)
    )
    scored = read_clustered(folder, weight="importance").score(measure="AP").rows()
    assert scored[0]["value"] == pytest.approx(row["first_value"])


def test_a_table_and_trec_files_with_a_table_of_queries_say_the_same(clustered):
    folder, columns = clustered
    for options in ({"cluster": "area"}, {"weight": "importance", "cluster": "area"}):
        files = read_clustered(folder, **options).compare().rows()
        table = karat.read(columns, systems=["good", "fair"], **options).compare().rows()
        assert files == table


def test_a_query_has_one_cluster_and_one_weight(clustered):
    _, columns = clustered
    torn = {**columns, "area": ["elsewhere", *columns["area"][1:]]}
    bench = karat.read(torn, systems=["good", "fair"], cluster="area")
    with pytest.raises(InputError, match="query 'q0' have several clusters, such as 'area 0' and"):
        bench.compare()
    torn = {**columns, "importance": [7, *columns["importance"][1:]]}
    bench = karat.read(torn, systems=["good", "fair"], weight="importance")
    with pytest.raises(InputError, match="weight= must name a column with one value a query"):
        bench.retrieval()
