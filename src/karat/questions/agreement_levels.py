"""How good are systems by what at least one, two, ... annotators marked?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from karat.ask.prevalence import DeploymentPrevalence
from karat.ask.prevalence_options import open_series
from karat.engine import ENGINES, Engine, OpenedSource
from karat.errors import OptionError
from karat.questions.prevalence import prevalences
from karat.report.signature import about
from karat.source.recognise import recognise
from karat.tally.scores.annotator_marks import Marks, marks
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
    deployments = prevalences("levels are compared", **where)
    _check(annotators, marked, systems, cluster)
    _check_numbers(level, draws)
    columns = list(marked or annotators)
    engine, opened = open_series(path)
    tallies = marks(engine, opened, columns, systems, counted=bool(marked), cluster=cluster)
    result = _levels_of(
        tallies, columns, deployments, cluster=cluster, level=level, draws=draws, seed=seed
    )
    if cluster is None:
        remarks = (*result.remarks, *_unnamed_clusters(engine, opened))
        result = replace(result, remarks=remarks)
    return result


def agreement_in_images(
    paths: Sequence[str],
    *,
    using: Mapping[str, str] | None = None,
    systems: Sequence[str] | None = None,
    lenient: bool = False,
    level: float = 0.95,
    draws: int | None = None,
    seed: int = 0,
    **where: Any,
) -> AgreementLevels:
    """Return the same of masks of several annotators and score maps: TRUTH SYSTEM..., folders of images.

    `using` holds the options of the source `pixels`. Images are clusters.
    """
    deployments = prevalences("levels are compared", **where)
    _check_numbers(level, draws)
    chosen = {**(using or {}), "at_least": "levels"}
    context = {"systems": systems, "lenient": lenient}
    source = recognise(list(paths), format="pixels", using=chosen, context=context)
    engine: Engine = ENGINES["duckdb"](paths=source.paths)
    columns = list(source.roles["marked"])
    names = list(source.roles["systems"])
    image = source.roles["group"]
    tallies = marks(
        engine,
        engine.open(source),
        columns,
        names,
        counted=True,
        cluster=image,
        count=source.roles["count"],
    )
    options = {"source": source.roles["source"]}
    result = _levels_of(
        tallies,
        columns,
        deployments,
        cluster=image,
        level=level,
        draws=draws,
        seed=seed,
        options=options,
    )
    return replace(result, remarks=(*result.remarks, *source.notes))


def _levels_of(
    tallies: Mapping[str, Marks],
    columns: Sequence[str],
    deployments: Sequence[DeploymentPrevalence],
    *,
    cluster: str | None,
    level: float,
    draws: int | None,
    seed: int,
    options: Mapping[str, str] | None = None,
) -> AgreementLevels:
    """Return the levels of what was counted, signed."""
    question = LevelQuestion(
        deployments=tuple(deployments),
        clustered=cluster is not None,
        level=level,
        draws=draws,
        seed=seed,
    )
    signed = {"levels": ",".join(columns), "systems": ",".join(tallies), "level": f"{level:g}"}
    if cluster is not None:
        signed["cluster"] = cluster
    if draws is not None:
        signed["draws"] = str(draws)
    signed["seed"] = str(seed)
    signed |= options or {}
    digests = [tally.digest() for tally in tallies.values()]
    names = [deployment.name for deployment in deployments]
    header = about("skew", names, None, signed, digests)
    return replace(levels(columns, tallies, question), about=header)


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


def _check_numbers(level: float, draws: int | None) -> None:
    if not 0 < level < 1:
        raise OptionError(f"--level is {level:g}; it must be between 0 and 1")
    if draws is not None and draws < 0:
        raise OptionError(f"--draws is {draws}; it is a whole number from 0 up")


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
