"""An audit in Python: which labels count, when claims are decided, and what is refused."""

from statistics import median

import numpy as np
import pytest

import karat
from karat.errors import InputError, OptionError, UnknownNameError
from karat.measure.quantity import Quantity
from karat.table.labels import Labels
from karat.tally.audit_items import AuditItems
from karat.verdict.audit.audit import Audit
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.setup import audit_setup
from karat.verdict.audit.walk import Walk


def columns(seed=1, items=60, **accuracies):
    """Systems that are right with these chances, on labels x, y and z."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, items)
    found = {"item": [f"i{number:03d}" for number in range(items)]}
    found["truth"] = ["xyz"[code] for code in truth]
    for name, accuracy in accuracies.items():
        wrong = (truth + random.integers(1, 3, items)) % 3
        codes = np.where(random.random(items) < accuracy, truth, wrong)
        found[name] = ["xyz"[code] for code in codes]
    return found


def given_labels(audit, budget=10_000):
    return {row["item"]: row["given"] for row in audit.next(budget).rows()}


@pytest.fixture(scope="module")
def bench():
    return karat.read(columns(a=0.9, b=0.75, c=0.5))


def test_the_list_names_items_that_are_disputed_in_the_order_of_their_draws(bench):
    audit = bench.audit(claim=("a", "b"), seed=1)
    rows = audit.next(7).rows()
    assert [row["draw"] for row in rows] == list(range(1, 8))
    assert list(rows[0]) == ["draw", "item", "given", "right", "q", "list"]
    disputed = len(audit.setup.disputes.disputed)
    assert [row["q"] for row in rows] == pytest.approx(
        [1 / (disputed - place) for place in range(7)], rel=1e-5
    )
    assert {row["right"] for row in rows} == {""}
    assert len({row["list"] for row in rows}) == 1


def test_the_same_seed_gives_the_same_list_in_whatever_order_the_rows_come(bench):
    shuffled = columns(a=0.9, b=0.75, c=0.5)
    order = np.random.default_rng(1).permutation(60)
    turned = {name: [values[place] for place in order] for name, values in shuffled.items()}
    one = bench.audit(claim=("a", "b"), seed=5).next(30).rows()
    assert karat.read(turned).audit(claim=("a", "b"), seed=5).next(30).rows() == one
    assert bench.audit(claim=("a", "b"), seed=6).next(30).rows() != one


def test_without_a_seed_it_is_a_hash_of_the_table(bench):
    first = bench.audit(claim=("a", "b"))
    assert first.setup.seed == bench.audit(claim=("a", "b")).setup.seed
    other = karat.read(columns(seed=2, a=0.9, b=0.75, c=0.5)).audit(claim=("a", "b"))
    assert first.setup.seed != other.setup.seed


def test_another_system_does_not_void_a_list(bench):
    table = columns(a=0.9, b=0.75, c=0.5)
    table["d"] = table["truth"]
    later = karat.read(table).audit(claim=("a", "b"), seed=1)
    assert later.next(60).rows() == bench.audit(claim=("a", "b"), seed=1).next(60).rows()
    best = [
        karat.read(one).audit(claim="best", seed=1).setup.list_hash
        for one in (table, columns(a=0.9, b=0.6))
    ]
    assert best[0] != best[1]


@pytest.mark.parametrize("length", [1, 7, 60])
def test_lists_of_any_length_lead_to_the_same_capital(bench, length):
    audit = bench.audit(claim="order", seed=3)
    whole = audit.apply(given_labels(audit))
    while audit.next(length).entries:
        audit = audit.apply({row["item"]: row["given"] for row in audit.next(length).rows()})
    assert audit.rows() == whole.rows()
    assert audit.beside()["pairs"] == whole.beside()["pairs"]


def test_labels_count_up_to_the_first_blank_which_heads_the_next_list():
    audit = karat.read(columns(items=200, a=0.8, b=0.7)).audit(claim=("a", "b"), seed=1)
    rows = audit.next(12).rows()
    labels = {row["item"]: row["given"] for row in rows if row["draw"] not in {4, 9}}
    found = audit.apply(labels)
    assert found.rows()[0]["checked"] == 3
    assert [row["draw"] for row in found.next(4).rows()] == [4, 9, 13, 14]
    assert found.waiting == 7
    assert "draw 4" in " ".join(found.notes())
    filled = found.apply({rows[3]["item"]: rows[3]["given"]})
    assert filled.rows()[0]["checked"] == 8


def test_who_leaves_out_what_speaks_against_a_settles_nothing():
    """An exact tie; the checker leaves every label blank that speaks against A, and asks for further items."""
    settled = 0
    for seed in range(300):
        audit = Audit(tied(seed))
        for _ in range(4):
            rows = audit.next(10).rows()
            labels = {row["item"]: row["given"] for row in rows if row["item"] not in AGAINST}
            if not labels:
                break
            audit = audit.apply(labels)
        settled += audit.rows()[0]["verdict"] == "settled"
    assert settled <= 24  # 5 % of 300, and two standard errors: 22.5


def items_of(given, answers):
    names = tuple(sorted(f"i{place:02d}" for place in range(len(given))))
    return AuditItems(
        names=names,
        systems=("a", "b"),
        labels=("x", "y", "z"),
        given=np.array(given),
        answers=np.array(answers, np.int32),
        meaning=Labels(),
    )


AGAINST = {f"i{place:02d}" for place in range(6)}
"""Items that are given to A and deserve B."""


def tied(seed):
    """Given: A is right on 18 and B on 6; by the right labels both are right on 12."""
    answers = [[0, 1]] * 18 + [[1, 0]] * 6
    return audit_setup(
        items_of([0] * 24, answers), Quantity("accuracy"), ["a,b"], risk=0.05, seed=str(seed)
    )


def test_an_exact_tie_is_settled_as_seldom_as_the_risk_says():
    right = {place: RightLabel("x", frozenset({0})) for place in range(24)}
    right |= {place: RightLabel("y", frozenset({1})) for place in range(6)}
    runs = 500
    said = []
    for seed in range(runs):
        (verdict,) = Walk(tied(seed), right, record=False).go().verdicts
        said.append(verdict.verdict)
    at_most = 34  # 5 % of 500, and two standard errors
    assert said.count("settled") <= at_most
    assert said.count("refuted") <= at_most
    assert said.count("tied") >= runs - 2 * at_most


def test_verdicts_of_one_pair():
    setup = tied(3)
    right = {f"i{place:02d}": "y" if place < 6 else "x" for place in range(24)}
    tie = Audit(setup).apply(right)
    assert tie.rows()[0]["verdict"] == "tied"
    assert "are tied" in tie.notes()[0]
    many = items_of([0] * 120, [[0, 1]] * 65 + [[1, 0]] * 55)
    setup = audit_setup(many, Quantity("accuracy"), ["a,b"], risk=0.05, seed="3")
    right = dict.fromkeys(many.names, "y")
    turned = Audit(setup).apply(
        dict.fromkeys(right, "(other)") | dict.fromkeys(many.names[:65], "y")
    )
    assert (turned.rows()[0]["verdict"], turned.rows()[0]["better"]) == ("refuted", "b")
    assert "The claim is refuted" in turned.notes()[0]
    assert "'b' is better than 'a', at a risk of at most 5 %" in turned.notes()[1]
    kept = Audit(setup).apply(dict.fromkeys(right, "x"))
    assert (kept.rows()[0]["verdict"], kept.rows()[0]["better"]) == ("settled", "a")
    assert "risk at most 5 %" in kept.notes()[0]
    assert "claim a,b and seed 3 fixed before the first label" in kept.notes()[1]
    assert Audit(setup).rows()[0]["verdict"] == "open"


def test_what_no_label_can_turn_is_certain_before_the_first_check():
    setup = audit_setup(
        items_of([0] * 9, [[0, -1]] * 6 + [[0, 0]] * 3),
        Quantity("accuracy"),
        ["a,b"],
        risk=0.05,
        seed="1",
    )
    labels = {f"i{place:02d}": "x" for place in range(6)}
    audit = Audit(setup).apply(labels)
    assert audit.rows()[0]["verdict"] == "certain"
    assert audit.rows()[0]["checked"] <= 1
    assert "certain" in audit.notes()[0]
    assert audit.next(5).to_csv() == "draw,item,given,right,q,list\n"


def test_undecidable_counts_as_the_worst_for_each_side_and_other_for_nobody():
    setup = tied(2)
    first = Audit(setup).next(1).rows()[0]["item"]
    unknown = Audit(setup).apply({first: "(undecidable)"})
    (drawn,) = unknown.walk.drawn
    kind = setup.disputes.kind[0, drawn.item]
    assert (
        unknown.walk.capitals.lead[0] == setup.disputes.leads[0] - setup.disputes.kinds.most[kind]
    )
    assert (
        unknown.walk.opposite.lead[0] == -setup.disputes.leads[0] + setup.disputes.kinds.least[kind]
    )
    other = Audit(setup).apply({first: "(other)"})
    assert (
        other.walk.capitals.lead[0] == setup.disputes.leads[0] - setup.disputes.given[0, drawn.item]
    )
    everything = dict.fromkeys((f"i{place:02d}" for place in range(24)), "(undecidable)")
    found = Audit(setup).apply(everything)
    assert found.rows()[0]["verdict"] == "open"
    assert not found.next(5).entries
    assert found.beside()["label_error"]["high"] == 1.0


def test_best_and_order(bench):
    best = bench.audit(claim="best", seed=1)
    assert [(row["better"], row["worse"]) for row in best.rows()] == [("a", "b"), ("a", "c")]
    order = bench.audit(claim="order", seed=1)
    assert [(row["better"], row["worse"]) for row in order.rows()] == [("a", "b"), ("b", "c")]
    done = best.apply(given_labels(best))
    assert {row["verdict"] for row in done.rows()} <= {"settled", "certain"}
    assert done.beside()["claims"][0]["verdict"] == "settled"
    assert "better than all 2 others" in done.notes()[0]


def test_closed_claims_need_no_further_items(bench):
    audit = bench.audit(claim=["best", ("b", "c")], seed=1)
    some = audit.apply({row["item"]: row["given"] for row in audit.next(30).rows()})
    still_open = some.walk.open_pairs()
    if not still_open.all():
        needed = some.walk.needed_items()
        place_of = {name: place for place, name in enumerate(audit.setup.items.names)}
        assert all(needed[place_of[row["item"]]] for row in some.next(100).rows())
    assert not still_open.all()


def test_labels_that_closed_claims_no_longer_need_do_not_wait():
    table = columns(seed=6, items=300, a=0.9, b=0.85, c=0.4, d=0.3)
    audit = karat.read(table).audit(claim="best", seed=1)
    some = audit.apply({row["item"]: row["given"] for row in audit.next(40).rows()})
    assert len(some.walk.counted) < 40
    assert some.waiting == 0
    assert "not counted yet" not in " ".join(some.notes())


def test_to_refute_one_of_many_takes_as_many_times_more():
    table = columns(seed=4, items=200, a=0.7, b=0.69, c=0.3, d=0.3)
    bench = karat.read(table)
    audit = bench.audit(claim="best", seed=1)
    best, rival = audit.rows()[0]["better"], audit.rows()[0]["worse"]
    labels = {}
    for row in audit.next(1000).rows():
        place = table["item"].index(row["item"])
        labels[row["item"]] = table[rival][place]
    found = audit.apply(labels)
    refuted = [row for row in found.rows() if row["verdict"] == "refuted"]
    assert found.beside()["claims"][0]["verdict"] == "refuted"
    assert all(
        row["needed"] == 60.0 and row["capital"] >= 60.0 and row["worse"] == best for row in refuted
    )
    assert "it is not so that" in found.notes()[0]


def test_two_at_the_top_have_no_best_and_tied_neighbours_no_order():
    table = {
        "item": [1, 2, 3],
        "truth": ["x", "x", "y"],
        "a": ["x", "y", "y"],
        "b": ["y", "x", "y"],
        "c": ["y", "y", "x"],
    }
    bench = karat.read(table)
    with pytest.raises(OptionError, match=r"'a', 'b' share the first place .* claim= a,b"):
        bench.audit(claim="best")
    order = bench.audit(claim="order", seed=1)
    assert order.setup.claims[0].tied == (("a", "b"),)
    assert "left out of the order: 'a' and 'b'" in " ".join(order.notes())


def test_the_share_of_wrong_labels_of_the_table_needs_draws_from_all(bench):
    audit = bench.audit(claim=("a", "b"), seed=1)
    assert "label_error_of_table" not in audit.apply(given_labels(audit, 9)).beside()
    mixed = bench.audit(claim=("a", "b"), seed=1, random=0.5)
    labels = given_labels(mixed, 12)
    found = mixed.apply(labels).beside()
    assert found["label_error_of_table"]["items"] == 60
    assert found["label_error"]["of"] == "disputed"
    assert found["label_error_of_table"]["of"] == "table"
    assert any(row["q"] != 1 / len(mixed.setup.disputes.disputed) for row in mixed.next(12).rows())


def test_without_a_truth_the_vote_is_the_given_label_and_tied_votes_have_none():
    table = {"item": [1, 2, 3], "a": ["x", "x", "y"], "b": ["x", "y", "y"], "c": ["y", None, "x"]}
    audit = karat.read(table).audit(claim=("a", "b"), seed=1)
    assert {row["item"]: row["given"] for row in audit.next(5).rows()} == {"2": ""}
    assert audit.setup.disputes.leads.tolist() == [0.0]
    assert audit.apply({"2": "y"}).rows()[0]["better"] == "b"
    assert "no truth" in " ".join(audit.apply({"2": "y"}).notes())


def test_items_without_truth_are_part_of_the_claim_with_no_given_label():
    table = {
        "item": [1, 2, 3],
        "truth": ["x", None, "x"],
        "a": ["x", "y", "x"],
        "b": ["y", "x", "x"],
    }
    audit = karat.read(table).audit(claim=("a", "b"), seed=1)
    assert {row["item"]: row["given"] for row in audit.next(5).rows()} == {"1": "x", "2": ""}
    assert audit.setup.disputes.leads.tolist() == [1.0]
    done = audit.apply({1: "x", 2: "x"})
    assert done.rows()[0]["verdict"] == "tied"
    assert done.rows()[0]["wrong"] == 0
    assert done.beside()["label_error"] == {
        "value": 0.0,
        "low": 0.0,
        "high": 0.0,
        "of": "disputed",
        "items": 1,
    }
    assert "1 item without truth: in the claim, too" in " ".join(done.notes())


def test_new_items_take_more_than_these():
    table = columns(seed=3, items=300, a=0.9, b=0.55)
    audit = karat.read(table).audit(claim=("a", "b"), seed=1, new_items=True)
    here = karat.read(table).audit(claim=("a", "b"), seed=1)
    done = audit.apply(given_labels(audit))
    (new,) = done.beside()["new_items"]
    assert new["verdict"] == "settled"
    assert new["p_value"] <= 0.025
    assert done.walk.counts[0].checked > here.apply(given_labels(here)).rows()[0]["checked"]
    assert "Also on new items" in " ".join(done.notes())
    assert not done.next(5).entries
    close = karat.read(columns(seed=3, items=60, a=0.7, b=0.6)).audit(
        claim=("a", "b"), new_items=True
    )
    (new,) = close.apply(given_labels(close)).beside()["new_items"]
    assert new["verdict"] == "open"


def test_refusals(bench):
    audit = bench.audit(claim=("a", "b"), seed=1)
    agreed = next(name for name in audit.setup.items.names if name not in given_labels(audit))
    with pytest.raises(InputError, match="was not drawn"):
        audit.apply({agreed: "x"})
    with pytest.raises(UnknownNameError, match="no item is called 'i999'"):
        audit.apply({"i999": "x"})
    first = audit.next(1).rows()[0]["item"]
    with pytest.raises(OptionError, match=r"no label of the table is 'xx'; did you mean 'x'\?"):
        audit.apply({first: "xx"})
    with pytest.raises(InputError, match="two labels, 'x' and 'y'"):
        audit.apply({first: "x"}).apply({first: "y"})
    with pytest.raises(UnknownNameError, match="no system is called 'e'"):
        bench.audit(claim=("a", "e"))
    with pytest.raises(OptionError, match="twice"):
        bench.audit(claim=("a", "a"))
    with pytest.raises(OptionError, match="risk= is 5"):
        bench.audit(claim=("a", "b"), risk=5)
    with pytest.raises(OptionError, match="random= is 2"):
        bench.audit(claim=("a", "b"), random=2)
    with pytest.raises(OptionError, match="name what is claimed"):
        bench.audit(claim=[])
    with pytest.raises(OptionError, match="budget= is 0"):
        audit.next(0)
    table = columns(a=0.9, b=0.6)
    table["n"] = [2] * 60
    with pytest.raises(InputError, match="a row an item"):
        karat.read(table, count="n").audit(claim=("a", "b"))
    scores = {"item": [1, 2], "truth": [1, 0], "a": [0.3, 0.9], "b": [0.5, 0.2]}
    with pytest.raises(OptionError, match="threshold="):
        karat.read(scores).audit(claim=("a", "b"))
    assert karat.read(scores).audit(claim=("b", "a"), threshold=0.4, seed=1).next(2).entries


def test_rows_of_count_one_are_items():
    table = columns(a=0.9, b=0.6)
    table["n"] = [1] * 60
    assert karat.read(table, count="n").audit(claim=("a", "b"), seed=1).next(3).entries


def test_fields_are_no_answers_and_no_other_truth():
    table = columns(a=0.9, b=0.6)
    table["text"] = [f"the text of item {place} is a long one, in words" * 3 for place in range(60)]
    table["truth_new"] = table["truth"]
    rows = karat.read(table).audit(claim=("a", "b"), seed=1).next(3).rows()
    assert list(rows[0])[6:] == ["text"]
    assert rows[0]["text"] == table["text"][table["item"].index(rows[0]["item"])]
    named = karat.read(table, systems=["a", "b"]).audit(claim=("a", "b"), seed=1).next(3).rows()
    assert list(named[0])[6:] == []


def test_fields_of_a_file(bench, tmp_path):
    path = tmp_path / "fields.csv"
    path.write_text("item,url,a,truth\n" + "".join(f"i{k:03d},page{k},x,y\n" for k in range(60)))
    rows = bench.audit(claim=("a", "b"), seed=1, fields=path).next(3).rows()
    assert list(rows[0])[6:] == ["url"]
    assert rows[0]["url"] == f"page{int(rows[0]['item'][1:])}"
    bad = tmp_path / "bad.csv"
    bad.write_text("page,url\n1,2\n")
    with pytest.raises(InputError, match="names the items"):
        bench.audit(claim=("a", "b"), fields=bad)


def test_blind_lists_have_no_given_label(bench):
    rows = bench.audit(claim=("a", "b"), seed=1).next(5, blind=True).rows()
    assert {row["given"] for row in rows} == {""}


def test_the_corrected_table_has_the_right_labels_and_a_warning(bench):
    audit = bench.audit(claim=("a", "b"), seed=1)
    first = audit.next(1).rows()[0]
    new = "x" if first["given"] != "x" else "y"
    corrected = audit.apply({first["item"]: new}).corrected()
    rows = {row["item"]: row for row in corrected.rows()}
    assert rows[first["item"]]["truth"] == new
    assert len(rows) == 60
    assert "only items that these systems dispute" in corrected.notes()[0]


def test_a_plan_is_near_what_happens():
    table = columns(seed=8, items=400, a=0.85, b=0.7, c=0.5)
    audit = karat.read(table).audit(claim="best", seed=1)
    planned = {(row["better"], row["worse"]): row for row in audit.plan(0.0).rows()}
    done = audit.apply(given_labels(audit))
    for row in done.rows():
        plan = planned[row["better"], row["worse"]]
        assert plan["low_checks"] - 2 <= row["checked"] <= plan["high_checks"] + 2
        assert plan["settled"] == 1.0
    together = planned["a", None]
    assert together["checks"] == pytest.approx(len(done.walk.counted), rel=0.2)
    with pytest.raises(OptionError, match="plan= is 7"):
        audit.plan(7)


def test_the_list_as_a_frame(bench):
    pandas = pytest.importorskip("pandas")
    frame = bench.audit(claim=("a", "b"), seed=1).next(4).to_frame()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["draw"].tolist() == [1, 2, 3, 4]


def test_a_plan_takes_items_without_a_label_to_fall_as_the_labelled_ones():
    """With every second label left out, audits that look up the true ones last as long as planned."""
    table = columns(seed=8, items=4000, a=0.85, b=0.78, c=0.5)
    truth = dict(zip(table["item"], table["truth"], strict=True))
    table["truth"] = [one if place % 2 else None for place, one in enumerate(table["truth"])]
    bench = karat.read(table)
    plan = bench.audit(claim="best", seed=1).plan(0.0)
    assert any("without a label" in note for note in plan.notes())
    audits = []
    for seed in range(20):
        audit = bench.audit(claim="best", seed=seed)
        labels = {row["item"]: truth[row["item"]] for row in audit.next(500).rows()}
        audits.append(audit.apply(labels))
    *pairs, together = plan.rows()
    for place, planned in enumerate(pairs):
        checked = median(audit.rows()[place]["checked"] for audit in audits)
        assert planned["checks"] == pytest.approx(checked, rel=0.3)
        assert planned["low_checks"] < planned["checks"] < planned["high_checks"]
    checked = median(len(audit.walk.counted) for audit in audits)
    assert together["low_checks"] <= checked <= together["high_checks"]


def test_a_plan_where_no_disputed_item_has_a_label():
    table = columns(seed=3, items=60, a=0.9, b=0.6)
    agreed = [one == other for one, other in zip(table["a"], table["b"], strict=True)]
    truth = zip(agreed, table["truth"], strict=True)
    table["truth"] = [label if alike else None for alike, label in truth]
    audit = karat.read(table).audit(claim=("a", "b"), seed=1)
    (row,) = audit.plan(0.1).rows()
    assert row["disputed"] == agreed.count(False)
    assert 0 < row["checks"] <= row["disputed"]
