"""What may be said in public of a release: nothing exact that the public files do not show.

A number that anyone can work out from the published files is public in full. Every other one
has two significant digits: with all of them, values of people who were removed could be
computed. And no count of fewer people than the least group is given, nor any way to one: while
the release has such a count, every number is left out that would differ if that count did, and
counts that could tell about it only say that they are not so small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import floor, log10
from typing import Any

from shoal.base.cells import STAR
from shoal.base.rounding import towards, two_digits
from shoal.measures import MEASURES, CellOutcomes, Pair, cells_by_outcome
from shoal.models import Requirement
from shoal.release.head_counts import HeadCounts

_PLANNED = ("schema", "given", "equal")
"""Weights that come from the plan and not from the table."""


def least_count(require: Iterable[Requirement]) -> int:
    """Say which count of people may be shown: that of the least group, and 3 at least.

    A hidden count needs company: "1 to 1" would be exact.

    >>> import shoal
    >>> least_count([shoal.LDiversity(5)]), least_count([shoal.KAnonymity(2)])
    (5, 3)
    """
    return max(3, *(requirement.least_size for requirement in require))


@dataclass(frozen=True)
class Guard:
    """Shows counts and other numbers in public: rounded, as a range, or not at all.

    ``least``: the smallest count that may be shown: no group has fewer heads.
    ``noun``: what a head is: ``"rows"`` or ``"people"``.
    ``hides``: whether some count of the release is smaller.
    ``clear``: columns of which all is told even then: see `HeadCounts.clear`.
    ``exact``: whether nothing is hidden: for the private folder.

    >>> guard = Guard.over([3620, 0, 7], least=10)
    >>> [guard.count(count) for count in (0, 7, 3620)], guard.number(0.07412)
    ([0, '1 to 9', '10 or more'], None)
    >>> guard = Guard.over([3620, 0], least=10)
    >>> guard.count(3620), guard.count(42), guard.number(0.07412)
    ('about 3,600', 42, 0.074)
    """

    least: int
    noun: str = "rows"
    hides: bool = False
    exact: bool = False
    clear: frozenset[str] = frozenset()

    @classmethod
    def before(cls, heads: HeadCounts, *, least: int) -> Guard:
        """Stand before the public facts of a release."""
        made = cls.over(heads, least=least, noun=heads.noun)
        return replace(made, clear=frozenset(heads.clear(made.least))) if made.hides else made

    @classmethod
    def over(cls, counts: Iterable[int], *, least: int, noun: str = "rows") -> Guard:
        """Look through every count that the public facts, or differences of them, would show."""
        # A hidden count needs company: "1 to 1" would be exact.
        least = max(least, 3)
        return cls(least, noun, any(0 < count < least for count in counts))

    @classmethod
    def none(cls) -> Guard:
        """Hide nothing: for the private folder."""
        return cls(0, exact=True)

    @property
    def apart(self) -> Guard:
        """The guard of a count that tells nothing of hidden ones: only small ones are ranges."""
        return replace(self, hides=False)

    def of_column(self, name: str) -> Guard:
        """The guard of what is told of one column."""
        return self.apart if name in self.clear else self

    def small(self, heads: int) -> bool:
        """Say whether so few heads must not be shown."""
        return 0 < heads < self.least

    def count(self, rows: int, heads: int | None = None) -> int | str:
        """Show a count of rows.

        ``heads``: how many people the rows belong to, where people are told apart.
        """
        if self.exact or not rows:
            return rows
        unit = "" if self.noun == "rows" else f" {self.noun}"
        if self.small(rows if heads is None else heads):
            return f"1 to {self.least - 1}{unit}"
        if self.hides:
            return f"{self.least} or more{unit}"
        return rows if rows < 100 else f"about {two_digits(rows):,}"

    def number(self, value: float) -> float | None:
        """Show a number that the published files do not give away; ``None``: leave it out."""
        if self.exact:
            return value
        return None if self.hides else two_digits(value)

    def rounded(self, value: float) -> float:
        """Round a number that reveals no small count; private figures keep all digits."""
        return value if self.exact else two_digits(value)


def loss_facts(
    guard: Guard, outcomes: Mapping[str, CellOutcomes], pair: Pair | Mapping[str, CellOutcomes]
) -> dict[str, dict[str, float]] | None:
    """Say which share of each column's cells met which fate.

    Where counts are hidden, only the published rows are looked at, and each ``*`` counts as a
    known cell: that tells nothing that the published table does not.
    """
    if guard.hides:
        outcomes = pair if isinstance(pair, Mapping) else cells_by_outcome(pair)
    return {
        name: {outcome: guard.rounded(share) for outcome, share in each.shares().items()}
        for name, each in outcomes.items()
    }


def noise_facts(guard: Guard, noise: int, published: int) -> dict[str, Any]:
    """Say which share of added values the groups hold, and never how many there are.

    >>> guard = Guard.over([], least=5)
    >>> noise_facts(guard, 30, 600), noise_facts(guard, 30, 400), noise_facts(guard, 2, 400)
    ({'noise_ratio': 0.05}, {'noise_ratio': 0.1}, {'noise_ratio': 'above 0 and below 0.013'})
    """
    if guard.exact:
        return {"noise_ratio": noise / max(published, 1)}
    if guard.small(noise):
        most = towards(guard.least / max(published, 1), 1.0)
        return {"noise_ratio": f"above 0 and below {most:g}"}
    # A step of what is shown is at least as many values as the least group has heads.
    digits = min(floor(log10(max(published, 1) / guard.least)), 2)
    if noise and digits < 1:
        return {"noise_ratio": "above 0"}
    shown = round(noise / max(published, 1), max(digits, 1))
    if noise and not shown:  # 0 would say that nothing was added
        return {"noise_ratio": f"above 0 and below {10.0**-digits:g}"}
    return {"noise_ratio": shown}


def weight_facts(guard: Guard, weights: Mapping[str, float]) -> dict[str, float] | None:
    """Give weights that were found in the table; ``None`` where counts are hidden.

    >>> weight_facts(Guard.over([], least=5), {"age": 2 / 3, "sex": 1 / 3})
    {'age': 0.67, 'sex': 0.33}
    """
    return None if guard.hides else {name: guard.rounded(w) for name, w in weights.items()}


def search_facts(
    guard: Guard, found: Mapping[str, Any], *, everyone: bool = True
) -> dict[str, Any]:
    """Say what was searched and how far the answer is proven.

    ``everyone``: whether the rows that were searched are those that were published. Otherwise what
        was found in them is left out: the node, its levels and given weights are public.

    >>> found = {"levels": {"age": 2}, "optimal": False, "score": 0.25127, "gap": 0.0112,
    ...          "looked_at": 691, "weights": None}
    >>> search_facts(Guard.over([70], least=10), found)["gap"]  # never smaller than it is
    0.012
    >>> search_facts(Guard.over([7], least=10), found)["score"] is None
    True
    """
    made = {name: value for name, value in found.items() if name not in ("rate", "rows")}
    if not everyone and not guard.exact:
        guard = replace(guard, hides=True)
        made["optimal"] = None
    weights = found["weights"]
    if weights is not None:
        planned = weights["kind"] in _PLANNED
        shown = weight_facts(guard.apart if planned else guard, weights["columns"])
        made["weights"] = {**weights, "columns": shown}
    for name in ("score", "gap", "looked_at"):
        if made.get(name) is not None:
            made[name] = guard.number(made[name])
    if made.get("gap") and not guard.exact:
        made["gap"] = towards(found["gap"], float("inf"))
    return made


def measure_facts(
    guard: Guard,
    measures: Mapping[str, float],
    pair: Pair | Mapping[str, float],
    *,
    weighed: bool = False,
    countable: bool = True,
) -> dict[str, Any]:
    """Give the measures, each as it declares.

    ``pair``: the published rows alone, or their measures: what is told where a small count could be
        worked out from the other numbers.
    ``weighed``: whether the table decided how columns count; then ``pair`` counts them alike.
    ``countable``: whether anyone can count in the published files which rows people hold. Otherwise
        no measure can be worked out from them.
    """
    if guard.exact:
        return {"measures": dict(measures)}
    public, of_published = {}, {}
    for name, value in measures.items():
        how = MEASURES[name].public if name in MEASURES else "rounded"
        how = how if countable or how != "recomputable" else "rounded"
        if how == "recomputable":
            public[name] = value
        elif how == "rounded" and not guard.hides:
            public[name] = guard.rounded(value)
        elif how == "rounded" and name in MEASURES and MEASURES[name].of_published:
            shown = pair[name] if isinstance(pair, Mapping) else MEASURES[name].of(pair)
            of_published[name] = two_digits(shown)
    if not guard.hides:
        return {"measures": public}
    # The same measure of other rows is another figure, and has a place of its own.
    note = (
        f"of the published rows alone, counting each {STAR} as "
        f"lost{', with equal weights' * weighed}; others are left out, because a count of "
        f"fewer {guard.noun} than the smallest group could be derived from them"
    )
    return {"measures": public, "measures_of_published": of_published, "measures_note": note}
