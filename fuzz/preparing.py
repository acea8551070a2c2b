"""Random wishes for columns as they come in: dates, ages, ends and rounding."""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["add_preparation"]

_SILLY = (0, -1, "x", "2026-02-30", float("nan"), float("inf"), True, [], "%d", "%d.%m.%Y", 10**30)
_OPTIONS = ("format", "age_at", "top", "bottom", "round_to")


def add_preparation(random: Random, column: dict[str, Any], kind: str, *, wild: bool) -> None:
    """Ask for something that fits what a column was drawn as; wild ones ask for anything."""
    # A generator of its own, so that plans of older seeds stay as they were.
    own = Random(repr((random.getstate()[1][:9], kind, column["role"])))
    if column["role"] == "quasi" and kind == "date" and own.random() < 0.5:
        column.pop("kind", None)
        tree = column.get("hierarchy")
        if not (isinstance(tree, dict) and tree["builder"] == "dates" and own.random() < 0.7):
            column.pop("hierarchy", None)
        if own.random() < 0.7:
            column["kind"] = "date"
        else:
            column.pop("hierarchy", None)
            column["age_at"] = own.choice(("2026-01-01", "1938-06-30", "1931-01-01"))
            if own.random() < 0.5:
                column["top"] = own.choice((90, 5))
    numeric = column["role"] != "quasi" or column.get("kind") == "numeric"
    if kind == "number" and numeric and column["role"] != "identifier" and own.random() < 0.3:
        tree = column.get("hierarchy")
        if not (isinstance(tree, dict) and "cuts" in tree):
            settings = own.choice(
                ({"round_to": 10}, {"round_to": 0.5}, {"top": 30}, {"bottom": -2})
            )
            column |= settings
            if own.random() < 0.3:
                column |= {"round_to": 5, "top": 50, "bottom": 0}
    if wild and own.random() < 0.06:
        column[own.choice(_OPTIONS)] = own.choice(_SILLY)
