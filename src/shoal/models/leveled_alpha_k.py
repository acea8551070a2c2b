"""(αᵢ, k)-anonymity: the more sensitive a value, the rarer it must be in a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

import numpy as np

from shoal.errors import ParameterError
from shoal.models.base import GroupStatistics, Histogram, Ints, Outcome, Requirement
from shoal.models.k_anonymity import KAnonymity
from shoal.models.shares import fraction, largest_holding, within

__all__ = ["LeveledAlphaK"]


@dataclass(frozen=True)
class LeveledAlphaK(Requirement):
    """Groups of at least k in which each value's share is bounded by its level's α.

    HIV and a fever are both diseases, but few mind the second being known. Values get levels,
    1 being the most sensitive, and each level its α. Where all values are alike, take
    `AlphaK`.

    Parameters
    ----------
    levels
        The level of each value, from 1 on. Left out, the schema's levels are used
        (``shoal.sensitive(levels={…})``).
    alphas
        The largest share per level: the first is that of level 1. Numbers are decimals, texts
        may be fractions.
    k
        The least size of a group, 2 or more.
    scope
        ``"value"``: each value is bounded by the α of its level. ``"level"``: all values of a
        level together are, which is far stricter.
    column
        The sensitive column; may be left out where there is one.

    Notes
    -----
    Shares are compared as whole numbers. Where the schema names an entity column, shares are of
    people; with ``scope="level"`` a person who holds two values of a level counts twice, which
    errs on the safe side. A missing value needs a level, too: name it ``""``.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 4, "disease": ["HIV", "flu", "cold", "flu"]})
    >>> levels = {"HIV": 1, "flu": 2, "cold": 2}
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive(levels=levels)})
    >>> shoal.verify(table, schema, [shoal.LeveledAlphaK(None, [0.25, 0.5], 4)]).passed
    True
    >>> shoal.verify(table, schema, [shoal.LeveledAlphaK(None, [0.2, 0.5], 4)]).passed
    False

    References
    ----------
    (αᵢ, k)-anonymity by graded sensitivity: paper 3 of this project's papers.
    """

    levels: Mapping[str, int] | None
    alphas: Sequence[float | str]
    k: int
    scope: Literal["value", "level"] = "value"
    column: str | None = None

    name: ClassVar[str] = "leveled-alpha-k"
    monotone: ClassVar[bool] = True
    monotone_in_people: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"people", "histograms"})

    @classmethod
    def example(cls) -> Self:
        """Give two levels for the values of the checks' table."""
        return cls({f"i{i}": 1 if i < 2 else 2 for i in range(6)}, [0.5, 0.6], 3)

    @property
    def shares(self) -> list[Fraction]:
        """The α of each level as exact fractions, level 1 first."""
        return [
            fraction(f"alpha of level {level}", a) for level, a in enumerate(self.alphas, start=1)
        ]

    def validate(self) -> None:
        """Refuse an α outside (0, 1], levels without one, and a k below 2."""
        if isinstance(self.alphas, str) or not isinstance(self.alphas, Sequence) or not self.alphas:
            raise ParameterError("alphas must list an α per level.", "Such as [0.2, 0.3, 0.5].")
        _ = self.shares
        KAnonymity(self.k).validate()
        if self.scope not in ("value", "level"):
            raise ParameterError(f"scope must be 'value' or 'level', not {self.scope!r}.")
        for level in (self.levels or {}).values():
            if isinstance(level, bool) or not isinstance(level, int) or level < 1:
                raise ParameterError(
                    f"A level must be a whole number from 1 on, not {level!r}.",
                    "1 is the most sensitive.",
                )
        bare = sorted({v for v in (self.levels or {}).values() if v > len(self.alphas)})
        if bare:
            raise ParameterError(
                f"Level {bare[0]} has no α: alphas lists {len(self.alphas)}.",
                "Give an α for every level, the first for level 1.",
            )

    def bind(self, schema: Mapping[str, Any]) -> Self:
        """Take the levels from the schema where none are given."""
        if self.levels is not None:
            return self
        named = [n for n in ([self.column] if self.column else schema) if n in schema]
        graded = [name for name in named if getattr(schema[name], "levels", None)]
        if len(graded) != 1:
            problem = "No sensitive column has levels" if not graded else "Several columns have"
            raise ParameterError(
                f"{problem}{'' if not graded else ' levels'}, and the requirement names none.",
                "Give levels, in the requirement or the schema, or name the column.",
            )
        bound = replace(self, levels=dict(schema[graded[0]].levels), column=graded[0])
        bound.validate()
        return bound

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare each value's (or level's) count with its share of the group."""
        _, found = groups.histogram(self.column)
        held = KAnonymity(self.k).judge(groups)
        level = self.level_of_codes(found)
        group, which, count = found.group, level[found.value], found.counts
        if self.scope == "level":
            keys = group * len(self.alphas) + which
            keys, at = np.unique(keys, return_inverse=True)
            count = np.bincount(at, count).astype(np.int64)
            group, which = np.divmod(keys, len(self.alphas))
        total = groups.counts[group]
        fits = within(count, total, self.shares, which)
        holds = held.holds.copy()
        holds[group[~fits]] = False
        achieved: dict[str, float | int] = dict(held.achieved)
        shares = count / total
        for each in range(len(self.alphas)):
            mine = shares[which == each]
            achieved[f"alpha {each + 1}"] = float(mine.max()) if len(mine) else 0.0
        return Outcome(holds, achieved)

    def level_of_codes(self, found: Histogram) -> Ints:
        """Find the level of each code, counted from 0; a value without one is refused."""
        levels = self.levels
        if levels is None:
            raise ParameterError(
                "The requirement has no levels.", "Give levels, or put them into the schema."
            )
        read = [levels.get("" if label is None else label, 0) for label in found.labels]
        bare = sum(level == 0 for level in read)
        if bare:
            raise ParameterError(
                f"{bare} of {len(read)} sensitive values have no level.",
                'Give each value a level from 1 (most sensitive) on; "" is the missing value.',
            )
        return np.array(read, dtype=np.int64) - 1

    def describe(self) -> str:
        """Say in words what is required."""
        bounds = ", ".join(f"{a} at level {i}" for i, a in enumerate(self.alphas, start=1))
        what = "a value's share" if self.scope == "value" else "a level's share"
        where = "" if self.column is None else f" of '{self.column}'"
        return (
            f"(αᵢ, {self.k})-anonymity (every group holds at least {self.k}, "
            f"{what}{where} at most {bounds})"
        )

    def least_suppression(self, whole: GroupStatistics) -> int | None:
        """Count the rows of too frequent values that must go."""
        counts, bounds, _ = self._whole(whole)
        kept = largest_holding(counts, bounds)
        return None if kept < self.k else sum(counts) - kept

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name the least α of the first level that is too strict."""
        counts, bounds, names = self._whole(whole)
        total = sum(counts)
        for count, bound, name in zip(counts, bounds, names, strict=True):
            if total >= self.k and count > bound * total:
                return (
                    f'{name} is held by {count} of {total}: its α must be at least "{count}/'
                    f'{total}" ({count / total:.4f}) without suppression.'
                )
        return KAnonymity(self.k).nearest_feasible(whole)

    def to_spec(self) -> dict[str, Any]:
        """Write the requirement as a plan's table; what is left open is left out."""
        spec = {key: value for key, value in super().to_spec().items() if value is not None}
        return spec | {"alphas": list(self.alphas)}

    def _whole(self, whole: GroupStatistics) -> tuple[list[int], list[Fraction], list[str]]:
        """Count what is bounded in all rows: its bound, and how to call it."""
        name, found = whole.histogram(self.column)
        level, totals = self.level_of_codes(found), found.totals
        shares = self.shares
        if self.scope == "level":
            sums = np.bincount(level, totals, minlength=len(shares)).astype(np.int64)
            names = [f"Level {each + 1} of '{name}'" for each in range(len(shares))]
            return sums.tolist(), shares, names
        # The plan lists the values, so a message may name them.
        names = [f"'{label or ''}' (level {level[i] + 1})" for i, label in enumerate(found.labels)]
        return totals.tolist(), [shares[each] for each in level], names
