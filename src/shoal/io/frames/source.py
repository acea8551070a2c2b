"""A table that lies elsewhere, in a file or a database, and is read when it is needed."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import TypeGuard

from shoal.io.frames.coded import Coded


class Source(ABC):
    """What names a table that is no file: its class says how it is read."""

    @abstractmethod
    def read(self, exact: Collection[str] = ()) -> Coded:
        """Read the whole table; numbers of ``exact`` columns keep the zeros at their end."""


def is_source(data: object) -> TypeGuard[str | os.PathLike[str] | Source]:
    """Whether a table is named, not given: by a path, or as a `Source`.

    >>> is_source("people.csv"), is_source({"age": [3]})
    (True, False)
    """
    return isinstance(data, str | os.PathLike | Source)
