"""Docstrings for mkdocstrings: the question as text, the rest as it is printed in the source.

A formula such as `#(A and B) / #B` and an example with `>>>` would read as headings and quotations in Markdown.
"""

from typing import Any

import griffe


class Verbatim(griffe.Extension):
    """Keeps formulas, references and examples line by line."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Put everything below the first paragraph into a block."""
        if obj.docstring:
            question, _, rest = obj.docstring.value.partition("\n\n")
            obj.docstring.value = (
                f"{question}\n\n```text\n{rest.rstrip()}\n```" if rest.strip() else question
            )
