"""`karat stability --model informed`: what it prints, what it takes, and what it refuses."""

import csv
import json
import random

import pytest

import karat
from karat.errors import OptionError
from karat.result.probabilities import chance
from support import package_files

DIGITS = str(package_files.DIGITS)


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:  # noqa: PTH123
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def digits(request):
    return rows_of(request.config.rootpath / DIGITS)


def write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def asked(path, **options):
    return json.loads(karat.read(path).stability(**options).to_json())


def test_without_a_model_rows_are_by_chance_and_informed_stands_beside(tmp_path, digits):
    path = write(tmp_path / "d.csv", digits)
    beside = asked(path, label_error=0.03)
    alone = asked(path, label_error=0.03, model="uniform")
    assert beside["rows"] == alone["rows"]
    assert beside["ranking"] == alone["ranking"]
    assert "informed" not in alone
    assert {row["model"] for row in beside["rows"]} == {"uniform"}
    assert {row["model"] for row in beside["informed"]} == {"informed"}
    assert {row["verdict"] for row in beside["informed"]} == {"safe", "open"}
    informed = asked(path, label_error=0.03, model="informed")
    assert informed["rows"] == beside["informed"]
    for row in informed["rows"]:
        assert row["kept"] + row["tie"] + row["reversed"] == pytest.approx(1)
        assert (row["verdict"] == "safe") == (row["reversed"] < 0.01)


def test_the_order_of_rows_and_columns_changes_nothing(tmp_path, digits):
    path = write(tmp_path / "d.csv", digits)
    shuffled = random.Random(1).sample(digits, len(digits))  # noqa: S311
    turned = [dict(reversed(row.items())) for row in shuffled]
    other = write(tmp_path / "o.csv", turned)
    one = asked(path, label_error=0.03, model="informed")
    two = asked(other, label_error=0.03, model="informed")
    assert one["rows"] == two["rows"]


def test_a_column_and_a_list_of_checked_items_say_the_same(tmp_path, digits):
    known = {}
    for place, row in enumerate(digits[:300]):
        known[row["item"]] = row["svm"] if place % 40 == 0 else row["truth"]
    with_column = [{**row, "checked": known.get(row["item"], "")} for row in digits]
    path = write(tmp_path / "d.csv", digits)
    column = write(tmp_path / "c.csv", with_column)
    by_item = asked(path, model="informed", checked=known)
    names = [name for name in digits[0] if name not in {"item", "truth"}]
    systems = [name for name in names if not name.endswith(".score")]
    bench = karat.read(column, second_truth="checked", systems=systems)
    by_column = json.loads(bench.stability(model="informed").to_json())
    assert by_column["rows"] == by_item["rows"]
    assert by_item["informed_ranking"][0]["checked"] == 300


def test_what_it_cannot_answer_is_refused(tmp_path, digits):
    path = write(tmp_path / "d.csv", digits)
    bench = karat.read(path)
    with pytest.raises(OptionError, match="one share of wrong labels"):
        bench.stability(model="informed", label_error={"8": 0.1})
    with pytest.raises(OptionError, match="for accuracy"):
        bench.stability(model="informed", measure="macro-f1", label_error=0.1)
    with pytest.raises(OptionError, match="it takes uniform"):
        bench.stability(model="wise")


def test_nothing_is_probably_reversed_without_many_checks(tmp_path, digits):
    path = write(tmp_path / "d.csv", digits)
    every = {row["item"]: row["svm"] for row in digits}
    some = dict(list(every.items())[:900])
    few = asked(path, model="informed", checked=some, all_pairs=True)
    assert {row["verdict"] for row in few["rows"]} <= {"safe", "open", None}
    # By the svm's own answers nobody is before it; that is then known of every item.
    all_known = asked(path, model="informed", checked=every, all_pairs=True)
    assert all(row["reversed"] in {0.0, 1.0} or row["reversed"] > 0.9 for row in all_known["rows"])


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3])
def test_a_verdict_is_the_same_whether_or_not_the_model_is_named(tmp_path, digits, share):
    """Safe is what is so by the model and by chance; a share of 0.3 by chance alone opens some orders."""
    path = write(tmp_path / "d.csv", digits)
    beside = asked(path, label_error=share)["informed"]
    named = asked(path, label_error=share, model="informed")["rows"]
    assert [row["verdict"] for row in named] == [row["verdict"] for row in beside]


def test_safe_is_not_for_systems_that_know_the_labels_until_many_were_checked(tmp_path, digits):
    said = "Do not rely on safe where a system was trained on these labels, or helped to make them."
    table = karat.read(write(tmp_path / "d.csv", digits))
    names = [row["item"] for row in digits]
    right = {row["item"]: row["truth"] for row in digits}
    few = {name: right[name] for name in names[:300]}
    many = {name: right[name] for name in names[:1000]}
    assert said in " ".join(table.stability(label_error=0.03).notes())
    assert said in " ".join(table.stability(checked=few, model="informed").notes())
    assert said not in " ".join(table.stability(checked=many, model="informed").notes())


def test_what_no_draw_shows_is_not_printed_as_impossible(tmp_path, digits):
    path = write(tmp_path / "d.csv", digits)
    result = karat.read(path).stability(label_error=0.001, model="informed", draws=1000)
    lines = next(reversed(result.parts().values()))
    assert "draws=100," in result.pairs[0].method
    for row, line in zip(result.rows(), lines, strict=True):
        wanted = "< 0.1" if row["reversed"] == 0 else chance(row["reversed"])
        assert line["order reversed"] == wanted
    assert any(row["reversed"] == 0 for row in result.rows())


def test_few_items_are_said_in_the_words_of_the_verdicts(tmp_path, digits):
    path = write(tmp_path / "d.csv", digits)
    notes = karat.read(path).stability(label_error=0.03, model="informed", few=True).notes()
    assert any("below 0.01, on items like these" in note for note in notes)


def by_group(digits):
    """The digits in three groups, of which the first one's labels were all checked."""
    rows = []
    for place, row in enumerate(digits):
        third = "abc"[place % 3]
        rows.append({**row, "third": third, "checked": row["truth"] if third == "a" else ""})
    return rows


def test_each_group_has_rows_as_if_it_stood_alone(tmp_path, digits):
    rows = [
        {name: value for name, value in row.items() if name != "checked"}
        for row in by_group(digits)
    ]
    path = write(tmp_path / "d.csv", rows)
    found = json.loads(
        karat.read(path, group="third").stability(label_error=0.03, per="group").to_json()
    )
    for third in "abc":
        own = write(tmp_path / f"{third}.csv", [row for row in rows if row["third"] == third])
        alone = json.loads(karat.read(own, group="third").stability(label_error=0.03).to_json())
        here = [row for row in found["rows"] if row["group"] == third]
        assert here == [{"group": third, **row} for row in alone["rows"]]
        whole = next(one for one in found["ranking"] if one["group"] == third)
        assert whole["items"] == sum(row["third"] == third for row in rows)
        assert whole["order"] == alone["ranking"]["order"]
    together = found["reversed_pairs"][0]
    expected = [one["reversed_pairs"]["expected"] for one in found["informed_ranking"]]
    assert together["expected"] == pytest.approx(sum(expected))
    assert {row["group"] for row in found["informed"]} == set("abc")


def test_labels_checked_in_one_group_tell_of_all_others(tmp_path, digits):
    path = write(tmp_path / "d.csv", by_group(digits))
    names = [
        name for name in digits[0] if name not in {"item", "truth"} and not name.endswith(".score")
    ]
    bench = karat.read(path, group="third", second_truth="checked", systems=names)
    found = json.loads(bench.stability(model="informed", per="group").to_json())
    by_name = {one["group"]: one for one in found["ranking"]}
    for name, one in by_name.items():
        # Where every label was looked up nothing is left to be wrong.
        assert (one["kept"] == 1) == (name == "a")
    counts = {one["group"]: one["reversed_pairs"] for one in found["informed_ranking"]}
    assert counts["a"]["high"] == 0
    unchecked = karat.read(path, group="third", systems=names).stability(
        model="informed", per="group"
    )
    before = {one["group"]: one for one in json.loads(unchecked.to_json())["informed_ranking"]}
    assert counts["b"]["expected"] < before["b"]["reversed_pairs"]["expected"] / 2


def test_groups_are_printed_a_line_each_and_refused_where_there_are_none(tmp_path, digits):
    path = write(tmp_path / "d.csv", by_group(digits))
    names = ["knn", "svm", "tree"]
    bench = karat.read(path, group="third", systems=names)
    text = str(bench.stability(label_error=(0.01, 0.05), per="group"))
    assert sum(line.split()[:1] in (["a"], ["b"], ["c"]) for line in text.splitlines()) == 6
    assert "orders in 3 groups are expected to be reversed" in text
    pair = str(bench.stability(label_error=0.03, per="group", pair=("svm", "tree")))
    assert pair.count("svm") == 3
    assert "discordant" in pair
    with pytest.raises(OptionError, match="there are no groups"):
        karat.read(path, systems=names).stability(per="group")
    with pytest.raises(OptionError, match="is of the whole table"):
        bench.stability(wrong=3, per="group")
    with pytest.raises(OptionError, match="into a column of the table"):
        bench.stability(checked={"1": "3"}, per="group")
    with pytest.raises(OptionError, match="takes total or group"):
        bench.stability(per="class")
