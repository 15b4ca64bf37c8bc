"""Small parts and what is read in their place: by canonical form, the same in whatever order."""

from itertools import permutations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from karat.graphs.compare.comparison import prepare
from karat.graphs.compare.rules import Rules
from karat.graphs.errors.browser import examples
from karat.graphs.errors.subgraph_counts import subgraphs
from karat.graphs.errors.subgraphs import Shape, canonical, confused, parts
from karat.graphs.formats.folder import of_graphs
from karat.graphs.formats.label_graph import parse
from support.perturbed import expression, misread

TRUTH = "O, a, 2, 1.0, s1\nO, b, +, 1.0, s2, s3\nO, c, 2, 1.0, s4\nR, a, b, Right, 1.0\nR, b, c, Right, 1.0"


def ready(text):
    return prepare(parse(text).graph, Rules())


def found(output, truth=TRUTH, size=1):
    return [
        (one.words(), other.words()) for one, other in confused(ready(output), ready(truth), size)
    ]


def shape_of(seed):
    chance = Random(seed)  # noqa: S311 (no secret)
    size, share = chance.randint(0, 5), chance.random()
    edges = {
        ends: chance.choice(("R", "Sup"))
        for ends in permutations(range(size), 2)
        if chance.random() < share
    }
    return [chance.choice("xy") for _ in range(size)], edges


shapes = st.integers(0, 2**32).map(shape_of)


@given(shapes)
def test_a_shape_is_the_same_in_whatever_order_its_objects_come(shape):
    labels, edges = shape
    seen = set()
    for order in permutations(range(len(labels))):
        place = {old: new for new, old in enumerate(order)}
        moved = {(place[a], place[b]): label for (a, b), label in edges.items()}
        seen.add(canonical([labels[old] for old in order], moved))
    assert len(seen) == 1


@given(shapes, shapes)
def test_two_shapes_are_equal_only_if_one_is_the_other_in_another_order(first, second):
    same = canonical(*first) == canonical(*second)
    labels, edges = first
    orders = permutations(range(len(labels)))
    moved = any(
        [labels[old] for old in order] == second[0]
        and {(order.index(a), order.index(b)): label for (a, b), label in edges.items()}
        == second[1]
        for order in orders
    )
    assert same == moved


def test_many_alike_are_no_burden():
    assert canonical(["x"] * 40, {}) == Shape(("x",) * 40)


def test_a_right_output_has_no_confusion():
    assert found(TRUTH) == found(TRUTH, size=2) == found(TRUTH, size=3) == []


def test_a_wrong_class_a_split_a_merge_and_an_absence_are_told_apart():
    assert found(TRUTH.replace("O, c, 2", "O, c, z")) == [("2", "z")]
    split = "O, a, 2, 1.0, s1\nO, b, -, 1.0, s2\nO, d, 1, 1.0, s3\nO, c, 2, 1.0, s4\nR, a, b, Right, 1.0"
    assert found(split) == [("+", "-, 1")]
    assert found("O, a, H, 1.0, s1, s2, s3\nO, c, 2, 1.0, s4") == [("2", "H…"), ("+", "H…")]
    assert found("O, a, H, 1.0, s1, s2, s3\nO, c, 2, 1.0, s4", size=2) == [
        ("2 Right→ +", "H"),
        ("+ Right→ 2", "2, H…"),
    ]
    assert found("O, a, 2, 1.0, s1\nO, b, +, 1.0, s2, s3\nR, a, b, Right, 1.0") == [("2", "∅")]
    assert found("O, a, 2, 1.0, s1\nO, b, +, 1.0, s2\nO, c, 2, 1.0, s4") == [("+", "+, ∅")]
    assert found(TRUTH + "\nN, s9, k") == [("∅", "k")]


def test_a_wrong_relation_shows_in_parts_of_two():
    wrong = TRUTH.replace("R, b, c, Right", "R, b, c, Sup")
    assert found(wrong) == []
    assert found(wrong, size=2) == [("+ Right→ 2", "+ Sup→ 2")]
    assert found(wrong, size=3) == [("2#1 Right→ + Right→ 2#2", "2#1 Right→ + Sup→ 2#2")]


def test_words_show_every_object_and_relation_once():
    star = canonical(["a", "b", "c", "d"], {(0, 1): "R", (0, 2): "Sup"})
    assert star.words() == "a R→ b, a Sup→ c, d"
    assert canonical(["a", "b"], {(0, 1): "R", (1, 0): "R"}).words() == "a R→ b R→ a"
    assert canonical(["x", "x"], {}).words() == "x, x"


def test_parts_hang_together_by_relations_that_are_not_inherited():
    closed = TRUTH + "\nR, a, c, Right, 1.0"
    for text in (TRUTH, closed):
        assert [len(parts(ready(text).segments, size)) for size in (1, 2, 3, 4)] == [3, 2, 1, 0]


def sets(number=30):
    truth = {f"e{seed}": expression(seed) for seed in range(number)}
    system = {name: misread(one, "a") for name, one in truth.items()}
    return of_graphs("truth", truth), of_graphs("a", system)


def test_tallies_of_parts_add():
    truth, system = sets()
    halves = []
    for keep in (0, 1):
        some = {
            name: one for place, (name, one) in enumerate(truth.graphs.items()) if place % 2 == keep
        }
        halves.append(subgraphs(of_graphs("truth", some), [system], Rules()))
    whole, both = subgraphs(truth, [system], Rules()), halves[0] + halves[1]
    assert both.found == whole.found
    assert both.ordered() == whole.ordered()


def test_every_confusion_has_its_turn_among_the_examples():
    truth, system = sets()
    tally = subgraphs(truth, [system], Rules(), sizes=(1,))
    wrong = {file for files in tally.found.values() for file in files}
    chosen, rest = examples(tally, truth, [system], most=10)
    assert (len(chosen), rest) == (10, len(wrong) - 10)
    most = max(
        tally.found, key=lambda key: (tally.number(key), [-ord(letter) for letter in str(key)])
    )
    assert {one.file for one in chosen} & set(tally.found[most])
    every, none = examples(tally, truth, [system])
    assert ({one.file for one in every}, none) == (wrong, 0)
    assert examples(tally, truth, [system], most=10) == (chosen, rest)
