"""Commands whose parameters are groups of options: a dataclass stands for all its fields."""

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer

from karat.table.option_help import Help, default_of, flag, helps


@dataclass(frozen=True, slots=True)
class Without:
    """Options of a group that mean nothing for a command: its help leaves them out.

    They are still read, so that the question can say why it does not take them: that helps more than "no such option".
    """

    names: frozenset[str]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", frozenset(names))


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command in which a parameter that is a group of options stands as all of them.

    So a command says `inputs: InputOptions`, and every option of it is one of the command's. With
    `inputs: Annotated[InputOptions, Without("cluster")]` its help does not show `--cluster`.
    """
    hints = get_type_hints(function, include_extras=True)
    plain = get_type_hints(function)
    groups: dict[str, Any] = {name: hint for name, hint in plain.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for name, parameter in signature(function).parameters.items():
        if name in groups:
            parameters += _parameters(groups[name], _hidden(hints[name]))
        else:
            parameters.append(parameter.replace(annotation=hints[name]))
    parameters.append(Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context))

    def command(*, context: typer.Context, **values: Any) -> None:
        options = {name: _filled(group, values) for name, group in groups.items()}
        for name, group in options.items():
            if hasattr(group, "called_in"):
                options[name] = group.called_in(context)
        function(**options, **values)

    ordered = sorted(parameters, key=lambda parameter: parameter.kind)
    command.__signature__ = Signature(ordered)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    command.__doc__ = function.__doc__
    command.__name__ = function.__name__
    return command


def _hidden(hint: Any) -> frozenset[str]:
    """Return the options of a group that a command's help leaves out."""
    for note in getattr(hint, "__metadata__", ()):
        if isinstance(note, Without):
            return note.names
    return frozenset()


def _parameters(group: Any, hidden: frozenset[str]) -> list[Parameter]:
    """Return a parameter for each field that is an option."""
    hints = get_type_hints(group, include_extras=True)
    described = helps(group)
    parameters = []
    for field in fields(group):
        if field.name in described:
            shown = field.name not in hidden
            parameters.append(_described(group, field, described[field.name], shown=shown))
        elif hasattr(hints[field.name], "__metadata__"):
            default = Parameter.empty if field.default is MISSING else field.default
            parameter = Parameter(
                field.name,
                Parameter.KEYWORD_ONLY,
                default=default,
                annotation=hints[field.name],
            )
            parameters.append(parameter)
    return parameters


def _described(group: Any, field: "Field[Any]", described: Help, *, shown: bool) -> Parameter:
    """Return the parameter of an option that is described without Typer."""
    default = default_of(field)
    name = flag(group, field.name)
    kind: Any = str
    if isinstance(default, bool):
        kind = bool
        if default:
            name = f"{name}/--no-{name.removeprefix('--')}"
    elif described.repeated:
        kind = list[str] | None
    elif described.parse or default is None:
        kind = str | None
    if described.parse:
        default = None
    panel = group.panel(field.name) if hasattr(group, "panel") else None
    option = typer.Option(
        name,
        metavar=described.metavar,
        help=described.text,
        rich_help_panel=panel,
        hidden=not shown,
    )
    return Parameter(
        field.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
    )


def _filled(group: Any, values: dict[str, Any]) -> Any:
    """Return a group of options with what was given; takes it out of the values."""
    described = helps(group)
    options = {}
    for field in fields(group):
        if field.name not in values:
            continue
        value = values.pop(field.name)
        parse = described[field.name].parse if field.name in described else None
        if parse is None:
            options[field.name] = value
        elif value:
            options[field.name] = parse(value)
    return group(**options)
