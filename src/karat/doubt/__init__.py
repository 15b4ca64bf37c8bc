"""How sure a number is: bounds and tests on counts, one file per method."""

from karat.index import Index

BOUNDS = Index("doubt", "bound", exact="exact", wilson="wilson", jeffreys="jeffreys")
TESTS = Index(
    "doubt",
    "test",
    exact="two_samples:two_samples",
    mcnemar="mcnemar",
    barnard="barnard",
    boschloo="boschloo",
    bootstrap="joint:joint",
)
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
    two_samples="two_samples",
    mcnemar="mcnemar",
    barnard="barnard",
    boschloo="boschloo",
    tango="tango",
    newcombe="newcombe",
    noninferior="noninferiority",
    holm="holm",
    joint="joint",
    ranks="ranks",
    smallest_increase="planning",
    items_for_pair="planning",
)
