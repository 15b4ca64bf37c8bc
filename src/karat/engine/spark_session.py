"""Spark sessions: the one that runs or a new one, and a private twin of it for each table."""

import os
import re
import shutil
import sys
import threading
import warnings
from collections.abc import Mapping
from typing import Any

from karat.errors import InputError

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",  # an error reaches the user once, as a message, not also as a page of Java
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",  # "A" and "a" are two columns
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}
LOCAL = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": str(os.cpu_count() or 1),
}
WORKERS = "Traceback (most recent call last)"
NO_PYTHON = re.compile(r'Cannot run program "(.+?)"')
JAVA = "Spark needs a Java runtime: install Java 17 (apt install openjdk-17-jre-headless) or set JAVA_HOME"


def check_installed() -> None:
    """Refuse to begin without PySpark and PyArrow."""
    try:
        import pyarrow  # noqa: F401, ICN001, PLC0415
        import pyspark  # noqa: F401, PLC0415
    except ImportError:
        raise InputError(
            "the engine spark needs PySpark and PyArrow: pip install pyspark pyarrow"
        ) from None


def running(master: str | None) -> Any:
    """Return the session that is there, or a new one."""
    with warnings.catch_warnings():
        # Spark's warning about pandas does not concern karat, which hands it Arrow.
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        from pyspark.sql import SparkSession  # noqa: PLC0415 (optional)

        active = SparkSession.getActiveSession()
        if active is None:
            return _started(SparkSession.builder, master or "local[*]")
        return _of_master(active, master)


def _started(builder: Any, place: str) -> Any:
    from pyspark.errors import PySparkException  # noqa: PLC0415 (optional)

    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise InputError(JAVA)
    settings = SETTINGS
    if place.startswith("local"):
        settings = SETTINGS | LOCAL
    try:
        session = builder.master(place).appName("karat").config(map=settings).getOrCreate()
    except PySparkException as error:
        raise InputError(
            f"Spark does not start at {place!r}: {reason(str(error))}. {JAVA}"
        ) from None
    if place.startswith("local") and "PYSPARK_PYTHON" not in os.environ:
        # Else workers on this machine run whatever python3 comes first, which may not have karat.
        session.sparkContext.pythonExec = sys.executable
    return session


def _of_master(session: Any, master: str | None) -> Any:
    place = session.conf.get("spark.master", "")
    if master and master != place:
        raise InputError(
            f"Spark runs at {place!r} already, not at {master!r}; stop it first, or leave out --master"
        )
    return session


def twin(session: Any) -> Any:
    """Return a session on the same cluster and with the same settings, but with no views."""
    new = session.newSession()
    for setting, value in session.conf.getAll.items():
        if new.conf.get(setting, None) != value:
            new.conf.set(setting, value)
    # Spread over hundreds of parts, a few kept rows would cost every query hundreds of tasks.
    new.conf.set("spark.sql.optimizer.canChangeCachedPlanOutputPartitioning", "true")
    return new


def release_in_background(frames: Mapping[str, Any]) -> None:
    """Free kept rows in a thread of its own: this may be called in the middle of a call to Java."""
    if frames:
        threading.Thread(target=release, args=(frames,), daemon=True).start()


def release(frames: Mapping[str, Any]) -> None:
    """Free kept rows."""
    from py4j.protocol import Py4JError  # noqa: PLC0415 (optional)

    for frame in frames.values():
        try:
            frame.unpersist()
        except (Py4JError, OSError):
            return  # Spark has stopped, and all rows with it


def reason(text: str) -> str:
    """Return the innermost cause of an error of Java, or of a worker's Python, in one line."""
    if WORKERS in text:
        return text.strip().splitlines()[-1]  # of a traceback: the error itself
    if no_python := NO_PYTHON.search(text):
        return f"they find no {no_python[1]}; PYSPARK_PYTHON is the path of a Python that has karat, on every worker"
    causes = re.findall(r"^Caused by: [\w.$]+: (.+)$", text, re.MULTILINE)
    if causes:
        return str(causes[-1])
    lines = text.splitlines()
    reports = [line for line in lines if not line.startswith("An error occurred while calling")]
    return reports[0].lstrip(": ")
