"""Pictures of a ranking by name: on a line, as a forest, as heat maps."""

from typing import TYPE_CHECKING

from karat.errors import OptionError
from karat.questions.page_details import page_class_errors
from karat.questions.plot import Picture
from karat.report.ranking_pictures import ConfusionPicture, GroupsPicture, RankingPicture

if TYPE_CHECKING:
    from karat.bench import Bench


def ranking(
    bench: "Bench", *, measure: str = "accuracy", level: float = 0.95, seed: int = 0
) -> Picture:
    """Return the systems on the line of their values, and bars over what is not significantly different."""
    return _ranked("ranking", bench, measure, level, seed)


def forest(
    bench: "Bench", *, measure: str = "accuracy", level: float = 0.95, seed: int = 0
) -> Picture:
    """Return by how much each system is behind the first, with the interval."""
    return _ranked("forest", bench, measure, level, seed)


def ranks(
    bench: "Bench", *, measure: str = "accuracy", level: float = 0.95, seed: int = 0
) -> Picture:
    """Return in which share of the resamples each system has each rank."""
    result = bench.compare(measure=measure, level=level, seed=seed, ranks=True)
    return Picture(RankingPicture(result, "ranks"))


def groups(
    bench: "Bench", *, measure: str = "accuracy", level: float = 0.95, seed: int = 0
) -> Picture:
    """Return the value of each system in each group."""
    return Picture(GroupsPicture(bench.score(measure=measure, per="group", level=level, seed=seed)))


def confusion(bench: "Bench", *, level: float = 0.95) -> Picture:
    """Return which label the system with the most right answers takes for which."""
    best = str(bench.score(measure="accuracy", level=level).rows()[0]["system"])
    found = page_class_errors(bench.counter, (best,), level=level)
    if not found:
        raise OptionError(
            "a picture of confusions needs one true label an item, each counting once; leave --weight, --error and "
            "--truth-sep out"
        )
    return Picture(ConfusionPicture(found[0]))


def _ranked(form: str, bench: "Bench", measure: str, level: float, seed: int) -> Picture:
    result = bench.compare(measure=measure, level=level, seed=seed, ranks=False)
    return Picture(RankingPicture(result, form))
