"""Class balances group by group: against each group asked by itself, scikit-learn, and a plain count of draws."""

import json

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

import karat
from karat.doubt.prevalence.joint_areas import joint_areas
from karat.errors import OptionError
from karat.verdict.prevalence.groups_result import ALL, MEAN

RANDOM = np.random.default_rng(11)
SIZES = {"a": 90, "b": 60, "c": 45, "d": 7, "e": 5}
GROUP = np.repeat(list(SIZES), list(SIZES.values()))
TRUTH = (RANDOM.random(len(GROUP)) < 0.3).astype(int)
TRUTH[GROUP == "d"], TRUTH[GROUP == "e"] = 0, 1
SHIFT = np.array([{"a": 0.0, "b": 3.0, "c": -2.0, "d": 0.0, "e": 0.0}[name] for name in GROUP])
DATA = {
    "item": np.arange(len(GROUP)),
    "group": GROUP,
    "truth": TRUTH,
    "apart": TRUTH + RANDOM.normal(size=len(GROUP)) + SHIFT,
    "common": np.round(TRUTH + RANDOM.normal(size=len(GROUP)), 1),
}
KNOWN = ["a", "b", "c"]


def bench(data=DATA):
    return karat.read(
        data, group="group", systems=["apart", "common"], kinds={"": "score"}, positive="1"
    )


def rows(found, group):
    return {row["system"]: row for row in found.rows() if row["group"] == group}


def only(name):
    return {column: values[name == GROUP] for column, values in DATA.items()}


@pytest.mark.parametrize("where", [{"to": 0.02}, {"low": 0.01, "high": 0.4}])
def test_a_group_has_what_it_has_alone(where):
    found = bench().skew(per="group", **where, draws=60, seed=4)
    for name in KNOWN:
        place = 1 + list(SIZES).index(name)
        alone = {
            row["system"]: row
            for row in bench(only(name)).skew(**where, draws=60, seed=4 + place).rows()
        }
        ours = rows(found, name)
        assert [ours[each]["rank"] for each in ours] == [alone[each]["rank"] for each in ours]
        for system, row in ours.items():
            kept = (
                "low",
                "high",
                "area",
                "area_low",
                "area_high",
                "minimum",
                "normalised",
                "random",
                "at_low",
            )
            for key in (*kept, "at_high", "average_precision"):
                assert row[key] == pytest.approx(alone[system][key], rel=1e-12), key
            assert row["positives"] == TRUTH[name == GROUP].sum()
            assert row["negatives"] == (1 - TRUTH[name == GROUP]).sum()


def test_all_items_together_are_what_they_are_without_groups():
    found = bench().skew(per="group", to=0.1, draws=80)
    for row in bench().skew(to=0.1, draws=80).rows():
        ours = rows(found, ALL)[row["system"]]
        assert [ours[key] for key in ("area", "area_low", "area_high")] == pytest.approx(
            [row[key] for key in ("area", "area_low", "area_high")], rel=1e-12
        )


def test_the_mean_counts_every_group_alike():
    found = bench().skew(per="group", low=0.01, high=0.4, draws=0)
    for system in ("apart", "common"):
        for key in ("area", "normalised", "at_low", "average_precision"):
            wanted = np.mean([rows(found, name)[system][key] for name in KNOWN])
            assert rows(found, MEAN)[system][key] == pytest.approx(wanted, rel=1e-12)


def test_steps_in_a_group_are_average_precision_with_each_side_weighted():
    pi, found = 0.02, bench().skew(per="group", to=0.02, draws=0)
    for name in KNOWN:
        own = only(name)
        weight = np.where(
            own["truth"] == 1, pi / own["truth"].mean(), (1 - pi) / (1 - own["truth"].mean())
        )
        for system, row in rows(found, name).items():
            wanted = average_precision_score(own["truth"], own[system], sample_weight=weight)
            assert row["average_precision"] == pytest.approx(wanted, rel=1e-9)


def test_scores_that_are_not_alike_across_groups_lose_together_what_they_have_apart():
    found = bench().skew(per="group", to=0.1, draws=0)
    assert rows(found, MEAN)["apart"]["area"] > rows(found, ALL)["apart"]["area"] + 0.1
    assert rows(found, MEAN)["common"]["area"] == pytest.approx(
        rows(found, ALL)["common"]["area"], abs=0.1
    )


def test_who_is_best_is_counted_over_the_draws():
    found = bench().skew(per="group", to=0.1, draws=50, seed=2)
    drawn = []
    for name in KNOWN:
        own = only(name)
        order = np.lexsort((own["common"], own["apart"], own["truth"]))  # as the tally holds them
        scores = {system: own[system][order] for system in ("apart", "common")}
        seed = 3 + list(SIZES).index(name)
        each = joint_areas(
            own["truth"][order], scores, [0.1], ends=[0.1], draws=50, seed=seed
        ).drawn[:, :, 0]
        drawn.append(each)
        wins = sum(a > b for a, b in each) + sum(a == b for a, b in each) / 2
        assert rows(found, name)["apart"]["best"] == pytest.approx((wins + 0.5) / 51)
    means = np.mean(drawn, axis=0)
    assert rows(found, MEAN)["apart"]["best"] == pytest.approx(
        ((means[:, 0] > means[:, 1]).sum() + 0.5) / 51
    )


def test_groups_of_one_kind_are_named_and_undefined():
    found = bench().skew(per="group", to=0.1, draws=0)
    for name, sides in {"d": (0, 7), "e": (5, 0)}.items():
        for row in rows(found, name).values():
            assert (row["positives"], row["negatives"]) == sides
            assert [row[key] for key in ("rank", "area", "normalised", "best", "method")] == [
                None
            ] * 5
            assert row["low"] == row["high"] == 0.1
    assert "2 groups of 5 with items of one kind only, so without an area: 'd', 'e'" in " ".join(
        found.notes()
    )
    assert not any(row.get("group") == "d" for part in found.parts().values() for row in part)
    assert json.loads(found.to_json())["rows"]


def test_of_a_group_with_few_items_nobody_is_told_best():
    kept = ~((GROUP == "c") & (TRUTH == 1)) | (np.cumsum((GROUP == "c") & (TRUTH == 1)) <= 4)
    found = bench({name: values[kept] for name, values in DATA.items()}).skew(
        per="group", to=0.3, draws=50
    )
    assert rows(found, "a")["apart"]["best"] is not None
    assert rows(found, "c")["apart"]["best"] is None
    assert rows(found, MEAN)["apart"]["best"] is None
    assert "'c'; no system is reported as best there, nor in the mean" in " ".join(found.notes())


def test_the_mean_lies_in_its_interval_and_is_surer_than_a_group():
    found = bench().skew(per="group", to=0.3, draws=200)
    for system, row in rows(found, MEAN).items():
        assert row["area_low"] < row["area"] < row["area_high"]
        widths = [
            rows(found, name)[system]["area_high"] - rows(found, name)[system]["area_low"]
            for name in KNOWN
        ]
        assert row["area_high"] - row["area_low"] < max(widths)


def test_bins_hold_the_areas_of_groups_and_say_what_they_cost():
    exact, cut = (
        bench().skew(per="group", to=0.1, draws=0),
        bench().skew(per="group", to=0.1, draws=0, bins=3000),
    )
    for name in (*KNOWN, MEAN, ALL):
        for system, row in rows(exact, name).items():
            assert rows(cut, name)[system]["area"] == pytest.approx(row["area"], abs=0.01)
    assert any("Scores were counted in up to" in note for note in cut.notes())


def test_many_groups_are_cut_for_a_reader_and_kept_in_rows():
    names = np.arange(600) % 20
    truth = (np.arange(600) // 20 % 3 == 0).astype(int)
    data = {
        "group": names,
        "truth": truth,
        "apart": truth + RANDOM.normal(size=600),
        "common": RANDOM.normal(size=600),
    }
    found = bench(data).skew(per="group", to=0.1, draws=0)
    heads = list(found.parts())
    assert heads[0].endswith("mean over 20 groups")
    assert heads[1].endswith("the largest 12 of 20 groups")
    assert len(found.parts()[heads[1]]) == 24
    assert len(found.rows()) == 22 * 2


def test_of_many_systems_the_best_of_each_group_is_shown():
    more = {f"s{k}": RANDOM.normal(size=len(GROUP)) for k in range(4)}
    systems = ["apart", "common", *more]
    wide = karat.read(
        DATA | more, group="group", systems=systems, kinds={"": "score"}, positive="1"
    )
    found = wide.skew(per="group", to=0.1, draws=0)
    head, shown = list(found.parts().items())[1]
    assert head.endswith(": the best, group by group")
    assert [row["system"] for row in shown] == [
        min(rows(found, name).values(), key=lambda row: row["rank"])["system"] for name in KNOWN
    ]


def test_a_group_that_is_called_as_karat_calls_its_lines_is_refused():
    data = {**DATA, "group": np.where(GROUP == "a", MEAN, GROUP)}
    with pytest.raises(OptionError, match="give it another name"):
        bench(data).skew(per="group", to=0.1)


def test_items_without_a_group_are_a_group_that_is_told(tmp_path):
    path = tmp_path / "scores.csv"
    lines = [f"{k},{k % 3 == 0:d},{'x' if k % 2 else ''},{k % 7 / 7}" for k in range(40)]
    path.write_text("\n".join(["item,truth,site,a", *lines]))
    found = karat.read(path, group="site", kinds={"": "score"}).skew(per="group", to=0.1, draws=0)
    assert "20 items without a group; they are the group '(no group)'." in found.notes()


def test_groups_that_all_have_one_kind_are_refused():
    with pytest.raises(OptionError, match="no group has both positives and negatives"):
        bench({**DATA, "group": np.where(TRUTH == 1, "yes", "no")}).skew(per="group", to=0.1)


def test_without_groups_the_option_that_names_them_is_told():
    data = {name: values for name, values in DATA.items() if name != "group"}
    plain = karat.read(data, systems=["apart", "common"], kinds={"": "score"}, positive="1")
    with pytest.raises(OptionError, match="group=COL"):
        plain.skew(per="group", to=0.1)


def test_of_very_many_items_groups_have_values_and_no_intervals(monkeypatch):
    monkeypatch.setattr("karat.questions.prevalence.MOST", 100)
    found, exact = bench().skew(per="group", to=0.1), bench().skew(per="group", to=0.1, draws=0)
    assert [row["area"] for row in found.rows()] == [row["area"] for row in exact.rows()]
    assert all(row["area_low"] is None for row in found.rows())
    assert any(
        note.startswith("No intervals: groups are resampled for up to") for note in found.notes()
    )
    with pytest.raises(OptionError, match="leave draws= out"):
        bench().skew(per="group", to=0.1, draws=60)


def test_a_system_that_is_alone_is_not_told_best():
    alone = {name: column for name, column in DATA.items() if name != "common"}
    found = karat.read(
        alone, group="group", systems=["apart"], kinds={"": "score"}, positive="1"
    ).skew(per="group", to=0.1, draws=100)
    assert {row["best"] for row in found.rows()} == {None}
