"""Tables of a page that are no figure's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["PageTable"]


@dataclass(frozen=True)
class PageTable:
    """A table under a title, with a text that says how to read it."""

    title: str
    text: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
