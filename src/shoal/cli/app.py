"""The `shoal` command: which commands there are, without importing any of them."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.cli.folder import Commands

app = typer.Typer(
    cls=Commands,
    name="shoal",
    help="Publish tables without publishing people.",
    epilog="Exit codes: 0 success, 1 a requirement does not hold, 2 wrong input, 3 a defect in "
    "Shoal, 6 out of memory, 130 stopped.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line."""
    app()


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"shoal {version('shoal')}")
        raise typer.Exit


@app.callback()
def shoal(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Publish tables without publishing people."""
