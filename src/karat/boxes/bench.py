"""Boxes of a truth and of systems, and the questions one can ask of them: read this first.

source (formats) -> boxes (model) -> tally (matching) -> measures -> doubt, and then the verdicts of every table. How
good boxes are by their scores is asked with `score`, `compare` and `prevalence`; which of them are right, wrong or
missing with `boxes`, and, as a table of answers with a row for each place, with `stability`, `audit` and `consensus`.
"""
# ruff: noqa: PLC0415 (each question loads what it needs)

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from karat.bench import Bench
from karat.boxes.options import BoxOptions
from karat.errors import OptionError
from karat.keywords import as_in, offers_nearest
from karat.tally.counter import Counter

if TYPE_CHECKING:
    from karat.boxes.errors.segmentation import BoxResult
    from karat.boxes.matching.box_rows import BoxTable
    from karat.boxes.matching.detections import Detections
    from karat.boxes.matching.rules import MatchRules
    from karat.boxes.model.box_set import BoxSet
    from karat.boxes.questions.prevalence import BoxPrevalenceResult
    from karat.measure.quantity import Quantity
    from karat.questions.consensus import AnyConsensus
    from karat.report.findings import Findings
    from karat.verdict.audit.audit import Audit
    from karat.verdict.compare.result import ComparisonResult
    from karat.verdict.prevalence.result import PrevalenceResult
    from karat.verdict.score.result import ScoreResult
    from karat.verdict.stability.result import StabilityResult


@offers_nearest
def read_boxes(
    truth: str | Path,
    systems: "str | Path | Sequence[str | Path] | Mapping[str, str | Path]",
    *,
    format: str | None = None,  # noqa: A002 (the option's name)
    lenient: bool = False,
    using: Mapping[str, Any] | None = None,
) -> "BoxBench":
    """Read boxes of a truth and of systems: COCO's JSON, YOLO's text, PAGE-XML, hOCR, or plain tables.

    systems: a file or folder of each, by name or not; NAME=FILE names one.
    format: coco, yolo, page, hocr or boxes, where the files do not show it.
    lenient: leave out results for images that the truth does not have.
    using: matching (greedy or optimal), most, overlap, sure, and of some formats sizes, names and element, as
        `karat.boxes.options.BoxOptions` describes them.
    """
    from karat.boxes.formats.recognise import truth_of
    from karat.source.truth_and_systems import truth_and_systems

    options = BoxOptions.of(using)
    if isinstance(systems, str | Path):
        systems = [systems]
    if isinstance(systems, Mapping):
        systems = [f"{name}={path}" for name, path in systems.items()]
    parts = truth_and_systems([str(truth), *map(str, systems)])
    paths = dict(sorted(parts.systems.items()))
    source = truth_of(Path(truth), list(paths.values()), options, format=format)
    found = [source.results(path, name, lenient=lenient) for name, path in paths.items()]
    return BoxBench(source.truth(), found, options)


class BoxBench(Bench):
    """Boxes of systems and of the truth."""

    def __init__(
        self, truth: "BoxSet", systems: "Sequence[BoxSet]", options: BoxOptions | None = None
    ) -> None:
        self.truth = truth
        self.systems = tuple(sorted(systems, key=lambda one: one.name))
        self.options = options or BoxOptions()
        self.rules  # noqa: B018 (refused now if they make no sense)

    def __repr__(self) -> str:
        """Say what was read."""
        return "\n  ".join([f"BoxBench of {self.truth.origin}", *self.notes()])

    @cached_property
    def rules(self) -> "MatchRules":
        """How boxes are matched."""
        from karat.boxes.matching.rules import MatchRules

        return MatchRules(matching=self.options.matching, most=self.options.most)  # type: ignore[arg-type]

    def chosen(self, names: Sequence[str]) -> "BoxBench":
        """Return a bench of some of the systems."""
        from karat.errors import UnknownNameError

        by_name = {one.name: one for one in self.systems}
        for name in names:
            if name not in by_name:
                raise UnknownNameError("system", name, by_name)
        return BoxBench(self.truth, [by_name[name] for name in names], self.options)

    def notes(self) -> tuple[str, ...]:
        """Return what was read, and what is odd about it."""
        from karat.boxes.questions.reading import reading_notes

        return reading_notes(self.truth, self.systems)

    # By scores: average precision and recall over images.

    def tallies(self, quantities: "Sequence[Quantity]" = ()) -> "dict[str, Detections]":
        """Return what is counted of each system, for these measures."""
        from karat.boxes.matching.detections import detections
        from karat.boxes.questions.score import overlaps_of

        rules = replace(self.rules, overlaps=overlaps_of(quantities))
        if rules.overlaps not in self._counted:
            self._counted[rules.overlaps] = {
                one.name: detections(self.truth, one, rules) for one in self.systems
            }
        return self._counted[rules.overlaps]

    @cached_property
    def _counted(self) -> "dict[tuple[float, ...], dict[str, Detections]]":
        return {}

    @as_in(Bench.score)
    def score(
        self, *, measure: str | Sequence[str] | None = None, per: str = "total", **options: Any
    ) -> "ScoreResult":
        """How good is each detector, and how certain is that? COCO's twelve numbers with intervals over images."""
        from karat.boxes.questions.remarks import beyond_remarks, score_remarks
        from karat.boxes.questions.score import quantities_of, score_of_boxes
        from karat.doubt.estimates import IntervalOptions
        from karat.verdict.score.result import ScoreResult

        how = _interval_options(options, IntervalOptions)
        quantities = quantities_of(measure, per)
        tallies = self.tallies(quantities)
        entries = score_of_boxes(tallies, quantities, how)
        beside = self._about("score", map(str, quantities), how, tallies)
        remarks = score_remarks(self.truth, self.systems, self.options, tallies)
        return ScoreResult(entries, beside, (*beyond_remarks(entries), *remarks), how.side)

    @as_in(Bench.compare)
    def compare(
        self, *, measure: str | Sequence[str] | None = None, **options: Any
    ) -> "ComparisonResult":
        """Is one detector really better than another? Paired over images; by mAP unless a measure is given."""
        from karat.boxes.questions.compare import compare_boxes
        from karat.boxes.questions.remarks import compare_remarks
        from karat.boxes.questions.score import quantities_of
        from karat.verdict.compare.compare import ComparisonOptions
        from karat.verdict.compare.result import ComparisonResult

        if options.pop("threshold", None) is not None:
            raise OptionError("average precision is over all scores; leave --threshold out")
        contest = ComparisonOptions(**options)
        if len(self.systems) < 2:
            raise OptionError(
                f"there is one system, {self.systems[0].name!r}; a comparison needs two"
            )
        quantities = quantities_of(measure or "mAP")
        tallies = self.tallies(quantities)
        found = [compare_boxes(tallies, quantity, contest) for quantity in quantities]
        beside = self._about("compare", map(str, quantities), contest, tallies)
        comparisons = [one for pairs, _ in found for one in pairs]
        fields = tuple(field for _, field in found)
        remarks = compare_remarks(self.truth, self.systems, self.options, tallies)
        return ComparisonResult(tuple(comparisons), fields, beside, remarks)

    @offers_nearest
    def prevalence(
        self,
        *,
        to: float | Sequence[float],
        overlap: float | None = None,
        level: float = 0.95,
    ) -> "BoxPrevalenceResult":
        """What is the mean average precision where classes are in another share of the images?

        to: the share of images that hold a class, or several.
        overlap: at which overlap boxes match; the mean over COCO's ten unless given.
        level: the confidence level of the intervals.
        """
        from karat.boxes.doubt.image_interval import AT_PREVALENCE
        from karat.boxes.matching.detections import detections
        from karat.boxes.questions.prevalence import (
            MEANING,
            BoxPrevalenceResult,
            prevalence_of_boxes,
        )
        from karat.boxes.questions.remarks import score_remarks

        shares = [to] if isinstance(to, int | float) else list(to)
        overlaps = self.rules.overlaps if overlap is None else (overlap,)
        rules = replace(self.rules, overlaps=overlaps)
        tallies = {one.name: detections(self.truth, one, rules) for one in self.systems}
        rows = prevalence_of_boxes(tallies, shares, overlap=overlap, level=level)
        options = {"to": ",".join(f"{one:g}" for one in shares), "level": str(level)}
        beside = self._about("skew", [str(rows[0]["measure"])], None, tallies, options)
        remarks = (
            MEANING,
            AT_PREVALENCE,
            *score_remarks(self.truth, self.systems, self.options, tallies),
        )
        return BoxPrevalenceResult(rows, beside, remarks)

    # As a table of answers: each row is one place in one image.

    @cached_property
    def places(self) -> "BoxTable":
        """The boxes as rows: true ones, and those that only systems see."""
        return self._places(self.options.matching)

    def _places(self, matching: str) -> "BoxTable":
        from karat.boxes.matching.box_rows import box_table
        from karat.boxes.matching.rules import MatchRules

        systems = {one.name: one for one in self.systems}
        rules = MatchRules(matching=matching, most=self.options.most)  # type: ignore[arg-type]
        return box_table(
            self.truth, systems, rules, overlap=self.options.overlap, sure=self.options.sure
        )

    @cached_property
    def counter(self) -> Counter:  # type: ignore[override]
        """What counts the rows; those of one image are clustered."""
        return self._row_counter(clustered=True)

    def _row_counter(self, *, clustered: bool) -> Counter:
        from karat.boxes.questions.rows import row_counter

        return row_counter(self.places, self.truth.origin, self._changed(), clustered=clustered)

    @offers_nearest
    def boxes(self, *, matching: str = "both", level: float = 0.95) -> "BoxResult":
        """What went wrong: which boxes are found, whatever they are called, and which of these are called right?

        matching: greedy, optimal, or both of them side by side.
        level: the confidence level of the intervals.
        """
        from karat.boxes.errors.segmentation import BoxResult, boxes_of
        from karat.boxes.matching.rules import MATCHINGS
        from karat.boxes.questions.remarks import segmentation_remarks
        from karat.errors import ChoiceError

        chosen = MATCHINGS if matching == "both" else (matching,)
        if not set(chosen) <= set(MATCHINGS):
            raise ChoiceError("--matching", matching, ["both", *MATCHINGS])
        tables = {one: self._places(one) for one in chosen}
        counts = boxes_of(tables)
        beside = self._about("boxes", [], None, {}, {"matching": matching, "level": str(level)})
        remarks = segmentation_remarks(self.options, self.systems, counts)
        return BoxResult(counts, level, beside, remarks)

    @as_in(Bench.stability)
    def stability(self, **options: Any) -> "StabilityResult":
        """Would the ranking be the same by a truth without wrong boxes? By the places that are right."""
        from karat.boxes.questions.rows import WHAT_IS_WRONG, rows_only

        rows = Bench(self._row_counter(clustered=False))
        result = rows.stability(**rows_only(options, "stability"))
        wholes = tuple(replace(whole, things="boxes") for whole in result.rankings)
        remarks = (*result.remarks, WHAT_IS_WRONG)
        return replace(result, rankings=wholes, things="boxes", remarks=remarks)

    @as_in(Bench.audit)
    def audit(self, **options: Any) -> "Audit":
        """Which boxes of the truth should be checked, and when is the ranking settled? A draw is a place.

        A list says where each place is, and which systems see a box there, unless `fields` names a file.
        """
        from karat.boxes.questions.rows import WHAT_IS_WRONG, place_fields, rows_only

        rows = Bench(self._row_counter(clustered=False))
        result = rows.audit(**rows_only(options, "audit"))
        remarks = (*result.remarks, WHAT_IS_WRONG)
        if options.get("fields") is not None:
            return replace(result, remarks=remarks)
        return replace(result, remarks=remarks, fields_of=place_fields(self.places))

    @as_in(Bench.consensus)
    def consensus(self, **options: Any) -> "AnyConsensus":
        """Who is best when the truth is not looked at? Every place has one vote of each system."""
        return Bench(self._row_counter(clustered=False)).consensus(**options)

    @as_in(Bench.skew)
    def skew(self, **options: Any) -> "PrevalenceResult":
        """Refuse: a detector's average precision at another prevalence is asked with `prevalence`."""
        del options
        raise OptionError(
            "boxes have no table of scores; use karat skew RESULTS --truth TRUTH --to 0.05, or prevalence(to=0.05)"
        )

    @as_in(Bench.findings)
    def findings(self, **options: Any) -> "Findings":
        """Which questions do these boxes answer? Every question of their rows, and average precision over images."""
        from karat.boxes.questions.page import box_findings
        from karat.questions.page import ReportOptions

        if options.get("threshold") is not None:
            raise OptionError("boxes become rows from --using sure=0.5 on; leave --threshold out")
        if options.get("to") is not None:
            raise OptionError(
                "a page of boxes is about these images; leave --to out, and use karat skew for another share"
            )
        say = options.pop("say", None)
        return box_findings(self, ReportOptions(**options), say=say)

    def draw(self, into: str | Path) -> int:
        """Write a drawing of every image with its boxes, right, wrong, spurious and missed; return how many."""
        from karat.boxes.questions.drawings import write_drawings

        return write_drawings(self.places, into)

    def _changed(self) -> dict[str, str]:
        """Return the options that a signature names."""
        return {
            name: str(value)
            for name, value in asdict(self.options).items()
            if name in {"matching", "most", "overlap", "sure"}
        }

    def _about(
        self,
        command: str,
        measures: Any,
        how: Any,
        tallies: "Mapping[str, Detections]",
        options: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Return what every result about boxes comes with: the input and the signature."""
        from karat.report.signature import about

        digests = [one.digest() for one in tallies.values()]
        signed = about(command, measures, how, {**self._changed(), **(options or {})}, digests)
        read = {
            "origin": self.truth.origin,
            "items": len(self.truth.gallery.images),
            "systems": [one.name for one in self.systems],
            "kind": "boxes",
            "missing": {},
            "without_truth": 0,
            "unanswered": 0,
        }
        return {**signed, "input": read}


def _interval_options(options: Mapping[str, Any], kind: Any) -> Any:
    """Return how intervals are made; refuse what means nothing for boxes."""
    for name, default in (("threshold", None), ("mean_over", None), ("beta", 1.0)):
        if options.get(name, default) != default:
            flag = name.replace("_", "-")
            raise OptionError(f"--{flag} means nothing for boxes by their scores; leave it out")
    kept = {
        name: value for name, value in options.items() if name in {"level", "side", "draws", "seed"}
    }
    if options.get("bound", "exact") != "exact":
        raise OptionError("intervals over images have one method; leave --bound out")
    return kind(**kept)
