"""What the report shows of missing values: bars per column and a matrix of patterns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.release.promise import named
from shoal.release.report.numbers import count, rows, share

MOST_COLUMNS = 24
"""Columns of the matrix; more would be wider than any page."""


@dataclass(frozen=True)
class Bar:
    """A column and how much of it was missing; no length where the share is not public."""

    name: str
    missing: str
    share: str
    percent: float | None


@dataclass(frozen=True)
class Line:
    """A pattern: for each drawn column whether it is missing, and how many rows are so."""

    missing_cells: tuple[bool, ...]
    unseen: int
    rows: str
    words: str


@dataclass(frozen=True)
class MissingCells:
    """The picture of missing values.

    ``bars``: the incomplete columns, the worst first.
    ``drawn``: the columns of the matrix.
    ``lines``: the patterns, the most frequent first.
    ``hidden``: the names of the columns whose share is not public.
    ``rest``: how many more patterns there are and in how many rows; ``None`` if there are none.

    >>> columns = {
    ...     "age": {"missing": 20, "share": 0.2},
    ...     "sex": {"missing": 0, "share": 0.0},
    ...     "zip": {"missing": "1 to 9", "share": None},
    ... }
    >>> patterns = [{"columns": [], "rows": 80}, {"columns": ["age"], "rows": 20}]
    >>> made = MissingCells.of({"columns": columns, "patterns": patterns})
    >>> made.bars[0]
    Bar(name='age', missing='20', share='20.0%', percent=20.0)
    >>> made.bars[1].percent is None, made.drawn, made.lines[1].missing_cells
    (True, ('age', 'zip'), (True, False))
    """

    bars: tuple[Bar, ...]
    drawn: tuple[str, ...]
    lines: tuple[Line, ...]
    rest: tuple[str, str] | None
    hidden: str = ""

    @classmethod
    def of(cls, missing: Mapping[str, Any]) -> MissingCells:
        """Draw ``facts["missing"]``."""
        columns: Mapping[str, Mapping[str, Any]] = missing["columns"]
        incomplete = [name for name, each in columns.items() if each["missing"] != 0]
        # A share that is not public comes last: nothing is told by the order.
        worst = sorted(incomplete, key=lambda name: -(columns[name]["share"] or 0.0))
        reported = missing.get("patterns_of", worst)
        drawn = tuple(name for name in worst if name in reported)[:MOST_COLUMNS]
        # The last one may stand for several, and says for how many.
        several = [each for each in missing["patterns"] if "patterns" in each]
        single = [each for each in missing["patterns"] if "patterns" not in each]
        return cls(
            bars=tuple(
                Bar(
                    name,
                    count(found["missing"]),
                    share(found["share"]),
                    None if found["share"] is None else round(100 * found["share"], 3),
                )
                for name, found in ((name, columns[name]) for name in worst)
            ),
            drawn=drawn,
            lines=tuple(_line(each, drawn) for each in single),
            hidden=named([name for name in worst if columns[name]["share"] is None]),
            rest=(count(several[0]["patterns"]), rows(several[0]["rows"])) if several else None,
        )


def _line(pattern: Mapping[str, Any], drawn: Sequence[str]) -> Line:
    missing_cells = set(pattern["columns"])
    names = ", ".join(pattern["columns"])
    return Line(
        missing_cells=tuple(name in missing_cells for name in drawn),
        unseen=len(missing_cells.difference(drawn)),
        rows=count(pattern["rows"]),
        words=f"missing: {names}" if missing_cells else "complete",
    )
