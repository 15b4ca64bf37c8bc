"""All numbers of a system's graphs, as one row; or one row per file."""

from typing import Any

from karat.graphs.compare.counts import Graphs
from karat.graphs.compare.rates import (
    MeanAndSpread,
    competition,
    edges,
    expression_error,
    harmonic,
    label_error,
    mean_and_spread,
    pairs,
    share,
    total,
)

STATES = ("missing", "empty", "unreadable", "duplicate")
"""Why a file of a system is not a graph that can be compared."""
AT_MOST = (1, 2, 3)
"""How many errors an expression may have."""
SUMS = {
    "merge_class": "merge_class",
    "absent_pairs": "absent_pairs",
    "undirected_pairs": "pairs",
    "undirected_merges": "merge_pairs",
    "undirected_merge_class": "merge_class_pairs",
}
"""What a row calls the sums of further columns."""
OBJECTS = {"object": "right_objects", "class": "right_classes"}
RELATIONS = {"relation_place": "right_places", "relation": "right_relations"}
"""What recall and precision are of, and the column of what is right."""


def summary(tally: Graphs, *, distinct: bool = False) -> dict[str, Any]:
    """Return all numbers of one system.

    `distinct` counts for REL-k each label of the truth once, as in 2012.
    """
    (system,) = tally.systems
    wrong = total(tally)
    sums = {name: whole(tally[column].sum()) for name, column in SUMS.items()}
    classes = whole(tally["dC"].sum())
    return {
        "system": system,
        "files": len(tally),
        "nodes": int(tally["n"].sum()),
        "truth_nodes": int(tally["truth_n"].sum()),
        "dC": classes,
        "dS": whole(tally["dS"].sum()),
        "dR": whole(tally["dR"].sum()),
        "dL": whole(edges(tally).sum()),
        "dB": whole(wrong.sum()),
        **_means("dBn", mean_and_spread(label_error(tally), tally["n"])),
        **_means("dE", mean_and_spread(expression_error(tally), tally["n"])),
        "expression_rate": share(float((wrong == 0).sum()), len(tally)),
        **_rates(tally),
        **{f"{state}_files": tally.state.count(state) for state in STATES},
        "malformed_files": _malformed_files(tally),
        "malformed_objects": int(sum(tally.malformed) + tally["unclosed"].sum()),
        "extra_files": len(tally.extra[system]),
        "edges": int(pairs(tally).sum()),
        **sums,
        "dB_undirected": whole(classes + sums["undirected_pairs"]),
        "right_nodes": int(tally["right_nodes"].sum()),
        **{f"at_most_{most}": share(float((wrong <= most).sum()), len(tally)) for most in AT_MOST},
        **_all_right(tally),
        **_competition(tally, distinct=distinct),
    }


def file_rows(tally: Graphs) -> list[dict[str, Any]]:
    """Return one row per system and file with every count."""
    wrong_share = label_error(tally)
    expression_errors = expression_error(tally)
    wrong = total(tally)
    wrong_pairs = edges(tally)
    first = ("n", "dC", "dS", "dR")
    rows = []
    for place, file in enumerate(tally.file):
        counts = {name: whole(column[place]) for name, column in tally.columns.items()}
        row: dict[str, Any] = {"file": file, "system": tally.system[place]}
        row |= {name: counts.pop(name) for name in first}
        row["dL"] = whole(wrong_pairs[place])
        row["dB"] = whole(wrong[place])
        row["dBn"] = _known(wrong_share[place])
        row["dE"] = _known(expression_errors[place])
        row |= counts
        row["state"] = tally.state[place]
        row["malformed_lines"] = tally.malformed[place]
        rows.append(row)
    return rows


def whole(value: float) -> float | int:
    """Return a number as a whole one, if it is."""
    return int(value) if float(value).is_integer() else float(value)


def _known(value: float) -> float | None:
    is_nan = value != value  # noqa: PLR0124 (NaN differs from itself)
    return None if is_nan else float(value)


def _means(name: str, of_values: MeanAndSpread) -> dict[str, float | None]:
    return {
        f"{name}_mean": of_values.mean,
        f"{name}_sd": of_values.sd,
        f"{name}_weighted": of_values.weighted,
    }


def _rates(tally: Graphs) -> dict[str, float | None]:
    """Return recall, precision and F of objects and relations, with their classes and without, and their counts."""
    rates: dict[str, float | None] = {}
    for what, names in (("objects", OBJECTS), ("relations", RELATIONS)):
        in_truth = int(tally[what].sum())
        in_output = int(tally[f"found_{what}"].sum())
        for name, column in names.items():
            right = int(tally[column].sum())
            recall = share(right, in_truth)
            precision = share(right, in_output)
            rates[f"{name}_recall"] = recall
            rates[f"{name}_precision"] = precision
            rates[f"{name}_f"] = harmonic(recall, precision)
            rates[f"{name}_right"] = right
            rates[f"{name}_truth"] = in_truth
            rates[f"{name}_found"] = in_output
    return rates


def _malformed_files(tally: Graphs) -> int:
    """Return how many files have lines that mean nothing, or merges that are not closed."""
    number = 0
    for lines, unclosed in zip(tally.malformed, tally["unclosed"], strict=True):
        if lines or unclosed:
            number += 1
    return number


def _all_right(tally: Graphs) -> dict[str, float | None]:
    """Return the shares of expressions with all objects, classes, places and relations right."""
    objects = tally["all_objects"] > 0
    places = tally["all_places"] > 0
    flags = {
        "all_objects": objects,
        "all_classes": tally["all_classes"] > 0,
        "all_places": places,
        "all_relations": tally["all_relations"] > 0,
        "structure": objects & places,
    }
    return {f"{name}_rate": share(float(flag.sum()), len(tally)) for name, flag in flags.items()}


def _competition(tally: Graphs, *, distinct: bool) -> dict[str, Any]:
    """Return the measures of CROHME 2012 under their names there."""
    measures = competition(tally, distinct=distinct)
    return {
        "EXP": measures.exp,
        "ST_Rec": measures.st_rec,
        "SYM_Seg": measures.sym_seg,
        "SYM_Rec": measures.sym_rec,
        "STRUCT": measures.struct,
        **{f"REL-{most}": rate for most, rate in zip(AT_MOST, measures.rel, strict=True)},
        "trees": measures.trees,
    }
