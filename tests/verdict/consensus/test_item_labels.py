"""The vote on single items as a truth of its own; mistakes end with a sentence; every engine votes alike."""

import os
import shutil
from importlib.util import find_spec
from itertools import combinations

import numpy as np
import pytest

import karat
from karat.errors import KaratError, OptionError, TallyError, UnknownNameError
from karat.measure.consensus.dawid_skene import dawid_skene

# Mistakes


TABLE = {"a": [1, 0, 1, 1], "b": [0, 0, 1, 0], "c": [1, 1, 0, 1]}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"trust": {"a": -1}}, "weight in the vote is -1"),
        ({"trust": {"a": 0, "b": 0, "c": 0, "(all)": 0, "(none)": 0}}, "nobody votes"),
        ({"trust": {"z": 1}}, "no system is called 'z'"),
        ({"oracles": {"z": 1}}, "no system is called 'z'"),
        ({"oracles": {"a": 1.5}}, "from 0 to 1"),
        ({"oracles": {"a": 0.7, "b": 0.7}}, "their sum at most 1"),
        ({"families": {"f": ("a", "z")}}, "no system is called 'z'"),
        ({"families": {"f": ("a", "b"), "g": ("b", "c")}}, "'b' is in the families 'f' and 'g'"),
        ({"families": {"found": ()}}, "too few systems"),
        ({"leave_out": "all"}, "'nobody', 'itself' or 'family'"),
        ({"estimator": "vote by mail"}, "no estimator is called"),
        ({"estimator": "majority", "trust": {"a": 2}}, "trust= and leave_out= are for the vote"),
        ({"estimator": "spectral", "families": {"f": ("a", "b")}}, "families"),
        ({"estimator": "dawid-skene", "oracles": {"a": 1}}, "dawid-skene takes the truth itself"),
        ({"level": 95}, "strictly between 0 and 1"),
        ({"draws": -1}, "draws= is -1"),
    ],
)
def test_a_mistake_is_named(options, words):
    with pytest.raises((OptionError, UnknownNameError)) as error:
        karat.read(TABLE).consensus(**options)
    assert words in str(error.value)


def test_answers_that_are_all_missing_are_refused():
    with pytest.raises(OptionError, match="no system answered any item"):
        karat.read(
            {"item": [1, 2], "a": [None, None], "b": [None, None]}, systems=("a", "b")
        ).consensus(estimator="vote")


def test_scores_beyond_0_and_1_do_not_vote():
    with pytest.raises(OptionError, match=r"a score is 2\.5; .*threshold="):
        karat.read({"a": [0.5, 2.5], "b": [0.1, 0.2]}).consensus(estimator="vote")


@pytest.mark.parametrize("option", [{"weight": "w"}, {"cluster": "w"}])
def test_weights_and_clusters_are_refused(option):
    with pytest.raises(OptionError, match="counts every item once"):
        karat.read({**TABLE, "w": [1, 2, 3, 3]}, **option).consensus(estimator="vote")


@pytest.mark.parametrize("name", ["(all)", "(none)"])
def test_the_virtual_systems_are_no_oracles(name):
    with pytest.raises(KaratError):
        karat.read(TABLE).consensus(oracles={name: 1})


def test_without_a_truth_there_is_no_oracle_of_that_name():
    with pytest.raises(KaratError, match="truth"):
        karat.read(TABLE).consensus(oracles={"(truth)": 1})


@pytest.mark.parametrize(
    ("per", "options", "words"),
    [
        ("class", {}, "for labels"),
        ("group", {}, "group="),
        ("family", {}, "families="),
        ("page", {}, "class, group, family, cutoff, depth or item"),
        pytest.param("family", {"families": {"f": ("a", "z")}}, "no system is called 'z'"),
        pytest.param("family", {"families": {"f": ("a", "b"), "g": ("b", "c")}}, "'b' is in the"),
        ("class", {"estimator": "majority"}, "for the vote"),
    ],
)
def test_a_part_that_is_not_there_is_named(per, options, words):
    with pytest.raises((OptionError, UnknownNameError)) as error:
        karat.read(TABLE).consensus(per=per, **options)
    assert words in str(error.value)


# A truth made of votes


def test_the_likeliest_label_has_its_share_of_the_vote():
    table = {
        "item": ["i", "j", "k"],
        "a": ["x", "x", "y"],
        "b": ["x", "y", None],
        "c": ["y", "y", None],
    }
    found = karat.read(table).consensus(per="item", estimator="vote").rows()
    assert [(row["item"], row["label"]) for row in found] == [("i", "x"), ("j", "y"), ("k", "y")]
    assert [row["p"] for row in found] == pytest.approx([3 / 5, 3 / 5, 2 / 3])
    assert all(row["error"] == pytest.approx(1 - row["p"]) for row in found)


def test_an_item_that_nobody_answered_has_no_label():
    table = {"item": ["i", "j"], "a": ["x", None], "b": ["x", None]}
    found = karat.read(table).consensus(per="item", trust={"(all)": 0, "(none)": 0}).rows()
    assert found[1] == {"item": "j", "label": None, "p": None, "error": None}


def test_families_have_one_vote_on_each_item():
    table = {
        "a": list("xxyx"),
        "b": list("xxyx"),
        "c": list("xxyx"),
        "d": list("xyyx"),
        "e": list("xyyx"),
    }
    options = {"estimator": "vote", "families": {"f": ("a", "b", "c")}}
    found = karat.read(table).consensus(per="item", **options).rows()
    assert (found[1]["label"], found[1]["p"]) == ("y", pytest.approx(3 / 5))


def test_families_have_one_vote_on_each_item_by_dawid_and_skene_too(drawn, without_truth):
    table = without_truth(drawn(2, a=0.8, b=0.7, c=0.7, d=0.6))
    found = (
        karat.read(table)
        .consensus(per="item", estimator="dawid-skene", families={"f": ("a", "b", "c")})
        .rows()
    )
    right = dawid_skene(np.array(list(table.values())).T, weights=[1 / 3, 1 / 3, 1 / 3, 1]).chances[
        :, 1
    ]
    yes = [row["p"] if row["label"] == "1" else row["error"] for row in found]
    assert yes == pytest.approx(right.tolist(), abs=1e-6)


@pytest.mark.parametrize("per", ["item", "group"])
def test_families_that_are_found_are_found_for_every_question(per, drawn):
    table = drawn(0, items=400, a=0.9, b=0.8, c=0.7, d=0.6)
    table |= {"copy": table["d"], "group": ["pq"[k % 2] for k in range(400)]}
    bench = karat.read(table)
    assert bench.consensus(draws=0, estimator="vote").beside()["families"]
    found = bench.consensus(per=per, families={"found": ()}).rows()
    family = tuple(bench.consensus(draws=0, estimator="vote").beside()["families"][0])
    named = bench.consensus(per=per, families={"f": family})
    assert found == named.rows()


def test_a_tally_knows_no_items_but_votes(tmp_path):
    karat.read(TABLE).save(tmp_path / "votes.tally")
    saved = karat.read(tmp_path / "votes.tally")
    assert (
        saved.consensus(draws=0, estimator="vote").rows()
        == karat.read(TABLE).consensus(draws=0, estimator="vote").rows()
    )
    with pytest.raises(TallyError, match="no items"):
        saved.consensus(per="item", estimator="vote")


# Engines


def by_every_question(path, engine):
    bench = karat.read(str(path), engine=engine)
    options = {"draws": 20, "families": {"f": ("a", "b")}, "oracles": {"(truth)": 0.5}}
    results = [
        bench.consensus(**options),
        bench.consensus(per="group"),
        bench.consensus(per="item", estimator="vote"),
    ]
    return [sorted(result.rows(), key=str) for result in results]


@pytest.fixture
def quick_spark():
    """A small Spark, if none runs yet; nothing is compiled, nothing is spread."""
    from karat.engine.spark_session import running

    session = running("local[2]")
    session.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    for setting in ("adaptive.enabled", "codegen.wholeStage"):
        session.conf.set(f"spark.sql.{setting}", "false")
    session.conf.set("spark.sql.shuffle.partitions", "1")


@pytest.mark.slow
@pytest.mark.usefixtures("quick_spark")
@pytest.mark.spark
@pytest.mark.xdist_group("spark")
@pytest.mark.skipif(
    not (find_spec("pyspark") and (os.environ.get("JAVA_HOME") or shutil.which("java"))),
    reason="no Spark here: pip install pyspark pyarrow, and install a Java 17 runtime",
)
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_spark_and_duckdb_give_the_same_rows(tmp_path, drawn):
    table = drawn(3, labels="xyz", missing=0.1, a=0.9, b=0.7, c=0.5)
    lines = [
        ["item", "group", *table],
        *([k, "pq"[k % 2], *row] for k, row in enumerate(zip(*table.values(), strict=True))),
    ]
    text = "\n".join(",".join("" if cell is None else str(cell) for cell in line) for line in lines)
    (tmp_path / "votes.csv").write_text(text + "\n", encoding="utf-8")
    one, other = (
        by_every_question(tmp_path / "votes.csv", engine) for engine in ("duckdb", "spark")
    )
    assert one == other


def test_every_pair_of_voters_agrees_on_who_they_are(drawn):
    found = karat.read(TABLE).consensus(draws=0, estimator="vote")
    observed = found.agreement.observed
    assert observed is None  # families are looked for among four systems or more
    four = (
        karat.read(drawn(2, a=0.9, b=0.8, c=0.7, d=0.6))
        .consensus(draws=0, estimator="vote")
        .agreement
    )
    table = drawn(2, a=0.9, b=0.8, c=0.7, d=0.6)
    for (i, one), (j, other) in combinations(enumerate("abcd"), 2):
        assert four.observed[i, j] == pytest.approx(
            np.mean(np.array(table[one]) == np.array(table[other]))
        )
