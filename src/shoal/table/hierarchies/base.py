"""What every hierarchy builder promises: options in, a hierarchy from a column out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl

from shoal.base.arguments import Optioned, path_of
from shoal.errors import ParameterError
from shoal.table.hierarchies.tree import Hierarchy


@dataclass(frozen=True)
class Builder(metaclass=Optioned):
    """A recipe that makes a `Hierarchy` from the values of a column.

    Builders only store their options; `build` checks them. A column without any value gives
    a hierarchy of the root alone.

    Examples
    --------
    >>> from shoal.hierarchies import Prefixes
    >>> Prefixes(step=2).to_spec()
    {'builder': 'prefixes', 'step': 2}
    >>> Prefixes(step=2).build(pl.Series(["23208", "23219"])).show().splitlines()[1]
    '└── 2**** (2)'
    """

    name: ClassVar[str]
    """Name in plan files and on the command line."""

    planned: ClassVar[bool] = False
    """Whether all nodes above the leaves are in its options, or in a file: whatever rows hold."""

    @property
    def names_values(self) -> bool:
        """Whether nodes above the leaves may be named after other values of the column.

        A builder that does not say so is not used where a population must stay unknown.
        """
        return True

    @abstractmethod
    def build(self, values: pl.Series) -> Hierarchy:
        """Make the hierarchy of a column; nulls and repeats are allowed."""

    def to_spec(self) -> dict[str, Any]:
        """Give the mapping that `from_spec` reads; options at their default are left out."""
        spec: dict[str, Any] = {"builder": self.name}
        for field in fields(self):
            value = getattr(self, field.name)
            is_default = type(value) is type(field.default) and value == field.default
            # The folder is where the plan lies, and no decision of the plan.
            if value is not None and not is_default and field.name != "folder":
                spec[field.name] = _plain(value)
        return spec


def place(folder: object, path: object) -> Path:
    """Find a file as seen from a folder; names of another kind are refused."""
    return path_of(folder, "hierarchy") / path_of(path, "hierarchy")


def require_root(root: object) -> None:
    """Refuse a root label that is not a text.

    >>> require_root("")
    Traceback (most recent call last):
    shoal.errors.ParameterError: root must be a text of one character or more, not ''. Give it a
    label, or leave root out.
    """
    if not isinstance(root, str) or not root:
        raise ParameterError(
            f"root must be a text of one character or more, not {root!r}.",
            "Give it a label, or leave root out.",
        )


def _plain(value: Any) -> Any:
    """Turn a value into what JSON and TOML can hold."""
    if isinstance(value, Path):
        return value.as_posix()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
