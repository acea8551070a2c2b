"""The contract of a measure: a number about an original and its publication."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy.typing as npt

from shoal.base.arrays import Floats
from shoal.errors import ParameterError
from shoal.measures._additive import Additive
from shoal.measures._pairs import Pair, pair, require_pair
from shoal.table.schema import Schema

Disclosure: TypeAlias = Literal["recomputable", "rounded", "never"]
"""What a public file may say of a number; see `measure`."""


@dataclass(frozen=True, repr=False)
class Measure:
    """A number about utility or protection, made by `measure`, which says what its fields are.

    Call it with an original, its publication and a schema, or use `of` on a `Pair`.
    """

    name: str
    function: Callable[[Pair], float]
    better: Literal["lower", "higher"]
    __doc__: str | None = None
    columns: Callable[[Pair], Floats] | None = None
    requires: Callable[[Pair], object] | None = None
    protection: bool = False
    public: Disclosure = "rounded"
    of_published: bool = False
    additive: Additive | None = None
    on_request: bool = False

    def __repr__(self) -> str:
        return f"Measure({self.name}, {self.better} is better)"

    def of(self, pair: Pair) -> float:
        """Measure a `Pair`; refuse one it makes no sense of (raises `ParameterError`)."""
        require_pair(pair)
        if self.requires is not None:
            self.requires(pair)
        return self.function(pair)

    def applies(self, pair: Pair) -> bool:
        """Say whether the measure makes sense of a `Pair`."""
        require_pair(pair)
        try:
            if self.requires is not None:
                self.requires(pair)
        except ParameterError:
            return False
        return True

    def __call__(
        self,
        original: Any,
        published: Any,
        schema: Schema,
        *,
        rows: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
        values: Mapping[str, Any] | None = None,
        centres: Literal["mean", "median"] | None = None,
    ) -> float:
        """Measure any pair of tables; the arguments are those of `pair`."""
        both = pair(
            original, published, schema, rows=rows, groups=groups, values=values, centres=centres
        )
        return self.of(both)

    def by_column(
        self,
        original: Any,
        published: Any,
        schema: Schema,
        *,
        rows: npt.ArrayLike | None = None,
        centres: Literal["mean", "median"] | None = None,
    ) -> dict[str, float]:
        """Measure each quasi-identifier; refused where the measure looks at whole rows only."""
        return self.by_column_of(pair(original, published, schema, rows=rows, centres=centres))

    def by_column_of(self, pair: Pair) -> dict[str, float]:
        """Measure each quasi-identifier of a `Pair` on its own."""
        require_pair(pair)
        if self.columns is None:
            raise ParameterError(
                f"The measure '{self.name}' has no value per column.",
                "It measures whole rows: call it without by_column.",
            )
        if self.requires is not None:
            self.requires(pair)
        names = (column.name for column in pair.table.quasi)
        return dict(zip(names, self.columns(pair).tolist(), strict=True))

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return (self.__doc__ or "").strip().splitlines()[0]


def measure(
    *,
    better: Literal["lower", "higher"] = "lower",
    columns: Callable[[Pair], Floats] | None = None,
    requires: Callable[[Pair], object] | None = None,
    protection: bool = False,
    public: Disclosure = "rounded",
    of_published: bool = False,
    additive: Additive | None = None,
    on_request: bool = False,
) -> Callable[[Callable[[Pair], float]], Measure]:
    """Make a measure of a function of a `Pair`; its name and docstring are the function's.

    Parameters
    ----------
    columns
        The same for each quasi-identifier on its own, in the table's order, where that makes sense.
    requires
        Raises a `ParameterError`, with the way out, where the measure makes no sense of a
        pair. Such a pair's release is published without it.
    protection
        Whether it speaks of protection, so that a coarser table may measure better.
    public
        ``"recomputable"``: anyone can work it out from the published files alone, so they give
        all its digits. ``"rounded"``: it depends on cells or rows that are not published, so
        they give two significant digits. ``"never"``: they do not name it.
    of_published
        Whether it makes sense of a pair that is `Pair.published_only`. A rounded measure is
        public in that form where a small count could be worked out from the other; one that
        has no such form is left out there.
    additive
        What it adds up, where it is a sum over cells: then groupings can be refined by it, and
        bounded.
    on_request
        Whether it takes too long to be taken of every release: then ``shoal measure`` and who
        calls it take it, and ``shoal run`` does not.
    """
    options = (columns, requires, protection, public, of_published, additive, on_request)
    return lambda each: Measure(each.__name__, each, better, each.__doc__, *options)
