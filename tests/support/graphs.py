"""Graphs at random, each from one number, so that many of them cost little."""

from random import Random

from hypothesis import strategies as st

from karat.graphs.model.structure import LabelGraph

NAMES = "abcde"
CLASSES = ("x", "y", "+")
MARKS = ("*", "R", "Sup")


def drawn(seed, names, most):
    """The graph of a number: over these primitives, or over some of five."""
    chance = Random(seed)  # noqa: S311 (no secret)

    def labels(known):
        return dict.fromkeys(chance.sample(known, chance.randint(1, most)), 1.0)

    there = names if names is not None else chance.sample(NAMES, chance.randint(0, len(NAMES)))
    pairs = [(a, b) for a in there for b in there if a != b]
    share = chance.random()
    edges = {pair: labels(MARKS) for pair in pairs if chance.random() < share}
    return LabelGraph(nodes={name: labels(CLASSES) for name in there}, edges=edges)


def graphs(names=None, most=1):
    return st.integers(0, 2**32).map(lambda seed: drawn(seed, names, most))
