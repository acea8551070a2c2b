"""How a CSV file is written: separator, encoding, quote."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InputError, ParameterError
from shoal.io.decimals import check_signs
from shoal.io.encoding import Detected, detect_encoding, known_encoding, sample_text
from shoal.io.files import PathLike, read_sample

SAMPLE = 1 << 20
"""Bytes looked at; the dialect of a file shows at its beginning."""

# In order of preference: what is rare inside cells comes first.
_SEPARATORS = ("\t", "|", ";", ",", ":")
_TEXT = 1 << 18


@dataclass(frozen=True)
class Dialect:
    r"""How a CSV file is written.

    ``separator``: the character between two cells.
    ``encoding``: Python's name of the encoding.
    ``quote``: the character around a cell that holds a separator or a line end; empty if none.
    ``compressed``: whether the file is packed with gzip.
    ``also_fit``: encodings that fit the bytes as well and give another text, where nobody named
        one.
    ``decimal``, ``thousands``: the signs in its numbers; without the second there is none.

    >>> Dialect(";", "utf-8").describe()
    'CSV, separator \';\', encoding utf-8, quote \'"\''
    """

    separator: str
    encoding: str
    quote: str = '"'
    compressed: bool = False
    also_fit: tuple[str, ...] = ()
    decimal: str = "."
    thousands: str = ""

    def describe(self) -> str:
        """Say it in one line."""
        separator = "tab" if self.separator == "\t" else f"'{self.separator}'"
        quote = {"": "no quotes", "'": 'quote "\'"'}.get(self.quote, f"quote '{self.quote}'")
        packed = ", gzip" if self.compressed else ""
        rivals = " and ".join(self.also_fit)
        fit = "fits" if len(self.also_fit) == 1 else "fit"
        doubt = f" ({rivals} {fit} as well: if the text is wrong, set encoding)" if rivals else ""
        signs = "" if self.decimal == "." else f", decimal '{self.decimal}'"
        signs += f", thousands '{self.thousands}'" if self.thousands else ""
        return (
            f"CSV, separator {separator}, encoding {self.encoding}{doubt}, {quote}{signs}{packed}"
        )


def detect(
    path: PathLike,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
) -> Dialect:
    r"""Find out how a CSV file is written, from its first mebibyte.

    ``path``: the file; packed files are known by their content, not by their name.
    ``separator``, ``encoding``, ``quote``: what is known already. ``quote=""`` says that no quotes
        are used.
    """
    sample, truncated, compressed = read_sample(path, SAMPLE)
    return detect_in_sample(
        sample,
        truncated=truncated,
        compressed=compressed,
        source=Path(path),
        separator=separator,
        encoding=encoding,
        quote=quote,
    )


def detect_in_sample(
    sample: bytes,
    *,
    truncated: bool,
    compressed: bool,
    source: Path,
    separator: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
) -> Dialect:
    """Do the work of `detect` on bytes that are read already."""
    _check("separator", separator)
    _check("quote", quote or None)
    if separator is not None and separator == quote:
        raise ParameterError("Separator and quote are the same.", "Choose two characters.")
    check_signs(decimal, thousands)
    encoding, also_fit = (
        detect_encoding(sample, truncated=truncated, source=source.name)
        if encoding is None
        else Detected(known_encoding(encoding))
    )
    text = sample_text(sample, encoding)
    if not text.strip():
        raise InputError(f"The file '{source}' is empty.", "Check that it was written.")
    truncated = truncated or len(text) > _TEXT
    text = text[:_TEXT]
    fallback = "\t" if {".tsv", ".tab"} & {suffix.lower() for suffix in source.suffixes} else ","
    separator, quote = _best(text, truncated, separator, quote, fallback)
    if separator in (decimal, thousands) and (not quote or quote not in text):
        sign = "decimal" if separator == decimal else "thousands"
        raise ParameterError(
            f"The separator of '{source.name}' and the {sign} sign are the same, and no cell is "
            "quoted.",
            "Name the separator, or leave out the sign.",
        )
    return Dialect(
        separator, encoding, quote, compressed, also_fit, decimal or ".", thousands or ""
    )


def _check(name: str, value: str | None) -> None:
    if value is None or (len(value) == 1 and value.isascii() and value not in "\r\n\0"):
        return
    raise ParameterError(f"The {name} must be one ASCII character.", "Use for example ',' or '\"'.")


def _best(
    text: str, truncated: bool, separator: str | None, quote: str | None, fallback: str
) -> tuple[str, str]:
    ranked = []
    for order, candidate in enumerate([separator] if separator else _SEPARATORS):
        if candidate not in text or candidate == quote:
            continue
        share, width, found = _fit(text, truncated, candidate, quote)
        # Times and addresses hold colons: only a very regular one is a separator.
        if separator or (width > 1 and (candidate != ":" or share >= 0.9)):
            ranked.append(((-share, -width, order), candidate, found))
    if ranked:
        return min(ranked)[1:]
    return separator or fallback, _fit(text, truncated, separator or fallback, quote)[2]


def _fit(text: str, truncated: bool, separator: str, quote: str | None) -> tuple[float, int, str]:
    """How regular the records are, how wide the header is, and the quote that fits best."""
    if quote is not None:
        return (*_regularity(text, truncated, separator, quote), quote)
    double = (*_regularity(text, truncated, separator, '"'), '"')
    if "'" not in text:
        return double
    single = (*_regularity(text, truncated, separator, "'"), "'")
    if single[0] > double[0] or (single[0] == double[0] and _wraps(text, separator)):
        return single
    return double


def _regularity(text: str, truncated: bool, separator: str, quote: str) -> tuple[float, int]:
    """Share of the records that are as wide as the header, and that width."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )
    widths: list[int] = []
    try:
        widths.extend(len(record) for record in reader if record)
    except csv.Error:  # a cell of more than 128 KiB: most likely the wrong quote
        return 0.0, widths[0] if widths else 1
    if truncated and len(widths) > 1:
        widths.pop()
    return (widths.count(widths[0]) / len(widths), widths[0]) if widths else (0.0, 1)


def _wraps(text: str, separator: str) -> bool:
    """Whether single quotes stand around cells, as opposed to apostrophes inside them."""
    edge = re.escape(separator)
    opened = len(re.findall(rf"(?:^|{edge})'", text, re.MULTILINE))
    closed = len(re.findall(rf"(?:^|{edge})'[^'\n]*'(?={edge}|\r?$)", text, re.MULTILINE))
    doubled = re.search(rf'(?:^|{edge})"', text, re.MULTILINE)
    return not doubled and opened == closed and closed * 2 >= text.count("\n")
