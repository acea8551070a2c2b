"""Errors at the command line: two sentences and an exit code, never a traceback."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperGroup

from shoal.cli.safe_text import safe_text
from shoal.errors import ShoalError, VerificationError

__all__ = ["HOLDS_NOT", "Guarded", "complain"]

HOLDS_NOT, WRONG, DEFECT, STOPPED, UNREAD = 1, 2, 3, 130, 141


class Guarded(TyperGroup):
    """A group of commands that turns errors into messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a cell value can never reach the screen through an error."""
        try:
            return super().invoke(ctx)
        except ShoalError as error:
            complain(error.problem, error.hint)
            code = HOLDS_NOT if isinstance(error, VerificationError) else WRONG
            raise typer.Exit(code) from None
        except KeyboardInterrupt:
            complain("Stopped.", "Nothing was written.")
            raise typer.Exit(STOPPED) from None
        except BrokenPipeError:
            # Whoever read the output has seen enough, as `head` does; what is left goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(UNREAD) from None
        except MemoryError:
            complain("There is not enough memory for this table.", "Use a larger machine.")
            raise typer.Exit(WRONG) from None
        except Exception as error:
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
    console = Console(stderr=True, highlight=False)
    console.print(Text.assemble(("Error: ", "bold red"), safe_text(problem)), soft_wrap=True)
    if hint:
        console.print(safe_text(f"       {hint}"), soft_wrap=True)
