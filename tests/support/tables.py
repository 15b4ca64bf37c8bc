"""Small tables of answers, and what is read from a table in one word."""

import karat

PETS = ["cat", "dog", "cat", "bird"]
WRONG = ["dog", "dog", "cat", "cat"]
LONG = {
    "item": [1, 2, 1],
    "system": ["a", "a", "b"],
    "answer": ["x", "y", "x"],
    "truth": ["x", "x", "x"],
}


def right(data, **options):
    """How many of how many items each system answered right."""
    rows = karat.read(data, **options).score(measure="accuracy").rows()
    return {row["system"]: (row["successes"], row["trials"]) for row in rows}


def facts(data, **options):
    return karat.read(data, **options).facts


def value(data, measure, **options):
    return karat.read(data, **options).score(measure=measure).rows()[0]["value"]


def left_out(data, **options):
    return {use.column: use.why for use in facts(data, **options).uses if use.role == "left out"}


def roles(data, **options):
    return {use.role: use.column for use in facts(data, **options).uses if use.role != "system"}
