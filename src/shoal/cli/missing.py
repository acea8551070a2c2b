"""The picture of missing values: how much each column misses, and what misses together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from rich.bar import Bar
from rich.box import SIMPLE
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from shoal.base.plural import counted
from shoal.cli.safe_text import safe_text, visible
from shoal.release.guard import Guard
from shoal.release.public_facts import missing_of
from shoal.release.report.numbers import share
from shoal.table.missingness import Missingness, Pattern

if TYPE_CHECKING:
    from shoal.release import Release
    from shoal.steward.proposal import TokenWarning

KNOWN, MISSING = "●", "○"
MOST_COLUMNS = 10
MOST_PATTERNS = 8
MOST_WARNINGS = 12


def facts(found: Missingness, quasi: Collection[str]) -> dict[str, Any]:
    """Give the numbers of the picture to a program.

    `quasi`: the quasi-identifiers: the missing rates are theirs, as in `shoal.measures`.
    """
    of_quasi = found.select(quasi)
    return {
        "rows": found.rows,
        "columns": {
            name: {"missing": cells, "share": cells / (found.rows or 1)}
            for name, cells in found.columns.items()
        },
        "patterns": [
            {"columns": list(pattern.columns), "rows": pattern.rows} for pattern in found.patterns
        ],
        "value_missing_rate": of_quasi.value_rate,
        "record_missing_rate": of_quasi.record_rate,
        "missing_share_all_columns": found.value_rate,
        "incomplete_share_all_columns": found.record_rate,
    }


def picture(
    found: Missingness, width: int = 80, *, quasi: Collection[str] | None = None
) -> RenderableType:
    """Draw a bar per incomplete column and the most frequent patterns; no cell is shown.

    `found`: where cells are missing.
    `width`: characters per line.
    `quasi`: the quasi-identifiers, where all columns of a table were counted: the missing rates are
    theirs.

    Examples
    --------
    >>> from rich.console import Console
    >>> found = Missingness(4, {"age": 2, "zip": 0}, (Pattern((), 2), Pattern(("age",), 2)))
    >>> Console(width=60).print(picture(found, 60))
    <BLANKLINE>
    Missing values
    25.0% of the cells of the quasi-identifiers are missing (value missing rate).
    50.0% of the rows lack one or more of these (record missing rate).
    ...
    """
    title = Text("\nMissing values", style="bold")
    of = "the quasi-identifiers" if quasi is None else "the table"
    if not found.cells:
        return Group(title, Text(f"No cell of {of} is missing."))
    worst = sorted(
        (name for name, cells in found.columns.items() if cells),
        key=lambda name: -found.columns[name],
    )
    shown = worst[: min(max((width - 20) // 2, 3), MOST_COLUMNS)]
    bars = _bars(found, shown, len(worst) - len(shown), width)
    text = f"\nWhich columns are missing together ({KNOWN} known, {MISSING} missing)"
    below = Text(text, style="bold"), _matrix(found, shown)
    return Group(title, *_rates(found, quasi), Text(), bars, *below)


def _rates(found: Missingness, quasi: Collection[str] | None) -> list[Text]:
    """Give the missing rates, which are of quasi-identifiers, and of all columns by other words."""
    of_quasi = found if quasi is None else found.select(quasi)
    made = [
        f"{share(of_quasi.value_rate)} of the cells of the quasi-identifiers are missing (value "
        "missing rate).",
        f"{share(of_quasi.record_rate)} of the rows lack one or more of these (record missing "
        "rate).",
    ]
    if quasi is not None:
        made.append(
            f"Of all columns, {share(found.value_rate)} of the cells are missing, in "
            f"{share(found.record_rate)} of the rows."
        )
    return [Text(each) for each in made]


def handled(made: Release) -> RenderableType:
    """Say what a release did about missing cells, and what was lost for them alone."""
    exact = missing_of(made, Guard.none())  # the terminal is private
    return Group(
        Text.assemble(("Done: ", "bold"), safe_text(exact["done"])),
        Text.assemble(("Cost: ", "bold"), _cost(made)),
        Text(),
    )


def _cost(made: Release) -> str:
    """Say what missing cells cost; what generalization costs is said elsewhere."""
    cost = made.missing_cost
    if not cost.rows and not cost.cells:
        return "nothing: no row was dropped and no known cell became * because of them."
    parts = []
    if cost.rows:
        parts.append(counted(cost.rows, "row was", "rows were") + " dropped")
    if cost.cells:
        parts.append(counted(cost.cells, "known cell is", "known cells are") + " *")
    return f"{share(cost.share)} of all cells: {' and '.join(parts)} because of them."


def warn(out: Console, warnings: Sequence[TokenWarning]) -> None:
    """Name the texts that only a person can tell from values, and the way out."""
    for warning in warnings[:MOST_WARNINGS]:
        also = f" and {warning.also}" if warning.also else ""
        doubt = f"'{visible(warning.column)}': {warning.problem} {warning.condition}"
        line = safe_text(f"Column {doubt}, write "), safe_text(warning.line, "cyan")
        end = safe_text(f" under it in the plan{also}.")
        out.print(Text.assemble(("! ", "bold yellow"), *line, end))
    if (more := len(warnings) - MOST_WARNINGS) > 0:
        out.print(f"  {more} more like these: look for CHECK in the plan.")


def warning_facts(warnings: Sequence[TokenWarning]) -> list[dict[str, Any]]:
    """Give the warnings to a program."""
    return [
        {
            "column": warning.column,
            "token": warning.doubt.token,
            "cells": warning.doubt.cells,
            "taken_for": "missing" if warning.doubt.believed else "value",
            "else_missing": list(warning.instead),
        }
        for warning in warnings
    ]


def _bars(found: Missingness, shown: Sequence[str], more: int, width: int) -> RenderableType:
    labels = list(map(visible, shown))
    counts = [f"{found.columns[name]:,}" for name in shown]
    name_width = min(max(map(cell_len, labels)), max(width // 3, 8), 30)
    available = width - name_width - max(map(len, counts)) - 17
    bar_width = min(max(available, 2), 32)
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", width=1)
    grid.add_column(width=name_width, overflow="ellipsis", no_wrap=True)
    grid.add_column(width=bar_width)
    grid.add_column(justify="right", width=6)
    grid.add_column(justify="right", no_wrap=True, style="dim")
    for letter, name, label, count in zip(ascii_lowercase, shown, labels, counts, strict=False):
        part = found.columns[name] / found.rows
        hair = 1.01 / (8 * bar_width)  # even one hole in a million is seen
        bar = Bar(1, 0, max(part, hair), width=bar_width, color="yellow", bgcolor="default")
        grid.add_row(letter, Text(label), bar, share(part), count)
    if not more:
        return grid
    word = "column misses" if more == 1 else "columns miss"
    return Group(grid, Text(f"{more} more {word} no more cells than these.", style="dim"))


def _matrix(found: Missingness, shown: Sequence[str]) -> RenderableType:
    grid = Grid(box=SIMPLE, padding=(0, 1), pad_edge=False)
    grid.add_column(Text(" ".join(ascii_lowercase[: len(shown)])), no_wrap=True)
    grid.add_column("rows", justify="right", no_wrap=True)
    grid.add_column("share", justify="right", no_wrap=True)
    for pattern in found.patterns[:MOST_PATTERNS]:
        grid.add_row(_line(pattern, shown), f"{pattern.rows:,}", share(pattern.rows / found.rows))
    rest = found.patterns[MOST_PATTERNS:]
    if rest:
        rows = sum(pattern.rows for pattern in rest)
        grid.add_row(Text(f"{len(rest):,} more"), f"{rows:,}", share(rows / found.rows))
    return grid


def _line(pattern: Pattern, shown: Sequence[str]) -> Text:
    """Draw a pattern; missing cells of columns that are not drawn are counted behind it."""
    missing = set(pattern.columns)
    line = Text()
    for name in shown:
        line.append(MISSING if name in missing else KNOWN, "yellow" if name in missing else "dim")
        line.append(" ")
    unseen = len(missing.difference(shown))
    line.append(f"+{unseen}" if unseen else "")
    line.rstrip()
    return line
