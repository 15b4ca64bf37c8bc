"""How good are systems by what at least one, two, ... annotators marked?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from karat.ask.prevalence_options import open_series
from karat.engine import Engine, OpenedSource
from karat.errors import OptionError
from karat.questions.prevalence import prevalences
from karat.report.signature import about
from karat.tally.scores.annotator_marks import marks
from karat.verdict.prevalence.agreement_levels import LevelQuestion, levels
from karat.verdict.prevalence.agreement_result import AgreementLevels

CLUSTER_NAMES = {"page", "image", "patient", "document", "subject"}
"""What columns of clusters are usually called."""


def agreement_levels(
    path: Any,
    *,
    annotators: Sequence[str] = (),
    marked: Sequence[str] = (),
    systems: Sequence[str],
    cluster: str | None = None,
    level: float = 0.95,
    draws: int | None = None,
    seed: int = 0,
    **where: Any,
) -> AgreementLevels:
    """Return areas, orders and correlations by each level of agreement; `where` as for `Bench.skew`.

    Either `annotators`, a column of marks each, or `marked`: the columns of how many marked an item and how many
    looked. `cluster`: the column of clusters of correlated items.
    """
    fields = prevalences("levels are compared", **where)
    _check(annotators, marked, systems, cluster)
    if not 0 < level < 1:
        raise OptionError(f"--level is {level:g}; it must lie between 0 and 1")
    if draws is not None and draws < 0:
        raise OptionError(f"--draws is {draws}; it is a whole number from 0 up")
    columns = list(marked or annotators)
    engine, opened = open_series(path)
    tallies = marks(engine, opened, columns, systems, counted=bool(marked), cluster=cluster)
    asking = LevelQuestion(
        fields=fields, clustered=cluster is not None, level=level, draws=draws, seed=seed
    )
    digests = [tally.digest() for tally in tallies.values()]
    options = {"levels": ",".join(columns), "systems": ",".join(systems), "level": f"{level:g}"}
    if cluster is not None:
        options["cluster"] = cluster
    if draws is not None:
        options["draws"] = str(draws)
    options["seed"] = str(seed)
    names = [field.name for field in fields]
    beside = about("skew", names, None, options, digests)
    result = levels(columns, tallies, asking)
    remarks = result.remarks
    if cluster is None:
        remarks = (*remarks, *_unnamed_clusters(engine, opened))
    return replace(result, about=beside, remarks=remarks)


def _unnamed_clusters(engine: Engine, opened: OpenedSource) -> list[str]:
    """Return a sentence about a column that looks like one of clusters: of a usual name, the same in several rows."""
    for place, name in enumerate(opened.columns):
        if name.lower() not in CLUSTER_NAMES:
            continue
        found = engine.query(
            f"select count(*) as n, count(distinct c{place}) as different from {opened.name}"
        )
        if int(found["different"][0]) < int(found["n"][0]):
            return [
                f"Items of one {name} may be correlated; --cluster {name} takes that into account."
            ]
    return []


def _check(
    annotators: Sequence[str], marked: Sequence[str], systems: Sequence[str], cluster: str | None
) -> None:
    """Refuse columns that are named twice, or in two ways."""
    columns = {"--annotators": annotators, "--marked": marked, "--systems": systems}
    for name, given in columns.items():
        if len(set(given)) < len(given):
            raise OptionError(f"{name} names a column twice; name each once")
    if bool(annotators) == bool(marked):
        raise OptionError(
            "name the columns of marks with --annotators A,B, or --marked MARKED,LOOKED"
        )
    if marked and len(marked) != 2:
        raise OptionError("--marked takes two columns: how many marked an item, how many looked")
    if cluster in {*annotators, *marked, *systems}:
        raise OptionError(f"--cluster {cluster} is a column of marks or scores; name another")
