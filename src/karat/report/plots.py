"""Single pictures by name, for files and notebooks."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from karat.errors import OptionError
from karat.report.inquiry import Asked
from karat.report.pictures import png, svg
from karat.report.skew_pictures import AgainstSkew
from karat.report.writing import write
from karat.result import Result


@dataclass(frozen=True, slots=True)
class Picture:
    """A result as a picture; a notebook shows it."""

    result: Result

    def save(self, path: str | Path) -> None:
        """Write it to a file, as .svg or .png."""
        forms = {"svg": svg, "png": png}
        ending = str(path).rpartition(".")[2].lower()
        if ending not in forms:
            raise OptionError(f"the form of {path} is unclear; end it with .svg or .png")
        write(path, forms[ending](self.result))

    def _repr_svg_(self) -> str:
        return svg(self.result).decode()


def scores(bench: Asked, *, label_error: float, **options: Any) -> Picture:
    """Return each system's value and its interval."""
    del label_error
    return Picture(bench.score(**options))


def comparisons(bench: Asked, *, label_error: float, **options: Any) -> Picture:
    """Return who is better than whom."""
    del label_error
    return Picture(bench.compare(**options))


def stability(bench: Asked, *, label_error: float, **options: Any) -> Picture:
    """Return what each order survives, and how likely each rank is."""
    return Picture(bench.stability(label_error=label_error, curves=True, **options))


def consensus(bench: Asked, *, label_error: float, measure: str, **options: Any) -> Picture:
    """Return the ranks without truth and with it, and who agrees with whom."""
    del label_error, measure
    return Picture(bench.consensus(draws=0, **options))


def skew(bench: Asked, *, label_error: float, measure: str, **options: Any) -> Picture:
    """Return the areas and the ranks against the class balance, and where two systems change places."""
    del label_error, measure
    return Picture(AgainstSkew(bench.skew(draws=0, **options)))


def cutoffs(bench: Asked, **options: Any) -> Picture:
    """Return precision and recall at each cut-off of the scores, by the truth and without it."""
    del options
    return Picture(bench.consensus_cutoffs())


def depths(bench: Asked, **options: Any) -> Picture:
    """Return precision and recall at each depth of the lists, by the truth and without it."""
    del options
    return Picture(bench.consensus_depths())


def graphs(bench: Asked, **options: Any) -> Picture:
    """Return which labels of graphs are wrong."""
    del options
    ask = getattr(bench, "graph", None)
    if ask is None:
        raise OptionError("a picture of graphs needs folders of label graphs; name them with --graphs")
    return Picture(ask())
