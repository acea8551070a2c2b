"""A sensitive column, encoded: small integers for its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import fsum, log
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Bools, Ints
from shoal.base.cells import number_text, texts
from shoal.errors import HierarchyError, ShoalError
from shoal.io.frames import Coded, Dictionary
from shoal.table.hierarchies import Builder, Hierarchy
from shoal.table.hierarchies.values import as_number
from shoal.table.schema import Schema, known_texts


@dataclass(frozen=True, eq=False)
class SensitiveColumn:
    """The values of a sensitive column; code i stands for the i-th label.

    ``codes``: a code per row.
    ``labels``: the distinct texts in sorted order, then ``None`` if a cell is missing: nobody knows
        what it would be, so it counts as a value of its own.
    ``private``: whether it is a column that no release holds, which is counted only to judge
        groups.
    ``added``: labels that stay known whether or not a row holds them: see `with_values`.

    >>> column = SensitiveColumn.encode(pl.Series(["flu", None, "HIV", "flu"]), ())
    >>> column.codes.tolist(), column.labels
    ([1, 2, 0, 1], ('HIV', 'flu', None))
    """

    codes: Ints
    labels: tuple[str | None, ...]
    private: bool = False
    added: frozenset[str | None] = frozenset()

    @classmethod
    def encode(cls, values: pl.Series, missing: Iterable[str]) -> SensitiveColumn:
        """Encode a column; the texts in ``missing`` mean missing."""
        return cls.of(Dictionary.of(values), missing)

    @classmethod
    def of(cls, found: Dictionary, missing: Iterable[str]) -> SensitiveColumn:
        """Encode a column whose values are known."""
        known = known_texts(found.values, missing)
        distinct = known.drop_nulls().unique().sort()
        numbers = pl.Series(range(len(distinct)), dtype=pl.Int64)
        codes = known.replace_strict(
            distinct, numbers, default=len(distinct), return_dtype=pl.Int64
        )
        labels: tuple[str | None, ...] = (*distinct, None) if known.null_count() else (*distinct,)
        return cls(codes.to_numpy()[found.codes], labels)

    def take(self, rows: npt.NDArray[np.integer[Any]]) -> SensitiveColumn:
        """Take some of the rows; the values keep their codes."""
        return replace(self, codes=self.codes[rows])

    def numbered_anew(self) -> SensitiveColumn:
        """Know only the values that rows hold or that were added; codes follow the sorted texts.

        >>> column = SensitiveColumn.encode(pl.Series(["flu", None, "HIV", "flu"]), ())
        >>> part = column.take(np.array([1, 3])).numbered_anew()
        >>> part.codes.tolist(), part.labels
        ([1, 0], ('flu', None))
        """
        known = np.zeros(self.size, dtype=np.bool_)
        known[self.codes] = True
        known |= [label in self.added for label in self.labels]
        codes = (np.cumsum(known) - 1)[self.codes]
        labels = tuple(label for label, kept in zip(self.labels, known, strict=True) if kept)
        return replace(self, codes=codes, labels=labels)

    def with_values(self, labels: Iterable[str | None]) -> SensitiveColumn:
        """Know further values, whether or not a row holds them; codes follow the sorted texts."""
        added = frozenset(labels)
        every = {*self.labels, *added}
        known = sorted(label for label in every if label is not None)
        held: tuple[str | None, ...] = (*known, None) if None in every else tuple(known)
        place = {label: code for code, label in enumerate(held)}
        codes = np.array([place[label] for label in self.labels], dtype=np.int64)
        return replace(self, codes=codes[self.codes], labels=held, added=self.added | added)

    @property
    def size(self) -> int:
        """How many distinct values there are."""
        return len(self.labels)

    @property
    def missing(self) -> Bools:
        """Which cells are missing."""
        return np.array([label is None for label in self.labels], dtype=np.bool_)[self.codes]

    @property
    def counts(self) -> Ints:
        """How many rows hold each value."""
        return np.bincount(self.codes, minlength=self.size).astype(np.int64)

    @property
    def entropy(self) -> float:
        """How evenly the values are spread, in nats."""
        shares = [count / len(self.codes) for count in self.counts.tolist() if count]
        return fsum(-share * log(share) for share in shares)

    def degrees(self, given: Mapping[str, float] | None = None) -> list[float]:
        """Say how sensitive each value is: ln(rows / rows that hold it), unless it is given.

        Rarity is not sensitivity, so a schema may say better.

        >>> column = SensitiveColumn.encode(pl.Series(["flu", "HIV", "flu", "flu"]), ())
        >>> [round(degree, 3) for degree in column.degrees()]
        [1.386, 0.288]
        >>> column.degrees({"HIV": 9})[0]
        9.0
        """
        known = given or {}
        rows = len(self.codes)
        return [
            float(known.get(label or "", log(rows / count) if count else log(rows)))
            for label, count in zip(self.labels, self.counts.tolist(), strict=True)
        ]


def binned(table: Coded, schema: Schema) -> tuple[Coded, Schema]:
    """Show sensitive columns as they are published; also give the schema with built trees.

    A column with a hierarchy shows the node right above each value; a value right below the
    root, or one that is such a node already, stays as it is. Missing cells stay missing. So
    doing it twice changes nothing, and the original and the published values can be compared.

    Raises `HierarchyError` if values are outside the tree, or no numbers where it has intervals;
    they are counted, not shown.

    >>> import shoal
    >>> pay = shoal.sensitive(hierarchy=shoal.hierarchies.Intervals(cuts=[0, 1000, 3000]))
    >>> table = Coded(pl.DataFrame({"pay": [950, None, 2000]}))
    >>> made, _ = binned(table, shoal.Schema({"pay": pay}))
    >>> made.frame["pay"].to_list()
    ['[0, 1000)', None, '[1000, 3000]']
    """
    shown = {}
    for name in schema.sensitive:
        tree = schema[name].hierarchy
        if tree is None or name not in table.columns:
            continue
        values = table.cells(name)
        known = known_texts(values, schema.missing_of(name))
        if isinstance(tree, Builder):
            try:
                tree = tree.build(known.drop_nulls())
            except ShoalError as error:
                raise error.about(f"Column '{name}'") from None
            schema = schema.with_column(name, hierarchy=tree)
        bins = _bins(known.drop_nulls().unique(), tree, name)
        words = known.replace_strict(
            pl.Series(list(bins), dtype=pl.String),
            pl.Series(list(bins.values()), dtype=pl.String),
            default=None,
            return_dtype=pl.String,
        )
        shown[name] = words.zip_with(known.is_not_null(), texts(values)).alias(name)
    return table.with_columns(shown), schema


def _bins(values: pl.Series, tree: Hierarchy, name: str) -> dict[str, str]:
    """Find the node above each value."""
    node_of = {label: node for node, label in enumerate(tree.labels)}
    leaves = set(tree.leaves)
    above = {tree.labels[node] for node in tree.parent[tree.leaf_nodes].tolist() if node > 0}
    found: dict[str, str] = {}
    for value in values:
        number = None if value in node_of else as_number(value)
        leaf = value if number is None else number_text(number)
        if leaf in leaves:
            node = int(tree.parent[node_of[leaf]])
            found[value] = tree.labels[node] if node > 0 else leaf
        elif leaf in above:
            found[value] = leaf
    if len(found) < len(values):
        raise HierarchyError(
            f"The hierarchy of the sensitive column '{name}' misses {len(values) - len(found)} of "
            f"{len(values)} values.",
            "Add them to the hierarchy as leaves, or let a builder make it from the column.",
        )
    return found
