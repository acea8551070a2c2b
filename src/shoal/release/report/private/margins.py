"""How each column is spread, before and after, as small pictures of the same kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shoal.release.report.numbers import share

if TYPE_CHECKING:
    from shoal.measures import Pair
    from shoal.measures._margins import Margin

MOST_COLUMNS = 24
VALUES = 11
"""The most values that are told apart, the rare ones as one."""
HEIGHT = 40.0


@dataclass(frozen=True)
class Bar:
    """A bin: where its bars stand, in percent of the width, and how high they are."""

    x: float
    width: float
    before: float
    after: float


@dataclass(frozen=True)
class Picture:
    """A column's picture, and the same in words.

    ``first``, ``last``: what the first and the last bin are called.
    ``moved``: the share of rows that would have to change their bin.
    ``words``: for who cannot see it.
    """

    name: str
    bars: tuple[Bar, ...]
    first: str
    last: str
    moved: str
    words: str


@dataclass(frozen=True)
class Margins:
    """The pictures of a release.

    ``left_out``: how many columns have none, because there are too many.
    """

    pictures: tuple[Picture, ...]
    left_out: int
    height: float = HEIGHT

    @classmethod
    def of(cls, pair: Pair) -> Margins:
        """Draw the columns as readers rebuild them from what is published."""
        from shoal.measures._margins import margin_of

        names = [column.name for column in pair.table.quasi] + list(pair.table.sensitive)
        return cls.drawn(names, lambda name: margin_of(pair, name, values=VALUES))

    @classmethod
    def drawn(cls, names: Sequence[str], margin_of: Callable[[str], Margin]) -> Margins:
        """Draw columns, the first ones of many."""
        from shoal.measures._distances import total_variation

        made = []
        for name in names[:MOST_COLUMNS]:
            margin = margin_of(name)
            before, after = margin.before, margin.after
            if not before.sum():
                continue
            was, now = before / before.sum(), after / (after.sum() or 1.0)
            far = total_variation(before, after)
            made.append(_picture(name, margin.labels, was.tolist(), now.tolist(), far))
        return cls(tuple(made), max(len(names) - MOST_COLUMNS, 0))


def _picture(
    name: str, labels: Sequence[str], before: list[float], after: list[float], far: float
) -> Picture:
    top = max(*before, *after, 1e-9)
    slot = 100 / len(before)
    bars = tuple(
        Bar(
            round(i * slot + slot * 0.1, 2),
            round(slot * 0.8, 2),
            round(HEIGHT * was / top, 2),
            round(HEIGHT * now / top, 2),
        )
        for i, (was, now) in enumerate(zip(before, after, strict=True))
    )
    most = max(range(len(before)), key=lambda i: abs(before[i] - after[i]))
    words = (
        f"{len(before)} bins of {name}; {share(far)} of the rows would have to change bins. "
        f"The largest difference is in {labels[most]}: {share(before[most])} before, "
        f"{share(after[most])} after."
    )
    return Picture(name, bars, labels[0], labels[-1], share(far), words)
