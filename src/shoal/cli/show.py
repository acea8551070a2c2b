"""What people see: summaries as tables, answers for programs as JSON."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from shoal.cli.safe_text import Terminal, safe_text

if TYPE_CHECKING:
    from shoal.release import OpenedRelease

# What a terminal would obey, or show in another order; JSON escapes only the first 32.
_HIDDEN = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def console() -> Console:
    """Write to standard output."""
    return Terminal()


def print_json(data: Any) -> None:
    """Answer a program, in signs that the output can write and a terminal does not obey."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    text = _HIDDEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:  # half characters of a file name, or a terminal of old
        text = json.dumps(data, indent=2)
    print(text)


def grid(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, dense: bool = False
) -> None:
    """Show rows under a heading; dense: with one space between columns, and nothing cut off."""
    table = Grid(box=SIMPLE)
    if dense:
        table.padding, table.pad_edge = (0, 0), False
    for name in head:
        table.add_column(safe_text(name), overflow="fold" if dense else "ellipsis")
    for row in rows:
        table.add_row(*map(safe_text, row))
    console().print(safe_text(title, "bold"))  # above it, since a narrow table would break it
    console().print(table)


def stated(opened: OpenedRelease) -> None:
    """Say what the form of a release states of its cells, and what was added that nobody holds."""
    from shoal.release.promise import cells_stated, suppressed_columns  # only for releases

    cells = cells_stated(opened.form, suppressed_columns(opened.facts))
    console().print(safe_text(f"The cells of quasi-identifiers are {cells}."))
    if opened.added:
        console().print(safe_text(opened.added, "yellow"))


def line(text: str) -> None:
    """Show a sentence, and an empty line after it."""
    console().print(safe_text(text))
    console().print()


def warn(text: object) -> None:
    """Show what somebody should know, or look at."""
    console().print(Text.assemble(("! ", "bold yellow"), safe_text(text)))


def footnotes(*notes: Mapping[str, str]) -> None:
    """Show what marks of a table mean, a line apart for each kind of mark."""
    table = Grid(box=None, show_header=False, pad_edge=False)
    for place, kind in enumerate(notes):
        if place:
            table.add_row()
        for mark, text in kind.items():
            table.add_row(safe_text(mark), safe_text(text))
    console().print(table)


def facts_grid() -> Grid:
    """Begin a table of facts: what each is called, and what it is."""
    made = Grid.grid(padding=(0, 2))
    made.add_column(style="bold")
    made.add_column(overflow="fold")
    return made


def levels(achieved: Mapping[str, float]) -> str:
    """Write what was achieved, each number with its name."""
    return ", ".join(f"{name} = {number(level)}" for name, level in achieved.items())


def number(value: float) -> str:
    """Write a measure for people."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def percent(share: float | None) -> str:
    """Write a share for people; what is more than nothing is never shown as nothing.

    Examples
    --------
    >>> percent(0.0625), percent(0.00002), percent(0.0), percent(None)
    ('6.25%', '<0.01%', '0.00%', '')
    """
    if share is None:
        return ""
    return "<0.01%" if 0 < share < 0.00005 else f"{share:.2%}"


def listing(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, as_json: bool
) -> None:
    """Show rows under a heading, or give them to a program."""
    if as_json:
        print_json([dict(zip(head, row, strict=True)) for row in rows])
    else:
        grid(title, head, rows)
