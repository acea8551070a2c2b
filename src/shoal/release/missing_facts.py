"""What may be said of missing values: how much, where, what was done, and what that cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shoal.base.cells import STAR
from shoal.base.plural import counted
from shoal.base.rounding import two_digits
from shoal.measures import CellOutcomes
from shoal.release.guard import Guard
from shoal.table.missingness import Missingness, Pattern

SENSITIVE_RULE = "A missing sensitive value counts as a separate value."
OTHER_PATTERNS = "other patterns"
"""What stands for the columns of all patterns beyond the most frequent ones."""

_SHOWN_PATTERNS = 10


class Dropped(NamedTuple):
    """Rows that were dropped for a missing cell, of how many, and of how many people they are."""

    rows: int
    of: int
    heads: int | None = None

    @property
    def share(self) -> float:
        """The share of all rows."""
        return self.rows / (self.of or 1)


def missing_facts(
    guard: Guard,
    found: Missingness,
    outcomes: Mapping[str, CellOutcomes],
    *,
    dropped: Dropped,
    policy: str,
    rule: str,
    suppressed_columns: Sequence[str],
    sensitive: Mapping[str, int],
    lost: int | None,
    heads: Mapping[str, int] | None = None,
    readable: Sequence[str] = (),
    countable: bool = True,
    rated: bool = True,
) -> dict[str, Any]:
    """Say what was missing, what was done about it, and what that cost.

    ``found``: what is missing in the quasi-identifiers: in public, of the published rows alone.
    ``sensitive``: missing cells per sensitive column of the published table.
    ``lost``: known cells that are ``*`` because others were missing; ``None``: it is not told.
    ``heads``: how many people miss each column, where people are told apart.
    ``readable``: the columns whose missing cells anyone can count in the published table: of them,
        the published rows are counted.
    ``countable``: whether anyone can count missing sensitive values there.
    ``rated``: whether there is an information loss rate, to which all this adds.
    """
    columns = {}
    for name, count in found.columns.items():
        if name in readable:
            columns[name] = _readable(guard, outcomes[name])
        else:
            hidden = guard.of_column(name)
            columns[name] = _column(hidden, count, found.rows, (heads or {}).get(name))
    share = None if lost is None else _lost_share(found, dropped, lost)
    return {
        "policy": policy,
        "rule": rule,
        "done": _done(guard, found, dropped, policy, suppressed_columns, lost, rated=rated),
        "cost": guard.number(share) if rated and share is not None else None,
        "columns": columns,
        **_patterns(guard, found),
        "value_missing_rate": guard.number(found.value_rate),
        "record_missing_rate": guard.number(found.record_rate),
        "suppressed_columns": list(suppressed_columns),
        "sensitive": {
            name: {"missing": _sensitive(guard, count, countable), "rule": SENSITIVE_RULE}
            for name, count in sensitive.items()
        },
    }


def _column(guard: Guard, count: int, rows: int, heads: int | None) -> dict[str, Any]:
    if guard.hides and count == rows:
        return {"missing": "all", "share": 1.0}
    share = 0.0 if not count else guard.number(count / (rows or 1))
    return {"missing": guard.count(count, heads), "share": share}


def _readable(guard: Guard, outcomes: CellOutcomes) -> dict[str, Any]:
    """Count what everyone can count; few cells are not pointed at."""
    count, rows = outcomes.already_missing, sum(outcomes) - outcomes.removed
    if guard.small(count):
        return {"missing": None, "share": None}
    return {"missing": count, "share": count / (rows or 1)}


def _sensitive(guard: Guard, count: int, countable: bool) -> int | str | None:
    """Count missing sensitive cells; where few are missing, or groups show them, do not."""
    if guard.exact or not count:
        return count
    if guard.small(count) or (guard.hides and not countable):
        return None
    return count if countable else guard.count(count)


def _patterns(guard: Guard, found: Missingness) -> dict[str, Any]:
    """List the most frequent patterns, then the rest as one; of hidden counts, those of others."""
    patterns: Sequence[Pattern] = found.patterns
    of: dict[str, Any] = {}
    if guard.hides:
        names = [name for name in found.columns if name in guard.clear]
        if not any(found.columns[name] for name in names):
            return {"patterns": []}
        found = found.select(names)
        patterns = sorted(found.patterns, key=lambda each: (-each.rows, each.columns))
        of = {"patterns_of": names}
        guard = guard.apart
    shown, rest = patterns[:_SHOWN_PATTERNS], patterns[_SHOWN_PATTERNS:]
    made: list[dict[str, Any]] = [
        {"columns": list(pattern.columns), "rows": guard.count(pattern.rows)} for pattern in shown
    ]
    if rest:
        rows = sum(pattern.rows for pattern in rest)
        made.append({"columns": [OTHER_PATTERNS], "rows": guard.count(rows), "patterns": len(rest)})
    return {"patterns": made, **of}


def _lost_share(found: Missingness, dropped: Dropped, lost: int) -> float:
    """Say which share of all cells is lost because of missing ones."""
    return dropped.share if dropped.rows else lost / ((found.rows * len(found.columns)) or 1)


def _done(
    guard: Guard,
    found: Missingness,
    dropped: Dropped,
    policy: str,
    suppressed_columns: Sequence[str],
    lost: int | None,
    *,
    rated: bool,
) -> str:
    if not found.cells and not dropped.rows:
        return "No quasi-identifier has a missing cell."
    named = ", ".join(f"'{name}'" for name in suppressed_columns)
    if guard.hides:
        return {
            "drop": "Rows with a missing cell were dropped.",
            "suppress-column": f"Columns with missing cells ({named}) are published as {STAR} in "
            "every row.",
        }.get(
            policy, f"Rows with a missing cell were kept; their classes show {STAR} in that column."
        )
    cells, rows = _stated(guard.count(found.cells)), _stated(guard.count(found.incomplete))
    adds = _adds(guard, _lost_share(found, dropped, lost)) if rated and lost is not None else ""
    if dropped.rows:
        rows, with_hole = _stated(guard.count(dropped.rows, dropped.heads)), "with a missing cell"
        gone = counted(rows, f"row {with_hole} was", f"rows {with_hole} were")
        return f"{gone} dropped{adds}."
    known = "some" if lost is None else _stated(guard.count(lost))
    if policy == "suppress-column":
        return (
            f"Columns with missing cells ({named}; {counted(cells, 'cell')}) are published as "
            f"{STAR} in every row, including {counted(known, 'known cell')}{adds}."
        )
    kept = (
        f"Rows with a missing cell were kept: {counted(cells, 'missing cell')} in "
        f"{counted(rows, 'row')} cost nothing"
    )
    if lost == 0:
        return f"{kept}, and no known cell is {STAR} because of them."
    beside = counted(known, "known cell is", "known cells are")
    return f"{kept}; {beside} {STAR} because a cell of their class was missing{adds}."


def _adds(guard: Guard, rate: float) -> str:
    digits = f"{rate:.1%}" if guard.exact else f"{100 * two_digits(rate):g}%"
    return f", which adds {digits} to the information loss rate"


def _stated(count: int | str) -> str:
    return count if isinstance(count, str) else f"{count:,}"
