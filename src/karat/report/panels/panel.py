"""What a panel is: the answer to one question, present only where the data allows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from karat.result.base import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One section of a report."""

    name: str
    """A short word without spaces, by which the page refers to it."""
    title: str
    """The user's question."""
    html: str
    """The body for the page; safe, as `karat.report.page.markup` makes it."""
    text: Sequence[str] = ()
    """The same in sentences, for Markdown."""
    tables: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    """The numbers behind it, a table under each heading, for Markdown."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What the page's script needs of it, as plain values."""
