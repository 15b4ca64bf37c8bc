"""Who is best when there is no truth? The paper's numbers, a plain loop over the items, and what must hold for all."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import karat

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "golden.json").read_text(encoding="utf-8")
)
ENTRIES = {entry["id"]: entry for entry in GOLDEN if entry["fn"] in {"ls_full", "ls_relevance"}}
FULL = [entry for entry in ENTRIES.values() if entry["fn"] == "ls_full"]
VIRTUAL = ("(all)", "(none)")
BESIDE = ("precision", "recall", "f1")


def parted(table, per, *, reading=None, **options):
    """The rows of a vote in parts, by part and system."""
    found = karat.read(table, **(reading or {})).consensus(per=per, draws=0, **options).rows()
    return {(row["part"], row["system"]): row for row in found}


# A plain loop over the items, in fractions


def documents(table, labels):
    """Every pair of an item and a label, each system's vote on it, and the label; None is unknown."""
    for answers in zip(*table.values(), strict=True):
        for label in labels:
            yield (
                [None if answer is None else Fraction(int(answer == label)) for answer in answers],
                label,
            )


def chance(votes, weights, virtual, families, without=()):
    """P of a document, by all who answered but these; None where nobody has a weight."""
    got, given = virtual[0], virtual[0] + virtual[1]
    for family in families:
        there = [k for k in family if k not in without and votes[k] is not None and weights[k] > 0]
        if there:
            weight = sum(weights[k] for k in family) / len(family)
            got += (
                weight * sum(weights[k] * votes[k] for k in there) / sum(weights[k] for k in there)
            )
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
            assert found[name][key] == (
                None if value is None else pytest.approx(value, abs=1e-12)
            ), (name, key)


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
def test_a_table_gives_the_numbers_worked_out_for_the_paper(entry, standing):
    table, beta = columns_of(entry), entry["inputs"].get("beta", 1.0)
    whole = all(vote in {0, 1, None} for column in table.values() for vote in column)
    reading = {"systems": tuple(table), "kinds": {"": "yesno" if whole else "score"}}
    found = standing(table, reading=reading, trust=trust_of(entry), beta=beta)
    exact = entry["exact"]
    right = dict(
        zip((*table, *VIRTUAL), [*exact["systems"], exact["top"], exact["bottom"]], strict=True)
    )
    for name, parts in right.items():
        keys = {"retrieved": "sum_S", "precision": "Pr", "recall": "Rc", f"f{beta:g}": "F"}
        for key, golden in keys.items():
            value = parts[golden]
            assert found[name][key] == (
                None if value is None else pytest.approx(value, abs=entry["tolerance"])
            ), name


def test_table_2_is_the_vote_item_by_item():
    entry = ENTRIES["LS-T2"]
    found = karat.read(columns_of(entry)).consensus(per="item", estimator="vote").rows()
    yes = [row["p"] if row["label"] == "1" else row["error"] for row in found]
    assert yes == pytest.approx(entry["exact"], abs=entry["tolerance"])
    assert [round(p, 1) for p in yes] == entry["published"]


def test_table_3_as_published_but_for_the_precision_of_who_retrieves_nothing(standing):
    published = ENTRIES["LS-T3"]["published"]
    found = standing(columns_of(ENTRIES["LS-T3"]))
    printed = {"top": "(all)", "bottom": "(none)"}
    for key, column in (("Pr", "precision"), ("Rc", "recall")):
        for name, value in published[key].items():
            ours = found[printed.get(name, name)][column]
            assert ours is None if value == "inf" else round(ours, 2) == value
    assert [found[name]["rank"] for name in found] == [1, 2, 2, None, None]


def test_who_is_trusted_alone_is_the_truth(standing):
    # LS-E13-oracle1: the third system with confidence 1 leaves nothing to the others, nor to (all) and (none).
    entry = ENTRIES["LS-E13-oracle1"]
    found = standing(columns_of(entry), oracles={"S3": 1})
    assert [row["weight"] for row in found.values()] == [1, 0, 0, 0, 0]
    assert [found[f"S{k}"]["f1"] for k in (1, 2, 3)] == pytest.approx(
        [part["F"] for part in entry["exact"]["systems"]]
    )


def test_an_oracle_that_retrieves_nothing_leaves_recall_undefined(standing):
    found = standing(columns_of(ENTRIES["LS-E13-oracle-empty"]), oracles={"S3": 1}, draws=10)
    assert [row["recall"] for row in found.values()] == [None] * 5
    assert [found[name]["precision"] for name in ("S1", "S2", "S3", "(all)")] == [0, 0, None, 0]


# What must hold


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize("seed", range(3))
def test_a_truth_of_confidence_1_gives_what_score_gives(labels, seed, by_name, drawn):
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
def test_the_recalls_of_all_systems_sum_to_the_weighted_mean_of_p(seed, drawn, without_truth):
    table = without_truth(drawn(seed, a=0.9, b=0.8, c=0.6, d=0.5))
    bench = karat.read(table)
    p = [
        row["p"] if row["label"] == "1" else row["error"]
        for row in bench.consensus(per="item", estimator="vote").rows()
    ]
    recalls = [row["recall"] for row in bench.consensus(draws=0, estimator="vote").rows()]
    assert sum(recalls) == pytest.approx(6 * np.dot(p, p) / np.sum(p))


@pytest.mark.parametrize("estimator", ["vote", "dawid-skene", "majority"])
@pytest.mark.parametrize("labels", ["01", "xyz"])
def test_the_order_of_items_and_systems_does_not_matter(estimator, labels, standing, drawn):
    table = drawn(4, labels=labels, missing=0.1, a=0.9, b=0.8, c=0.7, d=0.6)
    order = np.random.default_rng(1).permutation(60)
    mixed = {name: [table[name][k] for k in order] for name in ("d", "b", "truth", "a", "c")}
    one, other = (standing(rows, estimator=estimator) for rows in (table, mixed))
    for name, row in one.items():
        for key in ("retrieved", "accuracy", *BESIDE, "rank", "truth_rank"):
            assert other[name][key] == (
                row[key] if row[key] is None else pytest.approx(row[key], abs=1e-7)
            ), key


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
def test_equal_systems_share_a_rank_in_whatever_order_they_are_summed(table, standing):
    exact = {
        name: row["f1"] for name, row in plain(list(documents(table, "xyz")), list(table)).items()
    }
    ranks = {
        name: 1 + sum(other > value + 1e-9 for other in exact.values())
        for name, value in exact.items()
    }
    for order in (list(table), list(reversed(table)), sorted(table, key=lambda name: table[name])):
        found = standing({name: table[name] for name in order})
        assert {name: found[name]["rank"] for name in table} == ranks


@pytest.mark.parametrize("labels", ["01", "xyz"])
@pytest.mark.parametrize("leave_out", ["nobody", "itself", "family"])
@pytest.mark.parametrize(
    "families", [None, {"f": ("a", "c"), "g": ("b", "d")}, {"f": ("d", "a", "b")}]
)
def test_the_vote_is_that_of_a_plain_loop(
    labels, leave_out, families, standing, drawn, without_truth
):
    table = without_truth(
        drawn(7, items=30, labels=labels, missing=0.25, a=0.9, b=0.8, c=0.7, d=0.4)
    )
    names = list(table)
    groups = [[names.index(name) for name in members] for members in (families or {}).values()]
    groups += [[k] for k in range(4) if not any(k in group for group in groups)]
    weights = {"a": 3, "b": 1, "c": 2, "d": 1, "(all)": 2, "(none)": 0.5}
    rows = list(documents(table, [1] if labels == "01" else labels))
    right = plain(
        rows, names, weights=[3, 1, 2, 1], virtual=(2, 0.5), families=groups, leave_out=leave_out
    )
    same(standing(table, trust=weights, families=families or {}, leave_out=leave_out), right)


def test_an_item_that_nobody_answered_counts_for_all_and_none_only(standing):
    table = {"item": [1, 2, 3], "a": [1, 0, None], "b": [1, None, None]}
    found = standing(table)
    same(found, plain(list(documents(without_item(table), [1])), ["a", "b"]))
    assert found["(all)"]["retrieved"] == 3


def without_item(table):
    return {name: column for name, column in table.items() if name != "item"}


def test_items_for_which_nobody_with_a_weight_answered_are_left_out_and_counted(by_name):
    table = {"item": [1, 2, 3], "a": ["x", "y", None], "b": ["x", None, None]}
    result = karat.read(table).consensus(draws=0, trust={"(all)": 0, "(none)": 0})
    assert result.left_out == 1
    assert any("left out" in note for note in result.notes())
    assert by_name(result)["(all)"]["retrieved"] == 4  # two labels of two items


def test_confidences_vote_as_they_are(standing):
    rng = np.random.default_rng(3)
    table = {name: rng.integers(0, 101, 25) / 100 for name in "abc"}
    rows = [
        ([Fraction(str(vote)) for vote in votes], 1) for votes in zip(*table.values(), strict=True)
    ]
    same(standing(table), plain(rows, list(table)))


def test_confidences_and_yes_or_no_differ_unless_they_are_0_or_1(standing):
    table = {"a": [0.9, 0.2, 0.7], "b": [0.6, 0.4, 0.1]}
    assert standing(table)["a"]["retrieved"] == pytest.approx(1.8)
    judged = standing({**table, "truth": [1, 0, 1]}, threshold=0.5)
    assert judged["a"]["retrieved"] == 2
    same(judged, plain(list(documents({"a": [1, 0, 1], "b": [1, 0, 0]}, [1])), ["a", "b"]))


def test_only_the_ratios_of_weights_matter(standing, drawn, without_truth):
    table = without_truth(drawn(2, a=0.9, b=0.7, c=0.6))
    one = standing(table, trust={"a": 2, "(all)": 1})
    other = standing(table, trust={"a": 20, "b": 10, "c": 10, "(all)": 10, "(none)": 10})
    assert sum(row["weight"] for row in one.values()) == pytest.approx(1)
    assert one["a"]["weight"] == pytest.approx(2 / 6)
    for name, row in one.items():
        for key in ("weight", *BESIDE):
            assert other[name][key] == (row[key] if row[key] is None else pytest.approx(row[key]))


def test_an_oracle_leaves_the_rest_to_the_others_in_proportion(standing, drawn, without_truth):
    found = standing(
        without_truth(drawn(2, a=0.9, b=0.7, c=0.6)), trust={"b": 3}, oracles={"a": 0.4}
    )
    weights = [found[name]["weight"] for name in ("a", "b", "c", *VIRTUAL)]
    assert weights == pytest.approx([0.4, 0.3, 0.1, 0.1, 0.1])


def test_frequencies_are_items(standing):
    rows = {"a": [1, 0, 1], "b": [0, 0, 1], "n": [2, 3, 1]}
    full = {
        name: [vote for vote, n in zip(rows[name], rows["n"], strict=True) for _ in range(n)]
        for name in "ab"
    }
    one, other = standing(rows, reading={"count": "n"}), standing(full)
    assert [one[name]["f1"] for name in "ab"] == pytest.approx([other[name]["f1"] for name in "ab"])


def test_a_single_system_is_judged_by_itself_and_the_virtual_ones(standing):
    found = standing({"a": [1, 0, 1]})
    assert [found["a"][key] for key in BESIDE] == pytest.approx([2 / 3, 4 / 5, 8 / 11])
    alone = standing({"a": [1, 0, 1]}, leave_out="itself")
    assert [alone["a"][key] for key in BESIDE] == pytest.approx([1 / 2, 2 / 3, 4 / 7])


@pytest.mark.parametrize("estimator", ["vote", "combined"])
@pytest.mark.parametrize("seed", range(2))
def test_the_spread_holds_the_value_and_narrows_with_more_items(seed, estimator, by_name, drawn):
    small, large = (
        by_name(
            karat.read(drawn(seed, items=n, a=0.9, b=0.7, c=0.6)).consensus(
                draws=100, seed=seed, estimator=estimator
            )
        )
        for n in (50, 2000)
    )
    for name in "abc":
        assert small[name]["spread_low"] < small[name]["value"] < small[name]["spread_high"]
        widths = [one[name]["spread_high"] - one[name]["spread_low"] for one in (large, small)]
        assert widths[0] < widths[1]
        assert "low" not in small[name]  # what is no confidence interval is not written as one
    if estimator == "vote":
        assert small["(all)"]["spread_low"] is None


def test_what_only_the_vote_answers_is_answered_by_it():
    bench = karat.read({"a": [1, 0, 1, 1], "b": [1, 0, 0, 1], "c": [1, 1, 0, 0]})

    def estimator(**options):
        return bench.consensus(draws=0, **options).beside()["estimator"]

    assert estimator() == "combined"
    assert estimator(families={"f": ("a", "b")}) == "combined"
    for options in ({"trust": {"a": 2}}, {"oracles": {"a": 0.9}}, {"leave_out": "itself"}):
        assert estimator(**options) == "vote"
    assert estimator(beta=2.0) == "vote"
    scores = karat.read({"a": [0.9, 0.2], "b": [0.8, 0.1], "c": [0.7, 0.3]})
    assert scores.consensus(draws=0).beside()["estimator"] == "vote"
    assert scores.consensus(draws=0, threshold=0.5).beside()["estimator"] == "combined"
    assert bench.consensus(per="family", families={"f": ("a", "b"), "g": ("c",)}).rows()


# In parts


@pytest.mark.parametrize("missing", [0, 0.2])
def test_each_class_is_a_query_of_its_own(missing, drawn, without_truth):
    table = without_truth(drawn(5, labels="xyz", missing=missing, a=0.9, b=0.7, c=0.5))
    found, rows = parted(table, "class"), list(documents(table, "xyz"))
    for label in "xyz":
        own = plain([row for row in rows if row[1] == label], list(table))
        same({name: found[label, name] for name in own}, own)
        assert found[label, "(all)"]["recall"] == pytest.approx(1)


def test_each_group_is_a_query_of_its_own_and_the_mean_counts_groups_alike(drawn, without_truth):
    table = without_truth(drawn(6, a=0.9, b=0.7, c=0.5))
    groups = ["p" if k < 50 else "q" if k < 57 else "r" for k in range(60)]
    found = parted({"group": groups, **table}, "group")
    own = {}
    for group in "pqr":
        part = {
            name: [one for one, g in zip(table[name], groups, strict=True) if g == group]
            for name in table
        }
        own[group] = plain(list(documents(part, [1])), list(table))
        same({name: found[group, name] for name in table}, own[group])
    for name in table:
        for key in BESIDE:
            values = [own[group][name][key] for group in "pqr" if own[group][name][key] is not None]
            assert found["(mean)", name][key] == pytest.approx(np.mean(values))


def test_each_family_is_judged_by_its_own_members(drawn, without_truth):
    table = without_truth(drawn(8, missing=0.1, a=0.9, b=0.7, c=0.5, d=0.6, e=0.8))
    families = {"first": ("a", "c"), "second": ("d", "e")}
    found = parted(table, "family", families=families)
    for family, members in families.items():
        part = {name: table[name] for name in members}
        same(
            {name: found[family, name] for name in members},
            plain(list(documents(part, [1])), list(members)),
        )
    assert {name for _, name in found} == {"a", "c", "d", "e", *VIRTUAL}


@pytest.mark.parametrize(("options", "by"), [({}, "errors"), ({"truth_sep": " "}, "agreement")])
def test_correlated_systems_are_known_by_their_errors_where_each_item_has_one_right_label(
    options, by
):
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 400)
    columns = {"item": list(range(400)), "truth": ["xy"[code] for code in truth]}
    for name, share in zip("abcde", (0.85, 0.8, 0.75, 0.7, 0.65), strict=True):
        codes = np.where(random.random(400) < share, truth, 1 - truth)
        columns[name] = ["xy"[code] for code in codes]
    columns["copy"] = [
        label if random.random() < 0.8 else other
        for label, other in zip(columns["e"], columns["d"], strict=True)
    ]
    found = karat.read(columns, **options).consensus(draws=0)
    assert {one.by for one in found.agreement.evidence} == {by}
    systems = found.agreement.evidence[0].systems
    assert set(found.agreement.named(systems)) == {"copy", "e"}
