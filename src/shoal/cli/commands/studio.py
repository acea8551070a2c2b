"""`shoal studio`: the table, the risk and the cost in a browser, while one decides."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from shoal.studio.entrance import Entrance


def studio(
    given: Annotated[
        Path | None,
        typer.Argument(
            metavar="[TABLE | PLAN | RELEASE]", help="What to open; without it, the page asks."
        ),
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Show only the report of a release.")
    ] = False,
    port: Annotated[int, typer.Option(help="The port to listen on; 0 picks a free one.")] = 0,
    browser: Annotated[
        bool,
        typer.Option(
            "--browser/--no-browser",
            help="Open a browser; otherwise, print an address that works once.",
        ),
    ] = True,
    language: Annotated[str, typer.Option(help="The language of the studio: en or zh.")] = "en",
) -> None:
    """Open the studio in a browser on this machine to see the table, the risk and the cost."""
    from shoal.studio import serve

    def announce(entrance: Entrance) -> None:
        if browser and entrance.open_browser():
            typer.echo(f"The studio is open in your browser, at {entrance.base}")
        else:
            typer.echo(f"The studio is at {entrance.address()}")
            typer.echo("This address works once. Keep it to yourself.")
        typer.echo("Only this machine can reach the studio. Ctrl-C ends it.")
        if _is_at_the_terminal():
            typer.echo(
                "Press Enter for another address that opens the studio once, in any browser."
            )
            threading.Thread(target=_answer_enter, args=(entrance,), daemon=True).start()

    serve(given, read_only=read_only, port=port, language=language, announce=announce)


def _is_at_the_terminal() -> bool:
    """Say whether somebody could press a key: in the background, reading would stop the process."""
    try:
        in_front = not hasattr(os, "tcgetpgrp") or os.tcgetpgrp(0) == os.getpgrp()
        return sys.stdin.isatty() and in_front
    except (OSError, ValueError, AttributeError):
        return False


def _answer_enter(entrance: Entrance) -> None:
    """Show a fresh address whenever Enter is pressed."""
    if hasattr(signal, "SIGTTIN"):
        signal.pthread_sigmask(
            signal.SIG_BLOCK, [signal.SIGTTIN]
        )  # in the background, reading fails
    try:
        for _ in sys.stdin:
            typer.echo(f"{entrance.address()}  (works once)")
    except (OSError, ValueError):
        return
