"""Lines taken apart at once are those that splitting gives; what is not regular is left to others."""

import random

import pytest

from karat.source.retrieval.regular_lines import regular_lines

WHERE = {"width": 6, "document": 2, "value": 4, "run_name": 5}


def line(query, document, score, *, between=" ", run="r"):
    return between.join([query, "Q0", document, "1", score, run]) + "\n"


@pytest.mark.parametrize("between", [" ", "\t"])
def test_cells_are_those_of_split(between):
    draw = random.Random(1)  # noqa: S311 (a seeded example)
    lines = []
    for _ in range(500):
        query = draw.choice(["1", "12", "13", "301"])
        score = draw.choice([repr(draw.gauss(0, 1e6)), "1e-300", "-0", "3.", ".5", "7"])
        lines.append(line(query, f"d{draw.randint(0, 10**6)}", score, between=between))
    found = regular_lines("".join(lines).encode(), **WHERE)
    cells = [one.split() for one in lines]
    assert found.query.tolist() == [one[0] for one in cells]
    assert found.names == [f"{one[0]} {one[2]}" for one in cells]
    assert found.value.tolist() == [float(one[4]) for one in cells]
    assert found.run_name == "r"


GOOD = line("1", "a", "0.5")


@pytest.mark.parametrize(
    "text",
    [
        GOOD + line("1", "b", "0.4", between="  "),
        GOOD + "1 Q0 b 2 0.4\n",
        GOOD + "1 Q0 b 2 0.4 r more\n",
        GOOD + "\n" + GOOD,
        GOOD + line("1", "b", "high"),
        GOOD + line("1", "b", "0x10"),
        GOOD + line("1", "b", "0.4", run="other"),
        GOOD + line("1", "é", "0.4"),
        GOOD + line("1", "b", "0.4").replace("\n", "\r\n"),
        GOOD + "1 Q0 b 2 0.4 r",
        " " + GOOD,
    ],
)
def test_what_is_not_regular_is_left_to_others(text):
    assert regular_lines(text.encode(), **WHERE) is None


def test_qrels_have_no_name_of_a_run():
    found = regular_lines(b"1 0 a 2\n1 0 b 0\n", width=4, document=2, value=3, run_name=None)
    assert (found.names, found.value.tolist(), found.run_name) == (["1 a", "1 b"], [2.0, 0.0], "")
