"""Every word that the studio shows, a TOML file for each language.

A language is a file here. Each has the same keys as ``en.toml``, and in each text the same
``{names}``; a test compares them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["LANGUAGES", "Texts", "texts"]

FOLDER = Path(__file__).parent

LANGUAGES: Mapping[str, str] = {
    file.stem: tomllib.loads(file.read_text(encoding="utf-8"))["language"]
    for file in sorted(FOLDER.glob("*.toml"))
}
"""What there is: the code of each language, and what it calls itself."""


@dataclass(frozen=True)
class Texts:
    """The texts of a language."""

    code: str
    """Such as ``en``."""
    known: Mapping[str, str]
    """Every text by its key: the names of its tables and its own, with dots between."""

    def __call__(self, key: str, /, **named: Any) -> str:
        """Give a text, with what is named in it.

        Examples
        --------
        >>> texts("en")("table.rows", rows=1200)
        '1,200 rows'
        """
        return self.known[key].format(**named)

    def has(self, key: str) -> bool:
        """Whether there is such a text: of members from elsewhere there is none."""
        return key in self.known


@cache
def texts(code: str) -> Texts:
    """Read the texts of a language; English if there is none of that code."""
    code = code if code in LANGUAGES else "en"
    data = tomllib.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8"))
    return Texts(code, _flat(data))


def _flat(data: Mapping[str, Any], before: str = "") -> dict[str, str]:
    made: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            made |= _flat(value, f"{before}{key}.")
        else:
            made[before + key] = str(value)
    return made
