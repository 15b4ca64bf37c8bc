"""What leaves karat: results with what they rest on, written whole or not at all."""

from karat.index import Index

FORMATS = Index(
    "report",
    "format",
    "formats",
    text="formats",
    json="formats",
    csv="formats",
    md="formats",
    latex="formats",
    svg="pictures",
    png="pictures",
)
DOCUMENTS = Index(
    "report",
    "document",
    "documents",
    html="documents",
    md="documents",
    json="documents",
    pdf="documents",
)
"""The forms of a whole report."""
