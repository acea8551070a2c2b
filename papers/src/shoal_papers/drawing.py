"""Figures of results: selects points, names series and panels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import ClassVar

import polars as pl

from shoal_papers.figures import Figure, Panel, Point
from shoal_papers.results import Results

__all__ = ["Drawing"]


@dataclass(frozen=True)
class Drawing:
    """Makes the figures of an experiment with one series per method.

    Parameters
    ----------
    shown
        The methods, in the order of the legend, with the names they have there.
    over
        For each setting that is an axis, the values to show.
    """

    results: Results
    shown: Mapping[str, str]
    over: Mapping[str, Sequence[float]]

    TITLES: ClassVar[dict[str, str]] = {
        "quasi": "|QI|",
        "k": "k",
        "alpha": "α",
        "rows": "n (rows)",
        "vmr_target": "VMR (%)",
        "l": "l",
        "secrets": "|S|",
        "primary": "primary",
        "intervals": "intervals",
        "limit": "limit (%)",
    }

    @cached_property
    def methods(self) -> list[str]:
        """The methods that were measured."""
        return self.results.values("method", tuple(self.shown))

    def figure(
        self,
        number: str,
        title: str,
        measure: tuple[str, str],
        over: str,
        panels: Sequence[Mapping[str, int | float | str]],
        *,
        named: Sequence[str],
        unit: float = 1,
        place: Callable[[float], float] = lambda value: value,
        **style: bool,
    ) -> Figure:
        """Lay out a figure.

        Parameters
        ----------
        measure
            The number to show, and the title of its axis.
        over
            The setting that is the horizontal axis.
        panels
            For each panel the settings that are fixed; its title has those in ``named``.
        unit
            What one step of the vertical axis stands for.
        place
            Where a value of ``over`` stands on the horizontal axis.
        """
        column, y_title = measure
        return Figure(
            name=f"figure-{number}",
            title=f"Figure {number}: {title}",
            x_title=self.TITLES[over],
            y_title=y_title + (", log scale" if style.get("log_y") else ""),
            series=tuple(self.shown.get(name, name) for name in self.methods),
            panels=tuple(
                Panel(
                    self._title(letter if len(panels) > 1 else "", fixed, named),
                    tuple(self._points(column, over, fixed, unit, place)),
                )
                for letter, fixed in zip(ascii_lowercase[: len(panels)], panels, strict=True)
            ),
            **style,
        )

    def _title(
        self, letter: str, fixed: Mapping[str, int | float | str], named: Sequence[str]
    ) -> str:
        settings = ", ".join(f"{self.TITLES[name]} = {fixed[name]}" for name in named)
        return f"({letter}) {settings}" if letter else settings

    def _points(
        self,
        column: str,
        over: str,
        fixed: Mapping[str, int | float | str],
        unit: float,
        place: Callable[[float], float],
    ) -> Iterator[Point]:
        for name in self.methods:
            found = self.results.of(column, method=name, **fixed).sort(over)
            wanted = found.filter(pl.col(over).is_in(list(self.over[over])))
            for row in wanted.iter_rows(named=True):
                ends = (row[end] / unit for end in ("mean", "min", "max"))
                yield Point(self.shown.get(name, name), place(row[over]), *ends)
