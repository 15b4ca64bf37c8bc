"""The JSON Schema holds for what every command writes, and every key that it promises is written by some command.

The schema of the package lets unknown keys pass, so that karat may add some. Here it does not: a key that nobody
described fails.
"""

import contextlib
import csv
import io
import json
import runpy
import shlex
import sys
from pathlib import Path
from unittest import mock

import jsonschema
import pytest

from docs.test_docs import PAGES, ROOT, Step, blocks, lay_out, run_python, steps
from karat.cli import COMMANDS, main
from karat.result.schema import form_names, form_schema, schema

VARIANTS = ROOT / "tests" / "support" / "json_variants.txt"
WITHOUT_JSON = {"cite", "convert", "demo", "plot", "report", "schema", "show", "sources", "tally"}
OTHER_FORMS = {"--json", "--csv", "--md", "--latex", "--guard-formulas"}


def strict(part):
    """A schema in which an object has no keys but those that are described."""
    if isinstance(part, list):
        return [strict(one) for one in part]
    if not isinstance(part, dict):
        return part
    stricter = {name: strict(value) for name, value in part.items()}
    if isinstance(part.get("properties"), dict) and "type" in part:
        stricter.setdefault("additionalProperties", False)
    return stricter


VALIDATORS = {
    name: jsonschema.Draft202012Validator(strict(form_schema(name))) for name in form_names()
}


def run(arguments):
    """Run a command in this process; return its standard output and its exit code."""
    out = io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["karat", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        try:
            main()
        except SystemExit as end:
            return out.getvalue(), end.code or 0
    return out.getvalue(), 0


def json_of(step: Step):
    """What a command of a page writes with --json; None where a page shows that it is refused."""
    _, *arguments = shlex.split(step.command)
    kept = [argument for argument in arguments if argument not in OTHER_FORMS]
    is_merge = arguments[:2] == ["graph", "merge"]
    if "-o" in kept and not is_merge:
        run(arguments)  # later commands read the file
        place = kept.index("-o")
        target = kept[place + 1]
        del kept[place : place + 2]
        if arguments[0] == "report" and target.endswith(".json"):
            return json.loads(Path(target).read_text(encoding="utf-8"))
    if arguments[:2] == ["demo", "--files"]:
        run(arguments)  # later commands read these files
    if arguments[0] in WITHOUT_JSON or step.printed.startswith("karat: "):
        return None
    text, code = run([*kept, "--json"])
    assert code in {0, 1}, step.command
    return json.loads(text)


def written(text: str):
    """Give each command of a console block and its JSON; write the files that it shows."""
    for step in steps(text):
        program, *arguments = shlex.split(step.command)
        if program == "cat":
            Path(arguments[0]).parent.mkdir(parents=True, exist_ok=True)
            Path(arguments[0]).write_text(step.printed, encoding="utf-8")
        elif program == "karat":
            found = json_of(step)
            if found is not None:
                yield step.command, found


def form_of(found):
    """The one form that a result has."""
    fits = [name for name, validator in VALIDATORS.items() if validator.is_valid(found)]
    if len(fits) == 1:
        return fits[0]
    reasons = {}
    for name, validator in VALIDATORS.items():
        errors = list(validator.iter_errors(found))
        if not any(list(error.absolute_path) == ["command"] for error in errors):
            reasons[name] = [f"{error.json_path}: {error.message[:200]}" for error in errors[:3]]
    raise AssertionError(f"fits {fits}: {reasons}")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_pages_show_is_as_the_schema_says(page, tmp_path, monkeypatch):
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks(page):
        if block.spark or not block.runs:
            continue
        if block.language == "python":
            run_python(block, names)
            continue
        for command, found in written(block.text):
            try:
                form_of(found)
            except AssertionError as error:
                raise AssertionError(f"{page.name}: {command}: {error}") from None


def fill_in():
    """Fill in a list of an audit: every given label is right."""
    with Path("list.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["right"] = row["given"]
    with Path("checked.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def checked_audit():
    claim = ["audit", "digits.csv", "--claim", "svm,logistic", "--seed", "1"]
    claim += ["--random", "0.2", "--new-items"]
    run([*claim, "--budget", "20", "-o", "list.csv"])
    fill_in()
    return by_json([*claim, "--apply", "checked.csv"])


def second_opinion():
    """What two checkers lead to who agree."""
    claim = ["audit", "digits.csv", "--claim", "svm,logistic", "--seed", "1"]
    run([*claim, "--budget", "20", "-o", "list.csv"])
    fill_in()
    return by_json([*claim, "--apply", "checked.csv", "--second", "checked.csv"])


def by_json(arguments):
    text, code = run([*arguments, "--json"])
    assert code == 0
    return json.loads(text)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What every command writes, in all its forms."""
    folder = tmp_path_factory.mktemp("variants")
    lay_out(folder)
    with contextlib.chdir(folder):
        found = dict(written(VARIANTS.read_text(encoding="utf-8")))
        found["audit --apply"] = checked_audit()
        found["audit --second"] = second_opinion()
        run(["report", "pets.csv", "-o", "page.json"])
        found["report"] = json.loads(Path("page.json").read_text(encoding="utf-8"))
    return found


def resolved(part):
    while "$ref" in part:
        target = schema()
        for name in part["$ref"].split("/")[1:]:
            target = target[name]
        part = target
    return part


def described(part, path):
    """Every key that a schema describes, with where it stands."""
    part = resolved(part)
    for alternative in part.get("anyOf", ()):
        yield from described(alternative, path)
    for name, inner in part.get("properties", {}).items():
        yield f"{path}.{name}"
        yield from described(inner, f"{path}.{name}")
    for keyword in ("items", "additionalProperties"):
        if isinstance(part.get(keyword), dict):
            yield from described(part[keyword], path)


def used(part, value, path):
    """Every described key that a result has, with where it stands."""
    part = resolved(part)
    for alternative in part.get("anyOf", ()):
        yield from used(alternative, value, path)
    if isinstance(value, list) and "items" in part:
        for one in value:
            yield from used(part["items"], one, path)
    if isinstance(value, dict):
        inner = part.get("properties", {})
        rest = part.get("additionalProperties")
        for name, one in value.items():
            if name in inner:
                yield f"{path}.{name}"
                yield from used(inner[name], one, f"{path}.{name}")
            elif isinstance(rest, dict):
                yield from used(rest, one, path)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(schema())


def test_every_command_that_writes_json_is_tried(results):
    tried = {found["command"].replace(" ", "-") for found in results.values()}
    # `stability truths`, `skew published` and `skew agreement` are forms of their commands.
    sisters = {"stability-truths", "skew-published", "skew-agreement"}
    assert tried | sisters == (set(COMMANDS) - WITHOUT_JSON) | {"report"}


def test_every_form_is_written_and_has_no_other_keys(results):
    assert {form_of(found) for found in results.values()} == set(form_names())


def test_every_promised_key_is_written(results):
    promised, seen = set(), set()
    for name in form_names():
        promised |= set(described(form_schema(name), name))
    for found in results.values():
        name = form_of(found)
        seen |= set(used(form_schema(name), found, name))
    # A report has the results of other commands, and any result may have warnings.
    missing = {path for path in promised - seen if not path.startswith("report.")}
    assert {path for path in missing if not path.endswith(".warnings")} == set()


def test_a_reader_may_pass_over_new_keys(results):
    found = {**results["karat score pets.csv"], "new": 1}
    jsonschema.validate(found, schema())
    jsonschema.validate(found, form_schema("score"))


@pytest.mark.parametrize(
    "change",
    [
        lambda found: found.pop("rows"),
        lambda found: found["rows"][0].pop("value"),
        lambda found: found["rows"][0].update(low="0.1"),
        lambda found: found.update(command="scores"),
    ],
)
def test_what_was_promised_is_missed(results, change):
    found = json.loads(json.dumps(results["karat score pets.csv"]))
    change(found)
    assert not jsonschema.Draft202012Validator(schema()).is_valid(found)


def test_the_page_is_made_from_the_schema():
    made = runpy.run_path(str(ROOT / "scripts" / "json_page.py"))
    assert made["PAGE"].read_text(encoding="utf-8") == made["page"](), "run scripts/json_page.py"
