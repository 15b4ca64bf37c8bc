"""How good recognised structure is: the result, one row per system, and the tables a reader knows from the paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.graphs.compare.counts import Census, Graphs
from karat.graphs.compare.rates import (
    Spread,
    competition,
    edges,
    expression_error,
    harmonic,
    label_error,
    pairs,
    share,
    spread,
    total,
)
from karat.graphs.formats.folder import meaningless
from karat.result import Result
from karat.result.base import Row
from karat.words import counted, listing

STATES = ("missing", "empty", "unreadable", "duplicate")
"""Why a file of a system is no graph that can be compared."""
SUMS = (
    "dC",
    "dS",
    "dR",
    "merge_class",
    "pairs",
    "merge_pairs",
    "merge_class_pairs",
    "absent_pairs",
)
PARTS = {"object": "right_objects", "class": "right_classes"}
LINKS = {"relation_place": "right_places", "relation": "right_relations"}
MOST = (1, 2, 3)
EXPECTED = (
    "dC, dS, dR and what is made of them are expected over labels drawn by confidence; objects, relations, structure "
    "and the measures of CROHME 2012 but EXP are those of the surest labels."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphScores(Result):
    """The differences of every system's graphs from the truth, summed and averaged."""

    tally: Graphs
    distinct: bool = False
    """Whether REL-k counts each label of the truth once, as in 2012."""
    per_file: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    """What of the files was not read."""
    remarks: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per system, the one with the fewest wrong labels first; or one per system and file."""
        return file_rows(self.tally) if self.per_file else self.summaries()

    def summaries(self) -> list[dict[str, Any]]:
        """Return one row per system, the one with the fewest wrong labels first; by level, if there are several."""
        found = [
            summary(self.tally.of(name), distinct=self.distinct) for name in self.tally.systems
        ]
        names = list(self.tally.levels) or [""]
        return [
            row
            for level in names
            for row in _ranked([one for one in found if one["system"].endswith(level)])
        ]

    def paint(self, canvas: Any) -> None:
        """Draw the wrong labels of each system, and what it has right."""
        from karat.graphs.draw.chart import chart  # noqa: PLC0415 (Matplotlib is wanted only here)

        chart(self, canvas)

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the paper's Table 3, objects and relations, and its Table 2; or the files."""
        if self.per_file:
            return {"": [_shown(row) for row in self.rows()]}
        rows, semantics = self.summaries(), self.tally.rules.semantics
        words = {
            "paper": "as the paper has them",
            "lgeval": "as LgEval 0.3.8 has them (class: a part of dR)",
        }
        return {
            f"wrong labels of primitives and pairs, {words[semantics]}": [
                _table3(row, by_class=semantics == "lgeval") for row in rows
            ],
            **(
                {"malformed": [_malformed(row) for row in rows]}
                if any(row["malformed_objects"] for row in rows)
                else {}
            ),
            "objects and relations": [line for row in rows for line in _objects(row)],
            "expressions": [_expressions(row) for row in rows],
            "by the measures of CROHME 2012": [_table2(row) for row in rows],
        }

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, the truth's statistics and every file that was not scored as it stands."""
        return {
            **self.about,
            "truth": self.tally.truth.numbers(),
            "files": {name: self._unscored(name) for name in self.tally.systems},
            "warnings": list(self.warnings()),
        }

    def _unscored(self, system: str) -> dict[str, list[str]]:
        rows = self.tally.of(system)
        found = {
            state: [file for file, said in zip(rows.file, rows.state, strict=True) if said == state]
            for state in STATES
        }
        malformed = [file for file, lines in zip(rows.file, rows.malformed, strict=True) if lines]
        return {**found, "malformed": malformed, "extra": list(rows.extra[system])}

    def warnings(self) -> tuple[str, ...]:
        """Return what was scored as absent, and what could not be taken as it is written."""
        said = [f"warning: {what}" for what in self.unread]
        for name in self.tally.systems:
            found = self._unscored(name)
            absent = [
                f"{len(files):,} {state} ({listing(files, most=3)})"
                for state, files in found.items()
                if files and state in STATES
            ]
            if absent:
                said.append(f"warning: {name}: scored as absent: {', '.join(absent)}.")
            if found["extra"]:
                many = counted(len(found["extra"]), "file")
                said.append(
                    f"warning: {name}: {many} without a truth, not scored: {listing(found['extra'], most=3)}."
                )
            if found["malformed"]:
                lines = sum(self.tally.of(name).malformed)
                where = listing(found["malformed"], most=3)
                said.append(f"warning: {name}: {meaningless(lines)} left out, in {where}.")
            said += _inherited(self.tally.of(name))
            unclosed = int(self.tally.of(name)["unclosed"].sum())
            if unclosed:
                said.append(
                    f"warning: {name}: {counted(unclosed, 'object')} with merges that are one-way or not closed; "
                    "objects are taken as connected, dS counts the labels as written."
                )
        return tuple(said)

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        empty = self.tally.truth.empty if not self.tally.levels else 0
        without = (f"warning: {counted(empty, 'truth')} without primitives.",) if empty else ()
        levels = self.tally.levels or {"": self.tally.truth}
        told = [
            f"{level.removeprefix(': ')}: {_told(one)}" if level else _told(one)
            for level, one in levels.items()
        ]
        drawn = (EXPECTED,) if self.tally.rules.labels == "expected" else ()
        return (*self.warnings(), *without, *told, *drawn, *self.remarks)


def _inherited(tally: Graphs) -> list[str]:
    """Return a warning where one of two sets has no more relations than trees have, and the other has many more."""
    ours, objects, given, there = (
        int(tally[name].sum())
        for name in ("found_relations", "found_objects", "relations", "objects")
    )
    mixed = (ours > objects and given < there) or (given > there and ours < objects)
    if tally.rules.inherit or tally.rules.undirected or not (mixed and ours and given):
        return []
    found = (
        f"{ours:,} relations of {counted(objects, 'object')}, in the truth {given:,} of {there:,}"
    )
    seem = "those of one seem to be inherited, the other's to be trees; --inherit closes both."
    return [f"warning: {tally.systems[0]}: {found}: {seem}"]


def _ranked(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of systems, the one with the fewest wrong labels first, with their ranks."""
    rows.sort(key=lambda row: (row["dBn_mean"] is None, row["dBn_mean"], row["system"]))
    means = [row["dBn_mean"] for row in rows]
    return [{"rank": 1 + means.index(row["dBn_mean"]), **row} for row in rows]


def _told(census: Census) -> str:
    """Return what the truth has."""
    truth = census.numbers()
    said = [
        counted(truth[name], name.removesuffix("s"))
        for name in ("expressions", "objects", "primitives")
    ]
    links = counted(truth["relations"], "relation")
    kinds = "class" if truth["classes"] == 1 else "classes"
    classes = (
        f"{truth['classes']:,} {kinds} of objects and {truth['relation_classes']:,} of relations"
    )
    return f"The truth has {', '.join(said)} and {links}; {classes}."


def summary(tally: Graphs, *, distinct: bool = False) -> dict[str, Any]:
    """Return all that is said of one system."""
    sums = {name: whole(tally[name].sum()) for name in SUMS}
    label, all_of_it = (
        spread(label_error(tally), tally["n"]),
        spread(expression_error(tally), tally["n"]),
    )
    wrong = total(tally)
    found: dict[str, Any] = {
        "system": tally.systems[0],
        "files": len(tally),
        "nodes": int(tally["n"].sum()),
        **{name: sums[name] for name in ("dC", "dS", "dR")},
        "dL": whole(edges(tally).sum()),
        "dB": whole(wrong.sum()),
        **_means("dBn", label),
        **_means("dE", all_of_it),
        "expression_rate": share(float((wrong == 0).sum()), len(tally)),
        **_rates(tally),
        **{f"{state}_files": sum(said == state for said in tally.state) for state in STATES},
        "malformed_files": sum(
            bool(lines or loose)
            for lines, loose in zip(tally.malformed, tally["unclosed"], strict=True)
        ),
        "malformed_objects": int(sum(tally.malformed) + tally["unclosed"].sum()),
        "extra_files": len(tally.extra[tally.systems[0]]),
        "edges": int(pairs(tally).sum()),
        "merge_class": sums["merge_class"],
        "absent_pairs": sums["absent_pairs"],
        "undirected_pairs": sums["pairs"],
        "undirected_merges": sums["merge_pairs"],
        "undirected_merge_class": sums["merge_class_pairs"],
        "dB_undirected": whole(sums["dC"] + sums["pairs"]),
        "right_nodes": int(tally["right_nodes"].sum()),
        **{f"at_most_{most}": share(float((wrong <= most).sum()), len(tally)) for most in MOST},
        **_all_right(tally),
    }
    return {**found, **_competition(tally, distinct=distinct)}


def _competition(tally: Graphs, *, distinct: bool) -> dict[str, Any]:
    found = competition(tally, distinct=distinct)
    named = {
        "EXP": found.exp,
        "ST_Rec": found.st_rec,
        "SYM_Seg": found.sym_seg,
        "SYM_Rec": found.sym_rec,
    }
    named |= {
        "STRUCT": found.struct,
        **{f"REL-{most}": rate for most, rate in zip(MOST, found.rel, strict=True)},
    }
    return {**named, "trees": found.trees}


def _means(name: str, found: Spread) -> dict[str, float | None]:
    return {f"{name}_mean": found.mean, f"{name}_sd": found.sd, f"{name}_weighted": found.weighted}


def _rates(tally: Graphs) -> dict[str, float | None]:
    """Return recall, precision and F of objects and relations, with their classes and without, and their counts."""
    found: dict[str, float | None] = {}
    for names, there, claimed in (
        (PARTS, "objects", "found_objects"),
        (LINKS, "relations", "found_relations"),
    ):
        truth, answered = int(tally[there].sum()), int(tally[claimed].sum())
        for name, column in names.items():
            right = int(tally[column].sum())
            recall, precision = share(right, truth), share(right, answered)
            found |= {
                f"{name}_recall": recall,
                f"{name}_precision": precision,
                f"{name}_f": harmonic(recall, precision),
            }
            found |= {f"{name}_right": right, f"{name}_truth": truth, f"{name}_found": answered}
    return found


def _all_right(tally: Graphs) -> dict[str, float | None]:
    """Return the shares of expressions with all objects, classes, places and relations right."""
    objects, places = tally["all_objects"] > 0, tally["all_places"] > 0
    flags = {
        "all_objects": objects,
        "all_classes": tally["all_classes"] > 0,
        "all_places": places,
        "all_relations": tally["all_relations"] > 0,
        "structure": objects & places,
    }
    return {f"{name}_rate": share(float(found.sum()), len(tally)) for name, found in flags.items()}


def file_rows(tally: Graphs) -> list[dict[str, Any]]:
    """Return one row per system and file with every count."""
    labels, wholes, wrong, links = (
        label_error(tally),
        expression_error(tally),
        total(tally),
        edges(tally),
    )
    found = []
    for place, file in enumerate(tally.file):
        counts = {name: whole(column[place]) for name, column in tally.columns.items()}
        row: dict[str, Any] = {"file": file, "system": tally.system[place], "n": counts.pop("n")}
        row |= {name: counts.pop(name) for name in ("dC", "dS", "dR")}
        row |= {"dL": whole(links[place]), "dB": whole(wrong[place])}
        row |= {"dBn": _known(labels[place]), "dE": _known(wholes[place]), **counts}
        found.append(
            {**row, "state": tally.state[place], "malformed_lines": tally.malformed[place]}
        )
    return found


def whole(value: float) -> float | int:
    """Return a number as a whole one, if it is."""
    return int(value) if float(value).is_integer() else float(value)


def _known(value: float) -> float | None:
    return None if value != value else float(value)  # noqa: PLR0124 (NaN)


def _table3(row: Row, *, by_class: bool) -> dict[str, Any]:
    names = (
        "rank",
        "system",
        "dBn_mean",
        "dBn_sd",
        "dE_mean",
        "dE_sd",
        "dB",
        "dC",
        "dS",
        "dR",
        "dL",
    )
    return {
        **{name: row[name] for name in names},
        **({"class": row["merge_class"]} if by_class else {}),
    }


def _malformed(row: Row) -> dict[str, Any]:
    return {
        "system": row["system"],
        "*Expr": row["malformed_files"],
        "*Obj": row["malformed_objects"],
    }


def _objects(row: Row) -> list[dict[str, Any]]:
    names = {
        "object": "objects",
        "class": "+ classes",
        "relation_place": "relations",
        "relation": "+ labels",
    }
    return [
        {
            "system": row["system"] if name == "object" else "",
            "what": said,
            **{kind: row[f"{name}_{kind}"] for kind in ("recall", "precision", "f")},
            **{count: row[f"{name}_{count}"] for count in ("right", "truth", "found")},
        }
        for name, said in names.items()
    ]


def _expressions(row: Row) -> dict[str, Any]:
    return {
        "system": row["system"],
        "files": row["files"],
        "right": row["expression_rate"],
        **{f"<= {most}": row[f"at_most_{most}"] for most in MOST},
        "structure": row["structure_rate"],
        "objects": row["all_objects_rate"],
        "relations": row["all_places_rate"],
        "absent": sum(row[f"{state}_files"] for state in STATES),
    }


def _table2(row: Row) -> dict[str, Any]:
    names = ("EXP", "ST_Rec", "SYM_Seg", "SYM_Rec", "STRUCT", "REL-1", "REL-2", "REL-3")
    return {"system": row["system"], **{name: row[name] for name in names}}


def _shown(row: Row) -> dict[str, Any]:
    names = ("file", "system", "n", "dC", "dS", "dR", "dL", "dB", "dBn", "dE", "state")
    return {name: row[name] for name in names}
