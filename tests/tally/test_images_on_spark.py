"""Images counted by Spark's workers give the counts of this process, and faults in the same words."""

import shutil
from importlib.util import find_spec

import numpy as np
import pytest

import karat

Image = pytest.importorskip("PIL.Image")
pytestmark = [
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
    pytest.mark.skipif(
        not (find_spec("pyspark") and shutil.which("java")),
        reason="no Spark here: pip install pyspark pyarrow, and install a Java 17 runtime",
    ),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.usefixtures("spark_session"),
]


@pytest.fixture
def folders(tmp_path):
    random = np.random.default_rng(6)
    for number in range(40):
        truth = random.random((11, 8)) < 0.3
        score = (150 * truth + 100 * random.random(truth.shape)).astype(np.uint8)
        for name, values in {
            "truth": np.where(truth, 255, 0).astype(np.uint8),
            "net": score,
        }.items():
            (tmp_path / name).mkdir(exist_ok=True)
            Image.fromarray(values).save(tmp_path / name / f"{number:02d}.png")
    return [str(tmp_path / "truth"), str(tmp_path / "net")]


@pytest.mark.parametrize(
    "using", [{}, {"threshold": "120"}, {"threshold": "120", "unit": "object"}]
)
def test_counts_are_those_of_this_process(folders, using):
    here, there = (karat.read(folders, using=using, engine=name) for name in ("duckdb", "spark"))
    assert here.facts.counts == there.facts.counts
    assert here.score().to_json() == there.score().to_json()


def test_what_is_wrong_in_a_file_is_said_as_here(folders):
    path = f"{folders[1]}/07.png"
    with Image.open(path) as image:
        image.crop((0, 0, 5, 5)).save(path)
    said = []
    for engine in ("duckdb", "spark"):
        with pytest.raises(karat.KaratError) as error:
            karat.read(folders, engine=engine)
        said.append(str(error.value))
    assert said[0] == said[1]
    assert "07.png is 5 pixels wide" in said[0]
