"""What every stage hands to people: rows that show themselves as text, JSON, CSV, Markdown, LaTeX, HTML and frames."""

from karat.result.base import Result

__all__ = ["Result"]
