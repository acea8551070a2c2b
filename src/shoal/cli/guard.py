"""Errors on the command line: two sentences and an exit code, never a traceback."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import typer
from typer.core import TyperGroup

from shoal.cli.memory import NO_MEMORY, lack_of_memory
from shoal.cli.passwords import REMEDY, WARNING, holds_password, without_password
from shoal.errors import OutOfMemoryError, ShoalError, StoppedWriteWarning, VerificationError

HOLDS_NOT, WRONG, DEFECT, STOPPED, UNREAD = 1, 2, 3, 130, 141


class Guarded(TyperGroup):
    """A group of commands that turns errors into messages and exit codes."""

    def make_context(self, *given: Any, **more: Any) -> Any:
        """Read the arguments; help and the version are printed meanwhile."""
        if more.get("parent") is None and holds_password(next(iter(given[1:2]), ())):
            complain(WARNING, REMEDY, word="Warning")
        try:
            return super().make_context(*given, **more)
        except ShoalError as error:
            complain(error.problem, error.hint)
            raise typer.Exit(_code(error)) from None
        except (BrokenPipeError, SystemExit) as error:
            _leave_unread(error)
            raise
        except Exception as error:
            _forget_password(error)
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a cell value can never reach the screen through an error."""
        try:
            with _stopped_writes_reported():
                return super().invoke(ctx)
        except ShoalError as error:
            problem = lack_of_memory(error) or error
            complain(problem.problem, problem.hint)
            raise typer.Exit(_code(problem)) from None
        except KeyboardInterrupt:
            complain("Stopped.", "No half-written files are left.")
            raise typer.Exit(STOPPED) from None
        except (BrokenPipeError, SystemExit) as error:
            _leave_unread(error)
            raise
        except OSError as error:
            _leave_without_memory(error)
            reason = error.strerror or type(error).__name__
            complain(f"The system refused: {reason}.", "Check the disk and the file names.")
            raise typer.Exit(WRONG) from None
        except BaseException as error:  # a panic of polars is no Exception
            from_click = type(error).__module__.split(".")[0] in ("click", "typer")
            _forget_password(error)
            if from_click or os.environ.get("SHOAL_DEBUG"):
                raise
            _leave_without_memory(error)
            complain(
                f"Shoal failed ({type(error).__name__}); this is a defect in Shoal.",
                "Set SHOAL_DEBUG=1 to see a trace, which may hold cell values.",
            )
            raise typer.Exit(DEFECT) from None


def complain(problem: str, hint: str = "", *, word: str = "Error") -> None:
    """Write an error to standard error, or a warning; no password of an address gets there."""
    from rich.text import Text

    from shoal.cli.safe_text import Terminal, safe_text

    console = Terminal(stderr=True)
    problem, hint = without_password(problem), without_password(hint)
    style = "bold red" if word == "Error" else "bold yellow"
    console.print(Text.assemble((f"{word}: ", style), safe_text(problem)), soft_wrap=True)
    if hint:
        console.print(safe_text(f"{' ' * (len(word) + 2)}{hint}"), soft_wrap=True)


@contextlib.contextmanager
def _stopped_writes_reported() -> Iterator[None]:
    """Say in a line of our own that a write was found which had been stopped half-way."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", StoppedWriteWarning)
        usual = warnings.showwarning

        def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, StoppedWriteWarning):
                complain(str(message), word="Note")
            else:
                usual(message, category, *place, **more)

        warnings.showwarning = show
        yield


def _forget_password(error: BaseException) -> None:
    """Let no message about arguments repeat a password that is one of them."""
    if isinstance(getattr(error, "message", None), str):
        error.message = without_password(error.message)  # type: ignore[attr-defined]


def _code(error: ShoalError) -> int:
    if isinstance(error, OutOfMemoryError):
        return NO_MEMORY
    return HOLDS_NOT if isinstance(error, VerificationError) else WRONG


def _leave_without_memory(error: BaseException) -> None:
    """Say that there is not enough memory, if that is why this error came."""
    problem = lack_of_memory(error)
    if problem is not None:
        complain(problem.problem, problem.hint)
        raise typer.Exit(NO_MEMORY) from None


def _leave_unread(error: BaseException) -> None:
    """Let what is left go nowhere: whoever read the output has seen enough, as `head` does."""
    # rich, which prints the help, leaves by itself where nobody reads.
    if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(UNREAD) from None
