"""How the CSV files of a release are written, as its public facts say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.base.cells import shortest
from shoal.errors import InputError, ParameterError
from shoal.io.decimals import check_signs, without_comma
from shoal.io.dialect import Dialect
from shoal.io.encoding import known_encoding
from shoal.io.frames import Coded

PLAIN = {"separator": ",", "encoding": "utf-8", "decimal": "."}
"""What nobody has to say."""


@dataclass(frozen=True)
class Style:
    """How CSV files are written, besides what is true of all of ours.

    ``separator``, ``encoding``, ``decimal``: as in `Dialect`.
    ``columns``: the columns whose numbers are written with that decimal sign; ranges of others, and
        codes such as 1.2, keep their point.
    ``all_decimals``: the columns whose numbers have all the decimals of their type, as in 0.100.
        They are read as 0.1 again, the one form of the number.

    >>> Style(";", "cp1252").facts()
    {'csv': {'separator': ';', 'encoding': 'cp1252', 'decimal': '.'}}
    >>> Style().facts()
    {}
    """

    separator: str = ","
    encoding: str = "utf-8"
    decimal: str = "."
    columns: tuple[str, ...] = ()
    all_decimals: tuple[str, ...] = ()

    @classmethod
    def like(cls, dialect: Dialect) -> Style:
        """Write as a file is written; with commas where its separator could be a part of a cell.

        >>> Style.like(Dialect("x", "cp1252", decimal=","))
        Style(separator=',', encoding='cp1252', decimal=',', columns=(), all_decimals=())
        """
        odd = dialect.separator.isalnum() or dialect.separator in "\"'"
        return cls("," if odd else dialect.separator, dialect.encoding, dialect.decimal)

    def validate(self) -> None:
        """Refuse what no CSV file can have (raises `ParameterError`)."""
        one = len(self.separator) == 1 and self.separator.isascii()
        if not one or self.separator.isalnum() or self.separator in "\r\n\0\"'":
            raise ParameterError(
                "The separator must be one ASCII character that is no letter, digit or quote.",
                "Use for example ';'.",
            )
        check_signs(self.decimal)
        try:
            known_encoding(self.encoding)
        except InputError as error:
            raise ParameterError(error.problem, error.hint) from None

    def facts(self) -> dict[str, Any]:
        """Say it in public facts, where it is not as it always was."""
        written = {"separator": self.separator, "encoding": self.encoding, "decimal": self.decimal}
        lists = {"decimal_columns": list(self.columns)} if self.decimal != "." else {}
        if self.all_decimals:
            lists["all_decimals"] = list(self.all_decimals)
        return {"csv": {**written, **lists}} if lists or written != PLAIN else {}

    def options(self) -> dict[str, Any]:
        """Say it to `shoal.io.write_csv`."""
        return {
            "separator": self.separator,
            "encoding": self.encoding,
            "decimal_comma": (self.columns if self.decimal == "," else ()),
            "all_decimals": self.all_decimals,
        }

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Style:
        """Find it in public facts (raises `KeyError` where they are damaged)."""
        written = {**PLAIN, "decimal_columns": [], "all_decimals": [], **facts.get("csv", {})}
        separator, encoding, decimal = (written.pop(key) for key in PLAIN)
        columns, full = written.pop("decimal_columns"), written.pop("all_decimals")
        words = (separator, encoding, decimal, *columns, *full)
        if written or not all(isinstance(each, str) for each in words):
            raise KeyError("csv")
        made = cls(separator, encoding, decimal, tuple(columns), tuple(full))
        try:
            made.validate()
        except ParameterError:
            raise KeyError("csv") from None
        return made

    def read(self, table: Coded) -> Coded:
        """Write the numbers of a table that was read in their one form again."""
        columns = self.columns if self.decimal != "." else ()
        for undo, names in ((without_comma, columns), (shortest, self.all_decimals)):
            held = [name for name in names if name in table.columns]
            texts = [name for name in held if table[name].values.dtype == pl.String]
            table = table.with_columns({name: table[name].map(undo) for name in texts})
        return table
