"""Two published tables that share a class id: which column is which."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.cells import texts
from shoal.errors import InputError, ParameterError, SchemaError, did_you_mean
from shoal.frames import to_polars

__all__ = ["TABLES", "PublishedPair", "find_class_column"]

TABLES = ("quasi", "sensitive")


@dataclass(frozen=True, eq=False)
class PublishedPair:
    """A table of quasi-identifiers and one of sensitive values.

    Parameters
    ----------
    class_column
        The class id, in both.
    secret
        The sensitive column, in the second.
    count_column
        How often each value occurs in its class, where rows of the second do not stand for
        one record each.
    """

    quasi: pl.DataFrame
    sensitive: pl.DataFrame
    class_column: str
    secret: str
    count_column: str | None

    @classmethod
    def read(
        cls,
        tables: Mapping[str, Any],
        *,
        secret: str | None = None,
        known: Collection[str] = (),
        class_column: str | None = None,
    ) -> PublishedPair:
        """Read two tables of any frame type.

        Parameters
        ----------
        secret
            The sensitive column; ``None`` takes the first that is neither id nor count.
        known
            Columns that have a role, so that they are neither id nor count.

        Examples
        --------
        >>> quasi = pl.DataFrame({"age": [30, 40], "class": [1, 1]})
        >>> sensitive = pl.DataFrame({"class": [1], "ill": ["flu"], "n": [2]})
        >>> pair = PublishedPair.read({"quasi": quasi, "sensitive": sensitive}, secret="ill")
        >>> pair.class_column, pair.count_column, pair.counts.to_list()
        ('class', 'n', [2])
        """
        if set(tables) != set(TABLES):
            raise ParameterError(
                "Two tables must be named 'quasi' and 'sensitive'.",
                'Give {"quasi": …, "sensitive": …}.',
            )
        quasi, sensitive = (to_polars(tables[name]) for name in TABLES)
        for name, frame in zip(TABLES, (quasi, sensitive), strict=True):
            if frame.height == 0:
                raise InputError(f"The published table '{name}' has no rows.", "Check the file.")
        taken = [*known, *([] if secret is None else [secret])]
        ids = class_column or find_class_column(quasi, sensitive, taken)
        for name, frame in zip(TABLES, (quasi, sensitive), strict=True):
            if ids not in frame.columns:
                raise SchemaError(
                    f"The published table '{name}' has no class column '{ids}'.",
                    did_you_mean(ids, frame.columns),
                )
        rest = [name for name in sensitive.columns if name != ids]
        if secret is None and rest:
            secret = rest[0]
        if secret not in rest:
            raise SchemaError(
                f"The published table 'sensitive' has no column '{secret}'."
                if secret is not None
                else "The published table 'sensitive' holds no values.",
                "It needs a class id and the sensitive column.",
            )
        extra = [name for name in rest if name != secret and name not in known]
        counts = extra[0] if len(extra) == 1 else None
        made = cls(quasi, sensitive, ids, secret, counts)
        made._require_counts()
        return made

    def ids(self, table: str) -> pl.Series:
        """The class id of each row of ``"quasi"`` or ``"sensitive"``, as text."""
        frame = self.quasi if table == "quasi" else self.sensitive
        return texts(frame[self.class_column])

    @property
    def counts(self) -> pl.Series:
        """How many records each row of the sensitive table stands for."""
        if self.count_column is None:
            return pl.repeat(1, self.sensitive.height, dtype=pl.Int64, eager=True)
        return texts(self.sensitive[self.count_column]).cast(pl.Int64)

    def _require_counts(self) -> None:
        if self.count_column is None:
            return
        read = texts(self.sensitive[self.count_column]).cast(pl.Int64, strict=False)
        bad = int((read.is_null() | (read < 1).fill_null(False)).sum())
        if bad:
            raise InputError(
                f"Column '{self.count_column}' of the sensitive table should count values, but "
                f"{bad} of its cells are no whole numbers from 1 on.",
                "Leave the column out if it does not count.",
            )


def find_class_column(quasi: pl.DataFrame, sensitive: pl.DataFrame, known: Collection[str]) -> str:
    """Find the one column that both tables have and that has no role.

    Examples
    --------
    >>> find_class_column(pl.DataFrame({"a": [1], "g": [1]}), pl.DataFrame({"g": [1]}), ["a"])
    'g'
    """
    shared = [n for n in quasi.columns if n in sensitive.columns and n not in known]
    if len(shared) != 1:
        listed = ", ".join(f"'{name}'" for name in shared) or "none"
        raise SchemaError(
            f"The class id must be the only column without a role that both tables have, but "
            f"there are {len(shared)} ({listed}).",
            "Say which one it is with class_column (--class at the command line).",
        )
    return shared[0]
