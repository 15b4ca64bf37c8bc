"""Errors of a truth that take whole objects and relations with them, against an enumeration of all that may be true."""

import random
from itertools import product

import numpy as np
import pytest

import karat
from karat.doubt.label_noise import correlated_errors as doubt
from karat.graphs.formats.label_graph import parse

CLASSES, RELATIONS = ("x", "y", "z"), ("Right", "Sup")
ERROR = 0.15


def written(objects, relations, name="e"):
    """Return a graph of objects {id: (class, strokes)} and relations {(parent, child): label or None}."""
    lines = [
        f"O, {key}, {label}, 1.0, {', '.join(strokes)}" for key, (label, strokes) in objects.items()
    ]
    lines += [f"R, {a}, {b}, {label}, 1.0" for (a, b), label in relations.items() if label]
    return parse("\n".join(lines), name).graph


def made(seed, files=2):
    """Return truths by file, and misreadings of them by three systems."""
    draw = random.Random(seed)  # noqa: S311 (no secret)
    truth, systems = {}, {name: {} for name in "abc"}
    for file in map(str, range(files)):
        strokes = [("s1", "s2"), ("s3",), ("s4",)][: draw.randint(2, 3)]
        objects = {f"o{k}": (draw.choice(CLASSES), own) for k, own in enumerate(strokes)}
        keys = list(objects)
        relations = {(keys[k], keys[k + 1]): draw.choice(RELATIONS) for k in range(len(keys) - 1)}
        truth[file] = objects, relations
        for outputs in systems.values():
            outputs[file] = misread(objects, relations, draw)
    return truth, systems


def misread(objects, relations, draw):
    """Return a graph with some classes and relations changed, and now and then a symbol split or lost."""
    found = {key: (draw.choice((label, *CLASSES)), own) for key, (label, own) in objects.items()}
    links = {
        ends: draw.choice((label, label, *RELATIONS, None)) for ends, label in relations.items()
    }
    if draw.random() < 0.3:
        label, own = found["o0"]
        found = {
            "o0": (label, own[:1]),
            **{k: v for k, v in found.items() if k != "o0"},
            "o9": ("x", own[1:]),
        }
    if draw.random() < 0.1:
        links = {ends: label for ends, label in links.items() if "o1" not in ends}
        del found["o1"]
    return written(found, links)


def right(truth, systems, unit, rules):
    """Return how many rows each system has right, straight from the rows."""
    graphs = {file: written(*parts) for file, parts in truth.items()}
    columns = karat.read_graphs(graphs, systems, unit=unit, **rules).answers.columns
    number = columns["(number)"]
    return [
        sum(
            n
            for n, one, other in zip(number, columns["(truth)"], columns[name], strict=True)
            if one == other
        )
        for name in systems
    ]


def truths(truth, unit, rules):
    """Give everything that may be true, and its chance: every object, or every relation, errs by itself."""
    places = [(file, key) for file, parts in truth.items() for key in parts[unit == "pair"]]
    given = [
        truth[file][1][key] if unit == "pair" else truth[file][0][key][0] for file, key in places
    ]
    none = () if rules.get("inherit") else (None,)
    possible = (*RELATIONS, *none) if unit == "pair" else CLASSES
    for labels in product(possible, repeat=len(places)):
        chance, world = (
            1.0,
            {file: (dict(parts[0]), dict(parts[1])) for file, parts in truth.items()},
        )
        for (file, key), label, old in zip(places, labels, given, strict=True):
            chance *= 1 - ERROR if label == old else ERROR / (len(possible) - 1)
            world[file][unit == "pair"][key] = (
                label if unit == "pair" else (label, truth[file][0][key][1])
            )
        yield world, chance


def enumerated(truth, systems, unit, rules):
    """Return P(i strictly before j) and P(the order by the given labels)."""
    before, kept = np.zeros((3, 3)), 0.0
    given = np.sign(np.subtract.outer(*[right(truth, systems, unit, rules)] * 2))
    for world, chance in truths(truth, unit, rules):
        found = np.sign(np.subtract.outer(*[right(world, systems, unit, rules)] * 2))
        before += chance * (found > 0)
        kept += chance * bool((found == given).all())
    return before, kept


def asked(truth, systems, unit, rules):
    graphs = {file: written(*parts) for file, parts in truth.items()}
    bench = karat.read_graphs(graphs, systems, unit=unit, **rules)
    classes = {"expression": 3, "primitive": 3, "pair": 2 if rules.get("inherit") else 3}[unit]
    return bench.stability(label_error=ERROR, all_pairs=True, classes=classes)


RULES = [{}, {"semantics": "lgeval"}, {"inherit": True}, {"undirected": True}]


@pytest.mark.parametrize("rules", RULES, ids=["paper", "lgeval", "inherit", "undirected"])
@pytest.mark.parametrize("unit", ["expression", "primitive", "pair"])
@pytest.mark.parametrize("seed", range(3))
def test_pairs_and_ranking_are_those_of_everything_that_may_be_true(unit, rules, seed):
    truth, systems = made(seed)
    before, kept = enumerated(truth, systems, unit, rules)
    found = asked(truth, systems, unit, rules)
    (whole,) = found.rankings
    assert whole.under_noise.method == "exact"
    assert whole.under_noise.before == pytest.approx(before, abs=1e-12)
    assert whole.under_noise.kept == pytest.approx(kept, abs=1e-12)
    for pair in found.pairs:
        one, other = ("abc".index(name) for name in (pair.better, pair.worse))
        assert pair.reversed == pytest.approx(before[other, one], abs=1e-12)
        assert pair.tie == pytest.approx(1 - before[one, other] - before[other, one], abs=1e-12)
        if pair.kept is not None:
            assert pair.kept == pytest.approx(before[one, other], abs=1e-12)


@pytest.mark.parametrize("unit", ["expression", "primitive", "pair"])
def test_a_simulation_stands_in_where_the_exact_law_is_too_long(unit, monkeypatch):
    truth, systems = made(5, files=6)
    exact = asked(truth, systems, unit, {}).rankings[0].under_noise
    monkeypatch.setattr(doubt, "MOST_WORK", 0)
    drawn = asked(truth, systems, unit, {}).rankings[0].under_noise
    assert (exact.method, drawn.method) == ("exact", "simulation (draws=10000, seed=0)")
    error = 4 * drawn.standard_error
    assert drawn.kept == pytest.approx(exact.kept, abs=error)
    assert drawn.before == pytest.approx(exact.before, abs=error)
    assert drawn.ranks == pytest.approx(exact.ranks, abs=error)


def test_systems_that_are_judged_by_different_pairs_are_simulated():
    truth, systems = made(1)
    objects, relations = truth["0"]
    more = written({**objects, "o7": ("x", ("s7",))}, {**relations, ("o1", "o7"): "Sup"})
    systems = {**systems, "b": {**systems["b"], "0": more}}
    found = asked(truth, systems, "pair", {})
    pair = next(one for one in found.pairs if {one.better, one.worse} == {"a", "b"})
    assert pair.method == found.rankings[0].under_noise.method == "simulation (draws=10000, seed=0)"
    assert (pair.critical_label_error, pair.safe_errors) == (None, None)
    assert pair.kept + pair.tie + pair.reversed == pytest.approx(1)


@pytest.mark.parametrize("unit", ["expression", "primitive", "pair"])
@pytest.mark.parametrize("seed", range(4))
def test_so_many_errors_are_safe_wherever_they_are(unit, seed):
    truth, systems = made(seed)
    for pair in asked(truth, systems, unit, {}).pairs:
        if pair.safe_errors:
            both = {name: systems[name] for name in (pair.better, pair.worse)}
            for world, chance in truths(truth, unit, {}):
                wrong = round(
                    np.log(chance / (1 - ERROR) ** count(truth, unit))
                    / np.log(ERROR / 2 / (1 - ERROR))
                )
                better, worse = right(world, both, unit, {})
                assert wrong > pair.safe_errors or better > worse


def count(truth, unit):
    return sum(len(parts[unit == "pair"]) for parts in truth.values())


@pytest.mark.parametrize("unit", ["expression", "primitive", "pair"])
def test_an_order_is_kept_so_often_at_the_share_it_survives(unit):
    truth, systems = made(5, files=6)
    graphs = {file: written(*parts) for file, parts in truth.items()}
    bench = karat.read_graphs(graphs, systems, unit=unit)
    for pair in bench.stability(level=0.9).pairs:
        rate = pair.critical_label_error
        if rate is not None and rate < 1:
            (there,) = bench.stability(label_error=rate, pair=(pair.better, pair.worse)).pairs
            assert there.kept == pytest.approx(0.9, abs=1e-9)


def test_shares_by_class_and_checks_of_labels_are_taken():
    truth, systems = made(5, files=6)
    graphs = {file: written(*parts) for file, parts in truth.items()}
    bench = karat.read_graphs(graphs, systems, unit="primitive")
    alike = bench.stability(label_error=0.1, all_pairs=True)
    by_class = bench.stability(label_error=dict.fromkeys(CLASSES, 0.1), all_pairs=True)
    assert [pair.kept for pair in by_class.pairs] == pytest.approx(
        [pair.kept for pair in alike.pairs]
    )
    checked = bench.stability(label_error="5/50", all_pairs=True)
    assert "averaged over Beta" in checked.pairs[0].method


def test_a_truth_without_objects_is_firm():
    graphs = {"a": written({}, {}), "b": written({"o": ("x", ("s",))}, {})}
    systems = {"silent": {"a": written({}, {})}, "bold": {"a": graphs["b"], "b": graphs["b"]}}
    (pair,) = karat.read_graphs(graphs, systems).stability(label_error=0.2).pairs
    assert (pair.better, pair.kept, pair.reversed) == ("bold", None, pytest.approx(0.2))
    assert pair.tie == pytest.approx(0.8)


def test_only_shares_of_wrong_objects_have_a_law_here():
    truth, systems = made(0)
    graphs = {file: written(*parts) for file, parts in truth.items()}
    bench = karat.read_graphs(graphs, systems, unit="primitive")
    for options in (
        {"few": True, "label_error": 0.1},
        {"wrong": 2},
        {"measure": "macro-f1", "label_error": 0.1},
    ):
        with pytest.raises(karat.errors.OptionError):
            bench.stability(**options)
