"""Votes and their products are summed as a plain loop sums them, and the vote made of the sums is the vote."""

import hashlib
import random
import shutil
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.errors import OptionError, TallyError
from karat.measure.consensus.summed_votes import blocked_consensus, summed_consensus
from karat.measure.consensus.vote_weights import vote_weights, with_oracles
from karat.measure.consensus.votes import consensus
from karat.table.options import TableOptions
from karat.tally.votes import covotes as room
from karat.tally.votes.covotes import UNIT, covotes, covotes_by_block, covotes_of
from karat.tally.votes.patterns import patterns

CHANCE = random.Random(11)  # noqa: S311
KINDS = {
    "confidences": [0.125, 0.3, 0.7, 1.0, 0.0, None, None],
    "numbers": [1, 0, None],
    "words": ["yes", "No", "YES", None],
    "signs": ["+", "-"],
    "truth values": [True, False, None],
}
SYSTEMS = ("a", "b", "c")


def drawn(kind, items=50):
    first = [value for value in KINDS[kind] if value is not None]
    return {name: [*first, *CHANCE.choices(KINDS[kind], k=items - len(first))] for name in SYSTEMS}


ROWS = {kind: drawn(kind) for kind in KINDS}


def vote(value):
    return (
        value if value is None or isinstance(value, int | float) else value.lower() in {"yes", "+"}
    )


def looped(columns):
    """The number of items and the products of votes, a set of systems that answered each; the last vote is 1."""
    number, products = {}, {}
    for row in zip(*columns.values(), strict=True):
        votes = [*map(vote, row), 1]
        there = tuple(value is not None for value in row)
        number[there] = number.get(there, 0) + 1
        own = products.setdefault(there, np.zeros((4, 4)))
        own += [[(one or 0) * (two or 0) for one in votes] for two in votes]
    return number, products


def as_looped(tally):
    sets = [tuple(row) for row in tally.answered.tolist()]
    return dict(zip(sets, tally.number.tolist(), strict=True)), dict(
        zip(sets, tally.products / UNIT, strict=True)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_sums_are_those_of_a_loop(table, kind):
    number, products = as_looped(covotes(table(ROWS[kind], TableOptions())))
    plain_number, plain_products = looped(ROWS[kind])
    assert number == plain_number
    assert all(
        products[key] == pytest.approx(plain_products[key], abs=1e-7) for key in plain_number
    )


@pytest.mark.parametrize("exact", [UNIT, 26 * UNIT])
def test_sums_that_fractions_do_not_hold_exactly_are_sums_of_whole_numbers(
    monkeypatch, table, exact
):
    """With this limit, many sums are beyond it, or some: 50 items are more than it allows for, or fewer."""
    expected = covotes(table(ROWS["confidences"], TableOptions()))
    monkeypatch.setattr(room, "EXACT", exact)
    found = covotes(table(ROWS["confidences"], TableOptions()))
    assert found.digest() == expected.digest()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "confidences"])
@pytest.mark.parametrize("positive", [0, 1])
def test_yes_and_no_summed_by_the_engine_are_a_marginal_of_the_patterns(table, kind, positive):
    word = {
        "numbers": "10",
        "words": ("yes", "no"),
        "signs": "+-",
        "truth values": ("true", "false"),
    }[kind][positive]
    read = table(ROWS[kind], TableOptions(positive=word))
    assert covotes(read).digest() == covotes_of(patterns(read)).digest()


def test_scores_judged_from_a_threshold_on_vote_yes_or_no():
    counter = karat.read(ROWS["confidences"]).counter.at(0.5)
    assert covotes(counter.table).digest() == counter.count(covotes).digest()


@pytest.mark.parametrize("kind", KINDS)
def test_parts_add_up_in_any_order(table, kind):
    parts = [
        {name: column[rows] for name, column in ROWS[kind].items()}
        for rows in (slice(20), slice(20, None))
    ]
    one, other = (
        covotes(table(part, TableOptions(kinds={"": KIND.get(kind, "yesno")}))) for part in parts
    )
    whole = covotes(table(ROWS[kind], TableOptions(kinds={"": KIND.get(kind, "yesno")})))
    assert (one + other).digest() == (other + one).digest() == whole.digest()


KIND = {"confidences": "score"}


def test_counted_rows_vote_as_often_as_they_say(table):
    columns, number = ROWS["confidences"], [k % 3 for k in range(50)]
    repeated = {
        name: [value for value, n in zip(column, number, strict=True) for _ in range(n)]
        for name, column in columns.items()
    }
    counted, every = (
        covotes(table({**columns, "n": number}, TableOptions(count="n"))),
        covotes(table(repeated, TableOptions())),
    )
    assert as_looped(counted)[0] | as_looped(every)[0] == as_looped(counted)[0]
    for key, products in as_looped(every)[1].items():
        assert as_looped(counted)[1][key] == pytest.approx(products, abs=1e-7)


def test_many_systems_are_summed_in_several_queries(table):
    chance = np.random.default_rng(1)
    columns = {f"m{k:02}": np.where(chance.random(20) < 0.5, 0.25, 0.5).tolist() for k in range(30)}
    found = covotes(table(columns, TableOptions()))
    votes = np.column_stack([*columns.values(), np.ones(20)])
    assert found.products[0] / UNIT == pytest.approx(votes.T @ votes)


def test_what_is_no_confidence_is_refused(table):
    with pytest.raises(
        OptionError, match=r"a score of 'b' is 1\.5; confidences that vote lie from 0 to 1"
    ):
        covotes(table({"a": [0.5, 0.2], "b": [0.1, 1.5]}, TableOptions()))


def test_labels_are_no_votes(table):
    read = table({"a": list("xyz"), "b": list("xyy")}, TableOptions())
    for count in (covotes, lambda table: covotes_of(patterns(table))):
        with pytest.raises(TallyError, match="votes are yes or no"):
            count(read)


def test_different_systems_do_not_add_up(table):
    one, other = (
        covotes(table(ROWS["numbers"], TableOptions(systems=names)))
        for names in (("a", "b"), ("a",))
    )
    with pytest.raises(TallyError, match="different systems"):
        _ = one + other


WEIGHTS = st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=5, max_size=5).filter(any)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    kind=st.sampled_from(["confidences", "numbers"]),
    weights=WEIGHTS,
    families=st.sampled_from([None, [0, 0, 1], [0, 1, 0], [0, 0, 0]]),
    leave_out=st.sampled_from(["nobody", "itself", "family"]),
)
def test_the_vote_from_the_sums_is_the_vote_on_the_rows(table, kind, weights, families, leave_out):
    votes = np.array(
        [[np.nan if value is None else value for value in column] for column in ROWS[kind].values()]
    ).T
    options = {
        "weights": vote_weights(weights[:3], top=weights[3], bottom=weights[4]),
        "families": families,
        "leave_out": leave_out,
    }
    ours, plain = (
        summed_consensus(covotes(table(ROWS[kind], TableOptions())), **options),
        consensus(votes, **options),
    )
    assert ours.weight == pytest.approx(plain.weight)
    assert (ours.left_out == plain.left_out).all()
    for part in ("retrieved", "agreed", "relevant"):
        assert getattr(ours, part) == pytest.approx(getattr(plain, part), abs=1e-7)


def test_an_oracle_that_is_sure_leaves_no_vote_to_the_others(table):
    found = summed_consensus(
        covotes(table(ROWS["numbers"], TableOptions())),
        weights=with_oracles(vote_weights([1, 1, 1]), {0: 1.0}),
    )
    assert found.precision[0] == found.recall[0] == 1.0


# By block


def named(kind):
    return {"item": [f"i{k}" for k in range(50)], **ROWS[kind]}


@pytest.mark.parametrize("kind", KINDS)
def test_the_sums_of_all_blocks_are_the_sums(table, kind):
    read = table(named(kind), TableOptions(item="item"))
    assert covotes_by_block(read).whole().digest() == covotes(read).digest()


def test_an_item_is_in_the_block_of_its_name(table):
    columns = named("confidences")
    blocks = [hashlib.md5(name.encode()).hexdigest()[:2] for name in columns["item"]]  # noqa: S324
    found = covotes_by_block(table(columns, TableOptions(item="item")))
    assert found.number.shape[1] == len(set(blocks))
    for place, block in enumerate(sorted(set(blocks))):
        own = [k for k, one in enumerate(blocks) if one == block]
        plain_number, plain_products = looped(
            {name: [ROWS["confidences"][name][k] for k in own] for name in SYSTEMS}
        )
        for set_, number, products in zip(
            found.answered.tolist(), found.number[:, place], found.products[:, place], strict=True
        ):
            assert number == plain_number.get(tuple(set_), 0)
            assert products / UNIT == pytest.approx(
                plain_products.get(tuple(set_), np.zeros((4, 4))), abs=1e-7
            )


@pytest.mark.parametrize("leave_out", ["nobody", "itself", "family"])
def test_the_votes_of_all_blocks_add_up_to_the_vote(table, leave_out):
    options = {"weights": vote_weights([1, 2, 0.5]), "families": [0, 1, 0], "leave_out": leave_out}
    found = covotes_by_block(table(named("confidences"), TableOptions(item="item")))
    blocks, whole = blocked_consensus(found, **options), summed_consensus(found.whole(), **options)
    for part in ("retrieved", "agreed", "relevant", "left_out"):
        assert getattr(blocks, part).sum(axis=0) == pytest.approx(getattr(whole, part))


def test_blocks_need_names_and_few_sets(table, monkeypatch):
    with pytest.raises(TallyError, match="name their column with item="):
        covotes_by_block(table(ROWS["confidences"], TableOptions()))
    monkeypatch.setattr(room, "MOST_CELLS", 256 * 16)
    with pytest.raises(
        TallyError, match=r"\d sets of systems answered, too many to be summed by block"
    ):
        covotes_by_block(table(named("confidences"), TableOptions(item="item")))


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
@pytest.mark.skipif(
    not (find_spec("pyspark") and shutil.which("java")),
    reason="no Spark here: pip install pyspark pyarrow, and install a Java 17 runtime",
)
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.usefixtures("spark_session")
@pytest.mark.parametrize("kind", ["confidences", "words", "truth values"])
def test_spark_gives_the_same_sums(table, tmp_path, as_text, kind):
    path = tmp_path / "votes.csv"
    path.write_text(as_text(named(kind), ","))
    one, other = (
        covotes_by_block(table(str(path), TableOptions(item="item"), engine=name))
        for name in ("duckdb", "spark")
    )
    assert other.whole().digest() == one.whole().digest()
    assert (other.products == one.products).all()
