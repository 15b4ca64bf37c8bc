"""Boxes on the command line: chosen by the look of the files, and every question."""

import json

import pytest

from karat.report.signature_parts import parse_signature
from support.boxes import made, written


@pytest.fixture
def files(tmp_path):
    truth, one, other = made(7, images=40, classes=3, objects=5)
    return written(tmp_path, truth, a=one, b=other)


def test_score_chooses_boxes_by_the_look_of_the_files(run, files):
    truth, one, other = files
    done = run("score", one, f"new={other}", "--truth", truth, "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["input"]["items"] == 40
    assert [row["measure"] for row in found["rows"][::2]][:2] == ["mAP", "mAP@0.5"]
    assert {row["system"] for row in found["rows"]} == {"a", "new"}
    assert "truth: " in done.err


def test_the_truth_may_stand_first(run, files):
    truth, one, other = files
    by_option = run("compare", one, other, "--truth", truth, "--json")
    by_place = run("compare", truth, one, other, "--json")
    found = [json.loads(done.out) for done in (by_option, by_place)]
    signatures = [parse_signature(one.pop("signature")) for one in found]
    assert found[0] == found[1]
    assert signatures[0].settings == signatures[1].settings
    assert signatures[0].data == signatures[1].data


def test_results_alone_lack_a_truth(run, files):
    done = run("score", files[1])
    assert done.code == 2
    assert "name the truth of the boxes with --truth FILE" in done.err


def test_a_truth_that_is_not_there_or_no_truth(run, files, tmp_path):
    truth, one, _ = files
    done = run("score", one, "--truth", tmp_path / "no.json")
    assert done.code == 2
    assert "there is no file or folder" in done.err
    swapped = run("score", f"new={truth}", "--truth", one)
    assert swapped.code == 2
    assert "is a list of COCO's results, not a truth" in swapped.err


def test_a_condition_that_is_not_met_ends_with_1(run, files):
    truth, one, _ = files
    assert run("score", one, "--truth", truth, "--require", "mAP>=0.01").code == 0
    done = run("score", one, "--truth", truth, "--require", "mAP>=0.99")
    assert done.code == 1
    assert "not met: mAP of 'a'" in done.err
    named = ("--per", "class", "--require", "class-AP[c0]>=0.99")
    assert run("score", one, "--truth", truth, *named).code == 1


def test_comparisons_are_adjusted_and_required(run, files):
    truth, one, other = files
    done = run("compare", one, other, f"c={one}", "--truth", truth, "--json")
    rows = json.loads(done.out)["rows"]
    assert len(rows) == 3
    assert all(row["p_adjusted"] >= row["p_value"] for row in rows)
    met = run("compare", one, f"c={one}", "--truth", truth, "--require", "no-worse:a,c,0.5")
    assert met.code == 0
    unmet = run("compare", one, f"c={one}", "--truth", truth, "--require", "better:a,c")
    assert unmet.code == 1


def test_options_of_tables_are_refused(run, files):
    truth, one, _ = files
    done = run("score", one, "--truth", truth, "--cluster", "x")
    assert done.code == 2
    assert "--cluster is for tables; boxes take" in done.err


def test_another_prevalence(run, files):
    truth, one, other = files
    done = run("skew", one, other, "--truth", truth, "--to", "5%", "--json")
    rows = json.loads(done.out)["rows"]
    assert [row["prevalence"] for row in rows] == [None, None, 0.05, 0.05]
    assert rows[2]["value"] < rows[0]["value"]
    assert run("skew", one, "--truth", truth).code == 2


def test_stability_says_what_a_wrong_box_is(run, files):
    truth, one, other = files
    done = run("stability", one, other, "--truth", truth, "--label-error", "0.03")
    assert done.code == 0
    for words in ("a class", "spurious", "missing"):
        assert words in done.out


def test_an_audit_draws_places(run, files):
    truth, one, other = files
    done = run("audit", one, other, "--truth", truth, "--claim", "a,b", "--budget", "5", "--json")
    rows = json.loads(done.out)["rows"]
    assert len(rows) == 5
    assert all("/" in row["item"] for row in rows)


def test_errors_are_counted_and_drawn(run, files, tmp_path):
    truth, one, other = files
    done = run("boxes", one, other, "--truth", truth, "--draw", tmp_path / "drawn", "--json")
    rows = json.loads(done.out)["rows"]
    for row in rows:
        assert row["found"] == row["right"] + row["wrong_class"]
        assert row["true"] == row["found"] + row["missed"]
        assert row["boxes"] == row["found"] + row["spurious"]
    drawn = sorted((tmp_path / "drawn").iterdir())
    assert len(drawn) == 2 * 40
    assert drawn[0].read_text().startswith("<svg")


def test_the_page_shows_errors_drawn(run, files, tmp_path):
    truth, one, other = files
    page = tmp_path / "page.html"
    assert run("report", one, other, "--truth", truth, "-o", page).code == 0
    text = page.read_text()
    assert "Which boxes are wrong?" in text
    assert "Is the ranking robust to wrong boxes in the truth?" in text
    assert "<svg" in text
    plain = tmp_path / "page.json"
    assert run("report", one, other, "--truth", truth, "-o", plain).code == 0
    assert "boxes" in json.loads(plain.read_text())


def test_read_says_how_boxes_are_understood(run, files):
    done = run("read", files[1], "--truth", files[0])
    assert done.code == 0
    assert "places, with scores from 0.5 on" in done.out
