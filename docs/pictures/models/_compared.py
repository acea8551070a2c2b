"""Groups beside the whole table: shares, and how far they may differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, judged, one_of_each, two_bars

__all__ = ["GROUPS", "TABLE", "draw_compared"]

GROUPS = (
    "flu flu flu cold HIV",
    "flu HIV HIV HIV cold",
    "flu flu flu flu cold flu flu cold HIV cold",
)
"""Two groups that are shown, and the rest of the table."""
TABLE = " ".join(GROUPS).split()

Limits = Callable[[float], Sequence[float]]


def draw_compared(
    picture: Picture,
    requirement: Any,
    heading: str,
    note: Callable[[list[str]], str],
    limits: Limits | None = None,
) -> None:
    """Draw the first two groups beside the table, with the shares that are allowed."""
    holds = judged(requirement, ill=GROUPS)[:2]
    one_of_each(holds)
    shares = {value: TABLE.count(value) / len(TABLE) for value in dict.fromkeys(TABLE)}
    allowed: Mapping[str, Sequence[float]] | None = None
    if limits is not None:
        allowed = {value: limits(share) for value, share in shares.items()}
    for side, group in enumerate(GROUPS[:2]):
        values = group.split()
        _require_agreement(values, allowed, holds[side])
        x, y = card(picture, side, holds[side], heading, note(values), height=200)
        two_bars(picture, x, y + 20, values, TABLE, allowed)
    picture.box(16, 220, 26, 8, fill="faint", strength=0.6, radius=1)
    end = picture.text(48, 229, "share in the table", size=12, colour="faint")
    picture.box(end + 16, 216, 26, 16, fill="value-2", strength=0.65, radius=2)
    end = picture.text(end + 48, 229, "share in the group", size=12, colour="faint")
    if limits is not None:
        picture.line((end + 20, 214), (end + 20, 234), colour="ink", width=2.2)
        picture.text(end + 30, 229, "what is allowed", size=12, colour="faint")


def _require_agreement(
    group: Sequence[str], allowed: Mapping[str, Sequence[float]] | None, holds: bool
) -> None:
    """Refuse limits that say something else than the requirement: an upper one, or both."""
    if allowed is None:
        return
    inside = True
    for value, ends in allowed.items():
        share = group.count(value) / len(group)
        inside = inside and share <= ends[-1] and (len(ends) == 1 or share >= ends[0])
    if inside != holds:
        raise ValueError("The drawn limits say something else than the requirement.")
