"""Write docs/json.md from the JSON Schema of the package: every field of every command in words."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from karat.result.schema import form_names, schema

PAGE = Path(__file__).parents[1] / "docs" / "json.md"
HEAD = """# JSON, field by field

This page is made from the JSON Schema that comes with karat: `karat schema` shows all of it, `karat schema score` that
of one form. In Python it is `karat/result/schema.json` in the package. Run `python scripts/json_page.py` after a
change of it.

With `--json`, or `-o FILE.json`, a command writes one object. A command that can be asked in several ways has a form
for each; all have `karat` (the version), `command`, `rows` and, where something may make the numbers wrong,
`warnings`. In Python, `result.to_json()` is the same.

## What stays

{promise}

## What all have
"""
COMMON = ("karat", "command", "signature", "input", "warnings")
"""What is described once, for all forms."""


def page() -> str:
    """Return the page."""
    whole = schema()
    parts = [HEAD.format(promise=whole["description"])]
    score = whole["$defs"]["score"]
    shared = {name: score["properties"][name] for name in COMMON}
    parts.append(table(fields(shared, score["required"], whole)))
    for name in form_names():
        form = whole["$defs"][name]
        parts.append(f"## {name}\n\n`{form['title']}`: {form['description']}\n")
        own = {key: part for key, part in form["properties"].items() if key not in COMMON}
        parts.append(table(fields(own, form["required"], whole)))
    return "\n".join(parts)


def fields(
    properties: dict[str, Any], required: list[str], whole: dict[str, Any], under: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Give the place, the type and the meaning of each field, and of those inside of it."""
    for name, part in properties.items():
        is_form = _form_of(part)
        target = resolved(part, whole)
        place = f"{under}{name}"
        always = "" if name in required else " (not always)"
        meaning = part.get("description") or target.get("description", "")
        yield place, f"{kind(target, whole)}{always}", meaning
        if is_form:
            continue
        for ending, inner in inside(target, whole):
            yield from fields(
                inner["properties"], inner.get("required", []), whole, f"{place}{ending}."
            )


def _form_of(part: dict[str, Any]) -> bool:
    """Return whether a field holds a whole form, which has a section of its own."""
    return part.get("$ref", "").removeprefix("#/$defs/") in form_names()


def resolved(part: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Return what a part of the schema refers to."""
    while "$ref" in part:
        target = whole
        for name in part["$ref"].split("/")[1:]:
            target = target[name]
        part = target
    return part


def inside(part: dict[str, Any], whole: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give the objects inside of a field, with how one gets there: once, where they are alone or in a list."""
    part = resolved(part, whole)
    if "properties" in part:
        yield "", part
    elif "anyOf" in part:
        yield from list(inside(part["anyOf"][0], whole))
    elif "items" in part:
        for ending, inner in inside(part["items"], whole):
            yield f"[]{ending}", inner
    elif isinstance(part.get("additionalProperties"), dict):
        for ending, inner in inside(part["additionalProperties"], whole):
            yield f".NAME{ending}", inner


def kind(part: dict[str, Any], whole: dict[str, Any]) -> str:
    """Return the type of a field in words."""
    part = resolved(part, whole)
    if "anyOf" in part:
        return " or ".join(kind(one, whole) for one in part["anyOf"])
    if "const" in part or "enum" in part:
        return "string"
    types = part.get("type", "any")
    if isinstance(types, list):
        return " or ".join(types)
    if types == "array" and part.get("items"):
        return f"array of {kind(part['items'], whole)}"
    if types == "object" and isinstance(part.get("additionalProperties"), dict):
        return f"object, by name: {kind(part['additionalProperties'], whole)}"
    return str(types)


def table(rows: Iterator[tuple[str, str, str]]) -> str:
    """Return a Markdown table."""
    lines = ["| field | type | meaning |", "| --- | --- | --- |"]
    for place, types, meaning in rows:
        lines.append(f"| `{place}` | {types} | {meaning} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
