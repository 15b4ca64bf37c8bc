"""A score that is not a number is refused, also where a Parquet file's statistics hide it."""

import pytest

import karat
from karat.errors import InputError

pa = pytest.importorskip("pyarrow")


def test_nan_in_parquet_is_refused_as_it_is_in_a_text_file(tmp_path):
    import pyarrow.parquet as pq

    path = tmp_path / "scores.parquet"
    pq.write_table(pa.table({"truth": [1, 0, 1, 0], "a": [float("nan"), 0.2, 0.9, 0.5]}), path)
    with pytest.raises(InputError, match="is not a number"):
        karat.read(path)
