"""Data in memory that is no frame: data sets of Hugging Face, tensors of PyTorch.

Neither package need be installed. The stand-ins have what karat calls, under the names that the packages document:
`Dataset.with_format("arrow")[:]` is an Arrow table, a tensor has `detach`, `cpu`, `float`, `numpy` and `item`.
"""

import importlib.util

import numpy as np
import pytest

import karat
from karat.errors import InputError

pyarrow = pytest.importorskip("pyarrow")
COLUMNS = {"item": ["p", "q", "r"], "truth": ["x", "y", "x"], "a": ["x", "y", "y"]}


class Dataset:
    """Rows in the order of indices, as `select` and `shuffle` leave them."""

    def __init__(self, columns, indices=None, kind=None):
        self.table = pyarrow.table(columns)
        self.indices = list(range(self.table.num_rows)) if indices is None else indices
        self.kind = kind

    @property
    def column_names(self):
        return self.table.column_names

    def __len__(self):
        return len(self.indices)

    def with_format(self, kind):
        return Dataset(
            dict(zip(self.column_names, self.table.columns, strict=True)), self.indices, kind
        )

    def __getitem__(self, rows):
        assert self.kind == "arrow", "only the documented form is asked for"
        return self.table.take(self.indices[rows])


class IterableDataset:
    """Rows that stream: no length."""

    column_names = tuple(COLUMNS)

    def with_format(self, kind):
        raise AssertionError(kind)

    def __getitem__(self, name):
        raise AssertionError(name)


class Tensor:
    """Numbers that NumPy must not read as they are: on another device, with gradients, or of half precision."""

    def __init__(self, values, dtype="torch.float32", *, ready=False):
        self.values = np.asarray(values)
        self.dtype = dtype
        self.ready = ready

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return (Tensor(value, self.dtype) for value in self.values)

    def detach(self):
        return Tensor(self.values, self.dtype)

    def cpu(self):
        return Tensor(self.values, self.dtype, ready=True)

    def float(self):
        return Tensor(self.values, "torch.float32", ready=self.ready)

    def item(self):
        return self.values.item()

    def numpy(self):
        if not self.ready or self.dtype == "torch.bfloat16":
            raise TypeError("as PyTorch says where it cannot")
        return self.values

    def __array__(self, *_, **__):
        raise RuntimeError("as PyTorch says of a tensor with gradients")


@pytest.fixture(autouse=True)
def named_as_the_packages_are(monkeypatch):
    for kind in (Dataset, IterableDataset):
        monkeypatch.setattr(kind, "__module__", "datasets.arrow_dataset")
    monkeypatch.setattr(Tensor, "__module__", "torch")


def right(bench):
    return {row["system"]: row["successes"] for row in bench.score(measure="accuracy").rows()}


def test_a_dataset_is_a_table_in_the_order_of_its_rows():
    assert right(karat.read(Dataset(COLUMNS))) == {"a": 2}
    some = karat.read(Dataset(COLUMNS, [2, 0]))
    assert some.facts.counts.items == 2
    assert right(some) == {"a": 1}
    assert "the dataset" in repr(some)


def test_splits_and_streams_are_refused_in_words():
    with pytest.raises(
        InputError, match=r"the splits 'train', 'test'; give one, as data\['train'\]"
    ):
        karat.read({"train": Dataset(COLUMNS), "test": Dataset(COLUMNS)})
    with pytest.raises(InputError, match=r"IterableDataset: .* without streaming=True"):
        karat.read(IterableDataset())


@pytest.mark.parametrize("dtype", ["torch.int64", "torch.bfloat16"])
def test_tensors_are_columns(dtype):
    truth = Tensor([1, 0, 1], dtype)
    bench = karat.read({"truth": truth, "a": Tensor([1, 0, 0], dtype), "b": [1, 1, 1]})
    assert right(bench) == {"a": 2, "b": 2}


def test_tensors_are_predictions():
    logits = Tensor([[0.1, 0.9], [0.8, 0.2], [0.7, 0.3]])
    bench = karat.from_predictions(Tensor([1, 0, 1]), {"net": logits})
    assert right(bench) == {"net": 2}
    labels = karat.from_predictions(Tensor([1, 0, 1]), {"net": Tensor([1, 0, 0])})
    assert right(labels) == {"net": 2}


def test_a_list_of_tensors_is_a_list_of_numbers():
    bench = karat.read({"truth": list(Tensor([1, 0, 1])), "a": [1, 0, 0]})
    assert right(bench) == {"a": 2}


@pytest.mark.skipif(importlib.util.find_spec("datasets") is None, reason="needs datasets")
def test_a_real_dataset():
    from datasets import Dataset as Real

    real = Real.from_dict(COLUMNS)
    assert right(karat.read(real)) == {"a": 2}
    assert right(karat.read(real.select([2, 0]))) == {"a": 1}
    with pytest.raises(InputError, match="without streaming=True"):
        karat.read(real.to_iterable_dataset())
    assert right(karat.from_predictions(real["truth"], {"a": real["a"]})) == {"a": 2}


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch")
def test_real_tensors():
    import torch

    scores = torch.tensor([0.9, 0.1, 0.2], requires_grad=True)
    bench = karat.read({"truth": torch.tensor([1, 0, 1]), "a": scores})
    (row,) = bench.score(measure="accuracy", threshold=0.5).rows()
    assert row["successes"] == 2
    halves = torch.tensor([1.0, 0.0, 0.0], dtype=torch.bfloat16)
    assert right(karat.from_predictions(torch.tensor([1, 0, 1]), {"a": halves})) == {"a": 2}
