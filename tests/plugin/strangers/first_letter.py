"""A builder: words below their first letter."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.table.hierarchies import Builder, Hierarchy


@dataclass(frozen=True)
class FirstLetter(Builder):
    """Put words that begin alike below their first letter."""

    name: ClassVar[str] = "first-letter"

    def build(self, values: pl.Series) -> Hierarchy:
        """Sort the words by their first letter."""
        below: dict[str, list[str]] = defaultdict(list)
        for word in sorted(set(values.drop_nulls().cast(pl.String))):
            below[f"{word[0]}…"].append(word)
        return Hierarchy.from_dict(dict(below))
