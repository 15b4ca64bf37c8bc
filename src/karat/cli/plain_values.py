"""Values that need no conversion: texts, and defaults that are numbers already.

Typer converts each value by Pydantic, even a text into a text, and loading Pydantic takes longer than all of Typer.
Here only values that are yet to be converted go that way, such as that of `--level 0.9`.
"""

from typing import Any

PLAIN = (str, int, float, bool)


class PlainValues:
    """A command, or a group of them, that converts values only where that is needed."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, `--help` among them."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            is_known = hasattr(parameter, "type_descriptor")  # older versions of Typer have none
            if is_known and not hasattr(parameter, "converts_where_needed"):
                _convert_only_where_needed(parameter)
        return parameters


def _convert_only_where_needed(parameter: Any) -> None:
    """Let a parameter of a command pass values on that are of its type already."""
    convert = parameter.process_value

    def process_value(ctx: Any, value: Any) -> Any:
        is_absent = value is None and not parameter.required
        if not is_absent and not is_converted(value, parameter.type_descriptor.annotation):
            return convert(ctx, value)
        if isinstance(value, tuple):
            value = list(value)
        if parameter.callback is not None:
            value = parameter.callback(ctx, parameter, value)
        return value

    parameter.process_value = process_value
    parameter.converts_where_needed = True


def is_converted(value: Any, annotation: Any) -> bool:
    """Return whether a value is of its type already.

    >>> is_converted("a", str), is_converted(("a", "b"), list[str]), is_converted("0.9", float)
    (True, True, False)
    """
    if annotation in PLAIN:
        return type(value) is annotation
    if annotation == list[str] and isinstance(value, list | tuple) and value:
        return all(type(part) is str for part in value)
    return False
