"""Where the command line writes: strings are data there, and a closed pipe is said to be one."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from shoal.cli.safe_text import safe_text


class Terminal(Console):
    """Standard output or standard error, for people.

    Where nobody reads it any more, `Guarded` decides what that means.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False)

    def on_broken_pipe(self) -> None:
        """Say so, instead of leaving with the exit code for "does not hold"."""
        raise BrokenPipeError

    def render_str(self, text: str, **how: Any) -> Text:
        """Take every string for data: none is markup."""
        made = safe_text(text)
        made.style = how.get("style") or ""
        made.justify, made.overflow = how.get("justify"), how.get("overflow")
        return made
