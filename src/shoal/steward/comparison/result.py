"""What a comparison found: the frontier, and the point to begin with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from shoal.base.rounding import percent
from shoal.plan import Plan
from shoal.steward.comparison.frontier import frontier, recommended
from shoal.steward.comparison.point import Point


@dataclass(frozen=True)
class Comparison:
    """Points, each a k and a method; `frontier` are those that no other beats.

    Parameters
    ----------
    plan
        The plan that was varied.
    points
        What was measured, in the order that was asked for.
    label
        The column that models were trained to predict, if any.

    Examples
    --------
    >>> from shoal.steward.comparison import Setting
    >>> plan = Plan.from_dict({"columns": {"age": {"role": "quasi"}},
    ...     "require": [{"model": "k-anonymity", "k": 5}]})
    >>> losses = {3: 0.08, 5: 0.13, 10: 0.23, 20: 0.35, 50: 0.54}
    >>> points = [Point(Setting(k, "auto"), loss=x, highest=1 / k) for k, x in losses.items()]
    >>> found = Comparison(plan, (*points, Point(Setting(5, "kaca"), loss=0.2, highest=0.2)))
    >>> found
    Comparison(6 points, 5 on the frontier; k = 5 by auto)
    """

    plan: Plan
    points: tuple[Point, ...]
    label: str | None = None

    @property
    def made(self) -> list[Point]:
        """The points of which there is a release."""
        return [point for point in self.points if not point.failed]

    @cached_property
    def frontier(self) -> tuple[Point, ...]:
        """The points that no other beats in both loss and highest risk, the safest last."""
        return frontier(self.made)

    @cached_property
    def recommended(self) -> Point | None:
        """The point of the frontier after which more protection becomes dear."""
        return recommended(self.frontier)

    @property
    def stated(self) -> list[str]:
        """What the forms of publication state of the releases: their cells, and what was added."""
        kinds: dict[str, list[str]] = {}
        for point in self.made:
            kinds.setdefault(point.cells, []).append(point.setting.method)
        several = len(kinds) > 1
        cells = [
            f"The cells of quasi-identifiers are {each}"
            + f" ({', '.join(dict.fromkeys(methods))})" * several
            + "."
            for each, methods in kinds.items()
            if each
        ]
        return cells + [f"{_named(each)}: {each.added}" for each in self.made if each.added]

    @property
    def reason(self) -> str:
        """Say in a sentence why it is recommended; empty if nothing is."""
        point = self.recommended
        if point is None:
            return ""
        text = (
            f"Begin with {_named(point)}: it loses {percent(point.loss)} {point.lost}, and no "
            f"person's risk exceeds {point.highest:.1%}"
        )
        place = self.frontier.index(point)
        if place + 1 < len(self.frontier):
            safer = self.frontier[place + 1]
            text += f"; the next safer, {_named(safer)}, loses {percent(safer.loss)}"
        if place:
            cheaper = self.frontier[place - 1]
            text += (
                f"; the next cheaper, {_named(cheaper)}, loses {percent(cheaper.loss)} at a risk "
                f"of {cheaper.highest:.1%}"
            )
        return text + "."

    def __repr__(self) -> str:
        best = self.recommended
        text = f"{len(self.points)} points, {len(self.frontier)} on the frontier"
        if best is None:
            return f"Comparison({text})"
        return f"Comparison({text}; k = {best.setting.k} by {best.setting.method})"


def _named(point: Point) -> str:
    return f"k = {point.setting.k} by {point.setting.method}"
