"""How good recognised structure is: the result, one row per system, and the tables a reader knows from the paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.graphs.compare.counts import Census, Graphs
from karat.graphs.compare.score_warnings import system_warnings, tree_warning, unscored
from karat.graphs.compare.summary import AT_MOST, STATES, file_rows, summary
from karat.result import Result
from karat.result.base import Row
from karat.words import counted

SEMANTICS = {
    "paper": "as the paper has them",
    "lgeval": "as LgEval 0.3.8 has them (class: a part of dR)",
}
TABLE_2 = {
    "expressions by the measures of CROHME 2012": {
        "system": "system",
        "files": "files",
        "EXP": "EXP",
        "trees": "trees",
        "STRUCT": "STRUCT",
        "REL-1": "REL-1",
        "REL-2": "REL-2",
        "REL-3": "REL-3",
    },
    "strokes and symbols by the measures of CROHME 2012": {
        "system": "system",
        "strokes": "truth_nodes",
        "ST_Rec": "ST_Rec",
        "symbols": "object_truth",
        "SYM_Seg": "SYM_Seg",
        "found": "object_right",
        "SYM_Rec": "SYM_Rec",
    },
}
"""The paper's Table 2: every rate comes after the number that it is a share of."""
TABLE_3 = (
    *("rank", "system", "dBn_mean", "dBn_sd", "dE_mean", "dE_sd"),
    *("dB", "dC", "dS", "dR", "dL"),
)
FILE_TABLE = ("file", "system", "n", "dC", "dS", "dR", "dL", "dB", "dBn", "dE", "state")
"""The columns that a reader is shown."""
PARTS = {
    "object": "objects",
    "class": "+ classes",
    "relation_place": "relations",
    "relation": "+ labels",
}
EXPECTED = (
    "dC, dS, dR and what is made of them are expected over labels drawn by confidence; objects, relations, structure "
    "and the measures of CROHME 2012 but EXP are those of the surest labels."
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
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
        every = [
            summary(self.tally.of(name), distinct=self.distinct) for name in self.tally.systems
        ]
        rows: list[dict[str, Any]] = []
        for level in self.tally.levels or [""]:
            rows += _ranked([row for row in every if row["system"].endswith(level)])
        return rows

    def paint(self, canvas: Any) -> None:
        """Draw the wrong labels of each system, and what it has right."""
        from karat.graphs.draw.chart import chart  # noqa: PLC0415 (Matplotlib is wanted only here)

        chart(self, canvas)

    def parts(self) -> Mapping[str, Sequence[Row]]:
        """Return the paper's Table 3, objects and relations, and its Table 2; or the files."""
        if self.per_file:
            return {"": [_columns(row, FILE_TABLE) for row in self.rows()]}
        rows = self.summaries()
        semantics = self.tally.rules.semantics
        heading_of_labels = f"wrong labels of primitives and pairs, {SEMANTICS[semantics]}"
        by_class = semantics == "lgeval"
        tables: dict[str, list[Row]] = {}
        tables[heading_of_labels] = [_table3(row, by_class=by_class) for row in rows]
        if any(row["malformed_objects"] for row in rows):
            tables["malformed"] = [_malformed(row) for row in rows]
        tables["objects and relations"] = [line for row in rows for line in _objects(row)]
        tables["expressions"] = [_expressions(row) for row in rows]
        for heading, columns in TABLE_2.items():
            tables[heading] = [_renamed(row, columns) for row in rows]
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, the truth's statistics and every file that was not scored as it is."""
        return {
            **self.about,
            "truth": self.tally.truth.numbers(),
            "files": {name: unscored(self.tally.of(name)) for name in self.tally.systems},
            "warnings": list(self.warnings()),
        }

    def warnings(self) -> tuple[str, ...]:
        """Return what was scored as absent, and what could not be taken as it is written."""
        warnings = [f"warning: {what}" for what in self.unread]
        for name in self.tally.systems:
            about_system = system_warnings(self.tally.of(name))
            warnings += (f"warning: {name}: {what}" for what in about_system)
        warnings += (f"warning: {what}" for what in tree_warning(self.tally))
        return tuple(warnings)

    def notes(self) -> Sequence[str]:
        """Return what a reader must know."""
        notes = [*self.warnings()]
        truth = self.tally.truth
        if self.tally.levels:
            for level, census in self.tally.levels.items():
                notes.append(f"{level.removeprefix(': ')}: {_census_words(census)}")
        else:
            if truth.empty:
                notes.append(f"warning: {counted(truth.empty, 'truth')} without primitives.")
            notes.append(_census_words(truth))
        if self.tally.rules.labels == "expected":
            notes.append(EXPECTED)
        return (*notes, *self.remarks)


def _ranked(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of systems, the one with the fewest wrong labels first, with their ranks."""
    rows.sort(key=lambda row: (row["dBn_mean"] is None, row["dBn_mean"], row["system"]))
    means = [row["dBn_mean"] for row in rows]
    return [{"rank": 1 + means.index(row["dBn_mean"]), **row} for row in rows]


def _census_words(census: Census) -> str:
    """Return what the truth has."""
    truth = census.numbers()
    expressions = counted(truth["expressions"], "expression")
    objects = counted(truth["objects"], "object")
    primitives = counted(truth["primitives"], "primitive")
    relations = counted(truth["relations"], "relation")
    kinds = "class" if truth["classes"] == 1 else "classes"
    return (
        f"The truth has {expressions}, {objects}, {primitives} and {relations}; "
        f"{truth['classes']:,} {kinds} of objects and {truth['relation_classes']:,} of relations."
    )


def _columns(row: Row, names: Sequence[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _renamed(row: Row, columns: Mapping[str, str]) -> dict[str, Any]:
    return {head: row[name] for head, name in columns.items()}


def _table3(row: Row, *, by_class: bool) -> dict[str, Any]:
    shown = _columns(row, TABLE_3)
    if by_class:
        shown["class"] = row["merge_class"]
    return shown


def _malformed(row: Row) -> dict[str, Any]:
    return {
        "system": row["system"],
        "*Expr": row["malformed_files"],
        "*Obj": row["malformed_objects"],
    }


def _objects(row: Row) -> list[dict[str, Any]]:
    """Return a line for objects, for those with the right class, for relations, and for those with the right label."""
    lines = []
    for name, words in PARTS.items():
        line = {"system": row["system"] if name == "object" else "", "what": words}
        for column in ("recall", "precision", "f", "right", "truth", "found"):
            line[column] = row[f"{name}_{column}"]
        lines.append(line)
    return lines


def _expressions(row: Row) -> dict[str, Any]:
    return {
        "system": row["system"],
        "files": row["files"],
        "right": row["expression_rate"],
        **{f"<= {most}": row[f"at_most_{most}"] for most in AT_MOST},
        "structure": row["structure_rate"],
        "objects": row["all_objects_rate"],
        "relations": row["all_places_rate"],
        "absent": sum(row[f"{state}_files"] for state in STATES),
    }
