"""Forms that moved give what the new ones give, and say on standard error what these are."""

import json

import pytest

from karat.cli import COMMANDS
from karat.cli.app import app
from karat.cli.demo import write_files
from karat.report.signature_parts import parse_signature

MARKS = "item,ann,bob,eve,a,b\n" + "".join(
    f"{k},{int(k % 3 == 0)},{int(k % 4 == 0)},{int(k % 6 == 0)},{k % 7},{k % 5}\n"
    for k in range(36)
)
LABELS = "xyz"
TRUTHS = "item,first,second,a,b\n" + "".join(
    f"{k},{LABELS[k % 3]},{LABELS[(k + (k % 9 == 0)) % 3]},"
    f"{LABELS[k % 3 if k % 5 else 0]},{LABELS[k % 3 if k % 4 else 1]}\n"
    for k in range(36)
)
FORMS = {
    "published": (
        "skew --precision 0.73 --from 0.5 --to 0.01 --recall 0.8 --check 0.2,0.9",
        "skew published --precision 0.73 --from 0.5 --to 0.01 --recall 0.8 --check 0.2,0.9",
        "note: karat skew --precision is now karat skew published --precision",
    ),
    "agreement": (
        "skew marks.csv --levels ann,bob,eve --systems a,b --to 0.1",
        "skew agreement marks.csv --annotators ann,bob,eve --systems a,b --to 0.1",
        "note: karat skew --levels is now karat skew agreement --annotators",
    ),
    "truths": (
        "stability truths.csv --truths first,second --measure macro-f1",
        "stability truths truths.csv --truths first,second --measure macro-f1",
        "note: karat stability --truths is now karat stability truths --truths",
    ),
    "item": (
        "consensus truths.csv --truth first --systems a,b,second --per-item",
        "consensus truths.csv --truth first --systems a,b,second --per item",
        "note: --per-item is now --per item",
    ),
    "query": (
        "retrieval marks.csv --truth ann --systems a,b --group bob --kind score --per-query",
        "retrieval marks.csv --truth ann --systems a,b --group bob --kind score --per query",
        "note: --per-query is now --per query",
    ),
    "file": (
        "graph truth parser-a --per-file",
        "graph truth parser-a --per file",
        "note: --per-file is now --per file",
    ),
}


def result_of(out, form):
    """What was printed, but for the command in the signature."""
    if form != "--json":
        return out
    whole = json.loads(out)
    signature = parse_signature(whole.pop("signature"))
    return whole, signature.settings, signature.data


@pytest.mark.parametrize("form", ["--csv", "--json", "--md"])
@pytest.mark.parametrize("name", FORMS)
def test_the_old_form_gives_what_the_new_one_gives(run, tmp_path, monkeypatch, name, form):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "marks.csv").write_text(MARKS)
    (tmp_path / "truths.csv").write_text(TRUTHS)
    write_files(tmp_path / "demo")
    for name_of_folder in ("truth", "parser-a"):
        (tmp_path / "demo" / name_of_folder).rename(tmp_path / name_of_folder)
    old, new, note = FORMS[name]
    before = run(*old.split(), form)
    after = run(*new.split(), form)
    assert (before.code, after.code) == (0, 0), before.err + after.err
    assert result_of(before.out, form) == result_of(after.out, form)
    assert note in before.err
    assert "note:" not in after.err


@pytest.mark.parametrize("old", ["--precision", "--recall", "--from", "--levels", "--truths"])
def test_what_moved_is_not_in_the_help(run, old):
    for name in ("skew", "stability"):
        assert f" {old} " not in run(name, "--help").out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("skew agreement marks.csv --annotators ann --systems a", "needs two annotators or more"),
        (
            "skew agreement marks.csv --annotators ann,ann --systems a",
            "--annotators names a column",
        ),
        ("skew agreement marks.csv --annotators ann,bob --systems ,", "--systems is empty"),
        (
            "skew agreement marks.csv --annotators ann,bob",
            "name the columns of scores with --systems",
        ),
        ("skew published --precision 0.5", "Missing option '--from'"),
        ("skew published --precision 0.5 --from 0.5 --check 0.3", "PRECISION,RECALL"),
        ("stability truths truths.csv", "Missing option '--truths'"),
        ("stability truths truths.csv --truths first,second --graphs", "leave --graphs out"),
        ("stability truths truths.csv --truths first,second --measure cross-entropy", "is a loss"),
    ],
)
def test_mistakes_in_the_new_forms_end_with_a_sentence(run, tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "marks.csv").write_text(MARKS)
    (tmp_path / "truths.csv").write_text(TRUTHS)
    done = run(*words.split())
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err


def test_every_form_of_two_words_is_a_command_whose_first_word_is_one():
    listed = app().list_commands(None)
    for name in ("skew published", "skew agreement", "stability truths"):
        assert name in listed
        assert name.split()[0] in COMMANDS
