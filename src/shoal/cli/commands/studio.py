"""`shoal studio`: the table, the risk and the cost in a browser, while one decides."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["studio"]


def studio(
    given: Annotated[
        Path | None,
        typer.Argument(
            metavar="[TABLE | PLAN | RELEASE]", help="What to begin with; else the page asks."
        ),
    ] = None,
    read_only: Annotated[
        bool,
        typer.Option("--read-only", help="Show the report of a release, and nothing else."),
    ] = False,
    port: Annotated[int, typer.Option(help="Where it listens; 0 takes one that is free.")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether a browser is opened.")
    ] = True,
    language: Annotated[str, typer.Option(help="In which language it speaks: en or zh.")] = "en",
) -> None:
    """Open the studio in a browser on this machine: see the table, the risk and the cost."""
    import webbrowser

    from shoal.studio import serve

    def announce(address: str) -> None:
        typer.echo(f"The studio is at {address}")
        typer.echo("Only this machine can reach it. Keep the address to yourself. Ctrl-C ends it.")
        if browser:
            webbrowser.open(address)

    serve(given, read_only=read_only, port=port, language=language, announce=announce)
