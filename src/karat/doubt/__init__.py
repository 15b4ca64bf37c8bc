"""How sure a number is: bounds and tests on counts, one file per method."""

from karat.index import Index

BOUNDS = Index("doubt", "bound", exact="exact", wilson="wilson", jeffreys="jeffreys")
DOUBTS = Index(
    "doubt",
    exact="exact",
    wilson="wilson",
    jeffreys="jeffreys",
    dirichlet="dirichlet",
    delta="delta",
    bootstrap="bootstrap",
    delong="curves",
    redrawn="curves",
)
