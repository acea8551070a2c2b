"""(αᵢ, k)-anonymity: the more sensitive a value, the rarer it must be in a group."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

import numpy as np

from shoal.base.arrays import Ints
from shoal.base.options import OPEN
from shoal.errors import ParameterError, did_you_mean
from shoal.models._cases import HandCase, written
from shoal.models._statistics import GroupStatistics, Histogram
from shoal.models.alpha_k import LimitedShares
from shoal.models.exact.shares import ShareBounds, fraction, nudged, rounded_up, spelled
from shoal.models.k_anonymity import GROUP_SIZE, KAnonymity
from shoal.table.levels import check_levels, levels_of


@dataclass(frozen=True)
class LeveledAlphaK(LimitedShares):
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
    people; with ``scope="level"`` a person who holds two values of a level counts twice (but a
    level never as more than the whole group), which errs on the safe side. A missing value needs
    a level, too: name it ``""``.

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
    (αᵢ, k)-anonymity by graded sensitivity.
    """

    levels: Mapping[str, int] | None = field(metadata=OPEN)
    alphas: Sequence[float | str]
    k: int
    scope: Literal["value", "level"] = "value"
    column: str | None = None

    name: ClassVar[str] = "leveled-alpha-k"
    limits: ClassVar = {"k": GROUP_SIZE}
    tells_levels: ClassVar[bool] = True

    @classmethod
    def example(cls) -> Self:
        return cls({f"i{i}": 1 if i < 2 else 2 for i in range(6)}, [0.5, 0.6], 3)

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Bound values, levels, and the missing value."""
        levels = {"HIV": 1, "flu": 2, "cold": 2}
        by_value = written(
            illness=["flu cold", "HIV flu cold flu", "HIV flu flu flu", "HIV HIV flu flu cold cold"]
        )
        by_level = written(
            illness=["HIV flu cold", "HIV flu cold flu", "flu flu cold cold", "HIV HIV flu cold"]
        )
        missing = written(illness=["* flu", "* * flu", "flu flu", "flu"])
        return [
            HandCase(cls(levels, ["1/4", 0.5], 4), by_value, [False, True, False, False]),
            HandCase(
                cls(levels, ["1/4", "3/4"], 4, scope="level"), by_level, [False, True, False, False]
            ),
            HandCase(cls({"": 1, "flu": 2}, [0.5, 1], 2), missing, [True, False, True, False]),
        ]

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """Ask for one fewer or one more, and for shares a bit larger or smaller."""
        made = dict(super().thresholds())
        for level, share in enumerate(self.level_shares):
            before, after = self.alphas[:level], self.alphas[level + 1 :]
            both = ([*before, str(each), *after] for each in nudged(share, 1))
            made[f"alpha of level {level + 1}"] = self._with("alphas", *both)
        return made

    @property
    def level_shares(self) -> list[Fraction]:
        """The α of each level as exact fractions, level 1 first."""
        return [
            fraction(f"alpha of level {level}", a) for level, a in enumerate(self.alphas, start=1)
        ]

    @property
    def least_size(self) -> int:
        """The least size of a group: k, and one over the largest α."""
        return max(self.k, math.ceil(1 / max(self.level_shares)))

    def validate(self) -> None:
        """Refuse an α outside (0, 1], levels without one, and a k below 2."""
        if isinstance(self.alphas, str) or not isinstance(self.alphas, Sequence) or not self.alphas:
            raise ParameterError("alphas must list an α per level.", "Such as [0.2, 0.3, 0.5].")
        _ = self.level_shares
        super().validate()
        if self.levels is None:
            return
        check_levels(self.levels)
        bare = sorted({v for v in self.levels.values() if v > len(self.alphas)})
        if bare:
            raise ParameterError(
                f"Level {bare[0]} has no α: alphas lists {len(self.alphas)}.",
                "Give an α for every level, the first for level 1.",
            )

    def bind(self, schema: Mapping[str, Any]) -> Self:
        """Take the levels from the schema where none are given."""
        if self.levels is not None:
            return self
        graded = [name for name in schema if getattr(schema[name], "levels", None)]
        if self.column is not None:
            if self.column not in schema:
                raise ParameterError(
                    f"There is no column '{self.column}'.", did_you_mean(self.column, schema)
                )
            graded = [name for name in graded if name == self.column]
        if len(graded) != 1:
            hint = "Write levels under [columns.NAME], or shoal.sensitive(levels={…})."
            problem = "no sensitive column has them."
            if graded:
                hint = "Name one of them with column=…."
                problem = f"{len(graded)} sensitive columns have them."
            elif self.column is not None:
                problem = f"column '{self.column}' has none."
            raise ParameterError(f"'{self.name}' needs levels, and {problem}", hint)
        filled = replace(self, levels=dict(schema[graded[0]].levels), column=graded[0])
        filled.validate()
        return filled

    @property
    def limited(self) -> dict[str, Fraction]:
        """The α of each level."""
        return {f"alpha {level}": each for level, each in enumerate(self.level_shares, start=1)}

    def counted(self, groups: GroupStatistics) -> tuple[Ints, Ints, Ints]:
        """Count each value, or the values of each level together."""
        _, found = groups.histogram(self.column)
        group, which, count = found.group, self._level_of_entries(found), found.counts
        if self.scope == "value":
            return group, which, count
        keys, at = np.unique(group * len(self.alphas) + which, return_inverse=True)
        count = np.bincount(at, count).astype(np.int64)
        group, which = np.divmod(keys, len(self.alphas))
        return group, which, np.minimum(count, groups.counts[group])

    def least_suppression(self, whole: GroupStatistics) -> int | None:
        """Count the rows of too frequent values that must go; refuse values without a level."""
        self._levels(whole.histogram(self.column)[1].labels)
        return super().least_suppression(whole)

    def _level_of_entries(self, found: Histogram) -> Ints:
        """Find the level of each entry: by entry in a small group, else by code."""
        if len(found.value) < len(found.labels):
            return self._levels([found.labels[code] for code in found.value.tolist()])
        return self._levels(found.labels)[found.value]

    def _levels(self, labels: Sequence[str | None]) -> Ints:
        """Find the level of each label, counted from 0; a value without one is refused."""
        if self.levels is None:
            raise ParameterError(
                "The requirement has no levels.", "Give levels, or add them to the schema."
            )
        return levels_of(labels, self.levels, f"sensitive values{self._of_column}") - 1

    def describe(self) -> str:
        listed = ", ".join(f"{a} at level {i}" for i, a in enumerate(self.alphas, start=1))
        what = "a value's share" if self.scope == "value" else "a level's share"
        return (
            f"(αᵢ, {self.k})-anonymity (every group holds at least {self.k}, "
            f"{what}{self._of_column} at most {listed})"
        )

    def shares(self, whole: GroupStatistics) -> tuple[ShareBounds]:
        """Bound every value, or each level's values together, by the α of the level."""
        name, found = whole.histogram(self.column)
        levels, largest = self._levels(found.labels), self.level_shares
        if self.scope == "level":
            return (ShareBounds(name, levels, tuple(largest), levels + 1),)
        by_value = tuple(largest[level] for level in levels.tolist())
        return (ShareBounds(name, np.arange(len(levels)), by_value, levels + 1),)

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name a value that is too frequent, its share, and alphas that the table holds."""
        counts, level, names = self._whole(whole)
        total, alphas, shares = int(whole.counts.sum()), list(self.alphas), self.level_shares
        hint = ""
        for count, each, name in zip(counts, level, names, strict=True):
            if total < self.k or count <= shares[each] * total:
                continue
            least = rounded_up(count, total)
            if not hint:
                hint = (
                    f"{name} is held by {count} of {total} {whole.noun}: the α of level {each + 1} "
                    f'must be at least {least} (exactly "{Fraction(count, total)}") to hold '
                    "without suppression."
                )
            if Fraction(least) > fraction("alpha", alphas[each]):
                alphas[each] = float(least)
        if not hint:
            return KAnonymity(self.k).nearest_feasible(whole)
        return f"{hint} alphas = [{', '.join(str(spelled(a)) for a in alphas)}] would do."

    def published(self, values: Mapping[str, Collection[str | None]]) -> Self:
        """Leave out the levels of values that only removed rows hold, or none."""
        if self.levels is None:
            return self
        columns = values.values() if self.column is None else [values.get(self.column, ())]
        shown = {each or "" for column in columns for each in column}
        return replace(self, levels={v: i for v, i in self.levels.items() if v in shown})

    def _whole(self, whole: GroupStatistics) -> tuple[list[int], list[int], list[str]]:
        """Count what is bounded in all rows: its level (from 0), and how to call it."""
        name, found = whole.histogram(self.column)
        level, totals = self._levels(found.labels), found.totals
        if self.scope == "level":
            size = len(self.alphas)
            sums = np.bincount(level, totals, minlength=size).astype(np.int64)
            sums = np.minimum(sums, whole.counts.sum())
            names = [f"Level {each + 1} of '{name}'" for each in range(size)]
            return sums.tolist(), list(range(size)), names
        # The plan lists the values, so a message may name them.
        names = [f"'{label or ''}' of '{name}'" for label in found.labels]
        return totals.tolist(), level.tolist(), names
