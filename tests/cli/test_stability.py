"""`karat stability`, as a shell sees it."""

import json

import pytest


def line(k):
    truth = "xy"[k % 2]
    return f"{k},{truth},{truth},{truth if k % 9 else 'z'},{truth if k % 5 else 'z'}\n"


ROWS = "item,truth,a,b,c\n" + "".join(map(line, range(90)))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(ROWS)
    return str(path)


def test_the_json_has_the_rows_and_the_ranking_beside_them(run, table):
    code, out, _ = run("stability", table, "--label-error", "0.05", "--json")
    found = json.loads(out)
    wanted = "worse better only_worse only_better label_error model kept tie reversed critical_label_error safe_errors"
    assert code == 0
    assert all(set(wanted.split()) <= set(row) for row in found["rows"])
    assert [(row["better"], row["worse"]) for row in found["rows"]] == [("a", "b"), ("b", "c")]
    beside = "order kept no_inversion best_kept best_among ranks method standard_error"
    assert set(beside.split()) <= set(found["ranking"])
    assert "seed=0" in found["signature"]


def test_without_a_rate_it_says_what_each_order_survives(run, table):
    code, out, _ = run("stability", table)
    assert code == 0
    assert "robust up to" in out
    assert "order kept" not in out.splitlines()[1]


def test_every_pair_on_demand(run, table):
    _, out, _ = run("stability", table, "--all-pairs", "--json")
    assert len(json.loads(out)["rows"]) == 3
    _, out, _ = run("stability", table, "--pair", "c,a", "--json")
    assert [(row["better"], row["worse"]) for row in json.loads(out)["rows"]] == [("a", "c")]


@pytest.mark.parametrize("error", ["0.01:0.05", "3/100", "x=0.01,y=0.05", "0.03+-0.01"])
def test_errors_can_be_said_in_several_ways(run, table, error):
    code, out, _ = run("stability", table, "--label-error", error, "--json")
    assert code == 0
    assert all(0 <= row["kept"] <= 1 for row in json.loads(out)["rows"])


def test_two_annotators_say_how_many_labels_are_wrong(run, tmp_path):
    rows = [f"{k},x,x,{'x' if k % 3 else 'y'},x,{'x' if k % 10 else 'y'}\n" for k in range(60)]
    path = tmp_path / "double.csv"
    path.write_text("item,truth,a,b,first,second\n" + "".join(rows))
    code, out, _ = run("stability", str(path), "--annotators", "first,second", "--json")
    (row,) = json.loads(out)["rows"]
    assert code == 0
    assert (row["better"], row["worse"]) == ("a", "b")
    assert row["label_error"] == pytest.approx((1 - 0.8**0.5) / 2)


@pytest.mark.parametrize(
    ("words", "kept"), [(["--wrong", "1"], 0.7), (["--wrong", "1", "--at-most"], 8 / 11)]
)
def test_a_number_of_wrong_labels_in_place_of_a_share(run, tmp_path, words, kept):
    rows = ["x,x,y\n"] * 3 + ["x,y,x\n"] + ["x,x,x\n"] * 6
    path = tmp_path / "ten.csv"
    path.write_text("truth,a,b\n" + "".join(rows))
    _, out, _ = run("stability", str(path), *words, "--json")
    assert json.loads(out)["rows"][0]["kept"] == pytest.approx(kept)


def test_two_published_scores_give_a_range(run):
    _, out, _ = run("stability", "85/100", "95/100", "--label-error", "0.1", "--json")
    (row,) = json.loads(out)["rows"]
    assert 0 < row["kept_low"] < row["kept_high"] < 1


def test_what_is_kept_can_be_required(run, table):
    assert run("stability", table, "--label-error", "0.05", "--require", "kept>=0.9")[0] == 0
    code, _, err = run("stability", table, "--label-error", "0.6", "--require", "kept>=0.99")
    assert code == 1
    assert "not met: 'a' before 'b' is kept with probability" in err
    assert run("stability", table, "--require", "kept>=0.9")[0] == 2


@pytest.mark.parametrize("words", [["--label-error", "0.1"], ["--wrong", "1"]])
def test_two_that_tie_do_not_meet_what_is_required_and_no_share_is_asked_for(run, tmp_path, words):
    path = tmp_path / "tie.csv"
    path.write_text("item,truth,a,b\n1,x,x,y\n2,x,y,x\n")
    code, _, err = run("stability", str(path), *words, "--require", "kept>=0.5")
    assert code == 1
    assert "not met: " in err
    assert "--label-error" not in err


def test_there_is_a_picture(run, table, tmp_path):
    file = tmp_path / "kept.svg"
    assert run("stability", table, "--label-error", "0.1", "-o", str(file))[0] == 0
    assert file.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    "words",
    [
        ["--label-error", "3"],
        ["--label-error", "many"],
        ["--label-error", "5/4"],
        ["--label-error", "q=0.1"],
        ["--pair", "a"],
        ["--pair", "a,q"],
        ["--pair", "a,a"],
        ["--measure", "macro-f1"],
        ["--measure", "macro-f1", "--label-error", "3/100"],
        ["--classes", "2", "--label-error", "0.1"],
        ["--wrong", "3"],
        ["--at-most"],
        ["--annotators", "a"],
    ],
)
def test_what_cannot_be_meant_is_refused(run, table, words):
    code, _, err = run("stability", table, *words)
    assert code == 2
    assert "karat: " in err
    assert "Traceback" not in err


CHECKED = "item,truth,a,b,again\n" + "".join(
    f"{k},{'xyz'[k % 3]},{'xyz'[k % 3] if k % 6 else 'y'},{'xyz'[k % 3] if k % 4 else 'z'},"
    f"{'' if k % 2 else 'y' if k % 12 == 0 else 'xyz'[k % 3]}\n"
    for k in range(48)
)


@pytest.fixture
def checked(tmp_path):
    path = tmp_path / "checked.csv"
    path.write_text(CHECKED)
    return str(path)


@pytest.fixture
def file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def test_labels_that_were_checked_again_are_no_system(run, checked):
    code, out, _ = run("stability", checked, "--checked", "again", "--json")
    (row,) = json.loads(out)["rows"]
    assert code == 0
    assert {row["better"], row["worse"]} == {"a", "b"}
    assert (row["model"], row["label_error"]) == ("uniform", pytest.approx(4.5 / 25))


def test_items_that_were_not_checked_are_no_x_though_a_missing_answer_is(run, checked):
    words = ["stability", checked, "--checked", "again", "--csv"]
    assert run(*words, "--missing", "as:x")[1] == run(*words)[1]


@pytest.mark.parametrize("model", ["per-class", "matrix"])
def test_a_check_that_says_yes_speaks_of_a_table_that_says_1(run, file, model):
    table = file("table.csv", "item,truth,a,b\n1,1,1,0\n2,0,0,1\n3,1,1,1\n4,1,0,0\n")
    yes = file("yes.csv", "given,true,count\nyes,yes,9\nyes,no,1\nno,no,5\n")
    one = file("one.csv", "given,true,count\n1,1,9\n1,0,1\n0,0,5\n")
    printed = [
        run("stability", table, "--checked", path, "--model", model, "--csv") for path in (yes, one)
    ]
    assert printed[0][:2] == printed[1][:2]
    assert printed[0][0] == 0


@pytest.mark.parametrize("model", ["per-class", "matrix"])
def test_a_check_may_say_more_than_one_share(run, checked, model):
    code, out, _ = run("stability", checked, "--checked", "again", "--model", model)
    assert code == 0
    assert f"{model}, exact" in out
    assert "Checked and wrong: 4 of 8 'x' (15.7 to 84.3 %), 0 of 8 'y'" in out


def test_a_known_matrix_comes_from_a_file(run, checked, file):
    matrix = file("matrix.csv", "given,true,share\nx,x,0.9\nx,y,0.06\nx,w,0.04\n")
    code, out, _ = run("stability", checked, "--systems", "a,b", "--checked", matrix, "--json")
    (row,) = json.loads(out)["rows"]
    assert code == 0
    assert (row["model"], row["label_error"]) == ("matrix", {"x": pytest.approx(0.1)})


def test_two_truths_are_compared_and_neither_is_a_system(run, checked):
    code, out, _ = run("stability", "truths", checked, "--truths", "truth,again")
    assert code == 0
    assert "accuracy: the ranking by truth, and then by again" in out
    assert "'truth' and 'again' differ in 4 of 24 labels" in out
    _, out, _ = run("stability", "truths", checked, "--truths", "truth,again", "--json")
    found = json.loads(out)
    ranks = {row.pop("system"): row for row in found["ranking"][0]["ranks"]}
    assert ranks["a"] == {
        "rank": 1,
        "value": pytest.approx(16 / 24),
        "gain": pytest.approx(4 / 24),
        "then": 1,
    }
    assert ranks["b"] == {"rank": 1, "value": pytest.approx(16 / 24), "gain": 0, "then": 2}
    assert found["rows"][0]["differ"] == 4


TRUTHS = "item,mended,other\n" + "".join(
    f"{k},{'xyz'[k % 3 if k % 8 else 1]},{'xyz'[k % 3]}\n" for k in range(48)
)


def differences(out):
    return {
        frozenset((row["first"], row["second"])): row["differ"] for row in json.loads(out)["rows"]
    }


@pytest.mark.parametrize(
    "truths", ["truth,{file}:mended", "{file}:mended,truth", "{file}:mended,{file}:other"]
)
def test_truths_may_be_in_the_table_and_in_a_file(run, checked, file, truths):
    named = truths.format(file=file("truths.csv", TRUTHS))
    code, out, err = run(
        "stability", "truths", checked, "--truths", named, "--systems", "a,b", "--json"
    )
    assert code == 0, err
    other = "other" if "other" in truths else "truth"
    assert differences(out) == {
        frozenset(("mended", other)): sum(k % 3 != 1 for k in range(0, 48, 8))
    }


@pytest.mark.parametrize(
    ("truths", "says"),
    [
        (
            "{one}:mended,{two}:other",
            "--truths names columns of 2 files; put the truths of the same items into one",
        ),
        ("{one}:truth,truth", "two columns have the same name: rename one"),
        ("{one}:mended,truth,mended", "two columns have the same name: rename one"),
        ("truth,truth", "it names two columns or more, as A,B"),
    ],
)
def test_truths_that_cannot_be_told_apart_are_refused(run, checked, file, truths, says):
    paths = {
        "one": file("one.csv", TRUTHS.replace("other", "truth", 1)),
        "two": file("two.csv", TRUTHS),
    }
    code, _, err = run("stability", "truths", checked, "--truths", truths.format(**paths))
    assert code == 2
    assert says in err


def test_three_truths_are_three_pairs(run, file):
    path = file("three.csv", "item,one,two,three,a,b\n1,x,x,x,x,y\n2,y,y,x,y,x\n3,x,y,x,x,x\n")
    code, out, _ = run(
        "stability", "truths", path, "--truths", "one,two,three", "--systems", "a,b", "--csv"
    )
    assert code == 0
    assert [line.split(",")[:2] for line in out.splitlines()[1:]] == [
        ["one", "two"],
        ["one", "three"],
        ["two", "three"],
    ]


NUMBERS = "item,truth,a,b\n1,1.5,1.25,1.5\n2,2.5,2.75,2.25\n3,3.5,3.25,4.75\n"
GRADES = "item,truth,a,b\n1,1,1,2\n2,2,2,2\n3,3,3,4\n4,5,4,4\n"
SHARES = "item,truth,a.p.x,a.p.y,b.p.x,b.p.y\n1,x,0.9,0.1,0.6,0.4\n2,y,0.2,0.8,0.5,0.5\n3,y,0.3,0.7,0.9,0.1\n"


@pytest.mark.parametrize(
    ("text", "words", "model"),
    [
        (NUMBERS, ["--measure", "mean-squared-error", "--noise", "0.5"], "noise 0.5"),
        (NUMBERS, ["--measure", "mean-absolute-error", "--noise", "0.5"], "noise 0.5"),
        (GRADES, ["--measure", "mean-absolute-error", "--label-error", "0.1"], "uniform"),
        (SHARES, ["--measure", "cross-entropy", "--label-error", "0.1"], "uniform"),
        (SHARES, ["--measure", "divergence", "--floor", "1e-6", "--label-error", "0.1"], "uniform"),
    ],
)
def test_numbers_grades_and_distributions_are_ranked_by_their_losses(run, file, text, words, model):
    path = file("rows.csv", text)
    code, out, _ = run("stability", path, *words, "--json")
    found = json.loads(out)
    (row,) = found["rows"]
    assert code == 0
    assert (row["better"], row["model"]) == ("a", model)
    assert found["ranking"]["values"]["a"] < found["ranking"]["values"]["b"]
    assert run("stability", path, *words, "--require", "kept>=0.01")[0] == 0
    assert run("stability", path, *words, "--require", "kept>=0.9999")[0] == 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--checked", "nothing.csv"], "there is no file nothing.csv"),
        (["--checked", "a,b"], "2 columns were named where one holds the checked labels"),
        (
            ["--checked", "again", "--model", "martix"],
            "--model is 'martix'; it takes uniform, per-class or matrix",
        ),
        (["--checked", "again", "--label-error", "0.1"], "give one of them"),
        (["--model", "matrix"], "name them with --checked"),
        (["--truths", "truth"], "it names two columns or more, as A,B"),
        (["--truths", "truth,nobody"], "has no column 'nobody'"),
        (["--truths", "truth,again", "--truth", "truth"], "leave --truth out"),
        (["--truths", "truth,again", "--wrong", "3"], "leave --wrong out"),
        (["--truths", "truth,again", "--few"], "leave other options out"),
        (["--truths", "truth,again", "--pair", "a,b"], "leave other options out"),
        (["--truths", "truth,again", "--all-pairs"], "leave other options out"),
        (["--truths", "truth,again", "--classes", "9"], "leave other options out"),
        (["--truths", "truth,again", "--threshold", "0.5"], "leave other options out"),
        (["--truths", "truth,again", "--require", "kept>=0.5"], "leave --require out"),
        (["--truths", "truth,again", "--measure", "cross-entropy"], "leave other options out"),
        (["--truths", "truth,again", "--cluster", "item"], "leave --cluster out"),
        (["--truths", "truth,again", "--noise", "0.1"], "leave --noise out"),
        (["--noise", "0.1"], "--noise and --floor go with --measure"),
        (
            ["--measure", "mean-absolute-error", "--noise", "0.1", "--systems", "a,b"],
            "'x' is not a number",
        ),
        (["--measure", "mean-absolute-error", "--checked", "again"], "leave --checked out"),
        (["--measure", "cross-entropy", "--label-error", "0.1"], "columns NAME.p.LABEL hold them"),
        (
            ["--measure", "cross-entropy", "--label-error", "3/100"],
            "takes --label-error E or LOW:HIGH",
        ),
    ],
)
def test_likely_mistakes_are_told_in_words(run, checked, words, says):
    code, _, err = run("stability", checked, *words)
    assert code == 2
    assert says in err
    assert "Traceback" not in err


def test_shares_that_do_not_sum_to_one_are_refused(run, checked, file):
    matrix = file("matrix.csv", "given,true,share\nx,x,0.9\nx,y,0.06\n")
    code, _, err = run("stability", checked, "--checked", matrix)
    assert code == 2
    assert "the shares of the given label 'x' sum to 0.96" in err
