"""Who is best when there is no truth? The paper's numbers, a plain loop over the items, and what must hold for all."""

import json
import os
import shutil
from fractions import Fraction
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

import karat
from karat.doubt.pipelines import pipelines
from karat.doubt.prediction_powered import powered_accuracy
from karat.errors import KaratError, OptionError, TallyError, UnknownNameError
from karat.measure.dawid_skene import dawid_skene
from karat.measure.majority import majority
from karat.measure.spectral import spectral

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "golden.json").read_text(encoding="utf-8"))
ENTRIES = {entry["id"]: entry for entry in GOLDEN if entry["fn"] in {"ls_full", "ls_relevance"}}
FULL = [entry for entry in ENTRIES.values() if entry["fn"] == "ls_full"]
VIRTUAL = ("(all)", "(none)")
BESIDE = ("precision", "recall", "f1")


def standing(table, *, reading=None, **options):
    """The rows of a vote, by the system's name; without intervals unless asked for."""
    return by_name(karat.read(table, **(reading or {})).consensus(**{"draws": 0, **options}))


def by_name(result):
    return {row["system"]: row for row in result.rows()}


def parted(table, per, *, reading=None, **options):
    """The rows of a vote in parts, by part and system."""
    found = karat.read(table, **(reading or {})).consensus_parts(per=per, draws=0, **options).rows()
    return {(row["part"], row["system"]): row for row in found}


def drawn(seed, *, items=60, labels="01", missing=0.0, **accuracies):
    """Systems that are right with these chances, independently; None where one says nothing."""
    rng = np.random.default_rng(seed)
    kinds = [int(label) if label.isdigit() else label for label in labels]
    truth = rng.integers(0, len(kinds), items)
    table = {"truth": [kinds[code] for code in truth]}
    for name, accuracy in accuracies.items():
        wrong = (truth + rng.integers(1, len(kinds), items)) % len(kinds)
        codes, silent = np.where(rng.random(items) < accuracy, truth, wrong), rng.random(items) < missing
        table[name] = [None if gap else kinds[code] for code, gap in zip(codes, silent, strict=True)]
    return table


def without_truth(table):
    return {name: column for name, column in table.items() if name != "truth"}


# A plain loop over the items, in fractions


def documents(table, labels):
    """Every pair of an item and a label, each system's vote on it, and the label; None is unknown."""
    for answers in zip(*table.values(), strict=True):
        for label in labels:
            yield [None if answer is None else Fraction(int(answer == label)) for answer in answers], label


def chance(votes, weights, virtual, families, without=()):
    """P of a document, by all who answered but these; None where nobody has a weight."""
    got, given = virtual[0], virtual[0] + virtual[1]
    for family in families:
        there = [k for k in family if k not in without and votes[k] is not None and weights[k] > 0]
        if there:
            weight = sum(weights[k] for k in family) / len(family)
            got += weight * sum(weights[k] * votes[k] for k in there) / sum(weights[k] for k in there)
            given += weight
    return got / given if given else None


def plain(rows, systems, *, weights=None, virtual=(1, 1), families=None, leave_out="nobody"):
    """Precision, recall and F of each system: sums over the documents that it answered."""
    size = len(systems)
    weights = [Fraction(weight) for weight in weights or [1] * size]
    families = families or [[k] for k in range(size)]
    family = {k: members for members in families for k in members}
    sums = {name: [Fraction(0)] * 3 for name in systems}
    for votes, _ in rows:
        for k, name in enumerate(systems):
            hidden = {"nobody": (), "itself": (k,), "family": family[k]}[leave_out]
            p = chance(votes, weights, [Fraction(one) for one in virtual], families, hidden)
            if votes[k] is not None and p is not None:
                parts = (votes[k], p * votes[k], p)
                sums[name] = [old + new for old, new in zip(sums[name], parts, strict=True)]
    return {name: shares(*found) for name, found in sums.items()}


def shares(retrieved, agreed, relevant):
    precision = float(agreed / retrieved) if retrieved else None
    recall = float(agreed / relevant) if relevant else None
    known = precision is not None and recall is not None
    return {
        "retrieved": float(retrieved),
        "precision": precision,
        "recall": recall,
        "f1": float(2 * agreed / (retrieved + relevant)) if known else None,
    }


def same(found, right):
    assert set(right) <= set(found)
    for name, values in right.items():
        for key, value in values.items():
            assert found[name][key] == (None if value is None else pytest.approx(value, abs=1e-12)), (name, key)


# The paper's numbers


def columns_of(entry):
    return {f"S{k}": column for k, column in enumerate(entry["inputs"]["systems"], 1)}


def trust_of(entry):
    given = entry["inputs"]
    if "weights_int" in given:
        whole = given["weights_int"]
        parts = [*whole["systems"], whole["top"], whole["bottom"]]
    elif "kappa" in given:
        parts = [*given["kappa"], given["kappa_top"], given["kappa_bottom"]]
    else:
        return {}
    return dict(zip((*columns_of(entry), *VIRTUAL), parts, strict=True))


@pytest.mark.parametrize("entry", FULL, ids=lambda entry: entry["id"])
def test_a_table_gives_the_numbers_worked_out_for_the_paper(entry):
    table, beta = columns_of(entry), entry["inputs"].get("beta", 1.0)
    whole = all(vote in {0, 1, None} for column in table.values() for vote in column)
    reading = {"systems": tuple(table), "kinds": {"": "yesno" if whole else "score"}}
    found = standing(table, reading=reading, trust=trust_of(entry), beta=beta)
    exact = entry["exact"]
    right = dict(zip((*table, *VIRTUAL), [*exact["systems"], exact["top"], exact["bottom"]], strict=True))
    for name, parts in right.items():
        keys = {"retrieved": "sum_S", "precision": "Pr", "recall": "Rc", f"f{beta:g}": "F"}
        for key, golden in keys.items():
            value = parts[golden]
            assert found[name][key] == (None if value is None else pytest.approx(value, abs=entry["tolerance"])), name


def test_table_2_is_the_vote_item_by_item():
    entry = ENTRIES["LS-T2"]
    found = karat.read(columns_of(entry)).consensus_items().rows()
    yes = [row["p"] if row["label"] == "1" else row["error"] for row in found]
    assert yes == pytest.approx(entry["exact"], abs=entry["tolerance"])
    assert [round(p, 1) for p in yes] == entry["published"]


def test_table_3_as_published_but_for_the_precision_of_who_retrieves_nothing():
    published = ENTRIES["LS-T3"]["published"]
    found = standing(columns_of(ENTRIES["LS-T3"]))
    printed = {"top": "(all)", "bottom": "(none)"}
    for key, column in (("Pr", "precision"), ("Rc", "recall")):
        for name, value in published[key].items():
            ours = found[printed.get(name, name)][column]
            assert ours is None if value == "inf" else round(ours, 2) == value
    assert [found[name]["rank"] for name in found] == [1, 2, 2, None, None]


def test_who_is_trusted_alone_is_the_truth():
    # LS-E13-oracle1: the third system with confidence 1 leaves nothing to the others, nor to (all) and (none).
    entry = ENTRIES["LS-E13-oracle1"]
    found = standing(columns_of(entry), oracles={"S3": 1})
    assert [row["weight"] for row in found.values()] == [1, 0, 0, 0, 0]
    assert [found[f"S{k}"]["f1"] for k in (1, 2, 3)] == pytest.approx([part["F"] for part in entry["exact"]["systems"]])


def test_an_oracle_that_retrieves_nothing_leaves_recall_undefined():
    found = standing(columns_of(ENTRIES["LS-E13-oracle-empty"]), oracles={"S3": 1}, draws=10)
    assert [row["recall"] for row in found.values()] == [None] * 5
    assert [found[name]["precision"] for name in ("S1", "S2", "S3", "(all)")] == [0, 0, None, 0]


# What must hold


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize("seed", range(3))
def test_a_truth_of_confidence_1_gives_what_score_gives(labels, seed):
    table = drawn(seed, labels=labels, a=0.9, b=0.7, c=0.5)
    bench = karat.read(table)
    found = by_name(bench.consensus(draws=0, oracles={"(truth)": 1}))
    measures = BESIDE if labels == "01" else ("accuracy",)
    for row in bench.score(measure=measures).rows():
        ours = found[row["system"]]
        pairs = BESIDE if labels == "xyz" else [row["measure"]]
        assert [ours[key] for key in pairs] == pytest.approx([row["value"]] * len(pairs))
    assert [found["(truth)"][key] for key in BESIDE] == [1, 1, 1]
    assert found["(truth)"]["rank"] is None


@pytest.mark.parametrize("seed", range(5))
def test_the_recalls_of_all_systems_sum_to_the_weighted_mean_of_p(seed):
    table = without_truth(drawn(seed, a=0.9, b=0.8, c=0.6, d=0.5))
    bench = karat.read(table)
    p = [row["p"] if row["label"] == "1" else row["error"] for row in bench.consensus_items().rows()]
    recalls = [row["recall"] for row in bench.consensus(draws=0).rows()]
    assert sum(recalls) == pytest.approx(6 * np.dot(p, p) / np.sum(p))


@pytest.mark.parametrize("estimator", ["vote", "dawid-skene", "majority"])
@pytest.mark.parametrize("labels", ["01", "xyz"])
def test_the_order_of_items_and_systems_does_not_matter(estimator, labels):
    table = drawn(4, labels=labels, missing=0.1, a=0.9, b=0.8, c=0.7, d=0.6)
    order = np.random.default_rng(1).permutation(60)
    mixed = {name: [table[name][k] for k in order] for name in ("d", "b", "truth", "a", "c")}
    one, other = (standing(rows, estimator=estimator) for rows in (table, mixed))
    for name, row in one.items():
        for key in ("retrieved", "accuracy", *BESIDE, "rank", "truth_rank"):
            assert other[name][key] == (row[key] if row[key] is None else pytest.approx(row[key], abs=1e-7)), key


@pytest.mark.parametrize(
    "table",
    [
        {"a": list("zxxyzx"), "b": list("xzyxzx"), "c": list("xyyxzx")},
        {
            "a": list("xzxyyzxyzzy"),
            "b": list("xzyzxyyzzxz"),
            "c": list("xzxxzxxyyyz"),
            "d": list("zyxxyzzyzyy"),
            "e": list("zzyxxxxzxyy"),
        },
    ],
)
def test_equal_systems_share_a_rank_in_whatever_order_they_are_summed(table):
    exact = {name: row["f1"] for name, row in plain(list(documents(table, "xyz")), list(table)).items()}
    ranks = {name: 1 + sum(other > value + 1e-9 for other in exact.values()) for name, value in exact.items()}
    for order in (list(table), list(reversed(table)), sorted(table, key=lambda name: table[name])):
        found = standing({name: table[name] for name in order})
        assert {name: found[name]["rank"] for name in table} == ranks


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize("leave_out", ["nobody", "itself", "family"])
@pytest.mark.parametrize("families", [None, {"f": ("a", "c"), "g": ("b", "d")}, {"f": ("d", "a", "b")}])
def test_the_vote_is_that_of_a_plain_loop(labels, leave_out, families):
    table = without_truth(drawn(7, items=30, labels=labels, missing=0.25, a=0.9, b=0.8, c=0.7, d=0.4))
    names = list(table)
    groups = [[names.index(name) for name in members] for members in (families or {}).values()]
    groups += [[k] for k in range(4) if not any(k in group for group in groups)]
    weights = {"a": 3, "b": 1, "c": 2, "d": 1, "(all)": 2, "(none)": 0.5}
    rows = list(documents(table, [1] if labels == "01" else labels))
    right = plain(rows, names, weights=[3, 1, 2, 1], virtual=(2, 0.5), families=groups, leave_out=leave_out)
    same(standing(table, trust=weights, families=families or {}, leave_out=leave_out), right)


def test_an_item_that_nobody_answered_counts_for_all_and_none_only():
    table = {"item": [1, 2, 3], "a": [1, 0, None], "b": [1, None, None]}
    found = standing(table)
    same(found, plain(list(documents(without_item(table), [1])), ["a", "b"]))
    assert found["(all)"]["retrieved"] == 3


def without_item(table):
    return {name: column for name, column in table.items() if name != "item"}


def test_items_for_which_nobody_with_a_weight_answered_are_left_out_and_counted():
    table = {"item": [1, 2, 3], "a": ["x", "y", None], "b": ["x", None, None]}
    result = karat.read(table).consensus(draws=0, trust={"(all)": 0, "(none)": 0})
    assert result.left_out == 1
    assert any("left out" in note for note in result.notes())
    assert by_name(result)["(all)"]["retrieved"] == 4  # two labels of two items


def test_confidences_vote_as_they_are():
    rng = np.random.default_rng(3)
    table = {name: rng.integers(0, 101, 25) / 100 for name in "abc"}
    rows = [([Fraction(str(vote)) for vote in votes], 1) for votes in zip(*table.values(), strict=True)]
    same(standing(table), plain(rows, list(table)))


def test_confidences_and_yes_or_no_differ_unless_they_are_0_or_1():
    table = {"a": [0.9, 0.2, 0.7], "b": [0.6, 0.4, 0.1]}
    assert standing(table)["a"]["retrieved"] == pytest.approx(1.8)
    judged = standing({**table, "truth": [1, 0, 1]}, threshold=0.5)
    assert judged["a"]["retrieved"] == 2
    same(judged, plain(list(documents({"a": [1, 0, 1], "b": [1, 0, 0]}, [1])), ["a", "b"]))


def test_only_the_ratios_of_weights_matter():
    table = without_truth(drawn(2, a=0.9, b=0.7, c=0.6))
    one = standing(table, trust={"a": 2, "(all)": 1})
    other = standing(table, trust={"a": 20, "b": 10, "c": 10, "(all)": 10, "(none)": 10})
    assert sum(row["weight"] for row in one.values()) == pytest.approx(1)
    assert one["a"]["weight"] == pytest.approx(2 / 6)
    for name, row in one.items():
        for key in ("weight", *BESIDE):
            assert other[name][key] == (row[key] if row[key] is None else pytest.approx(row[key]))


def test_an_oracle_leaves_the_rest_to_the_others_in_proportion():
    found = standing(without_truth(drawn(2, a=0.9, b=0.7, c=0.6)), trust={"b": 3}, oracles={"a": 0.4})
    weights = [found[name]["weight"] for name in ("a", "b", "c", *VIRTUAL)]
    assert weights == pytest.approx([0.4, 0.3, 0.1, 0.1, 0.1])


def test_frequencies_are_items():
    rows = {"a": [1, 0, 1], "b": [0, 0, 1], "n": [2, 3, 1]}
    full = {name: [vote for vote, n in zip(rows[name], rows["n"], strict=True) for _ in range(n)] for name in "ab"}
    one, other = standing(rows, reading={"count": "n"}), standing(full)
    assert [one[name]["f1"] for name in "ab"] == pytest.approx([other[name]["f1"] for name in "ab"])


def test_a_single_system_is_judged_by_itself_and_the_virtual_ones():
    found = standing({"a": [1, 0, 1]})
    assert [found["a"][key] for key in BESIDE] == pytest.approx([2 / 3, 4 / 5, 8 / 11])
    alone = standing({"a": [1, 0, 1]}, leave_out="itself")
    assert [alone["a"][key] for key in BESIDE] == pytest.approx([1 / 2, 2 / 3, 4 / 7])


@pytest.mark.parametrize("seed", range(2))
def test_the_interval_holds_the_value_and_narrows_with_more_items(seed):
    small, large = (
        by_name(karat.read(drawn(seed, items=n, a=0.9, b=0.7, c=0.6)).consensus(draws=100, seed=seed))
        for n in (50, 2000)
    )
    for name in "abc":
        assert small[name]["low"] < small[name]["f1"] < small[name]["high"]
        assert large[name]["high"] - large[name]["low"] < small[name]["high"] - small[name]["low"]
    assert small["(all)"]["low"] is None


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
        ({"oracles": {"a": 0.7, "b": 0.7}}, "together"),
        ({"families": {"f": ("a", "z")}}, "no system is called 'z'"),
        ({"families": {"f": ("a", "b"), "g": ("b", "c")}}, "'b' is in the families 'f' and 'g'"),
        ({"families": {"found": ()}}, "too few systems"),
        ({"leave_out": "all"}, "'nobody', 'itself' or 'family'"),
        ({"estimator": "vote by mail"}, "no estimator is called"),
        ({"estimator": "majority", "trust": {"a": 2}}, "--trust and --leave-out are for the vote"),
        ({"estimator": "spectral", "families": {"f": ("a", "b")}}, "families"),
        ({"estimator": "dawid-skene", "oracles": {"a": 1}}, "dawid-skene takes the truth itself"),
        ({"level": 95}, "strictly between 0 and 1"),
        ({"draws": -1}, "draws is -1"),
    ],
)
def test_a_mistake_is_named(options, words):
    with pytest.raises((OptionError, UnknownNameError)) as error:
        karat.read(TABLE).consensus(**options)
    assert words in str(error.value)


def test_answers_that_are_all_missing_are_refused():
    with pytest.raises(OptionError, match="no system answered any item"):
        karat.read({"item": [1, 2], "a": [None, None], "b": [None, None]}, systems=("a", "b")).consensus()


def test_scores_beyond_0_and_1_do_not_vote():
    with pytest.raises(OptionError, match=r"a score is 2\.5; .*--threshold"):
        karat.read({"a": [0.5, 2.5], "b": [0.1, 0.2]}).consensus()


@pytest.mark.parametrize("option", [{"weight": "w"}, {"cluster": "w"}])
def test_weights_and_clusters_are_refused(option):
    with pytest.raises(OptionError, match="counts every item once"):
        karat.read({**TABLE, "w": [1, 2, 3, 3]}, **option).consensus()


@pytest.mark.parametrize("name", VIRTUAL)
def test_the_virtual_systems_are_no_oracles(name):
    with pytest.raises(KaratError):
        karat.read(TABLE).consensus(oracles={name: 1})


def test_without_a_truth_there_is_no_oracle_of_that_name():
    with pytest.raises(KaratError, match="truth"):
        karat.read(TABLE).consensus(oracles={"(truth)": 1})


# In parts


@pytest.mark.parametrize("missing", [0, 0.2])
def test_each_class_is_a_query_of_its_own(missing):
    table = without_truth(drawn(5, labels="xyz", missing=missing, a=0.9, b=0.7, c=0.5))
    found, rows = parted(table, "class"), list(documents(table, "xyz"))
    for label in "xyz":
        own = plain([row for row in rows if row[1] == label], list(table))
        same({name: found[label, name] for name in own}, own)
        assert found[label, "(all)"]["recall"] == pytest.approx(1)


def test_each_group_is_a_query_of_its_own_and_the_mean_counts_groups_alike():
    table = without_truth(drawn(6, a=0.9, b=0.7, c=0.5))
    groups = ["p" if k < 50 else "q" if k < 57 else "r" for k in range(60)]
    found = parted({"group": groups, **table}, "group")
    own = {}
    for group in "pqr":
        part = {name: [one for one, g in zip(table[name], groups, strict=True) if g == group] for name in table}
        own[group] = plain(list(documents(part, [1])), list(table))
        same({name: found[group, name] for name in table}, own[group])
    for name in table:
        for key in BESIDE:
            values = [own[group][name][key] for group in "pqr" if own[group][name][key] is not None]
            assert found["(mean)", name][key] == pytest.approx(np.mean(values))


def test_each_family_is_judged_by_its_own_members():
    table = without_truth(drawn(8, missing=0.1, a=0.9, b=0.7, c=0.5, d=0.6, e=0.8))
    families = {"first": ("a", "c"), "second": ("d", "e")}
    found = parted(table, "family", families=families)
    for family, members in families.items():
        part = {name: table[name] for name in members}
        same({name: found[family, name] for name in members}, plain(list(documents(part, [1])), list(members)))
    assert {name for _, name in found} == {"a", "c", "d", "e", *VIRTUAL}


@pytest.mark.parametrize(
    ("per", "options", "words"),
    [
        ("class", {}, "for labels"),
        ("group", {}, "--group"),
        ("family", {}, "--family"),
        ("page", {}, "class, group or family"),
        pytest.param("family", {"families": {"f": ("a", "z")}}, "no system is called 'z'"),
        pytest.param("family", {"families": {"f": ("a", "b"), "g": ("b", "c")}}, "'b' is in the"),
        ("class", {"estimator": "majority"}, "for the vote"),
    ],
)
def test_a_part_that_is_not_there_is_named(per, options, words):
    with pytest.raises((OptionError, UnknownNameError)) as error:
        karat.read(TABLE).consensus_parts(per=per, **options)
    assert words in str(error.value)


# Other estimators


@pytest.mark.parametrize("labels", ["01", "xyz"])
def test_the_other_estimators_are_the_pure_functions(labels):
    table = without_truth(drawn(9, items=200, labels=labels, missing=0.1, a=0.9, b=0.8, c=0.7, d=0.6))
    kinds = [0, 1] if labels == "01" else list(labels)
    codes = np.array([[-1 if one is None else kinds.index(one) for one in column] for column in table.values()]).T
    fit, most = dawid_skene(codes), majority(codes).labels
    share = [(codes[codes[:, k] >= 0, k] == most[codes[:, k] >= 0]).mean() for k in range(4)]
    for estimator, right in (("dawid-skene", fit.accuracy), ("majority", share)):
        found = standing(table, estimator=estimator)
        assert set(found) == set(table)
        assert [found[name]["accuracy"] for name in table] == pytest.approx(list(right), abs=1e-6)
    if labels == "01":
        found = standing(table, estimator="dawid-skene")
        assert [found[name]["precision"] for name in table] == pytest.approx(fit.precision[:, 1].tolist(), abs=1e-6)
        assert [found[name]["recall"] for name in table] == pytest.approx(fit.recall[:, 1].tolist(), abs=1e-6)
        right, found = spectral(codes), standing(table, estimator="spectral")
        assert [found[name]["accuracy"] for name in table] == pytest.approx(right.accuracy.tolist())
        assert [found[name]["recall"] for name in table] == pytest.approx(right.sensitivity.tolist())


def test_spectral_is_for_yes_and_no_and_for_three():
    with pytest.raises(OptionError, match="yes/no"):
        standing(without_truth(drawn(1, labels="xyz", a=0.9, b=0.8, c=0.7)), estimator="spectral")
    with pytest.raises(OptionError, match="three systems"):
        standing({"a": [1, 0], "b": [0, 1]}, estimator="spectral")


def test_a_truth_on_some_items_guides_dawid_and_skene():
    table = drawn(9, items=200, a=0.9, b=0.8, c=0.7)
    told = [label if k % 4 == 0 else None for k, label in enumerate(table["truth"])]
    codes = np.array([table[name] for name in "abc"]).T
    right = dawid_skene(codes, truth=[-1 if label is None else label for label in told]).accuracy
    found = standing({**table, "truth": told}, estimator="dawid-skene", oracles={"(truth)": 1})
    assert [found[name]["accuracy"] for name in "abc"] == pytest.approx(right.tolist(), abs=1e-6)
    assert found["(truth)"]["accuracy"] == 1


# A little truth


def test_a_truth_on_some_items_powers_the_many_without():
    table = drawn(12, items=300, a=0.9, b=0.8, c=0.6)
    told = [label if k < 60 else None for k, label in enumerate(table["truth"])]
    beside = karat.read({**table, "truth": told}).consensus(draws=0).beside()
    for row in beside["powered"]:
        checked, judged = np.zeros((2, 2, 2)), np.zeros((2, 2))
        for k in range(300):
            most = int(sum(table[name][k] for name in "abc") >= 2)
            if told[k] is None:
                judged[table[row["system"]][k], most] += 1
            else:
                checked[table[row["system"]][k], most, told[k]] += 1
        right = powered_accuracy(checked, judged)
        assert (row["checked"], row["judged"]) == (60, 240)
        assert [row["value"], row["low"], row["high"]] == pytest.approx([right.value, right.low, right.high])
        assert row["checked_only"] == pytest.approx(right.classical)


def test_where_all_or_none_have_a_truth_nothing_is_powered():
    table = drawn(12, a=0.9, b=0.8)
    for rows in (table, without_truth(table)):
        assert "powered" not in karat.read(rows).consensus(draws=0).beside()


def test_an_oracle_on_some_items_is_score_on_those():
    table = drawn(13, a=0.9, b=0.8, c=0.6)
    told = [label if k % 3 == 0 else None for k, label in enumerate(table["truth"])]
    bench = karat.read({**table, "truth": told})
    result = bench.consensus(draws=0, oracles={"(truth)": 1})
    found = by_name(result)
    for row in bench.score(measure=BESIDE).rows():
        assert found[row["system"]][row["measure"]] == pytest.approx(row["value"])
    assert result.left_out == told.count(None)


# The truth beside it


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize("seed", range(3))
def test_the_rank_correlation_is_that_of_scipy(labels, seed):
    table = drawn(seed, labels=labels, a=0.9, b=0.8, c=0.8, d=0.6, e=0.6, f=0.4)
    bench = karat.read(table)
    result = bench.consensus(draws=0)
    found, measure = by_name(result), "f1" if labels == "01" else "accuracy"
    truth = {row["system"]: row["value"] for row in bench.score(measure=measure).rows()}
    assert {name: found[name]["truth_value"] for name in truth} == pytest.approx(truth)
    tau = kendalltau([found[name]["f1"] for name in truth], list(truth.values())).statistic
    assert result.beside()["truth"]["tau"] == pytest.approx(tau)


def test_thirds_and_pairs_that_only_the_truth_tells_apart():
    # b and c say the same of different items, so the vote cannot tell them apart; the truth is b's.
    table = {"truth": [1, 1, 0, 0], "a": [1, 1, 0, 0], "b": [1, 1, 0, 1], "c": [1, 1, 1, 0], "d": [0, 0, 1, 1]}
    table = {"truth": [1, 1, 0, 1], **without_truth(table)}
    beside = karat.read(table).consensus(draws=0).beside()["truth"]
    assert beside["tied_apart"] == [["b", "c"]]
    assert set(beside["tiers"]) == {"top", "middle", "bottom"}
    same_order = karat.read(drawn(1, items=4000, a=0.95, b=0.85, c=0.75, d=0.7, e=0.65, f=0.6)).consensus(draws=0)
    assert same_order.beside()["truth"]["tiers"] == {"top": 1, "middle": 1, "bottom": 1}


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize(
    "systems",
    [2, 3, 4],
)
def test_the_majority_is_never_outside_its_limits(labels, systems):
    skills = dict(zip("abcd"[:systems], (0.7, 0.6, 0.5, 0.6), strict=False))
    for seed in range(4):
        found = karat.read(drawn(seed, labels=labels, **skills)).consensus(draws=0).beside()["truth"]["majority"]
        assert found["low"] - 1e-9 <= found["accuracy"] <= found["high"] + 1e-9


def test_the_truth_of_confidences_is_that_of_the_answers_they_stand_for():
    # A score of 0.9 is no wrong label: what the truth says of it is what it says of yes.
    table = {"truth": [1, 0, 1, 0], "a": [0.9, 0.1, 0.8, 0.3], "b": [0.2, 0.7, 0.9, 0.1]}
    found = karat.read(table).consensus(draws=0)
    judged = karat.read(table).score(threshold=0.5, measure="f1").rows()
    truth = found.beside().get("truth")
    rows = by_name(found)
    assert truth is None or {row["system"]: row["value"] for row in judged} == pytest.approx(
        {name: rows[name]["truth_value"] for name in "ab"}
    )


def test_a_truth_beside_the_answers_does_not_move_the_vote():
    table = {"a": list("xyx"), "b": list("xyy")}
    one, other = standing(table), standing({**table, "truth": list("qxy")})
    assert [other[name]["recall"] for name in "ab"] == pytest.approx([one[name]["recall"] for name in "ab"])


# Systems that err together


def spread(patterns):
    """The items behind patterns, as a table."""
    return {
        name: [("no", "yes")[one] for one in np.repeat(column, patterns.number)]
        for name, column in (("truth", patterns.truth), *zip(patterns.systems, patterns.answers.T, strict=True))
    }


@pytest.fixture(scope="module")
def paths():
    return karat.read(spread(pipelines(seed=1).patterns))


def inverted(found):
    """In how many of the 12 combinations of the other stages the bad OCR comes first."""
    pairs = [(name, name.replace("good", "bad")) for name in found if name.endswith("good")]
    return sum(found[bad]["rank"] < found[good]["rank"] for good, bad in pairs)


def test_shared_errors_are_seen_and_turn_the_vote_round(paths):
    result = paths.consensus(draws=0)
    found = by_name(result)
    assert inverted(found) == 12
    assert any("warning" in note and "--family found" in note for note in result.notes())
    (family,) = result.beside()["families"]
    assert set(family) == {name for name in found if name.endswith("bad")}
    assert result.beside()["truth"]["tau"] < 0.2


def test_one_vote_for_the_family_that_was_found_turns_it_back(paths):
    result = paths.consensus(draws=0, families={"found": ()})
    assert inverted(by_name(result)) == 0
    assert result.beside()["truth"]["tau"] > 0.85
    bad = tuple(name for name in paths.facts.systems if name.endswith("bad"))
    named = by_name(paths.consensus(draws=0, families={"bad": bad}))
    assert named["wolf-1-good"]["f1"] == pytest.approx(by_name(result)["wolf-1-good"]["f1"])


def test_two_named_blocs_of_one_vote_each_change_nothing(paths):
    ends = {end: tuple(name for name in paths.facts.systems if name.endswith(end)) for end in ("good", "bad")}
    assert inverted(by_name(paths.consensus(draws=0, families=ends))) == 12
    assert inverted(by_name(paths.consensus(draws=0, families=ends, leave_out="family"))) == 12


def test_dawid_and_skene_see_through_the_pipelines(paths):
    assert inverted(by_name(paths.consensus(draws=0, estimator="dawid-skene"))) == 0


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize("seed", range(3))
def test_independent_systems_are_not_suspected(labels, seed):
    result = karat.read(drawn(seed, items=1000, labels=labels, a=0.9, b=0.85, c=0.8, d=0.75, e=0.7)).consensus(draws=0)
    assert not result.warnings()
    assert result.beside()["families"] == []


def test_systems_that_agree_by_chance_are_warned_of():
    rng = np.random.default_rng(0)
    result = karat.read({name: rng.integers(0, 2, 300).tolist() for name in "abc"}).consensus(draws=0)
    assert any("hardly more than by chance" in warning for warning in result.warnings())


# A truth made of votes


def test_the_likeliest_label_has_its_share_of_the_vote():
    table = {"item": ["i", "j", "k"], "a": ["x", "x", "y"], "b": ["x", "y", None], "c": ["y", "y", None]}
    found = karat.read(table).consensus_items().rows()
    assert [(row["item"], row["label"]) for row in found] == [("i", "x"), ("j", "y"), ("k", "y")]
    assert [row["p"] for row in found] == pytest.approx([3 / 5, 3 / 5, 2 / 3])
    assert all(row["error"] == pytest.approx(1 - row["p"]) for row in found)


def test_an_item_that_nobody_answered_has_no_label():
    table = {"item": ["i", "j"], "a": ["x", None], "b": ["x", None]}
    found = karat.read(table).consensus_items(trust={"(all)": 0, "(none)": 0}).rows()
    assert found[1] == {"item": "j", "label": None, "p": None, "error": None}


def test_families_have_one_vote_on_each_item():
    table = {"a": list("xxyx"), "b": list("xxyx"), "c": list("xxyx"), "d": list("xyyx"), "e": list("xyyx")}
    found = karat.read(table).consensus_items(families={"f": ("a", "b", "c")}).rows()
    assert (found[1]["label"], found[1]["p"]) == ("y", pytest.approx(3 / 5))


def test_families_have_one_vote_on_each_item_by_dawid_and_skene_too():
    table = without_truth(drawn(2, a=0.8, b=0.7, c=0.7, d=0.6))
    found = karat.read(table).consensus_items(estimator="dawid-skene", families={"f": ("a", "b", "c")}).rows()
    right = dawid_skene(np.array(list(table.values())).T, weights=[1 / 3, 1 / 3, 1 / 3, 1]).chances[:, 1]
    yes = [row["p"] if row["label"] == "1" else row["error"] for row in found]
    assert yes == pytest.approx(right.tolist(), abs=1e-6)


@pytest.mark.parametrize("ask", ["consensus_items", "consensus_parts"])
def test_families_that_are_found_are_found_for_every_question(ask):
    table = drawn(0, items=400, a=0.9, b=0.8, c=0.7, d=0.6)
    table |= {"copy": table["d"], "group": ["pq"[k % 2] for k in range(400)]}
    options = {"per": "group"} if ask == "consensus_parts" else {}
    bench = karat.read(table)
    assert bench.consensus(draws=0).beside()["families"]
    found = getattr(bench, ask)(families={"found": ()}, **options).rows()
    named = getattr(bench, ask)(families={"f": tuple(bench.consensus(draws=0).beside()["families"][0])}, **options)
    assert found == named.rows()


def test_a_tally_knows_no_items_but_votes(tmp_path):
    karat.read(TABLE).save(tmp_path / "votes.tally")
    saved = karat.read(tmp_path / "votes.tally")
    assert saved.consensus(draws=0).rows() == karat.read(TABLE).consensus(draws=0).rows()
    with pytest.raises(TallyError, match="no items"):
        saved.consensus_items()


# Engines


def by_every_question(path, engine):
    bench = karat.read(str(path), engine=engine)
    options = {"draws": 20, "families": {"f": ("a", "b")}, "oracles": {"(truth)": 0.5}}
    results = [bench.consensus(**options), bench.consensus_parts(per="group"), bench.consensus_items()]
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
    reason="no Spark here: pip install 'karat[spark]' and install a Java 17 runtime",
)
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_spark_and_duckdb_give_the_same_rows(tmp_path):
    table = drawn(3, labels="xyz", missing=0.1, a=0.9, b=0.7, c=0.5)
    lines = [
        ["item", "group", *table],
        *([k, "pq"[k % 2], *row] for k, row in enumerate(zip(*table.values(), strict=True))),
    ]
    text = "\n".join(",".join("" if cell is None else str(cell) for cell in line) for line in lines)
    (tmp_path / "votes.csv").write_text(text + "\n", encoding="utf-8")
    one, other = (by_every_question(tmp_path / "votes.csv", engine) for engine in ("duckdb", "spark"))
    assert one == other


def test_every_pair_of_voters_agrees_on_who_they_are():
    found = karat.read(TABLE).consensus(draws=0)
    observed = found.agreement.observed
    assert observed is None  # families are looked for among four systems or more
    four = karat.read(drawn(2, a=0.9, b=0.8, c=0.7, d=0.6)).consensus(draws=0).agreement
    table = drawn(2, a=0.9, b=0.8, c=0.7, d=0.6)
    for (i, one), (j, other) in combinations(enumerate("abcd"), 2):
        assert four.observed[i, j] == pytest.approx(np.mean(np.array(table[one]) == np.array(table[other])))
