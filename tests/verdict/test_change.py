"""What changed since an earlier report, and what is refused."""

import json

import numpy as np
import pytest

import karat
from karat.errors import KaratError
from karat.verdict.change import PairChanges, pair_changes


def table(share, items=900, seed=0, names=("a", "b", "c")):
    random = np.random.default_rng(seed)
    truth = random.integers(4, size=items)
    data = {"item": [f"i{k}" for k in range(items)], "truth": [f"c{code}" for code in truth]}
    for name, right in zip(names, share, strict=True):
        hit = random.random(items) < right
        answers = np.where(hit, truth, (truth + 1) % 4)
        data[name] = [f"c{code}" for code in answers]
    return data


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "old.json"
    karat.read(table((0.9, 0.8, 0.7))).report(path)
    return path


def test_what_changed_by_more_than_doubt_is_told(old, tmp_path):
    new = table((0.7, 0.8, 0.9), names=("a", "b", "d"))
    karat.read(new).report(tmp_path / "new.json", against=old, title="Week 12", date="16 November")
    found = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))
    change = found["change"]
    verdicts = {row["system"]: row["verdict"] for row in change["rows"]}
    assert verdicts == {"a": "worse", "b": "undecided"}
    assert (change["added"], change["removed"]) == (["d"], ["c"])
    assert (change["old_first"], change["new_first"]) == ("a", "d")
    assert change["turned"] == [["a", "b"]]
    assert (found["title"], found["date"]) == ("Week 12", "16 November")
    text = (tmp_path / "new.md", tmp_path / "new.html")
    for path in text:
        karat.read(new).report(path, against=old, title="Week <12>")
        written = path.read_text(encoding="utf-8")
        assert "is first now; then it was" in written
        assert "<12>" not in written


def test_the_same_table_has_not_changed(old, tmp_path):
    karat.read(table((0.9, 0.8, 0.7))).report(tmp_path / "new.json", against=old)
    change = json.loads((tmp_path / "new.json").read_text(encoding="utf-8"))["change"]
    assert {row["verdict"] for row in change["rows"]} == {"undecided"}
    assert {row["difference"] for row in change["rows"]} == {0.0}
    assert (change["turned"], change["newly_settled"], change["no_longer_settled"]) == ([], 0, 0)


def test_two_equal_systems_rarely_seem_to_change():
    # 200 pairs of reports of one system: about 5 % are called changed; 0.05 + 3 standard errors is 0.096.
    from karat.verdict.change import system_changes

    random = np.random.default_rng(5)
    changed = 0
    for _ in range(200):
        rows = []
        for _ in range(2):
            hits = int(random.binomial(500, 0.8))
            bounds = karat.score_counts([(hits, 500)]).rows()[0]
            rows.append({"a": bounds})
        (found,) = system_changes(*rows, lower_is_better=False)
        changed += found.verdict != "undecided"
    assert changed / 200 <= 0.096


@pytest.mark.parametrize(
    "text", ["a,b\n1,2\n", "[1]", '{"command": "score"}', '{"command": "report"}']
)
def test_what_is_no_report_is_refused_before_anything_is_asked(tmp_path, text):
    path = tmp_path / "old.json"
    path.write_text(text, encoding="utf-8")
    asked = []
    with pytest.raises(KaratError, match=r"karat report TABLE -o OLD\.json"):
        karat.read(table((0.9, 0.8, 0.7))).report(against=path, say=asked.append)
    assert asked == []


def test_a_report_by_another_measure_is_refused(old):
    with pytest.raises(KaratError, match="ranks by accuracy"):
        karat.read(table((0.9, 0.8, 0.7))).report(against=old, measure="macro-f1")


def test_a_pair_is_settled_whichever_comes_first():
    undecided = [{"first": "a", "second": "b", "verdict": "undecided"}]
    settled = [{"first": "b", "second": "a", "verdict": "better"}]
    assert pair_changes(undecided, settled) == PairChanges((), newly_settled=1, no_longer_settled=0)
    assert pair_changes(settled, undecided) == PairChanges((), newly_settled=0, no_longer_settled=1)
