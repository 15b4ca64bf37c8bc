"""What `--help` says: a command's own options first, then those that many commands share, group by group."""

from typing import Any

from typer.core import TyperCommand

NAMES = {int: "N", float: "NUMBER"}
"""What a value is called where its option does not say it."""


class Grouped(TyperCommand):
    """A command whose help has a section for each group of options."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what stands behind the command's name."""
        return [
            "[OPTIONS]",
            *(
                _argument(each)
                for each in self.get_params(ctx)
                if each.param_type_name == "argument"
            ),
        ]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, those without a group first."""
        sections: dict[str, list[Any]] = {"Arguments": [], "Options": []}
        parameters: list[Any] = self.get_params(ctx)
        for parameter in parameters:
            if parameter.param_type_name == "argument":
                sections["Arguments"].append((_argument(parameter), parameter.help or ""))
            else:
                name = getattr(parameter, "rich_help_panel", None) or "Options"
                sections.setdefault(name, []).append(_named(parameter).get_help_record(ctx))
        for name, records in sections.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)


def _argument(argument: Any) -> str:
    name = argument.name.upper()
    return argument.metavar or (name if argument.required else f"[{name}]")


def _with_forms(text: str) -> str:
    """Return help with how each prior and trajectory is written: read from the indexes only where it is shown."""
    if "_forms}" not in text:
        return text
    from karat.ask.prevalence_forms import prior_forms, trajectory_forms  # noqa: PLC0415 (loads NumPy)

    return text.format(prior_forms=prior_forms(), trajectory_forms=trajectory_forms())


def _named(option: Any) -> Any:
    option.help = _with_forms(option.help or "")
    if option.metavar is None and not option.is_flag:
        option.metavar = NAMES.get(option.type_descriptor.annotation, "TEXT")
    return option
