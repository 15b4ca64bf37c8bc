"""Where the systems will be used: the options of every question about other prevalences, and the files they name."""

from collections.abc import Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.prevalence import (
    Columns,
    DeploymentPrevalence,
    at_prevalence,
    on_trajectory,
    over_range,
    prevalence_of,
)
from karat.engine import ENGINES, Engine, OpenedSource
from karat.errors import OptionError
from karat.measure.prevalence import DEFAULT_PRIOR
from karat.source.recognise import is_file, recognise
from karat.table.series import series, texts

Place = float | str | Path
"""A prevalence, several of them with commas, a range as LOW..HIGH, or a file of scores."""


def read_series(path: str | Path, *names: str) -> Columns:
    """Read columns of numbers: a prevalence over time, the weights of prevalences, or unlabelled scores."""
    engine, relation = open_series(path)
    return series(engine, relation, names)


def read_names(path: str | Path, name: str) -> npt.NDArray[np.str_] | None:
    """Read a column as texts; None if there is no such column."""
    engine, relation = open_series(path)
    return texts(engine, relation, name)


def open_series(path: Any) -> tuple[Engine, OpenedSource]:
    """Open columns of numbers, without reading them."""
    source = recognise(path)
    engine: Engine = ENGINES["duckdb"](paths=source.paths)
    return engine, engine.open(source)


def deployment_prevalences(
    *,
    to: Place | Sequence[Place] = (),
    low: float | str | None = None,
    high: float | str | None = None,
    prior: str | Columns = DEFAULT_PRIOR,
    trajectory: Any = None,
    time: float | Sequence[float | None] | None = None,
) -> tuple[tuple[DeploymentPrevalence, ...], list[str]]:
    """Return the deployment prevalences that were named, and the files of scores among them.

    Only files of a prior or of a trajectory are read here; everything else is a function of the options.
    """
    places, files = _places_and_files(to)
    deployments = [_named(place) for place in places]
    if (low is None) != (high is None):
        raise OptionError("a range of prevalences has two ends; say --low and --high")
    if low is not None and high is not None:
        weights = _prior_columns(prior)
        deployments.append(over_range(prevalence_of(low), prevalence_of(high), prior=weights))
    elif not isinstance(prior, str) or prior != DEFAULT_PRIOR:
        raise OptionError("--prior weighs the prevalences of a range; say --low and --high")
    if trajectory is not None:
        course = _trajectory_columns(trajectory)
        times = time if isinstance(time, Sequence) else [time]
        deployments += [on_trajectory(course, time=each) for each in times]
    elif time is not None:
        raise OptionError("--time is how long a trajectory lasts; say --trajectory")
    return tuple(deployments), files


def _places_and_files(to: Place | Sequence[Place]) -> tuple[list[float | str], list[str]]:
    """Return prevalences one by one, and apart from them the file of scores."""
    given = [to] if isinstance(to, float | int | Real | str | Path) else list(to)
    places: list[float | str] = []
    files = []
    for each in given:
        text = str(each) if isinstance(each, Path) else each
        # A file's name may hold a comma, so a file is looked for before the text is split.
        if isinstance(text, str) and is_file(text):
            files.append(text)
        elif isinstance(text, str):
            places += [part for part in text.split(",") if part.strip()]
        else:
            places.append(text)
    if given and not places and not files:
        raise OptionError("--to names no prevalence; write one, as 0.01")
    if len(files) > 1:
        raise OptionError(
            f"one file of scores without labels at a time; there are {len(files)}, first {files[0]}"
        )
    return places, files


def _named(place: float | str) -> DeploymentPrevalence:
    """Return the deployment that is written as a prevalence, or as a range of them: LOW..HIGH."""
    low, dots, high = str(place).partition("..")
    if dots:
        return over_range(prevalence_of(low), prevalence_of(high))
    return at_prevalence(prevalence_of(place))


def _prior_columns(prior: str | Columns) -> str | Columns:
    """Return the weights of a prior that is a file; any other as it is."""
    if isinstance(prior, str) and is_file(prior):
        return read_series(prior, "skew", "weight")
    return prior


def _trajectory_columns(trajectory: Any) -> Any:
    """Return the times and prevalences of a trajectory that is a file; any other as it is."""
    is_text = isinstance(trajectory, str)
    if isinstance(trajectory, Path) or (is_text and is_file(trajectory)):
        return read_series(trajectory, "time", "skew")
    return trajectory
