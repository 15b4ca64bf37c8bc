"""The reference has every public name, and its docstrings are rendered as what they are."""

import re
import sys
from pathlib import Path

import pytest

import karat
import karat.graphs

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "reference").glob("*.md"))


def documented() -> set[str]:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    return set(re.findall(r"^::: (\S+)$", text, re.MULTILINE))


def test_every_public_name_has_its_place():
    tables = {name for name in karat.__all__ if not name.startswith("_")}
    # Indexes, in capitals, are for those who add to them; CONTRIBUTING shows them.
    graphs = {name for name in karat.graphs.__all__ if not name.isupper()}
    public = {f"karat.{name}" for name in tables - graphs}
    public |= {f"karat.graphs.{name}" for name in graphs}
    assert public - documented() == set()


def test_every_question_of_a_bench_is_shown():
    page = (ROOT / "docs" / "reference" / "questions.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"^        - (\w+)$", page, re.MULTILINE))
    # These hand counts to the questions; nobody needs them to ask one.
    inner = {"at", "without_judge", "facts"}
    public = {name for name in vars(karat.Bench) if not name.startswith("_")}
    assert shown == public - inner


@pytest.fixture
def docstrings(monkeypatch):
    pytest.importorskip("griffe")
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    yield __import__("docstrings")
    del sys.modules["docstrings"]


def rendered(docstrings, source: str) -> str:
    """The docstring of the function `f` of some source, as Markdown."""
    import griffe

    with griffe.temporary_visited_module(source) as module:
        function = module["f"]
        return docstrings.as_markdown(function.docstring.value, function.parameters)


def test_keywords_are_a_list_with_types_and_defaults(docstrings):
    source = '''
def f(items, *, level: float = 0.95, seed: int = 0):
    """How many?

    level, seed: the level, and what the draws are made from; a word
        or a number.
    other: no keyword of this function.
    """
'''
    lines = rendered(docstrings, source).splitlines()
    assert (
        "- **level** `float = 0.95`, **seed** `int = 0`: the level, and what the draws are made from; a word"
        in lines
    )
    assert "other: no keyword of this function." in lines


def test_arithmetic_is_no_markup_and_an_example_is_code(docstrings):
    source = '''
def f(a):
    """What is a * b, if a < b?

    It is `a * b` of #a and a_b.
    Reference: Wilson, JASA 22, 1927. doi:10.1080/01621459.1927.10502953
    >>> f(1) * 2
    2
    """
'''
    text = rendered(docstrings, source)
    assert r"What is a \* b, if a &lt; b?" in text
    assert r"It is `a * b` of \#a and a_b." in text
    assert (
        "[doi:10.1080/01621459.1927.10502953](https://doi.org/10.1080/01621459.1927.10502953)"
        in text
    )
    assert text.endswith("```python\n>>> f(1) * 2\n2\n```")
