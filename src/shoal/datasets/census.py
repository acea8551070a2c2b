"""A synthetic census: a table like Adult, of any size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arguments import require_whole
from shoal.datasets._conditional import Codes, Conditional, learn, smooth
from shoal.datasets.adult import adult

_CHUNK = 1 << 18  # rows drawn at a time, so that helper arrays stay small
# Narrow bands where lives change from year to year, wide ones later.
_BANDS = (18, 19, 20, 21, 22, 24, 26, 30, 35, 40, 45, 50, 55, 60, 65, 70, 76)
_KERNEL = (0.1, 0.2, 0.4, 0.2, 0.1)

# Columns that are drawn together, so that their combinations stay possible ones.
_BLOCKS = {
    "household": ("sex", "marital-status", "relationship"),
    "age": ("age",),
    "origin": ("race", "native-country"),
    "school": ("education", "education-num"),
    "work": ("workclass", "occupation"),
    "salary": ("salary-class",),
    "capital": ("capital-gain", "capital-loss"),
    "hours": ("hours-per-week",),
}
# Single columns of a block that others depend on.
_TOGETHER = {"household": ("sex", "relationship"), "origin": ("race",), "work": ("occupation",)}
# Block, what it depends on (most telling first), and for how many rows borrowing counts.
_STEPS: tuple[tuple[str, tuple[str, ...], float], ...] = (
    ("household", (), 0),
    ("age", ("household",), 2),
    ("origin", ("household",), 50),
    ("school", ("band", "origin"), 5),
    ("work", ("school", "sex", "band"), 10),
    ("salary", ("relationship", "occupation", "school", "band"), 5),
    ("capital", ("salary", "band"), 10),
    ("hours", ("occupation", "salary", "band", "sex"), 10),
)


def census(n: int, seed: int = 0) -> pl.DataFrame:
    """Make a synthetic table of ``n`` rows with Adult's columns and main dependencies.

    Take it where ``adult`` is too small or of the wrong size. No row is copied from Adult:
    groups of columns are drawn one after the other, each given those before it, from
    frequencies counted in Adult. The order is sex, marital-status and relationship; age;
    race and native-country; education; workclass and occupation; salary-class; capital;
    hours; fnlwgt. Missing cells appear at Adult's rates. The same ``n`` and ``seed`` give
    the same table; a longer table does not begin with the shorter one.

    Parameters
    ----------
    n
        How many rows, at least 1.
    seed
        Start of the random numbers, at least 0.

    Returns
    -------
    polars.DataFrame
        The 15 columns of ``adult()``, same order and types.

    Raises
    ------
    ParameterError
        If ``n`` is below 1 or ``seed`` below 0.

    Notes
    -----
    It is made for tests of size and speed. Do not read facts about people from it.

    Examples
    --------
    >>> table = census(1000, seed=7)
    >>> table.shape, table.columns == adult().columns
    ((1000, 15), True)
    >>> table.equals(census(1000, seed=7))
    True
    """
    require_whole("n", n, 1, "Give 1 or more.")
    require_whole("seed", seed, 0)
    rng = np.random.default_rng(seed)
    network = _Network.learned(adult())
    chunks = [network.draw(min(_CHUNK, n - start), rng) for start in range(0, n, _CHUNK)]
    return pl.concat(chunks, rechunk=True)


@dataclass(frozen=True)
class _Network:
    """The blocks, and the frequencies of each given the blocks before it."""

    columns: list[str]
    blocks: dict[str, pl.DataFrame]  # the combinations of values, by code
    parts: dict[str, dict[str, Codes]]  # block → column → code of the column per block code
    given: dict[str, Conditional]
    fnlwgt: list[npt.NDArray[np.int64]]  # sorted, per code of race

    @classmethod
    def learned(cls, table: pl.DataFrame) -> _Network:
        """Count the frequencies in a table."""
        blocks = {name: _block(table, *columns) for name, columns in _BLOCKS.items()}
        bands = np.digitize(blocks["age"]["age"].to_numpy(), _BANDS)
        parts: dict[str, dict[str, Codes]] = {"age": {"band": bands.astype(np.int64)}}
        for name, columns in _TOGETHER.items():
            parts[name] = {c: _codes(_block(table, c), blocks[name]) for c in columns}

        codes: dict[str, Codes] = {}
        size: dict[str, int] = {}
        for name, block in blocks.items():
            codes[name] = _codes(block, table)
            size[name] = block.height
            for column, lookup in parts.get(name, {}).items():
                codes[column] = lookup[codes[name]]
                size[column] = int(lookup.max()) + 1

        given = {
            name: learn(codes[name], size[name], [(codes[p], size[p]) for p in parents], weight)
            for name, parents, weight in _STEPS
        }
        given["age"] = smooth(given["age"], _KERNEL)
        fnlwgt = table["fnlwgt"].to_numpy()
        by_race = [np.sort(fnlwgt[codes["race"] == code]) for code in range(size["race"])]
        return cls(table.columns, blocks, parts, given, by_race)

    def draw(self, rows: int, rng: np.random.Generator) -> pl.DataFrame:
        """Draw a frame with a number of rows."""
        codes: dict[str, Codes] = {}
        drawn: list[pl.Series] = []
        for name, parents, _ in _STEPS:
            codes[name] = self.given[name].draw([codes[p] for p in parents], rng, rows)
            for column, lookup in self.parts.get(name, {}).items():
                codes[column] = lookup[codes[name]]
            drawn += self.blocks[name][codes[name]].get_columns()
        drawn.append(pl.Series("fnlwgt", self._fnlwgt(codes["race"], rng)))
        return pl.DataFrame(drawn).select(self.columns)

    def _fnlwgt(self, race: Codes, rng: np.random.Generator) -> Codes:
        """Draw sampling weights between those seen, since nearly all of them differ."""
        place = rng.random(len(race))
        result = np.empty(len(race), dtype=np.int64)
        for code, known in enumerate(self.fnlwgt):
            rows = race == code
            ranks = place[rows] * (len(known) - 1)
            result[rows] = np.rint(np.interp(ranks, np.arange(len(known)), known))
        return result


def _codes(block: pl.DataFrame, rows: pl.DataFrame) -> Codes:
    """Code of each row of a table that has the columns of a block."""
    known = block.with_row_index("code")
    joined = rows.select(block.columns).join(
        known, on=block.columns, how="left", nulls_equal=True, maintain_order="left"
    )
    return joined["code"].to_numpy().astype(np.int64)


def _block(table: pl.DataFrame, *columns: str) -> pl.DataFrame:
    values = table.select(columns).unique().sort(columns)
    if columns == ("age",):  # every age may occur, seen or not
        low, high = values["age"][0], values["age"][-1]
        values = pl.DataFrame({"age": range(low, high + 1)}, schema={"age": pl.Int64})
    return values
