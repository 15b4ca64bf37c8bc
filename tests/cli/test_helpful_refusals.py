"""Refusals that tell a newcomer what to do."""

import gzip

import pytest

LABELS = "id,truth,net,net.p.cat,net.p.dog\n1,cat,cat,0.9,0.1\n2,dog,cat,0.6,0.4\n"


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (
            '[{"id": 1, "truth": "a", "x": "a"}]',
            "t.json",
            "one JSON array is not a table; write one object a line",
        ),
        (b"PK\x03\x04", "t.xls", "karat reads no such spreadsheets; save the sheet as CSV"),
        (
            "1,cat,cat\n2,dog,cat\n",
            "t.csv",
            "the header has 'cat' more than once; if it is the first row and not a header, put a header before it",
        ),
        (
            "sep=;\nid;truth;a\n1;x;x\n",
            "t.csv",
            "line 1: 'sep=;' is a note for Excel, not a header; remove the line",
        ),
        (
            gzip.compress(b"id,truth,a\n" + b"1,x,x\n" * 9000)[:-30],
            "t.csv.gz",
            "t.csv.gz cannot be read: Compressed file ended before the end-of-stream marker",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_what_to_do(run, file, content, name, message):
    done = run("score", file(content, name))
    assert (done.code, message in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--baseline", 0.8, "--trials", 100, "--power", 0.8),
            "with --trials their number is given, so leave it out",
        ),
        (
            ("--estimate", 90, "--trials", 100),
            "--estimate is 90; a share lies between 0 and 1; 90 % is 0.9",
        ),
        (("--baseline", 0.8, "--increase", -1), "--increase is -1; a share lies between 0 and 1"),
    ],
)
def test_a_plan_that_cannot_be_made_says_which_option_is_wrong(run, arguments, message):
    done = run("plan", *arguments)
    assert (done.code, message in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    ("percent", "share"), [("5%", "0.05"), ("1%:5%", "0.01:0.05"), ("1=1%,0=2%", "1=0.01,0=0.02")]
)
def test_label_errors_may_be_per_cent(run, file, percent, share):
    path = file("truth,a,b\n" + "1,1,0\n0,0,0\n1,1,1\n0,1,0\n" * 5)
    one, other = (
        run("stability", path, "--label-error", said, "--csv") for said in (percent, share)
    )
    assert (one.code, one.out) == (0, other.out), one.err


@pytest.mark.parametrize("command", [("skew",), ("plot", "skew")])
def test_labels_have_no_curve_and_their_scores_are_named(run, file, command, tmp_path):
    done = run(*command, file(LABELS), "--positive", "cat", "-o", tmp_path / "out.svg")
    assert done.code == 2
    assert "name columns of scores with --systems, such as 'net.p.cat', 'net.p.dog'" in done.err


def test_a_score_among_others_that_is_none_is_still_a_cell_to_fix(run, file):
    done = run("skew", file("truth,a\n1,0.5\n0,oops\n1,0.25\n"), "--systems", "a")
    assert (
        "the score 'oops' in 'a' is not a number; leave the cell empty where there is none"
        in done.err
    )


def test_a_folder_of_systems_folders_is_refused_with_their_names(run, tmp_path):
    for system in ("truth", "one", "two"):
        (tmp_path / system).mkdir()
        (tmp_path / system / "page.txt").write_text("a line\n")
        (tmp_path / system / "other.txt").write_text("a line\n")
    done = run("score", tmp_path, "--truth", tmp_path / "truth")
    named = f"name those of the systems, as in {tmp_path / 'one'} {tmp_path / 'two'}"
    assert (done.code, done.err.strip().endswith(named)) == (2, True), done.err


def test_published_shares_without_their_items_are_refused_with_how_to_write_them(run):
    done = run("compare", "0.853", "0.861")
    assert done.code == 2
    assert "0.853 is a share without its number of items; write 0.853/5000" in done.err


def test_labels_beside_scores_may_be_the_truth(run, file):
    scores = "id,fraud,one,two\n0,0,-1.3,-2.2\n1,0,0.3,1.2\n2,1,1.9,0.4\n3,0,1.1,2.1\n"
    done = run("read", file(scores, "t.csv"))
    assert done.code == 2
    assert "if 'fraud' is the truth, add --truth fraud" in done.err
