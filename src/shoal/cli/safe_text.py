"""Names, paths and cells on a terminal: data, never markup and never an escape sequence."""

from __future__ import annotations

import unicodedata
from typing import Any

from rich.console import Console
from rich.text import Text

_CATEGORIES = ("Cc", "Cs", "Zl", "Zp")
"""Controls, halves of characters, line ends."""
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of writing, and so can make a name look like another."""


def safe_text(text: object, style: str = "") -> Text:
    r"""Make a text that a terminal shows as it is; only line ends are kept.

    Examples
    --------
    >>> safe_text("[/x] \x1b[31mred").plain
    '[/x] \\x1b[31mred'
    """
    return Text("\n".join(map(visible, str(text).split("\n"))), style=style)


def visible(name: object) -> str:
    r"""Write a name with every control character made visible, line ends included.

    Examples
    --------
    >>> visible("a\nb"), visible("naïve 名")
    ('a\\nb', 'naïve 名')
    """
    text = str(name)
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(sign: str) -> str:
    hidden = sign in _TURNS or unicodedata.category(sign) in _CATEGORIES
    return sign.encode("unicode_escape").decode("ascii") if hidden else sign


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
