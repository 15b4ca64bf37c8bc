"""How good recognised structure is: the result, one row per system, and the tables a reader knows from the paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.graphs.compare.counts import Census, Graphs
from karat.graphs.compare.summary import AT_MOST, STATES, file_rows, summary
from karat.graphs.formats.folder import malformed_lines_text
from karat.result import Result
from karat.result.base import Row
from karat.words import counted, listing

SEMANTICS = {
    "paper": "as the paper has them",
    "lgeval": "as LgEval 0.3.8 has them (class: a part of dR)",
}
TABLE_2 = ("system", "EXP", "ST_Rec", "SYM_Seg", "SYM_Rec", "STRUCT", "REL-1", "REL-2", "REL-3")
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
        tables: dict[str, list[Row]] = {}
        head = f"wrong labels of primitives and pairs, {SEMANTICS[semantics]}"
        tables[head] = [_table3(row, by_class=semantics == "lgeval") for row in rows]
        if any(row["malformed_objects"] for row in rows):
            tables["malformed"] = [_malformed(row) for row in rows]
        tables["objects and relations"] = [line for row in rows for line in _objects(row)]
        tables["expressions"] = [_expressions(row) for row in rows]
        tables["by the measures of CROHME 2012"] = [_columns(row, TABLE_2) for row in rows]
        return tables

    def beside(self) -> Mapping[str, Any]:
        """Return the input, the signature, the truth's statistics and every file that was not scored as it stands."""
        return {
            **self.about,
            "truth": self.tally.truth.numbers(),
            "files": {name: _unscored(self.tally.of(name)) for name in self.tally.systems},
            "warnings": list(self.warnings()),
        }

    def warnings(self) -> tuple[str, ...]:
        """Return what was scored as absent, and what could not be taken as it is written."""
        warnings = [f"warning: {what}" for what in self.unread]
        for name in self.tally.systems:
            about_system = _system_warnings(self.tally.of(name))
            warnings += (f"warning: {name}: {what}" for what in about_system)
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


def _unscored(tally: Graphs) -> dict[str, list[str]]:
    """Return the files of one system that are not scored as they stand, by what is the matter with them."""
    (system,) = tally.systems
    files: dict[str, list[str]] = {state: [] for state in (*STATES, "malformed", "extra")}
    for file, state, lines in zip(tally.file, tally.state, tally.malformed, strict=True):
        if state in STATES:
            files[state].append(file)
        if lines:
            files["malformed"].append(file)
    files["extra"] += tally.extra[system]
    return files


def _system_warnings(tally: Graphs) -> list[str]:
    """Return what was scored as absent of one system, and what could not be taken as it is written."""
    files = _unscored(tally)
    warnings = []
    absent = [
        f"{len(files[state]):,} {state} ({listing(files[state], most=3)})"
        for state in STATES
        if files[state]
    ]
    if absent:
        warnings.append(f"scored as absent: {', '.join(absent)}.")
    if files["extra"]:
        many = counted(len(files["extra"]), "file")
        names = listing(files["extra"], most=3)
        warnings.append(f"{many} without a truth, not scored: {names}.")
    if files["malformed"]:
        lines = malformed_lines_text(sum(tally.malformed))
        names = listing(files["malformed"], most=3)
        warnings.append(f"{lines} left out, in {names}.")
    warnings += _inheritance_warning(tally)
    unclosed = int(tally["unclosed"].sum())
    if unclosed:
        objects = counted(unclosed, "object")
        warnings.append(
            f"{objects} with merges that are one-way or not closed; "
            "objects are taken as connected, dS counts the labels as written."
        )
    return warnings


def _inheritance_warning(tally: Graphs) -> list[str]:
    """Return a warning where one of two sets has no more relations than trees have, and the other has many more."""
    if tally.rules.inherit or tally.rules.undirected:
        return []
    relations = int(tally["found_relations"].sum())
    objects = int(tally["found_objects"].sum())
    truth_relations = int(tally["relations"].sum())
    truth_objects = int(tally["objects"].sum())
    if not relations or not truth_relations:
        return []
    only_output = relations > objects and truth_relations < truth_objects
    only_truth = truth_relations > truth_objects and relations < objects
    if not only_output and not only_truth:
        return []
    numbers = (
        f"{relations:,} relations of {counted(objects, 'object')}, "
        f"in the truth {truth_relations:,} of {truth_objects:,}"
    )
    return [
        f"{numbers}: those of one seem to be inherited, the other's to be trees; --inherit closes both."
    ]


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
