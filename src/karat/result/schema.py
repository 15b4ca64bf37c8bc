"""The JSON that karat writes, described field by field: `schema.json` beside this file."""

import json
from importlib.resources import files
from typing import Any

from karat.errors import UnknownNameError

DEFINITIONS = "$defs"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of all results.

    >>> schema()["title"]
    'What karat writes as JSON'
    """
    text = files("karat.result").joinpath("schema.json").read_text(encoding="utf-8")
    whole: dict[str, Any] = json.loads(text)
    return whole


def form_names() -> list[str]:
    """Return the forms that a result can have: score, compare, plan, plan-figure, ..."""
    return [_name(form) for form in schema()["anyOf"]]


def form_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of one form, with all that it refers to.

    >>> form_schema("score")["properties"]["command"]["const"]
    'score'
    """
    whole = schema()
    definitions = whole[DEFINITIONS]
    if name not in form_names():
        raise UnknownNameError("form of JSON", name, form_names())
    form = definitions[name]
    wanted = _names_in(form, definitions, {})
    return {
        "$schema": whole["$schema"],
        **form,
        DEFINITIONS: {one: definitions[one] for one in definitions if one in wanted},
    }


def _names_in(part: Any, definitions: dict[str, Any], known: dict[str, None]) -> dict[str, None]:
    """Return the definitions that a part of the schema refers to, and those that they refer to."""
    inner: list[Any] = []
    if isinstance(part, dict):
        inner = list(part.values())
        name = _name(part) if "$ref" in part else None
        if name is not None and name not in known:
            known[name] = None
            inner.append(definitions[name])
    elif isinstance(part, list):
        inner = part
    for one in inner:
        _names_in(one, definitions, known)
    return known


def _name(reference: dict[str, str]) -> str:
    """Return the definition that #/$defs/NAME refers to, or #/$defs/NAME/... goes through."""
    return reference["$ref"].split("/")[2]
