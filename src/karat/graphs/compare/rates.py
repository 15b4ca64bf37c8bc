"""From the counts of graphs to distances, rates and their spread."""

from dataclasses import dataclass

import numpy as np

from karat.graphs.compare.counts import Column, Graphs


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean over expressions, its population standard deviation, and the mean weighted by primitives."""

    mean: float | None
    sd: float | None
    weighted: float | None


def total(tally: Graphs) -> Column:
    """Return dB = dC + dS + dR for every expression."""
    return tally["dC"] + tally["dS"] + tally["dR"]


def edges(tally: Graphs) -> Column:
    """Return dL = dS + dR for every expression."""
    return tally["dS"] + tally["dR"]


def pairs(tally: Graphs) -> Column:
    """Return how many pairs of primitives there are: n(n-1), or half of it if edges have no direction."""
    n = tally["n"]
    return n * (n - 1) / (2 if tally.rules.undirected else 1)


def label_error(tally: Graphs) -> Column:
    """Which share of all labels is wrong?

    dB_n = dB / n² for the n primitives of both graphs together (dB / (n(n+1)/2) if edges have no direction). The paper
    calls it the percentage of correct labels; it is that of the incorrect ones. NaN where there is no primitive.
    Reference: Zanibbi, Mouchère & Viard-Gaudin, DRR 2013. doi:10.1117/12.2008409
    """
    return _share(total(tally), pairs(tally) + tally["n"])


def expression_error(tally: Graphs) -> Column:
    """How wrong is an expression, with classes, segmentation and all pairs weighing alike?

    dE = (dC/n + √(dS/n(n-1)) + √(dL/n(n-1))) / 3; for n = 1 dC/n. LgEval has dC/3 there, and 0 for no primitive at all.
    The division by 3, called an average in the paper, is missing in its formula.
    Reference: Zanibbi, Mouchère & Viard-Gaudin, DRR 2013. doi:10.1117/12.2008409
    """
    n, possible = tally["n"], pairs(tally)
    classes = _share(tally["dC"], n)
    roots = np.sqrt(_share(tally["dS"], possible)) + np.sqrt(_share(edges(tally), possible))
    found: Column = (classes + np.where(n > 1, roots, 0.0)) / 3
    if tally.rules.semantics == "lgeval":
        return np.where(n > 0, found, 0.0)
    return np.where(n == 1, classes, found)


def spread(values: Column, n: Column) -> Spread:
    """Return mean, population standard deviation and mean weighted by primitives of what is defined."""
    known = ~np.isnan(values)
    if not known.any():
        return Spread(None, None, None)
    kept, weight = values[known], n[known]
    weighted = float(kept @ weight / weight.sum()) if weight.sum() else None
    return Spread(float(kept.mean()), float(kept.std()), weighted)


def share(numerator: float, denominator: float) -> float | None:
    """Return a ratio; None of nothing."""
    return float(numerator / denominator) if denominator else None


def harmonic(recall: float | None, precision: float | None) -> float | None:
    """Return F = 2PR/(P+R); 0 if both are 0, None if one is undefined."""
    if recall is None or precision is None:
        return None
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def _share(numerator: Column, denominator: Column) -> Column:
    return np.divide(
        numerator, denominator, out=np.full_like(numerator, np.nan), where=denominator > 0
    )


@dataclass(frozen=True, slots=True)
class Competition:
    """The measures of CROHME 2012, as shares."""

    exp: float | None
    st_rec: float | None
    sym_seg: float | None
    sym_rec: float | None
    struct: float | None
    rel: tuple[float | None, float | None, float | None]
    trees: int
    """How many truths are trees of objects, over which STRUCT and REL are counted."""


def competition(tally: Graphs, *, distinct: bool = False) -> Competition:
    """How good is a system by the measures of the competition CROHME 2012?

    EXP: no difference at all. ST_Rec: strokes of the truth with the right class. SYM_Seg: its symbols found, stroke by
    stroke; SYM_Rec: those of them with the right class. STRUCT: the tree of symbols has the right shape and relations,
    whatever the strokes and classes. REL-k: the right shape, and at most k wrong classes or relations at its positions;
    `distinct` counts each label of the truth once, as the competition's tool did.
    Trees are those of the graphs' relations, without inherited ones, not of MathML.
    Reference: Mouchère, Viard-Gaudin, Kim, Kim & Garain, CROHME 2012, ICFHR 2012.
    """
    errors = (
        tally["layout_distinct"]
        if distinct
        else tally["layout_relations"] + tally["layout_classes"]
    )
    tree, shape = tally["tree"] > 0, tally["same_shape"] > 0
    trees = int(tree.sum())
    rel = [share(float((tree & shape & (errors <= most)).sum()), trees) for most in (1, 2, 3)]
    return Competition(
        share(float((total(tally) == 0).sum()), len(tally)),
        share(
            float((tally["truth_n"] - tally["mislabelled"]).sum()), float(tally["truth_n"].sum())
        ),
        share(float(tally["right_objects"].sum()), float(tally["objects"].sum())),
        share(float(tally["right_classes"].sum()), float(tally["right_objects"].sum())),
        share(float((tree & shape & (tally["layout_relations"] == 0)).sum()), trees),
        (rel[0], rel[1], rel[2]),
        trees,
    )
