"""What releases of one table tell together, slow and obvious: from their CSV and who is who.

It shares nothing with `shoal`: cells and values are texts, classes are lists of rows.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl


class ReadTable:
    """A release of one table, read from its CSV, and whose row is whose.

    Parameters
    ----------
    folder
        The release; its private folder lies beside it.
    secret
        The sensitive column; all others are quasi-identifiers.
    """

    def __init__(self, folder: Path, secret: str) -> None:
        with (folder / "table.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        links = pl.read_parquet(f"{folder}.private/rows.parquet")
        self.values = [row.pop(secret) for row in rows]
        self.cells = [tuple(row.items()) for row in rows]
        self.groups: list[int] = links["group"].to_list()
        self.names: list[str | None] = links["name"].to_list()
        stands_for = links["original_row"].to_list()
        assert len(rows) == len(self.groups)
        for name, row in zip(self.names, stands_for, strict=True):
            assert (name is None) == (row is None)

    @property
    def n_counterfeits(self) -> int:
        """How many rows nobody holds."""
        return self.names.count(None)

    def around(self, *, known: bool) -> dict[str, Counter[str]]:
        """Count the values around everyone: in rows of equal cells, or of the class if it is known.

        A class shows the same cells in all rows, and somebody is in each.
        """
        keys = list(zip(self.cells, self.groups, strict=True)) if known else list(self.cells)
        if known:
            assert len(set(keys)) == len(set(self.groups))
        shown: dict[object, Counter[str]] = {}
        for key, value in zip(keys, self.values, strict=True):
            shown.setdefault(key, Counter())[value] += 1
        made = {
            name: shown[key] for name, key in zip(self.names, keys, strict=True) if name is not None
        }
        held = {key for name, key in zip(self.names, keys, strict=True) if name is not None}
        assert held == set(shown)
        return made


def require_invariant(folders: Sequence[Path], secret: str, m: int) -> None:
    """Ask of releases of one table what m-invariance asks, of all of them together."""
    tables = [ReadTable(folder, secret) for folder in folders]
    signatures: dict[str, set[str]] = {}
    left: dict[str, set[str]] = {}
    for table in tables:
        for counts in table.around(known=False).values():
            assert len(counts) >= m
            assert max(counts.values()) * m <= sum(counts.values())
        for name, counts in table.around(known=True).items():
            assert set(counts.values()) == {1}
            assert len(counts) >= m
            assert signatures.setdefault(name, set(counts)) == set(counts)
        for name, counts in table.around(known=False).items():
            left[name] = left.get(name, set(counts)) & set(counts)
    for name, values in left.items():  # what comparing all releases leaves possible
        assert signatures[name] <= values
