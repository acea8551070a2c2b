"""What attacks get, for people to read: the worst first, a sentence each."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.cli import show
from shoal.judging.risk import Attack, Linkage


def attacks(title: str, found: Sequence[Attack]) -> None:
    """Show what attacks get, what goes farthest beyond its control first.

    Attacks that get nothing are named in one line. All numbers are in the answer for programs.
    """
    repeated = len({each.name for each in found}) < len(found)
    shown = sorted((each for each in found if each.people), key=lambda each: -each.excess)
    of_columns = repeated and any(each.column for each in shown)
    head = ["attack", "share", "control", "what it means"]
    if of_columns:
        head.insert(1, "column")
    rows = []
    for each in shown:
        row = [each.name, show.percent(each.share), show.percent(each.control), _sentence(each)]
        if of_columns:
            row.insert(1, each.column or "")
        rows.append(row)
    if rows:
        show.grid(title, head, rows)
    without = [_named(each, repeated) for each in found if not each.people]
    if without:
        show.line(f"{'' if rows else f'{title}. '}Attacks that get nothing: {', '.join(without)}.")


def links(found: Sequence[Linkage]) -> None:
    """Show what one known secret tells about the others."""
    title = "How likely the best guess is right, for an attacker who knows a person's cells"
    head = ["known", "guessed", "by the cells", "and the value", "gain"]
    columns = ["known", "guessed", "cells", "value", "gain"]
    apart = any(link.linked is not None and link.linked != link.value for link in found)
    if apart:
        head += ["in one table", "gain there"]
        columns += ["linked", "linked_gain"]
    rows = []
    for link in found:
        fields = link.to_dict()
        shares = [show.percent(fields[name]) for name in columns[2:]]
        rows.append((link.known, link.other, *shares))
    show.grid(title, head, rows)


def _sentence(found: Attack) -> str:
    """Say what success means, and what seems to be promised."""
    text = f"{found.meaning[:1].upper()}{found.meaning[1:]}."
    if found.promise is not None:
        text += f" Promised: at most {found.promise:.0%}."
    return text


def _named(found: Attack, with_column: bool) -> str:
    column = f" of '{found.column}'" if with_column and found.column is not None else ""
    return f"{found.name}{column}"
