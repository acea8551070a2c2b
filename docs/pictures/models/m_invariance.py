"""m-invariance: among the same values in every release."""

from __future__ import annotations

import tempfile
from typing import Any

import polars as pl

import shoal
from docs.pictures.draw import Picture
from docs.pictures.models._cards import card, one_of_each

SPRING = pl.DataFrame(
    {
        "patient": list("abcdef"),
        "age": [21, 22, 41, 42, 61, 62],
        "ill": ["flu", "HIV", "gout", "flu", "HIV", "gout"],
    }
)
SUMMER = pl.concat([SPRING[1:], pl.DataFrame({"patient": ["g"], "age": [64], "ill": ["flu"]})])
ROLES = shoal.Schema(
    {"patient": "identifier", "age": "quasi", "ill": "sensitive"}, entity="patient"
)
HOW: dict[str, Any] = {"method": shoal.GAACP(picks="first"), "publication": "two-table", "seed": 1}
WHO = "b"


def draw() -> str:
    """Draw among which values one person stands in two releases, with and without it."""
    picture = Picture(
        "Two releases and one person, m = 2",
        "m-invariance keeps everybody among the same m values from release to release, so that "
        "comparing releases rules none of them out.",
        222,
    )
    pairs = (_again(), _apart())
    left = [set(first) & set(second) for first, second in pairs]
    one_of_each([len(values) >= 2 for values in left])
    for side, (first, second) in enumerate(pairs):
        words = ("m-invariance", "each release by itself")[side]
        note = f"both leave possible: {', '.join(sorted(left[side]))}"
        x, y = card(picture, side, len(left[side]) >= 2, words, note, height=186)
        for row, (season, values) in enumerate((("spring", first), ("summer", second))):
            picture.text(x, y + 24 + 44 * row, season, size=12, bold=True)
            for place, value in enumerate(values):
                picture.pill(x + 66 + 70 * place, y + 20 + 44 * row, value, width=60)
    picture.text(
        16,
        213,
        "The class of one patient. The other one of it left before summer.",
        size=12,
        colour="faint",
    )
    return picture.svg()


def _again() -> tuple[list[str], list[str]]:
    with tempfile.TemporaryDirectory() as place:
        need = shoal.MInvariance(2)
        first = shoal.anonymize(SPRING, ROLES, require=need, **HOW)
        written = first.write(f"{place}/spring")
        second = shoal.anonymize(SUMMER, ROLES, require=need, again=written, **HOW)
        return _values(first, SPRING), _values(second, SUMMER)


def _apart() -> tuple[list[str], list[str]]:
    need = shoal.LDiversity(2)
    first, second = (shoal.anonymize(each, ROLES, require=need, **HOW) for each in (SPRING, SUMMER))
    return _values(first, SPRING), _values(second, SUMMER)


def _values(release: Any, table: pl.DataFrame) -> list[str]:
    """Give the values that the class of the patient shows."""
    own = release.tables["quasi"]["class"][table["patient"].to_list().index(WHO)]
    shown = release.tables["sensitive"].filter(pl.col("class") == own)
    return sorted(set(shown["ill"].to_list()))
