"""Buckets of sensitive values, and the groups that methods make of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.style import class_colour, width_of
from shoal.table import Table

__all__ = [
    "ILLS",
    "PAYS",
    "draw_bars",
    "draw_buckets",
    "draw_groups",
    "draw_pairs",
    "groups_of",
    "often_added",
    "several",
]

ILLS = ("flu", "cold", "flu", "HIV", "ulcer", "flu", "cold", "ulcer", "HIV", "flu", "cold", "ulcer")


def groups_of(labels: Sequence[int], values: Sequence[Any]) -> list[list[Any]]:
    """Give the values of each group, in row order; what is suppressed is left out."""
    return [
        [value for value, own in zip(values, labels, strict=True) if own == label]
        for label in range(max(labels) + 1)
    ]


def draw_buckets(
    picture: Picture,
    x: float,
    y: float,
    values: Sequence[str],
    *,
    levels: Mapping[str, int] | None = None,
    height: int | None = None,
) -> None:
    """Draw a stack per value, the largest first; with levels, the most sensitive first."""
    counts = {value: values.count(value) for value in dict.fromkeys(values)}

    def key(value: str) -> tuple[int, int]:
        return (levels[value] if levels else 0, -counts[value])

    most = max(counts.values()) if height is None else height
    base = y + 26 * most
    for place, value in enumerate(sorted(counts, key=key)):
        left = x + 60 * place
        for row in range(counts[value]):
            picture.pill(left, base - 13 - 24 * row, value, width=56)
        picture.line((left - 3, base), (left + 59, base), colour="ink", width=1.5)
        picture.text(
            left + 28, base + 16, str(counts[value]), size=12, anchor="middle", colour="faint"
        )
        if levels:
            text = f"level {levels[value]}"
            picture.text(left + 28, base + 32, text, size=12, anchor="middle", colour="faint")


def draw_groups(
    picture: Picture,
    x: float,
    y: float,
    groups: Sequence[Sequence[str]],
    *,
    extra: Mapping[int, Sequence[str]] | None = None,
    word: str = "group",
    step: float = 34,
    pill: float = 56,
    notes: Sequence[str] | None = None,
) -> None:
    """Draw each group as a line of its values; added values are dashed."""
    for place, values in enumerate(groups):
        middle = y + step * place + step / 2
        shown = [*values, *(extra or {}).get(place, ())]
        name = f"{word} {place + 1}"
        wide = width_of(name, 12, bold=True) + 14 + (pill + 6) * len(shown)
        picture.box(x, middle - 14, wide + 4, 28, fill=class_colour(place), radius=6)
        start = picture.text(x + 6, middle + 4, name, size=12, bold=True) + 8
        for which, value in enumerate(shown):
            picture.pill(
                start + (pill + 6) * which, middle, value, width=pill, dashed=which >= len(values)
            )
        if notes:
            picture.text(x + wide + 14, middle + 4, notes[place], size=12, colour="faint")


PAYS = ("low", "low", "mid", "low", "top", "low", "low", "mid", "low", "mid", "high", "low")
NEED = {"ill": 3, "pay": 2}
PAY_COLOURS = {"low": "faint", "mid": "value-5", "high": "value-6", "top": "value-6"}


def _table() -> pl.DataFrame:
    return pl.DataFrame({"age": range(20, 20 + len(ILLS)), "ill": ILLS, "pay": PAYS})


SCHEMA = {"age": shoal.quasi(), "ill": shoal.sensitive(), "pay": shoal.sensitive()}


def several(method: Any) -> Any:
    """Let a method group people with two secrets each: three illnesses and two pays per group."""
    return shoal.anonymize(
        _table(), shoal.Schema(SCHEMA), require=shoal.MultiLDiversity(NEED), method=method
    )


def added(release: Any) -> dict[int, list[str]]:
    """Give the values of pay that a method added, by group."""
    found: dict[int, list[str]] = {}
    padding = release.grouping.padding.get("pay")
    if padding is not None:
        labels = sorted(set(PAYS))
        for group, value in zip(padding.group.tolist(), padding.value.tolist(), strict=True):
            found.setdefault(group, []).append(labels[value])
    return found


def draw_pairs(picture: Picture, x: float, release: Any, width: float) -> int:
    """Draw the illness and the pay of each group's people, and what was added; gives its number."""
    labels = release.grouping.labels.tolist()
    extra = added(release)
    groups = zip(groups_of(labels, ILLS), groups_of(labels, PAYS), strict=True)
    for place, (own, paid) in enumerate(groups):
        y = 58 + 54 * place
        picture.box(x, y - 20, width, 48, fill=class_colour(place), radius=6)
        for which, (ill, pay) in enumerate(zip(own, paid, strict=True)):
            picture.pill(x + 6 + 64 * which, y - 7, ill, width=58)
            picture.pill(x + 6 + 64 * which, y + 15, pay, width=58, colour=PAY_COLOURS[pay])
        for which, pay in enumerate(extra.get(place, ()), len(own)):
            at = x + 6 + 64 * which
            picture.pill(at, y + 15, pay, width=58, colour=PAY_COLOURS[pay], dashed=True)
    return sum(map(len, extra.values()))


def often_added(method: type, seeds: int = 100) -> dict[str, int]:
    """Count which pays a method adds, over many seeds."""
    table = Table.encode(_table(), shoal.Schema(SCHEMA))
    labels = sorted(set(PAYS))
    counts = dict.fromkeys(labels, 0)
    for seed in range(seeds):
        grouping = method().group(
            table, [shoal.MultiLDiversity(NEED)], rng=np.random.default_rng(seed)
        )
        if "pay" in grouping.padding:
            for value in grouping.padding["pay"].value.tolist():
                counts[labels[value]] += 1
    return counts


def draw_bars(
    picture: Picture, x: float, y: float, counts: Mapping[str, int], width: float
) -> None:
    """Draw a bar per value with its count."""
    most = max(counts.values())
    for place, (value, count) in enumerate(counts.items()):
        middle = y + 26 * place
        picture.text(x + 40, middle + 4, value, size=12, anchor="end")
        picture.box(x + 48, middle - 8, width * count / most, 16, fill="class-1", strength=0.6)
        picture.text(x + 54 + width * count / most, middle + 4, str(count), size=12, colour="faint")
