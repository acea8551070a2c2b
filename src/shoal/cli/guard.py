"""Errors at the command line: two sentences and an exit code, never a traceback."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from shoal.errors import ShoalError, VerificationError

__all__ = ["HOLDS_NOT", "Guarded", "complain"]

HOLDS_NOT, WRONG, DEFECT, STOPPED, UNREAD = 1, 2, 3, 130, 141


class Guarded(TyperGroup):
    """A group of commands that turns errors into messages and exit codes."""

    def make_context(self, *given: Any, **more: Any) -> Any:
        """Read the arguments; help and the version are printed meanwhile."""
        try:
            return super().make_context(*given, **more)
        except (BrokenPipeError, SystemExit) as error:
            _leave_unread(error)
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a cell value can never reach the screen through an error."""
        try:
            return super().invoke(ctx)
        except ShoalError as error:
            complain(error.problem, error.hint)
            code = HOLDS_NOT if isinstance(error, VerificationError) else WRONG
            raise typer.Exit(code) from None
        except KeyboardInterrupt:
            complain("Stopped.", "Nothing half-written is left.")
            raise typer.Exit(STOPPED) from None
        except (BrokenPipeError, SystemExit) as error:
            _leave_unread(error)
            raise
        except OSError as error:
            reason = error.strerror or type(error).__name__
            complain(f"The system refused: {reason}.", "Check the disk, and the names of files.")
            raise typer.Exit(WRONG) from None
        except MemoryError:
            complain("There is not enough memory for this table.", "Use a larger machine.")
            raise typer.Exit(WRONG) from None
        except BaseException as error:  # a panic of polars is no Exception
            from_click = type(error).__module__.split(".")[0] in ("click", "typer")
            if from_click or os.environ.get("SHOAL_DEBUG"):
                raise
            complain(
                f"Shoal itself failed ({type(error).__name__}); this is a defect.",
                "Set SHOAL_DEBUG=1 to see where, and mind that the trace may hold cell values.",
            )
            raise typer.Exit(DEFECT) from None


def complain(problem: str, hint: str = "") -> None:
    """Write an error to standard error."""
    from rich.text import Text

    from shoal.cli.safe_text import safe_text
    from shoal.cli.terminal import Terminal

    console = Terminal(stderr=True)
    console.print(Text.assemble(("Error: ", "bold red"), safe_text(problem)), soft_wrap=True)
    if hint:
        console.print(safe_text(f"       {hint}"), soft_wrap=True)


def _leave_unread(error: BaseException) -> None:
    """Let what is left go nowhere: whoever read the output has seen enough, as `head` does."""
    # rich, which prints the help, leaves by itself where nobody reads.
    if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(UNREAD) from None
