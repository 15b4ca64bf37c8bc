"""Labels that were checked again: what a check says of all labels, and what that does to an order."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from scipy.stats import beta, dirichlet

import karat
from karat.ask.checked_labels import of_checked, of_shares
from karat.bench import read_checked
from karat.doubt.label_noise.simulated_scores import scores_under_label_noise
from karat.errors import OptionError, UnknownNameError
from karat.measure.quantity import Quantity
from karat.tally.votes.patterns import patterns

LABELS = ("x", "y", "z")
TENTHS = {"x": {"x": 7, "y": 2, "z": 1}, "y": {"y": 6, "x": 1, "q": 3}, "z": {"z": 9, "y": 1}}
"""P(true | given) in tenths; nobody says q."""
TABLE = {
    "truth": ["x", "y", "z", "x", "y", "x"],
    "a": ["x", "y", "z", "x", "x", "z"],
    "b": ["x", "x", "z", "y", None, "x"],
    "c": [None, "y", "x", "z", "y", "y"],
}
DRAWS = 20_000
WITHIN = 5 * 0.5 / DRAWS**0.5


def drawn(classes, items=60, seed=1):
    random = np.random.default_rng(seed)
    truth = random.integers(0, classes, items)
    table = {"truth": [f"c{code}" for code in truth]}
    for name, accuracy in (("a", 0.8), ("b", 0.7)):
        wrong = (truth + random.integers(1, classes, items)) % classes
        table[name] = [
            f"c{code}" for code in np.where(random.random(items) < accuracy, truth, wrong)
        ]
    return table


def shares(labels, tenths):
    return of_shares(
        labels, [[tenths.get(given, {}).get(true, 0) / 10 for true in labels] for given in labels]
    )


def hits(true, answers):
    return sum(label == answer for label, answer in zip(true, answers, strict=True))


def enumerated(table, first, second, tenths, value=hits):
    """P(first strictly better, tie, worse) over every true labelling, each weighed by its probability."""
    chances = [Fraction(0)] * 3
    for labelling in product(*(tenths[given].items() for given in table["truth"])):
        true, shares = zip(*labelling, strict=True)
        lead = value(true, table[first]) - value(true, table[second])
        chances[0 if lead > 0 else 1 if lead == 0 else 2] += prod(
            Fraction(share, 10) for share in shares
        )
    assert sum(chances) == 1
    return [float(chance) for chance in chances]


def law(row):
    return row["kept"], row["tie"], row["reversed"]


def test_a_matrix_that_moves_to_all_others_alike_is_one_share_of_wrong_labels():
    bench, labels = karat.read(drawn(3)), ("c0", "c1", "c2")
    alike = shares(
        labels, {given: {true: 8 if given == true else 1 for true in labels} for given in labels}
    )
    one, other = (bench.stability(label_error=said).rows()[0] for said in (0.2, alike))
    assert (one["model"], other["model"]) == ("uniform", "matrix")
    assert law(other) == pytest.approx(law(one), abs=1e-12)


@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("a", "c"), ("b", "c")])
def test_a_pair_has_the_law_of_all_labellings_with_labels_nobody_says_and_answers_nobody_gave(
    first, second
):
    table = {name: TABLE[name] for name in ("truth", first, second)}
    (row,) = karat.read(table).stability(label_error=shares((*LABELS, "q"), TENTHS)).rows()
    chances = enumerated(TABLE, row["better"], row["worse"], TENTHS)
    assert (row["tie"], row["reversed"]) == pytest.approx(chances[1:], abs=1e-12)
    assert row["kept"] in (None, pytest.approx(chances[0], abs=1e-12))


@pytest.mark.parametrize("seed", range(12))
def test_any_table_has_the_law_of_all_labellings(seed):
    random = np.random.default_rng(seed)
    table = {"truth": random.choice(LABELS, 5).tolist()}
    table |= {name: ["x", *random.choice([*LABELS, None], 4).tolist()] for name in "ab"}
    occur = {*table["truth"], *table["a"], *table["b"]}
    said = shares((*LABELS, "q"), {given: row for given, row in TENTHS.items() if given in occur})
    (row,) = karat.read(table, systems=("a", "b"), kinds="label").stability(label_error=said).rows()
    chances = enumerated(table, row["better"], row["worse"], TENTHS)
    assert (row["tie"], row["reversed"]) == pytest.approx(chances[1:], abs=1e-12)


def test_the_simulation_of_many_systems_agrees_with_the_law_of_each_pair():
    found = karat.read(TABLE).stability(label_error=shares((*LABELS, "q"), TENTHS), draws=DRAWS)
    (whole,) = found.rankings
    assert "draws" in whole.under_noise.method
    for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
        one, other = whole.systems.index(first), whole.systems.index(second)
        seen = (
            whole.under_noise.before[one, other],
            whole.under_noise.tied(one, other),
            whole.under_noise.before[other, one],
        )
        assert seen == pytest.approx(enumerated(TABLE, first, second, TENTHS), abs=WITHIN)


@pytest.mark.parametrize(
    "said",
    [
        0.2,
        {"c0": 0.3, "c3": 0.1},
        shares(
            tuple(f"c{k}" for k in range(5)),
            {"c0": {"c0": 6, "c1": 3, "c4": 1}, "c2": {"c2": 9, "c3": 1}},
        ),
    ],
    ids=["uniform", "per-class", "matrix"],
)
def test_of_two_systems_the_whole_order_has_the_law_of_the_pair(said):
    found = karat.read(drawn(4)).stability(label_error=said)
    (row,), (whole,) = found.rows(), found.rankings
    better, worse = (whole.systems.index(row[name]) for name in ("better", "worse"))
    assert whole.under_noise.standard_error == 0
    assert whole.under_noise.kept == pytest.approx(row["kept"], abs=1e-12)
    assert whole.under_noise.best_kept == pytest.approx(row["kept"], abs=1e-12)
    assert whole.under_noise.no_inversion == pytest.approx(row["kept"] + row["tie"], abs=1e-12)
    assert whole.under_noise.ranks.sum(axis=1) == pytest.approx([1, 1], abs=1e-12)
    assert whole.under_noise.ranks[better] == pytest.approx(
        [row["kept"] + row["tie"], row["reversed"]], abs=1e-12
    )
    assert whole.under_noise.ranks[worse] == pytest.approx(
        [row["tie"] + row["reversed"], row["kept"]], abs=1e-12
    )


def test_a_check_by_label_is_the_mean_of_what_it_lets_believe_if_the_prior_is_one_label_that_errs_as_all():
    said = of_checked(("x", "y"), [[9, 1], [0, 19]], model="per-class")
    rate = beta(1.5, 28.5).mean()
    assert said.rest == pytest.approx(rate)
    assert said.by_label == pytest.approx(
        {"x": beta(1 + rate, 9 + 1 - rate).mean(), "y": beta(rate, 19 + 1 - rate).mean()}
    )
    assert not said.moves
    assert "1 of 10 'x' (0.253 to 44.5 %), 0 of 19 'y' (0 to 17.6 %)" in said.words[0]


@pytest.mark.parametrize("seed", range(10))
def test_a_check_by_label_finds_no_more_errors_than_the_check_of_all(seed):
    counts = np.random.default_rng(seed).integers(0, 4, (6, 6)) + np.diag([20] * 6)
    said = of_checked(tuple("abcdef"), counts, model="per-class")
    checked, wrong = counts.sum(), counts.sum() - np.trace(counts)
    found = np.average(list(said.by_label.values()), weights=counts.sum(axis=1) + 1)
    assert wrong / checked <= found <= said.rest
    for rate, row, right in zip(said.by_label.values(), counts, np.diag(counts), strict=True):
        assert (
            min(1 - right / row.sum(), said.rest) <= rate <= max(1 - right / row.sum(), said.rest)
        )


def test_a_checked_matrix_moves_as_the_check_did_and_its_rows_sum_to_one():
    counts = [[8, 2, 0], [1, 5, 1], [0, 0, 4]]
    said = of_checked(LABELS, counts, model="matrix")
    rate = beta(4 + 0.5, 17 + 0.5).mean()
    for place, (given, row) in enumerate(zip(LABELS, counts, strict=True)):
        prior = [1 - rate if place == other else rate / 2 for other in range(3)]
        wanted = dirichlet(np.add(row, prior)).mean()
        assert said.moves[given] == pytest.approx(dict(zip(LABELS, wanted, strict=True)))
        assert sum(said.moves[given].values()) == pytest.approx(1)
        assert said.by_label[given] == pytest.approx(1 - said.moves[given][given])


@pytest.mark.parametrize("model", ["per-class", "matrix"])
def test_a_label_of_which_none_was_checked_errs_as_all_together_and_is_not_named(model):
    said = of_checked(LABELS, [[8, 2, 0], [1, 5, 0], [0, 0, 0]], model=model)
    assert said.rest == pytest.approx((3 + 0.5) / (16 + 1))
    assert set(said.by_label) == {"x", "y"}
    assert set(said.moves) == ({"x", "y"} if model == "matrix" else set())
    assert "'x'" in said.words[0]
    assert "'z'" not in said.words[0]


@pytest.mark.parametrize("model", ["per-class", "matrix"])
def test_a_label_that_the_check_does_not_know_has_the_law_of_all_labellings(model):
    rate = Fraction(7, 34)
    wrong = {"x": (2 + rate) / 11, "y": (1 + rate) / 7, "z": rate}
    tenths = {
        given: {
            true: 10 * (1 - wrong[given] if given == true else wrong[given] / 2) for true in LABELS
        }
        for given in LABELS
    }
    if model == "matrix":
        tenths |= {"x": {"x": 10 * (1 - wrong["x"]), "y": 10 * wrong["x"]}}
        tenths |= {"y": {"x": 10 * wrong["y"], "y": 10 * (1 - wrong["y"])}}
    table = {name: TABLE[name] for name in ("truth", "a", "c")}
    (row,) = (
        karat.read(table)
        .stability(label_error=of_checked(("x", "y"), [[8, 2], [1, 5]], model=model))
        .rows()
    )
    assert (row["better"], row["model"]) == ("a", model)
    assert law(row) == pytest.approx(enumerated(TABLE, "a", "c", tenths), abs=1e-12)


def precision_of_x(true, answers):
    said = [label for label, answer in zip(true, answers, strict=True) if answer == "x"]
    return Fraction(said.count("x"), len(said))


def test_of_two_classes_a_matrix_may_still_move_to_a_label_that_nobody_says():
    table = {"truth": list("xxyyxy"), "a": list("xxyyyx"), "b": list("xyxyxx")}
    tenths = {"x": {"x": 6, "y": 1, "q": 3}, "y": {"y": 7, "q": 3}}
    bench = karat.read(table, kinds="label")
    (row,) = bench.stability(
        measure="precision[x]", label_error=shares(("x", "y", "q"), tenths), draws=DRAWS
    ).rows()
    assert row["model"] == "matrix"
    chances = enumerated(table, row["better"], row["worse"], tenths, precision_of_x)
    assert law(row) == pytest.approx(chances, abs=WITHIN)


YES = {"truth": [1, 0, 1, 0, 1, 1], "a": [1, 0, 1, 0, 0, 1], "b": [0, 1, 1, 0, 1, 0]}


def spelled(how, yes, no):
    if how == "said":
        return {yes: 0.1, no: 0.2}
    return (
        of_shares((yes, no), [[0.9, 0.1], [0.2, 0.8]])
        if how == "shares"
        else of_checked((yes, no), [[9, 1], [0, 5]], model=how)
    )


@pytest.mark.parametrize("how", ["said", "per-class", "matrix", "shares"])
@pytest.mark.parametrize("measure", ["accuracy", "f1"])
def test_yes_is_the_label_that_the_table_writes_as_1(how, measure):
    bench = karat.read(YES)
    one, other = (
        bench.stability(label_error=spelled(how, *pair), measure=measure, draws=500).rows()
        for pair in (("1", "0"), ("yes", "no"))
    )
    assert one == other
    assert set(one[0]["label_error"]) == {"1", "0"}


@pytest.mark.parametrize("model", ["uniform", "per-class", "matrix"])
def test_another_check_has_another_signature(model):
    counts = (
        [[8, 2, 0], [1, 5, 1], [0, 0, 4]],
        [[8, 1, 1], [1, 5, 1], [0, 0, 4]],
        [[9, 1, 0], [1, 5, 1], [0, 0, 4]],
    )
    one, moved, fewer = (
        karat.read(TABLE)
        .stability(label_error=of_checked(LABELS, found, model=model), draws=100)
        .about["signature"]
        for found in counts
    )
    again = karat.read(TABLE).stability(
        label_error=of_checked(LABELS, counts[0], model=model), draws=100
    )
    assert one == again.about["signature"]
    assert one != fewer
    assert (one == moved) == (model != "matrix")


CHECKED = {
    "truth": ["x", "x", "y", "y", "z", "x", "y", "z"],
    "a": ["x", "x", "y", "y", "z", "x", "x", "z"],
    "b": ["x", "y", "y", "x", "z", "x", "y", "x"],
    "true": ["x", None, "x", None, "z", "x", "y", None],
}


def again(**options):
    return karat.read(CHECKED, systems=("true",)).mistakes(**options)


def test_a_column_of_checked_labels_is_a_check_of_so_many():
    bench = karat.read(CHECKED, systems=("a", "b"))
    column, said = (bench.stability(label_error=one) for one in (again(), "1/5"))
    assert column.rows() == said.rows()
    assert "1 of 5 checked labels were wrong" in " ".join(column.notes())


def test_items_that_were_not_checked_say_nothing():
    counts = [[2, 0, 0], [1, 1, 0], [0, 0, 1]]
    for model in ("per-class", "matrix"):
        assert again(model=model) == of_checked(LABELS, counts, model=model)


@pytest.mark.parametrize("model", ["uniform", "per-class", "matrix"])
@pytest.mark.parametrize(
    "text",
    ["given,true\nx,x\nx,x\ny,x\ny,y\nz,z\n", "given,true,count\nx,x,2\ny,x,1\ny,y,1\nz,z,1\n"],
)
def test_a_file_of_checked_labels_says_what_the_column_does(tmp_path, text, model):
    path = tmp_path / "checked.csv"
    path.write_text(text)
    assert read_checked(path).mistakes(model=model) == again(model=model)


def test_a_file_of_shares_is_taken_as_it_is(tmp_path):
    path = tmp_path / "matrix.csv"
    path.write_text("given,true,share\nx,x,0.7\nx,y,0.2\nx,q,0.1\nz,z,1\n")
    said = read_checked(path).mistakes()
    assert said.moves == {"x": {"x": 0.7, "y": 0.2, "q": 0.1}, "z": {"z": 1.0}}
    assert said.by_label == pytest.approx({"x": 0.3, "z": 0})
    (row,) = karat.read(CHECKED, systems=("a", "b")).stability(label_error=said).rows()
    sure = {"x": {"x": 7, "y": 2, "q": 1}, "y": {"y": 10}, "z": {"z": 10}}
    assert law(row) == pytest.approx(
        enumerated(CHECKED, row["better"], row["worse"], sure), abs=1e-12
    )


def test_shares_that_do_not_sum_to_one_are_refused():
    with pytest.raises(OptionError, match=r"the shares of the given label 'y' sum to 0\.9"):
        shares(LABELS, {"x": {"x": 10}, "y": {"y": 5, "x": 4}})


@pytest.mark.parametrize("model", ["per-class", "matrix"])
def test_a_checked_label_that_the_table_does_not_know_is_named(model):
    said = of_checked(("x", "y", "maybe"), [[5, 1, 0], [0, 5, 0], [0, 1, 1]], model=model)
    with pytest.raises(UnknownNameError, match="no class is called 'maybe'"):
        karat.read(TABLE).stability(label_error=said)


def test_a_check_of_no_item_says_nothing():
    with pytest.raises(OptionError, match="no item has both a given and a checked label"):
        karat.read(
            {"truth": ["x", None], "true": [None, "y"]}, systems=("true",), kinds="label"
        ).mistakes()


def test_more_than_one_column_is_no_check():
    with pytest.raises(
        OptionError, match="2 columns were named where one holds the checked labels"
    ):
        karat.read(CHECKED, systems=("a", "true")).mistakes()


def test_a_model_that_there_is_not_is_refused():
    with pytest.raises(OptionError, match="it takes uniform, per-class or matrix"):
        again(model="martix")


@pytest.mark.parametrize(
    ("header", "lacking"), [("given,right", "true"), ("item,true", "given"), ("a,b", "given")]
)
def test_a_file_without_the_two_columns_is_refused(tmp_path, header, lacking):
    path = tmp_path / "checked.csv"
    path.write_text(f"{header}\nx,x\n")
    with pytest.raises(
        OptionError, match=f"has no column '{lacking}'; labels checked again are in given and true"
    ):
        read_checked(path)


@pytest.mark.parametrize("model", ["uniform", "per-class"])
def test_shares_are_a_matrix_and_nothing_else(tmp_path, model):
    path = tmp_path / "matrix.csv"
    path.write_text("given,true,share\nx,x,0.7\nx,y,0.3\n")
    with pytest.raises(OptionError, match=f"model= {model} is for counts of checked labels"):
        read_checked(path).mistakes(model=model)
    assert read_checked(path).mistakes(model="matrix") == read_checked(path).mistakes()


@pytest.mark.parametrize("matrix", [np.eye(3, 5), np.eye(2), np.full((3, 3), 0.3)])
def test_a_matrix_of_another_shape_or_sum_is_refused(matrix):
    rows = karat.read(TABLE).counter.count(patterns)
    with pytest.raises(
        OptionError, match="3 rows and columns, one a label, and each row sums to 1"
    ):
        scores_under_label_noise(rows, Quantity("accuracy"), matrix)


def test_shares_by_label_from_few_wrong_labels_warn():
    few = np.array([[20, 1, 0], [0, 20, 2], [0, 0, 20]])
    many = np.full((3, 3), 20) + np.diag([200, 200, 200])
    for model in ("per-class", "matrix"):
        warned = [text for text in of_checked(LABELS, few, model=model).words if "warning" in text]
        assert len(warned) == 1
        assert "3 wrong labels were found" in warned[0]
        assert not any("warning" in text for text in of_checked(LABELS, many, model=model).words)
    assert not any("warning" in text for text in of_checked(LABELS, few).words)
