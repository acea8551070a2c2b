"""Builder: codes that lose their last characters, such as postal codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.base.arguments import require_whole
from shoal.errors import ParameterError
from shoal.table.hierarchies.base import Builder, require_root
from shoal.table.hierarchies.tree import Hierarchy
from shoal.table.hierarchies.values import distinct_texts


@dataclass(frozen=True)
class Prefixes(Builder):
    """Mask codes from the right: ``23208 → 2320* → 232** → 23*** → 2**** → *``.

    Choose this where the first characters say most: postal codes, ICD codes, NACE codes.

    Codes of different length are taken as filled up on the right to the longest one. So a
    group holds every code that begins with its letters, and all groups are written in the
    length of the longest code: with ``I10`` and ``I10.1`` in the column, both lie below
    ``I10**``.

    Parameters
    ----------
    mask
        The character that hides others.
    keep
        Number of characters that stay as long as a code is not fully hidden; 1 if not given.
    root
        Label of the fully hidden code.
    step
        Number of characters hidden per level.

    Examples
    --------
    >>> print(Prefixes(keep=3).build(pl.Series(["23208", "23219"])).show())
    * (2)
    └── 232** (2)
        ├── 2320* (1)
        │   └── 23208
        └── 2321* (1)
            └── 23219
    """

    mask: str = "*"
    keep: int | None = None
    root: str = "*"
    step: int = 1

    name: ClassVar[str] = "prefixes"
    names_values = False  # a node is named after what its leaves begin with

    def build(self, values: pl.Series) -> Hierarchy:
        """Mask the codes step by step; leaves are sorted by text."""
        require_root(self.root)
        require_whole("step", self.step, 1)
        if self.keep is not None:
            require_whole("keep", self.keep, 1)
        if not isinstance(self.mask, str) or len(self.mask) != 1:
            raise ParameterError(
                f"mask must be one character, not {self.mask!r}.", "Such as * or #."
            )
        codes = sorted(distinct_texts(values))
        longest = max(map(len, codes), default=0)
        lengths = range(longest - self.step, (self.keep or 1) - 1, -self.step)
        masked = [(kept, self.mask * (longest - kept)) for kept in lengths]
        # Where more is kept than the code has, the filled-up code stands alone: the leaf.
        paths = [
            [code, *(code[:kept] + rest for kept, rest in masked if kept <= len(code)), self.root]
            for code in codes
        ]
        return Hierarchy.from_paths(paths or [[self.root]])
