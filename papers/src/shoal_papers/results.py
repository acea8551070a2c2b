"""What was measured: every run, and means with their spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import polars as pl

from shoal_papers.samples import Sample

__all__ = ["SEED", "Results"]

SEED = "seed"
"""The setting that tells repetitions apart."""

_Sorted: TypeAlias = dict[tuple[Any, ...], tuple[int, dict[tuple[Any, ...], dict[int, float]]]]
"""Per fixed settings: how many rows there are, and the number per place and seed."""


@dataclass(frozen=True, eq=False)
class Results:
    """The runs of an experiment: a column per setting, then a column per number.

    Examples
    --------
    >>> runs = pl.DataFrame({"method": ["a"] * 4, "k": [2, 2, 5, 5], "seed": [1, 2, 1, 2],
    ...                      "iloss": [1.0, 3.0, 5.0, 7.0]})
    >>> results = Results(runs, ("iloss",))
    >>> results.line("iloss", "k", method="a")
    {2: 2.0, 5: 6.0}
    >>> results.summary.row(0, named=True)["max"]
    3.0
    >>> results.samples("iloss", ["k"])[5,].values
    {1: 5.0, 2: 7.0}
    """

    runs: pl.DataFrame
    numbers: tuple[str, ...]

    @property
    def settings(self) -> list[str]:
        """The settings that are no repetition."""
        return [name for name in self.runs.columns if name not in (*self.numbers, SEED)]

    @cached_property
    def summary(self) -> pl.DataFrame:
        """One row per setting and number: repetitions, mean, min and max."""
        long = self.runs.unpivot(
            on=list(self.numbers),
            index=self.settings,
            variable_name="number",
            value_name="value",
        )
        value = pl.col("value")
        return long.group_by(*self.settings, "number", maintain_order=True).agg(
            repetitions=pl.len(), mean=value.mean(), min=value.min(), max=value.max()
        )

    def of(self, number: str, **fixed: int | float | str) -> pl.DataFrame:
        """Select the summary of a number at some settings."""
        same = [pl.col(name) == value for name, value in fixed.items()]
        return self.summary.filter(pl.col("number") == number, *same)

    def line(self, number: str, over: str, **fixed: int | float | str) -> dict[float, float]:
        """Give the means of a number over a setting, ascending, at the others' fixed values."""
        found = self.of(number, **fixed).sort(over)
        return dict(zip(found[over].to_list(), found["mean"].to_list(), strict=True))

    def samples(
        self, number: str, over: Sequence[str], **fixed: int | float | str
    ) -> dict[tuple[Any, ...], Sample]:
        """Give the repetitions of a number at each combination of some settings, ascending."""
        names = tuple(sorted(fixed))
        key = (number, tuple(over), names)
        if key not in self._sorted:
            self._sorted[key] = self._sort(number, over, names)
        rows, made = self._sorted[key].get(tuple(fixed[name] for name in names), (0, {}))
        assert sum(map(len, made.values())) == rows, "a setting is neither given nor fixed"
        return {place: Sample(values) for place, values in made.items()}

    @cached_property
    def _sorted(self) -> dict[tuple[str, tuple[str, ...], tuple[str, ...]], _Sorted]:
        """What `samples` has sorted already: claims ask for thousands of lines, many twice."""
        return {}

    def _sort(self, number: str, over: Sequence[str], names: Sequence[str]) -> _Sorted:
        """Sort the repetitions by fixed settings, then by place; count the rows of the first."""
        found = self.runs.select(*names, *over, SEED, number).sort(*over, SEED)
        made: _Sorted = {}
        for row in found.iter_rows():
            fixed, place, (seed, value) = row[: len(names)], row[len(names) : -2], row[-2:]
            rows, places = made.get(fixed, (0, {}))
            places.setdefault(place, {})[seed] = value
            made[fixed] = (rows + 1, places)
        return made

    def only(self, setting: str, values: Sequence[str]) -> Results:
        """Keep the runs with some values of a text setting."""
        return Results(self.runs.filter(pl.col(setting).is_in(list(values))), self.numbers)

    def values(self, setting: str, known: Sequence[str] = ()) -> list[str]:
        """List the values of a text setting: the known ones first, in their order."""
        present = self.runs[setting].unique(maintain_order=True).to_list()
        return [v for v in known if v in present] + [v for v in present if v not in known]
