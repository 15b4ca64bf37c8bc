"""The one table: which column plays which part, what kind of answers it holds, and what is wrong with it.

What the options of reading are (`options`), which columns play which part (`roles`), what they hold (`kinds`),
how wide and long files become the rows that are counted (`layout`), what is checked (`checks`), and how a stored
value becomes a label (`labels`).
"""

from karat.index import Index

KINDS = Index(
    "table", "kind", "kinds", yesno="kinds", label="kinds", score="kinds", distribution="kinds"
)
