"""Builder: a hierarchy written down as a nested tree, inline or in a JSON file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from shoal.errors import ParameterError
from shoal.table.hierarchies.base import Builder, place, require_root
from shoal.table.hierarchies.tree import Hierarchy


@dataclass(frozen=True)
class Tree(Builder):
    """Read the hierarchy from nested mappings and lists, given here or in a JSON file.

    Choose this for a small hierarchy that is best kept inside the plan, and `CsvFile` for one
    that other tools read too.

    Parameters
    ----------
    tree
        Keys are groups, lists hold values; see `Hierarchy.from_dict`.
    path
        A JSON file with the same form, instead of ``tree``.
    root
        Label above all; ``None`` if the only key is the root.
    folder
        Where a relative path starts; a plan puts its own folder here.

    Examples
    --------
    >>> Tree({"married": ["civil", "church"], "single": []}).build(pl.Series(["civil"])).leaves
    ('civil', 'church', 'single')
    """

    tree: Any = field(default=None, repr=False)
    path: str | Path | None = None
    root: str | None = "*"
    folder: Path = Path()

    name: ClassVar[str] = "tree"
    names_values = False  # nodes are named as they are given
    planned: ClassVar[bool] = True

    def build(self, values: pl.Series) -> Hierarchy:
        """Build the tree; the values are not looked at, `check` asks whether they are in it."""
        if (self.tree is None) == (self.path is None):
            came = "neither" if self.tree is None else "both"
            raise ParameterError(
                f"Exactly one of tree and path must be given, not {came}.",
                "Write the tree in the plan, or name a JSON file.",
            )
        if self.root is not None:
            require_root(self.root)
        if self.path is not None:
            return Hierarchy.from_json(place(self.folder, self.path), root=self.root)
        return Hierarchy.from_dict(self.tree, self.root)

    def to_spec(self) -> dict[str, Any]:
        """Give the mapping that `from_spec` reads; plan files know no null, so ``root = ""``."""
        spec = super().to_spec()
        if self.root is None:
            spec["root"] = ""
        return spec
