"""Random small tables, of everything that people and machines put into columns."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

import polars as pl

from shoal.base.cells import texts

__all__ = ["DrawnTable", "draw_table"]

PLAIN_NAMES = ("age", "sex", "zip", "born", "city", "income", "disease", "job", "note", "id")
ODD_NAMES = (
    "[/x]",
    "[bold]",
    "*",
    "a,b",
    'say "x"',
    "名前",
    "a\nb",
    "\x1b[31mred",
    "class",
    "group",
    "count",
    "person",
    "original_row",
    "=1+1",
    "{0}%s<b>",
    "../up",
    " x ",
    "é" * 90,
    "columns.age",
)
BAD_NAMES = ("", " ", "\t", "a\0b", "^x$")

PERSON = "PERSON-"
"""How the identifiers of drawn tables begin: they may never be seen again."""


@dataclass(frozen=True)
class DrawnTable:
    """A table, and what each column was drawn as: ``number``, ``word``, ``date``, ``odd``, ….

    ``kinds`` name what a plan may do with a column; see `shapes`.
    """

    frame: pl.DataFrame
    kinds: dict[str, str]

    def of(self, *kinds: str) -> list[str]:
        """List the columns of some kinds."""
        return [name for name, kind in self.kinds.items() if kind in kinds]

    def values(self, name: str) -> list[str]:
        """List the different texts of a column that are not missing."""
        column = self.frame[name].alias("values")  # polars takes some names for patterns
        if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Duration):
            return []
        return sorted(set(texts(column).drop_nulls()) - {"", "*"})


def draw_table(random: Random, *, wild: bool) -> DrawnTable:
    """Draw a table; a ``wild`` one may hold what no release can be made of."""
    rows = random.choice((0, 1, 2, 3)) if wild and random.random() < 0.2 else random.randint(6, 40)
    width = random.randint(2 if wild else 3, 5)
    names = random.sample(PLAIN_NAMES, width)
    for place in range(width):
        if random.random() < 0.12:
            names[place] = random.choice(ODD_NAMES)
        elif wild and random.random() < 0.04:
            names[place] = random.choice(BAD_NAMES)
    names = list(dict.fromkeys(names))
    # Few different rows, many of each: classes form by themselves.
    different = max(min(1, rows), rows // random.choice((1, 1, 1, 2, 4)))
    chosen = [random.randrange(different) for _ in range(rows)] if different < rows else None
    columns: dict[str, pl.Series] = {}
    kinds: dict[str, str] = {}
    for name in names:
        kind = random.choices(list(_DRAWERS), [weight for weight, _ in _DRAWERS.values()])[0]
        if not wild and kind in ("odd", "empty"):
            kind = "word"
        drawn = _DRAWERS[kind][1](random, different)
        values = _with_missing(random, drawn) if kind not in ("odd", "empty", "key") else drawn
        values = values if chosen is None else values.gather(chosen)
        columns[name] = values
        kinds[name] = kind
    if random.random() < 0.35:
        people = max(1, rows // random.choice((1, 1, 2, 3)))
        keys = [f"{PERSON}{random.randrange(people):06}" for _ in range(rows)]
        kinds["who"] = "person"
        columns["who"] = pl.Series(keys, dtype=pl.String)
    return DrawnTable(pl.DataFrame(columns), kinds)


def _with_missing(random: Random, values: pl.Series) -> pl.Series:
    """Miss some cells, as nulls or as empty texts."""
    if random.random() < 0.6 or not len(values):
        return values
    share = random.choice((0.05, 0.2, 0.6))
    emptied = [place for place in range(len(values)) if random.random() < share]
    if len(emptied) == len(values):
        emptied.pop()
    written = values.dtype == pl.String
    hole = random.choice(("", "*", None)) if written else None
    return values.scatter(emptied, hole) if emptied else values


def _number(random: Random, rows: int) -> pl.Series:
    low, high = random.choice(((0, 9), (18, 90), (-50, 50), (1, 1), (0, 10**6)))
    whole = [random.randint(low, high) for _ in range(rows)]
    return random.choice(
        (
            lambda: pl.Series(whole, dtype=pl.Int64),
            lambda: pl.Series(whole, dtype=pl.Int64),
            lambda: pl.Series(whole, dtype=pl.Int32),
            lambda: pl.Series([number / 4 for number in whole], dtype=pl.Float64),
            lambda: pl.Series([number / 10 for number in whole], dtype=pl.Float32),
            lambda: pl.Series([random.uniform(low, high) for _ in whole], dtype=pl.Float64),
            lambda: pl.Series([str(number) for number in whole], dtype=pl.String),
            lambda: pl.Series([f" {number}.50" for number in whole], dtype=pl.String),
        )
    )()


def _huge(random: Random, rows: int) -> pl.Series:
    kind = random.randrange(5)
    if kind == 0:
        whole = [2**63 + random.randrange(2**63) for _ in range(rows)]
        return pl.Series(whole, dtype=pl.UInt64)
    if kind == 1:
        return pl.Series(
            [random.choice((-1, 1)) * (2**63 - 1) for _ in range(rows)], dtype=pl.Int64
        )
    if kind == 2:
        return pl.Series([2**53 + random.randrange(9) for _ in range(rows)], dtype=pl.Int64)
    if kind == 3:
        wide = [random.choice((1e308, -1e308, 1e-300, 5e-324, 0.1, 0.0)) for _ in range(rows)]
        return pl.Series(wide, dtype=pl.Float64)
    return pl.Series([str(10 ** random.randrange(40)) for _ in range(rows)], dtype=pl.String)


def _word(random: Random, rows: int) -> pl.Series:
    pool = random.choice(
        (
            ("m", "f"),
            ("red", "green", "blue"),
            ("flu", "cold", "HIV", "cancer", "none"),
            ("Köln", "Zürich", "東京", "naïve\u0301", "İstanbul"),
            ("only",),
            ("[/bold]", "=cmd()", "-1", "\x1b[2J", "@x"),
            ("a;b", 'c"d', "e,f", "g\nh", " i "),
            ("01", "1", "1.0", "NA", "null"),
        )
    )
    return pl.Series([random.choice(pool) for _ in range(rows)], dtype=pl.String)


def _truth(random: Random, rows: int) -> pl.Series:
    return pl.Series([random.random() < 0.5 for _ in range(rows)], dtype=pl.Boolean)


def _code(random: Random, rows: int) -> pl.Series:
    letters = random.choice(("0123", "ab", "09x"))
    length = random.choice((2, 3, 5))
    codes = ["".join(random.choices(letters, k=length)) for _ in range(rows)]
    if random.random() < 0.2:
        codes = [code[: random.randint(1, length)] for code in codes]
    return pl.Series(codes, dtype=pl.String)


def _date(random: Random, rows: int) -> pl.Series:
    first = datetime.date(1930, 1, 1).toordinal()
    days = [datetime.date.fromordinal(first + random.randrange(3000)) for _ in range(rows)]
    if random.random() < 0.3:
        zone = random.choice((None, "UTC", "Europe/Berlin"))
        return pl.Series(days, dtype=pl.Date).cast(pl.Datetime("us", zone))
    if random.random() < 0.5:
        return pl.Series([day.isoformat() for day in days], dtype=pl.String)
    return pl.Series(days, dtype=pl.Date)


def _key(random: Random, rows: int) -> pl.Series:
    """Draw values that are unique, or nearly so."""
    keys = [f"{PERSON}{place:06}" for place in random.sample(range(10**6), rows)]
    if rows > 3 and random.random() < 0.3:
        keys[1] = keys[0]
    return pl.Series(keys, dtype=pl.String)


def _empty(random: Random, rows: int) -> pl.Series:
    kind = random.choice((pl.String, pl.Int64, pl.Null, pl.Float64))
    if kind == pl.String and random.random() < 0.5:
        return pl.Series([""] * rows, dtype=pl.String)
    return pl.Series([None] * rows, dtype=kind)


def _odd(random: Random, rows: int) -> pl.Series:
    """Draw what a table may hold and a release may not, or only with care."""
    makers: tuple[Callable[[], Any], ...] = (
        lambda: pl.Series([random.choice((float("nan"), 1.0)) for _ in range(rows)]),
        lambda: pl.Series([random.choice((float("inf"), 1.0)) for _ in range(rows)]),
        lambda: pl.Series([random.choice(("a\0b", "c")) for _ in range(rows)]),
        lambda: pl.Series([[1]] * rows, dtype=pl.List(pl.Int64)),
        lambda: pl.Series([b"x"] * rows, dtype=pl.Binary),
        lambda: pl.Series([random.choice("ab") for _ in range(rows)], dtype=pl.Enum(["a", "b"])),
        lambda: pl.Series([random.choice("ab") for _ in range(rows)], dtype=pl.Categorical),
        lambda: pl.Series([datetime.timedelta(1)] * rows, dtype=pl.Duration),
        lambda: pl.Series(
            [datetime.time(random.randrange(24)) for _ in range(rows)], dtype=pl.Time
        ),
        lambda: pl.Series(
            [Decimal(random.randrange(99)) / 4 for _ in range(rows)], dtype=pl.Decimal(9, 2)
        ),
        lambda: pl.Series([2**100] * rows, dtype=pl.Int128),
        lambda: pl.Series([random.choice(("\u202e", "\u2028", "\r", "\x85")) for _ in range(rows)]),
        lambda: pl.Series(["x" * random.choice((1, 5000)) for _ in range(rows)]),
    )
    return random.choice(makers)()


_DRAWERS: dict[str, tuple[int, Callable[[Random, int], pl.Series]]] = {
    "number": (8, _number),
    "word": (9, _word),
    "code": (3, _code),
    "date": (3, _date),
    "truth": (2, _truth),
    "huge": (1, _huge),
    "key": (1, _key),
    "empty": (1, _empty),
    "odd": (2, _odd),
}
"""What a column can hold, how often, and who draws it."""
