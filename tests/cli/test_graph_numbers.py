"""Numbers of graphs that must not depend on how they are asked for, as a shell sees them."""

import json

import pytest

from karat.graphs.formats.lgeval_metrics import read_metrics


def folders(place, **graphs):
    """Write a folder for each set of graphs, an expression `e` or several by name."""
    made = []
    for name, texts in graphs.items():
        (place / name).mkdir()
        for file, text in (texts if isinstance(texts, dict) else {"e": texts}).items():
            (place / name / f"{file}.lg").write_text(text)
        made.append(place / name)
    return made


def rows(done):
    assert done.code == 0, done.err
    return json.loads(done.out)["rows"]


PAIR = "N, s1, x\nN, s2, y\n"
LINKED = PAIR + "E, s1, s2, R\n"


@pytest.mark.parametrize("unit", ["pair", "primitive", "object"])
def test_a_system_is_as_good_whoever_else_is_there(run, tmp_path, unit):
    truth, mine, other = folders(
        tmp_path, truth=LINKED, mine=PAIR, other=LINKED + "N, s3, z\nN, s4, z\n"
    )
    asked = ("score", "--graphs", truth, mine, "--unit", unit, "--measure", "accuracy", "--json")
    (alone,) = rows(run(*asked))
    both = rows(run(*asked[:4], other, *asked[4:]))
    found = next(row for row in both if row["system"] == "mine")
    assert (found["successes"], found["trials"]) == (alone["successes"], alone["trials"])


@pytest.mark.parametrize("semantics", ["paper", "lgeval"])
def test_pairs_are_right_as_often_as_the_distance_says(run, tmp_path, semantics):
    chain = "N, a, x\nN, b, y\nN, c, z\nE, a, b, Right\nE, b, c, Right\n"
    less, more = "N, a, x\nN, b, y\nE, a, b, Right\n", chain + "N, d, q\nE, c, d, Sup\n"
    sets = folders(tmp_path, truth=chain, less=less, more=more, none="")
    scores = run(
        "score",
        "--graphs",
        *sets,
        "--unit",
        "pair",
        "--measure",
        "accuracy",
        "--semantics",
        semantics,
        "--json",
    )
    wrong = {
        row["system"]: (row["trials"] - row["successes"], row["trials"]) for row in rows(scores)
    }
    inside = rows(run("graph", *sets, "--semantics", semantics, "--json"))
    assert wrong == {row["system"]: (row["dL"], row["edges"]) for row in inside}


def test_the_weight_of_a_merge_is_that_of_its_class(run, tmp_path):
    nodes = "N, s1, x\nN, s2, x\n"
    sets = folders(
        tmp_path,
        truth=nodes + "E, s1, s2, Right\n",
        mine=nodes + "E,s1,s2,x,0.1\nE,s1,s2,Right,0.9\n",
    )
    assert rows(run("graph", *sets, "--labels", "best", "--json"))[0]["dS"] == 0
    (row,) = rows(run("graph", *sets, "--labels", "expected", "--json"))
    assert (row["dS"], row["dR"], row["dL"]) == (0.1, 0, 0.1)
    assert (
        "dC, dS, dR and what is made of them are expected"
        in run("graph", *sets, "--labels", "expected").out
    )


def test_an_object_of_the_truth_is_never_none(run, tmp_path):
    whole, split = "O, a, x, 1.0, s1, s2\n", "O, a, l, 1.0, s1\nO, b, l, 1.0, s2\n"
    sets = folders(tmp_path, truth=whole, mine=whole, split=split)
    (row,) = rows(
        run("stability", "--graphs", *sets, "--unit", "object", "--label-error", "0.1", "--json")
    )
    assert (row["tie"], row["reversed"]) == (pytest.approx(0.1), 0)


@pytest.mark.parametrize("unit", ["pair", "primitive", "object"])
def test_one_expression_decides_nothing(run, tmp_path, unit):
    good = "".join(f"N, s{k}, x\n" for k in range(30)) + "E, s1, s2, R\n"
    bad = "".join(f"N, s{k}, y\n" for k in range(30))
    asked = (
        "compare",
        "--graphs",
        *folders(tmp_path, truth=good, good=good, bad=bad),
        "--unit",
        unit,
    )
    (row,) = rows(run(*asked, "--json"))
    assert (row["verdict"], row["low"], row["high"], row["p_value"]) == ("undecided", -1, 1, 1)
    assert "1 cluster of correlated items; fewer than 6 decide nothing" in run(*asked).out


def test_objects_of_one_expression_hang_together(run, tmp_path):
    good = {f"e{k}": "N, a, x\nN, b, y\n" for k in range(7)}
    bad = {f"e{k}": "N, a, y\nN, b, x\n" for k in range(7)}
    done = run(
        "compare",
        "--graphs",
        *folders(tmp_path, truth=good, good=good, bad=bad),
        "--unit",
        "object",
        "--json",
    )
    (row,) = rows(done)
    assert row["verdict"] == "better"
    assert row["p_value"] == pytest.approx(2**-6)


def test_a_relation_called_like_a_class_is_a_merge_in_one_graph_and_none_in_the_other(
    run, tmp_path
):
    one, two = "O, r, R, 1.0, s1, s2\n", "O, a, I, 1.0, s1\nO, b, 2, 1.0, s2\nR, a, b, R, 1.0\n"
    sets = folders(tmp_path, truth=one, mine=two)
    (row,) = rows(run("graph", *sets, "--semantics", "lgeval", "--json"))
    # By the definitions of LgEval 0.3.8: M = {R} both ways in the first graph only; of the labels one differs.
    assert (row["dS"], row["dL"], row["dR"]) == (2, 1, -1)
    run("graph", *sets, "--semantics", "lgeval", "--metrics", tmp_path / "m")
    assert (tmp_path / "m" / "e.diff").read_text().count("*S,") == 2
    (row,) = rows(run("graph", *sets, "--json"))
    assert (row["dS"], row["dL"], row["dR"]) == (2, 2, 0)


@pytest.mark.parametrize(
    "rules", [{}, {"undirected": True}, {"labels": "top:2"}, {"labels": "best"}]
)
def test_files_of_metrics_say_what_the_table_says(run, tmp_path, rules):
    truth = "N, a, x\nN, b, y\nN, c, z\nE, a, b, Right\n"
    mine = "N,a,q,0.9\nN,a,x,0.1\nN,b,x,0.4\nN,b,q,0.3\nN,b,y,0.2\nN,c,z\nE,a,b,Sub,0.6\nE,a,b,Right,0.4\n"
    sets = folders(tmp_path, truth=truth, mine=mine)
    options = [
        text
        for name, value in rules.items()
        for text in ([f"--{name}"] if value is True else [f"--{name}", value])
    ]
    (row,) = rows(run("graph", *sets, *options, "--metrics", tmp_path / "m", "--json"))
    (found,) = read_metrics(tmp_path / "m" / "e.csv")
    values = found.values
    assert (values["D_B"], values["D_Bn(%)"], values["D_E(%)"]) == (
        row["dB"],
        row["dBn_mean"],
        row["dE_mean"],
    )
    assert values["nEdges"] == row["edges"]
    lines = (tmp_path / "m" / "e.diff").read_text().splitlines()
    if rules.get("labels", "all") != "all":
        assert sum(line.startswith(("*N", "*E")) for line in lines) == row["dB"]
        confused = rows(run("graph", *sets, *options, "--confusion", "primitive", "--json"))
        assert sum(one["number"] for one in confused) == row["dC"]


def test_a_formula_is_found_whatever_follows_it(run, tmp_path):
    for name, text in {"two": "x+1\ny+2\n", "blank": "x+1\n\n", "one": "x+1\n"}.items():
        (tmp_path / f"{name}.txt").write_text(text)

    def rate(*names):
        (row,) = rows(run("graph", *(tmp_path / f"{name}.txt" for name in names), "--json"))
        return row["expression_rate"]

    assert rate("two", "blank") == rate("two", "one") == 1 / 2
    assert rate("one", "two") == rate("blank", "two") == rate("blank", "one") == 1


def test_whole_expressions_have_a_rate_and_no_classes(run, tmp_path):
    sets = folders(tmp_path, truth=LINKED, mine=PAIR)
    assert [row["measure"] for row in rows(run("score", "--graphs", *sets, "--json"))] == [
        "accuracy"
    ]
    done = run("score", "--graphs", *sets, "--per", "class")
    assert done.code == 2
    assert "has no class; use --unit object" in done.err


def test_questions_of_a_table_take_the_rules_of_graphs(run, tmp_path):
    truth = "N, a, x\nN, b, y\nE, a, b, R\n"
    sets = folders(tmp_path, truth=truth, mine="N, a, q, 0.9\nN, a, x, 0.1\nN, b, y\nE, b, a, R\n")
    asked = ("score", "--graphs", *sets, "--json")
    assert rows(run(*asked))[0]["value"] == 0
    assert rows(run(*asked, "--undirected", "--labels", "top:2"))[0]["value"] == 1
    (pair,) = rows(run(*asked, "--unit", "pair", "--undirected", "--measure", "accuracy"))
    assert (pair["successes"], pair["trials"]) == (1, 1)
    done = run(*asked, "--labels", "expected")
    assert done.code == 2
    assert "use --labels best or top:K" in done.err
    done = run("score", "table.csv", "--undirected")
    assert done.code == 2
    assert "--undirected is for label graphs" in done.err


def test_without_a_truth_its_folder_is_asked_for(run, tmp_path):
    sets = folders(tmp_path, mine=LINKED, other=PAIR)
    for command in ("score", "compare", "stability"):
        done = run(command, "--graphs", "-", *sets)
        assert done.code == 2
        assert (
            "there is no truth to compare with; name its folder first, or use consensus" in done.err
        )


def test_stability_of_expressions_says_what_its_shares_are_of(run, tmp_path):
    sets = folders(tmp_path, truth=LINKED, mine=LINKED, other=PAIR)
    said = run("stability", "--graphs", *sets, "--label-error", "0.1").out
    assert "if 10 % of the objects are wrong by chance?" in said
    assert "the share of wrong objects up to which the order is kept" in said
    said = run("stability", "--graphs", *sets, "--label-error", "0.1", "--unit", "pair").out
    assert "if 10 % of the relations are wrong by chance?" in said


@pytest.mark.parametrize(("labels", "wrong"), [("best", 2), ("top:2", 1), ("top:3", 0)])
def test_parts_are_wrong_by_the_labels_that_count(run, tmp_path, labels, wrong):
    mine = "N,a,q,0.9\nN,a,x,0.1\nN,b,x,0.4\nN,b,q,0.3\nN,b,y,0.2\n"
    sets = folders(tmp_path, truth="N,a,x\nN,b,y\n", mine=mine)
    assert len(rows(run("graph", *sets, "--labels", labels, "--parts", "1", "--json"))) == wrong
    assert rows(run("graph", *sets, "--labels", labels, "--json"))[0]["dC"] == wrong
