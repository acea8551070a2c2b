"""Tables and lists of the pages, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["bullets", "rows"]


def rows(head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = False) -> str:
    """Lay out a table; columns of numbers, all but the first, are set to the right.

    Examples
    --------
    >>> print(rows(("k", "loss"), [("2", "1.5")], numbers=True))
    | k | loss |
    | --- | ---: |
    | 2 | 1.5 |
    """
    rule = ["---", *("---:" if numbers else "---" for _ in head[1:])]
    lines = [[_escaped(cell) for cell in line] for line in (head, *rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], rule, *lines[1:]))


def bullets(lines: Sequence[str]) -> list[str]:
    """Lay out a list: one block, or none where nothing is to be listed."""
    return ["\n".join(f"- {line}" for line in lines)] if lines else []


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")
