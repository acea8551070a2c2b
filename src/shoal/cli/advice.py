"""Which levers help which column: what each does and costs, and how to ask for it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table as Grid
from rich.text import Text

from shoal.base.plural import counted
from shoal.cli.safe_text import safe_text, visible
from shoal.cli.show import console, grid, warn
from shoal.steward.advice import Advice, Effect, Lever


def show_advice(found: Advice) -> None:
    """Show what helps each column in question, and the table as a whole."""
    out = console()
    out.print()
    if found.rows < found.of:
        text = f"Tried on {found.rows:,} of {found.of:,} rows: compare the changes, not the losses."
        out.print(safe_text(text))
    if not found.columns:
        out.print(safe_text("No column is lost or very coarse."))
    numbers: dict[Lever, int] = {}
    for name in found.columns:
        _for_column(found, name, numbers)
    if found.trials:
        _for_table(found, numbers)
    for note in found.notes:
        warn(note)
    for trial in found.failed:
        warn(f"This is not possible: {trial.lever.title}. {trial.failed}")
    if numbers:
        _asking(numbers)
    silent = len(found.made) - len(numbers)
    if silent:
        helped = counted(silent, "more lever was tried, and helps", "more were tried, and help")
        out.print(safe_text(f"{helped} little or nothing."))


def _for_column(found: Advice, column: str, numbers: dict[Lever, int]) -> None:
    rows = []
    for effect in found.effects(column):
        then = effect.trial.columns[column]
        rows.append(
            (
                _number(effect, numbers),
                visible(effect.lever.name),
                then.typical,
                f"{then.starred:.0%}",
                _points(effect.column or 0.0),
                _points(effect.others),
                _points(effect.whole),
                f"{effect.trial.highest:.1%}",
            )
        )
    head = ("", "lever", "typical cell", "*", "it", "others", "whole", "risk")
    _show(f"What helps '{visible(column)}'", head, rows)
    _try(found.reason(column), found.recommended(column))


def _for_table(found: Advice, numbers: dict[Lever, int]) -> None:
    rows = [
        (
            _number(effect, numbers),
            visible(effect.lever.title),
            _points(effect.whole),
            f"{effect.trial.highest:.1%}",
        )
        for effect in found.for_table
    ]
    _show("What helps the table as a whole", ("", "lever", "whole", "risk"), rows)
    _try(found.reason_for_table, found.recommended_for_table)


def _show(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    console().print()
    if rows:
        grid(f"{title} (changes in points of loss)", head, rows, dense=True)


def _try(reason: str, best: Effect | None) -> None:
    """Say what to try, and what to write for it."""
    console().print(Text(visible(reason), style="bold"))
    if best is not None:
        console().print(visible(f"In the plan: {best.lever.edit}."))


def _number(effect: Effect, numbers: dict[Lever, int]) -> str:
    """Number levers as they come; one that was shown before keeps its number."""
    return str(numbers.setdefault(effect.lever, len(numbers) + 1))


def _asking(numbers: dict[Lever, int]) -> None:
    """Say how to ask for each lever."""
    console().print()
    console().print(Text("How to apply them (shoal run PLAN …)", style="bold"))
    table = Grid(box=None, show_header=False, pad_edge=False)
    for lever, number in numbers.items():
        table.add_row(f"  {number}", safe_text(lever.options, "cyan"))
    console().print(table)


def _points(change: float) -> str:
    """Write a change of a loss in points: of a hundred, the sign before it."""
    return f"{100 * change:+.1f}".replace("-", "−")
