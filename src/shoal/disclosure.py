"""What may be said in public of a release: no count of fewer rows than k, and no way to one.

A `Guard` is asked for every number that goes into a public file. While no count of the
release is small, it gives them all exactly. As soon as one is, no number that it could be
worked out from stays exact: counts become texts, rates are rounded or left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isclose
from typing import Any

from shoal.cells import STAR
from shoal.measures import Fates
from shoal.missingness import Missingness, Pattern
from shoal.plural import counted

__all__ = [
    "SENSITIVE_RULE",
    "Guard",
    "alike",
    "loss_facts",
    "measure_facts",
    "missing_facts",
    "noise_facts",
    "search_facts",
    "weight_facts",
]

SENSITIVE_RULE = "A missing sensitive value counts as a value of its own."
OTHER_PATTERNS = "other patterns"
"""What stands for the columns of all patterns beyond the most frequent ones."""

_SHOWN_PATTERNS = 10
_RATES = (
    "entropy_loss",
    "generalization_loss_rate",
    "iloss_rate",
    "loss",
    "mi_loss",
    "noise_ratio",
    "starred_rate",
    "suppression_loss_rate",
)
# They depend on original cells that are not published, or tell which published values are not
# original: all their digits would tell of them.
_ROUNDED = (
    "count_query_error",
    "degree_spread",
    "entropy_loss",
    "mi_loss",
    "noise_ratio",
    "vulnerability",
)
# A hundredth of the rows is then at least twice the largest hidden count.
_COARSE = 200


@dataclass(frozen=True)
class Guard:
    """Shows counts and rates, exactly or not.

    Parameters
    ----------
    least
        The smallest count that may be shown exactly.
    rows
        Rows of the input.
    hides
        Whether some count of the release is smaller.

    Examples
    --------
    >>> guard = Guard.over([3620, 0, 7], least=10, rows=48842)
    >>> [guard.count(count) for count in (0, 7, 3620)], guard.rate(0.07412)
    ([0, '1 to 9', 'about 3,620'], 0.07)
    >>> Guard.over([3620, 0], least=10, rows=48842).count(3620)
    3620
    """

    least: int
    rows: int
    hides: bool

    @classmethod
    def over(cls, counts: Iterable[int], *, least: int, rows: int) -> Guard:
        """Look through every count that the public facts are made of."""
        # A hidden count needs company: "1 to 1" would be exact.
        least = max(least, 3)
        return cls(least, rows, any(0 < count < least for count in counts))

    @classmethod
    def none(cls, rows: int) -> Guard:
        """Hide nothing: for what stays in the house."""
        return cls(0, rows, False)

    def small(self, count: int) -> bool:
        """Say whether a count must not be shown exactly."""
        return 0 < count < self.least

    def count(self, count: int) -> int | str:
        """Show a count: exactly, as a range, or rounded where exact ones would give others away."""
        if self.small(count):
            return f"1 to {self.least - 1}"
        if not self.hides or not count:
            return count
        return f"about {round(count / self.least) * self.least:,}"

    def rate(self, rate: float) -> float | None:
        """Show a rate: exactly, in hundredths, or not at all where the table is small."""
        if not self.hides:
            return rate
        return round(rate, 2) if self.rows >= _COARSE * self.least else None

    def exact(self, rate: float) -> float | None:
        """Show a rate exactly or not at all."""
        return None if self.hides else rate


def missing_facts(
    guard: Guard,
    found: Missingness,
    fates: Mapping[str, Fates],
    *,
    policy: str,
    rule: str,
    suppressed_columns: Sequence[str],
    sensitive: Mapping[str, int],
    countable: bool = True,
) -> dict[str, Any]:
    """Say what was missing, what was done about it, and what that cost.

    Parameters
    ----------
    found
        What is missing in the quasi-identifiers of the input.
    sensitive
        Missing cells per sensitive column of the published table.
    countable
        Whether anyone can count those in the published table, so that they give nothing else
        away.
    """
    return {
        "policy": policy,
        "rule": rule,
        "done": _done(guard, found, fates, policy, suppressed_columns),
        "columns": {name: _column(guard, count) for name, count in found.columns.items()},
        "patterns": _patterns(guard, found.patterns),
        "value_missing_rate": guard.exact(found.value_rate),
        "record_missing_rate": guard.exact(found.record_rate),
        "suppressed_columns": list(suppressed_columns),
        "sensitive": {
            name: {
                "missing": count if countable and not guard.small(count) else guard.count(count),
                "rule": SENSITIVE_RULE,
            }
            for name, count in sensitive.items()
        },
    }


def loss_facts(guard: Guard, fates: Mapping[str, Fates]) -> dict[str, dict[str, float]] | None:
    """Say which share of each column's cells met which fate; ``None`` if that tells too much."""
    if not guard.hides:
        return {name: each.shares() for name, each in fates.items()}
    if guard.rate(0.0) is None:
        return None
    return {name: _hundredths(each.shares()) for name, each in fates.items()}


def noise_facts(guard: Guard, noise: int) -> dict[str, Any]:
    """Say which share of added values the groups hold: in hundredths, and never a small count.

    Examples
    --------
    >>> guard = Guard.over([], least=5, rows=400)
    >>> noise_facts(guard, 30), noise_facts(guard, 2)
    ({'noise_ratio': 0.07}, {'noise_ratio': 'above 0 and below 0.0125'})
    """
    if guard.small(noise):
        return {"noise_ratio": f"above 0 and below {guard.least / max(guard.rows, 1):.3g}"}
    return {"noise_ratio": round(noise / max(guard.rows, 1), 2)}


def weight_facts(guard: Guard, weights: Mapping[str, float]) -> dict[str, float] | None:
    """Give weights in hundredths, or not at all where counts are hidden and the table is small.

    Examples
    --------
    >>> weight_facts(Guard.over([], least=5, rows=400), {"age": 2 / 3, "sex": 1 / 3})
    {'age': 0.67, 'sex': 0.33}
    """
    shown = {name: guard.rate(weight) for name, weight in weights.items()}
    return {n: round(w, 2) for n, w in shown.items() if w is not None} or None


def alike(weights: Mapping[str, float]) -> bool:
    """Say whether all columns count the same, so that no number tells of their weights.

    Examples
    --------
    >>> alike({"age": 0.5, "sex": 0.5}), alike({"age": 0.6, "sex": 0.4})
    (True, False)
    """
    return not weights or isclose(min(weights.values()), max(weights.values()))


def search_facts(guard: Guard, found: Mapping[str, Any]) -> dict[str, Any]:
    """Say what was searched and how far the answer is proven; rows cannot be worked out from it.

    Weights are in hundredths. So is a score by weights that are not alike: all its digits
    would give theirs.

    Examples
    --------
    >>> found = {"levels": {"age": 2}, "optimal": False, "score": 0.25127, "gap": 0.012,
    ...          "rate": True}
    >>> search_facts(Guard.over([7], least=10, rows=48842), found)
    {'levels': {'age': 2}, 'optimal': False, 'score': 0.25, 'gap': 0.02}
    """
    made = {name: value for name, value in found.items() if name != "rate"}
    weights = found.get("weights")
    if weights is not None:
        made["weights"] = {**weights, "columns": weight_facts(guard, weights["columns"])}
    coarse = guard.hides or (weights is not None and not alike(weights["columns"]))
    for name in ("score", "gap"):
        value = made.get(name)
        if value is None:
            continue
        shown = guard.rate(value) if found["rate"] else guard.exact(value)
        if shown is not None and coarse:
            # A gap is never said to be smaller than it is.
            shown = ceil(value * 100) / 100 if name == "gap" else round(value, 2)
        made[name] = shown
    return made


def measure_facts(
    guard: Guard,
    measures: Mapping[str, float],
    *,
    noise: int = 0,
    weights: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """Give the measures, unless a hidden count could be worked out from them.

    Parameters
    ----------
    noise
        How many values were added to groups: their ratio is left out if they are few.
    weights
        How much each column counts in the loss: it is rounded unless they are alike.
    """
    if guard.small(noise):
        measures = {name: value for name, value in measures.items() if name != "noise_ratio"}
    if not guard.hides:
        coarse = _ROUNDED if alike(weights or {}) else (*_ROUNDED, "loss")
        return {"measures": {n: round(v, 2) if n in coarse else v for n, v in measures.items()}}
    reason = "a count of fewer rows than k could be worked out from them"
    if guard.rate(0.0) is None:
        return {"measures": None, "measures_note": f"left out: {reason}"}
    rounded = {name: guard.rate(measures[name]) for name in _RATES if name in measures}
    return {"measures": rounded, "measures_note": f"rounded, and some left out: {reason}"}


def _column(guard: Guard, count: int) -> dict[str, Any]:
    share = count / (guard.rows or 1)
    if guard.hides and count == guard.rows:
        return {"missing": "all", "share": 1.0}
    near = guard.small(count) or guard.small(guard.rows - count)
    return {"missing": guard.count(count), "share": None if near else guard.rate(share)}


def _patterns(guard: Guard, patterns: Sequence[Pattern]) -> list[dict[str, Any]]:
    """List the most frequent patterns, then the rest as one."""
    if guard.hides:
        # All patterns together are all rows, a number that is public.
        patterns = [pattern for pattern in patterns if pattern.columns]
    shown, rest = patterns[:_SHOWN_PATTERNS], patterns[_SHOWN_PATTERNS:]
    made: list[dict[str, Any]] = [
        {"columns": list(pattern.columns), "rows": guard.count(pattern.rows)} for pattern in shown
    ]
    if rest:
        rows = sum(pattern.rows for pattern in rest)
        made.append({"columns": [OTHER_PATTERNS], "rows": guard.count(rows), "patterns": len(rest)})
    return made


def _done(
    guard: Guard,
    found: Missingness,
    fates: Mapping[str, Fates],
    policy: str,
    suppressed_columns: Sequence[str],
) -> str:
    if not found.cells:
        return "No quasi-identifier has a missing cell."
    cells, rows = _said(guard.count(found.cells)), _said(guard.count(found.incomplete))
    if policy == "drop":
        cost = _adds(guard, found.record_rate, "which adds")
        with_hole = "with a missing cell"
        gone = counted(rows, f"row {with_hole} was", f"rows {with_hole} were")
        return f"{gone} dropped{cost}."
    if policy == "suppress-column":
        named = ", ".join(f"'{name}'" for name in suppressed_columns)
        hidden = sum(fates[name].starred for name in suppressed_columns)
        known = _said(guard.count(hidden))
        return (
            f"Columns with missing cells ({named}; {counted(cells, 'cell')}) are published as "
            f"{STAR} in every row, and with them {counted(known, 'known cell')} of theirs"
            f"{_cost(guard, fates, hidden)}."
        )
    hidden = sum(each.starred for each in fates.values())
    known = _said(guard.count(hidden))
    return (
        f"Rows with a missing cell were kept: {counted(cells, 'missing cell')} in "
        f"{counted(rows, 'row')} cost nothing; "
        f"{counted(known, 'known cell is', 'known cells are')} published as "
        f"{STAR}{_cost(guard, fates, hidden)}."
    )


def _cost(guard: Guard, fates: Mapping[str, Fates], cells: int) -> str:
    return _adds(guard, cells / ((guard.rows * len(fates)) or 1), "which adds")


def _adds(guard: Guard, rate: float, words: str) -> str:
    shown = guard.rate(rate)
    if shown is None:
        return ""
    text = f"{shown:.0%}" if guard.hides else f"{shown:.1%}"
    return f", {words} {text} to the information loss rate"


def _said(count: int | str) -> str:
    return count if isinstance(count, str) else f"{count:,}"


def _hundredths(shares: Mapping[str, float]) -> dict[str, float]:
    """Round shares so that they still sum to 1: the largest remainders are rounded up."""
    whole = {name: int(share * 100) for name, share in shares.items()}
    by_rest = sorted(shares, key=lambda name: whole[name] - shares[name] * 100)
    for name in by_rest[: 100 - sum(whole.values())]:
        whole[name] += 1
    return {name: count / 100 for name, count in whole.items()}
