"""`karat repeat`: the same result again, or what differs, in words and by the exit code."""

import json

import pytest

from karat.cli.demo import write_files
from karat.version import VERSION

QUESTIONS = [
    "score digits.csv --systems svm,knn --per class",
    "score is_eight.csv --threshold 0.5 --measure f1 --systems svm,tree",
    "score 42/100 x=30/50",
    "compare digits.csv --systems svm,knn,tree --baseline svm",
    "stability digits.csv --pair svm,knn --label-error 0.03 --draws 500",
    "consensus digits.csv --systems svm,knn,tree --draws 20",
    "skew is_eight.csv --systems svm,tree --to 0.01 --to 2% --draws 50",
    "audit digits.csv --claim svm,knn --seed 3",
    "graph truth parser-a --per file",
    "plan --baseline 0.9 --increase 0.02",
    "skew published --precision 0.73 --from 0.5 --to 0.01",
]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(run, question):
    """Ask with --json; return the object and what the question was about."""
    done = run(*question.split(), "--json")
    assert done.code == 0, done.err
    words = question.split()
    first = 2 if words[1] == "published" else 1
    tables = []
    for word in words[first:]:
        if word.startswith("--"):
            break
        tables.append(word)
    return json.loads(done.out), tables


def signature_of(run, question):
    return asked(run, question)[0]["signature"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_json_and_signature_give_the_same_again(run, files, question):
    whole, tables = asked(run, question)
    (files / "result.json").write_text(json.dumps(whole))
    again = run("repeat", "result.json", *tables)
    assert again.code == 0, again.out + again.err
    assert "The same result again, to the last digit." in again.out
    by_line = run("repeat", whole["signature"], *tables)
    assert by_line.code == 0, by_line.out + by_line.err
    assert "The same signature again" in by_line.out


def test_the_command_of_a_signature_can_be_typed(run):
    signature = signature_of(
        run, "score digits.csv --no-truth 7 --systems svm --per class --engine duckdb"
    )
    assert signature.split(" | ")[1] == "score --per class --systems svm --no-truth 7"


def test_words_with_separators_and_quotes_come_back(run, files):
    (files / "odd.csv").write_text("item,truth,a\n1,x | y,x | y\n2,it's,x | y\n")
    done = run(
        "score",
        "odd.csv",
        "--measure",
        "accuracy",
        "--no-truth",
        "x | y",
        "--no-truth",
        "it's | so",
        "--json",
    )
    again = run("repeat", json.loads(done.out)["signature"], "odd.csv")
    assert again.code == 0, again.out + again.err


def test_other_data_are_said(run, files):
    whole, _ = asked(run, "score digits.csv --systems svm,knn")
    (files / "result.json").write_text(json.dumps(whole))
    lines = (files / "digits.csv").read_text().splitlines()
    (files / "less.csv").write_text("\n".join(lines[:1000]) + "\n")
    again = run("repeat", "result.json", "less.csv", "--json")
    found = json.loads(again.out)
    assert again.code == 1
    assert not found["same"]
    verdicts = {row["part"]: row["verdict"] for row in found["rows"]}
    assert verdicts == {
        "version": "same",
        "options": "same",
        "data": "other",
        "input": "other",
        "numbers": "other",
    }
    assert found["differences"][0].startswith("rows[0].successes: it was 1426, it is ")
    in_words = run("repeat", "result.json", "less.csv")
    assert "other than before: data, input, numbers." in in_words.out
    assert "not the table that it was made from" in in_words.out


def test_another_version_is_said_and_numbers_decide(run, files):
    whole, _ = asked(run, "score digits.csv --systems svm,knn")
    older = json.dumps(whole).replace(f"karat {VERSION} |", "karat 0.0.9 |")
    (files / "older.json").write_text(older)
    again = run("repeat", "older.json", "digits.csv")
    assert again.code == 0
    assert f"version: it was 0.0.9, it is {VERSION};" in again.out
    by_line = run("repeat", json.loads(older)["signature"], "digits.csv")
    assert by_line.code == 1
    assert "other than before: version." in by_line.out


def test_a_changed_number_is_found(run, files):
    whole, _ = asked(run, "score digits.csv --systems svm,knn")
    whole["rows"][0]["low"] += 1e-9
    (files / "changed.json").write_text(json.dumps(whole))
    again = run("repeat", "changed.json", "digits.csv")
    assert again.code == 1
    assert "numbers: 1 differ; the first of them follow." in again.out
    assert "rows[0].low: it was" in again.out


def test_options_that_mean_something_else_now_are_said(run):
    signature = signature_of(run, "score digits.csv --systems svm,knn").replace(
        "draws=2000", "draws=1000"
    )
    again = run("repeat", signature, "digits.csv")
    assert again.code == 1
    assert "other than before: options." in again.out


def test_a_signature_from_python_or_a_page_is_asked_by_its_settings(run):
    signature = signature_of(
        run, "stability digits.csv --pair svm,knn --label-error 0.03 --draws 500"
    )
    version, _, *rest = signature.split(" | ")
    again = run("repeat", " | ".join([version, "stability", *rest]), "digits.csv")
    assert again.code == 0, again.out + again.err
    consensus = signature_of(
        run, "consensus digits.csv --systems svm,knn,tree --estimator majority --draws 20"
    )
    version, _, *rest = consensus.split(" | ")
    bare = " | ".join([version, "consensus", *rest])
    assert run("repeat", bare, "digits.csv").code == 1  # of other systems
    assert run("repeat", bare, "digits.csv", "--with", "--systems svm,knn,tree").code == 0


def test_a_truth_that_moved_is_given_anew(run, files):
    (files / "gold.csv").write_text("item,truth\n1,x\n2,y\n")
    (files / "answers.csv").write_text("item,a\n1,x\n2,x\n")
    signature = signature_of(run, "score answers.csv --truth gold.csv")
    (files / "gold.csv").rename(files / "moved.csv")
    assert run("repeat", signature, "answers.csv").code == 2
    assert run("repeat", signature, "answers.csv", "--with", "--truth moved.csv").code == 0


def test_nothing_is_written_again(run, files):
    done = run("audit", "digits.csv", "--claim", "svm,knn", "--seed", "3", "-o", "list.json")
    assert done.code == 0, done.err
    before = sorted(files.iterdir())
    assert run("repeat", "list.json", "digits.csv").code == 0
    assert sorted(files.iterdir()) == before


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("nonsense", "'nonsense' is not a signature; it begins as karat"),
        ("not-there.json", "there is no file not-there.json"),
        ("digits.csv", "is not a signature"),
        ("karat 0.1.0 | report | accuracy", "karat report writes files"),
        ("karat 0.1.0 | nix | accuracy", "'nix', which is not a command of karat"),
        ("karat 0.1.0 | score --per 'class | accuracy", "has a quote that does not end"),
        ("page.json", "is the JSON of a page, with the results"),
        ("read.json", "has no signature"),
        ("broken.json", "broken.json is not JSON"),
        ("picture.png", "is not text"),
    ],
)
def test_what_cannot_be_repeated_is_refused_in_words(run, files, given, says):
    (files / "page.json").write_text('{"karat": "0.1.0", "score": {"signature": "x"}}')
    (files / "read.json").write_text('{"karat": "0.1.0", "rows": []}')
    (files / "broken.json").write_text('{"karat"')
    (files / "picture.png").write_bytes(b"\x89PNG\r\n")
    done = run("repeat", given, "digits.csv")
    assert done.code == 2
    assert says in done.err
    assert "Traceback" not in done.err


def test_standard_input_does_as_well(run, monkeypatch):
    import io

    signature = signature_of(run, "score digits.csv --systems svm,knn")
    monkeypatch.setattr("sys.stdin", io.StringIO(signature + "\n"))
    assert run("repeat", "-", "digits.csv").code == 0
