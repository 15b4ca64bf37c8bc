"""Single pictures by name, for files and notebooks."""

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from karat.errors import OptionError
from karat.questions import PLOTS
from karat.questions.prevalence import prevalence_question
from karat.questions.prevalence import skew as skew_of
from karat.report.pictures import pdf, png, svg
from karat.report.prevalence_pictures import AgainstPrevalence
from karat.report.writing import write
from karat.result import Result
from karat.verdict.prevalence.slider import prevalence_slider

if TYPE_CHECKING:
    from karat.bench import Bench


@dataclass(frozen=True, slots=True)
class Picture:
    """A result as a picture; a notebook shows it."""

    result: Result

    def save(self, path: str | Path) -> None:
        """Write it to a file, as .svg, .pdf or .png."""
        forms = {"svg": svg, "pdf": pdf, "png": png}
        ending = str(path).rpartition(".")[2].lower()
        if ending not in forms:
            raise OptionError(f"the form of {path} is unclear; end it with .svg, .pdf or .png")
        write(path, forms[ending](self.result))

    def _repr_svg_(self) -> str:
        return svg(self.result).decode()


def scores(
    bench: "Bench", *, measure: str = "accuracy", level: float = 0.95, seed: int = 0
) -> Picture:
    """Return each system's value and its interval."""
    return Picture(bench.score(measure=measure, level=level, seed=seed))


def comparisons(
    bench: "Bench", *, measure: str = "accuracy", level: float = 0.95, seed: int = 0
) -> Picture:
    """Return who is better than whom."""
    return Picture(bench.compare(measure=measure, level=level, seed=seed))


def stability(
    bench: "Bench",
    *,
    measure: str = "accuracy",
    label_error: float = 0.03,
    level: float = 0.95,
    seed: int = 0,
) -> Picture:
    """Return how robust each order is, and how likely each rank is."""
    return Picture(
        bench.stability(
            label_error=label_error, curves=True, measure=measure, level=level, seed=seed
        )
    )


def consensus(bench: "Bench", *, level: float = 0.95, seed: int = 0) -> Picture:
    """Return the ranks without truth and with it, and who agrees with whom."""
    return Picture(bench.consensus(draws=0, level=level, seed=seed))


def skew(bench: "Bench", *, level: float = 0.95, seed: int = 0) -> Picture:
    """Return the areas and the ranks against the prevalence, and where two systems change places."""
    question = prevalence_question(bench.facts, draws=0, level=level, seed=seed)
    result = skew_of({"": bench.counter}, question)
    return Picture(AgainstPrevalence(result, prevalence_slider(result)))


def roc(bench: "Bench", *, level: float = 0.95, seed: int = 0) -> Picture:
    """Return the ROC curves, beside the precision-recall curves at the prevalence of the data."""
    question = prevalence_question(bench.facts, draws=0, level=level, seed=seed)
    return Picture(skew_of({"": bench.counter}, question))


def cutoffs(bench: "Bench") -> Picture:
    """Return precision and recall at each cut-off of the scores, by the truth and without it."""
    return Picture(bench.consensus(per="cutoff"))


def depths(bench: "Bench") -> Picture:
    """Return precision and recall at each depth of the lists, by the truth and without it."""
    return Picture(bench.consensus(per="depth"))


def graphs(bench: "Bench") -> Picture:
    """Return which labels of graphs are wrong."""
    ask = getattr(bench, "graph", None)
    if ask is None:
        raise OptionError(
            "a picture of graphs needs folders of label graphs; name them with --graphs"
        )
    return Picture(ask())


def picture_by_name(name: str, bench: "Bench", **options: Any) -> Picture:
    """Return a picture by its name; refuse options that it does not take."""
    draw = PLOTS[name]
    given = {option: value for option, value in options.items() if value is not None}
    unknown = given.keys() - inspect.signature(draw).parameters.keys()
    if unknown:
        raise OptionError(
            f"a picture of {name} takes no --{min(unknown).replace('_', '-')}; leave it out"
        )
    picture: Picture = draw(bench, **given)
    return picture
