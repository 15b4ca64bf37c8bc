"""From the counts of graphs to distances, rates and their spread."""

from dataclasses import dataclass

import numpy as np

from karat.graphs.compare.counts import Column, Graphs


@dataclass(frozen=True, slots=True)
class MeanAndSpread:
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
    ordered = n * (n - 1)
    return ordered / 2 if tally.rules.undirected else ordered


def label_error(tally: Graphs) -> Column:
    """Which share of all labels is wrong?

    dB_n = dB / n² for the n primitives of both graphs together (dB / (n(n+1)/2) if edges have no direction). The paper
    calls it the percentage of correct labels; it is that of the incorrect ones. NaN where there is no primitive.
    Reference: Zanibbi, Mouchère & Viard-Gaudin, DRR 2013. doi:10.1117/12.2008409
    """
    return _share(total(tally), pairs(tally) + tally["n"])


def expression_error(tally: Graphs) -> Column:
    """How wrong is an expression, with classes, segmentation and all pairs weighing the same?

    dE = (dC/n + √(dS/n(n-1)) + √(dL/n(n-1))) / 3; for n = 1 dC/n. LgEval has dC/3 there, and 0 for no primitive at all.
    The division by 3, called an average in the paper, is missing in its formula.
    Reference: Zanibbi, Mouchère & Viard-Gaudin, DRR 2013. doi:10.1117/12.2008409
    """
    n = tally["n"]
    possible = pairs(tally)
    classes = _share(tally["dC"], n)
    merges = np.sqrt(_share(tally["dS"], possible))
    all_pairs = np.sqrt(_share(edges(tally), possible))
    mean: Column = (classes + np.where(n > 1, merges + all_pairs, 0.0)) / 3
    if tally.rules.semantics == "lgeval":
        return np.where(n > 0, mean, 0.0)
    return np.where(n == 1, classes, mean)


def mean_and_spread(values: Column, n: Column) -> MeanAndSpread:
    """Return mean, population standard deviation and mean weighted by primitives of what is defined."""
    known = ~np.isnan(values)
    if not known.any():
        return MeanAndSpread(None, None, None)
    kept = values[known]
    weight = n[known]
    weighted = share(float(kept @ weight), float(weight.sum()))
    return MeanAndSpread(float(kept.mean()), float(kept.std()), weighted)


def share(numerator: float, denominator: float) -> float | None:
    """Return a ratio; None of nothing."""
    return float(numerator / denominator) if denominator else None


def harmonic(recall: float | None, precision: float | None) -> float | None:
    """Return F = 2PR/(P+R); 0 if both are 0, None if one is undefined."""
    if recall is None or precision is None:
        return None
    if recall + precision == 0:
        return 0.0
    return 2 * recall * precision / (recall + precision)


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
    errors = tally["layout_relations"] + tally["layout_classes"]
    if distinct:
        errors = tally["layout_distinct"]
    same_shape = (tally["tree"] > 0) & (tally["same_shape"] > 0)
    trees = int((tally["tree"] > 0).sum())

    def at_most(number: int) -> float | None:
        return share(float((same_shape & (errors <= number)).sum()), trees)

    strokes = tally["truth_n"].sum()
    objects = tally["right_objects"].sum()
    right_structure = same_shape & (tally["layout_relations"] == 0)
    return Competition(
        exp=share(float((total(tally) == 0).sum()), len(tally)),
        st_rec=share(float(strokes - tally["mislabelled"].sum()), float(strokes)),
        sym_seg=share(float(objects), float(tally["objects"].sum())),
        sym_rec=share(float(tally["right_classes"].sum()), float(objects)),
        struct=share(float(right_structure.sum()), trees),
        rel=(at_most(1), at_most(2), at_most(3)),
        trees=trees,
    )
