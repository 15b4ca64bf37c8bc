"""`karat sources`: what can be read, and with which options?"""

import typer


def sources() -> None:
    """List what karat reads: the name for --format, what it is, and the options for --using."""
    from karat.source import SOURCES  # noqa: PLC0415
    from karat.source.recognise import options_of  # noqa: PLC0415

    width = max(len(name) for name in SOURCES)
    for name in SOURCES:
        question, *_ = (SOURCES[name].__doc__ or "").splitlines()
        typer.echo(f"{name:<{width}}  {question}")
        if options := options_of(SOURCES[name]):
            said = ", ".join(
                f"{option}={default if default is not None else ''}" for option, default in options.items()
            )
            typer.echo(f"{'':<{width}}  --using {said}")
