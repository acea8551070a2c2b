"""Requirements that read columns of the input which no release holds.

Such a column says what a person wishes for. It is counted per group, so that groups can be judged,
and nowhere else: a release does not hold it, and nothing public is worked out from it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from shoal.base.arrays import Bools, Ints
from shoal.errors import ParameterError, did_you_mean
from shoal.models._statistics import GroupStatistics
from shoal.models.base import Requirement


class Private(Requirement):
    """A requirement that reads columns of the input which no release holds.

    Such columns have the role ``identifier``, which leaves them out of every release. What was
    reached is not public, since nobody can count it again without them.
    """

    needs: ClassVar[frozenset[str]] = frozenset({"people", "private"})

    @classmethod
    @abstractmethod
    def private_examples(cls) -> Mapping[str, Sequence[str | None]]:
        """Give values of the private columns that `example` reads, for the contract checks."""

    def ranks(self, name: str, labels: Sequence[str | None], cells: Ints) -> Ints | None:
        """Refuse values of a private column that it cannot read (raises `InputError`).

        Also rank the values, where the highest of a person's rows counts in all of them; ``None``:
        each row counts for itself. ``labels`` are the different texts, ``None`` for an empty cell,
        and ``cells`` says how many cells hold each.
        """
        return None

    def impossible(self, whole: GroupStatistics) -> Mapping[str, Bools]:
        """Mark the values of private columns whose rows no group of the table can hold."""
        return {}

    def require_columns(self) -> None:
        """Refuse names of private columns that are no texts, or empty."""
        for name in self.private_columns:
            if not isinstance(name, str) or not name:
                raise ParameterError(
                    f"'{self.name}' reads a column of the input, named by a text, not by {name!r}.",
                    "Name the column.",
                )

    def bind(self, schema: Mapping[str, Any]) -> Self:
        """Refuse a schema that would publish what it reads."""
        self.require_columns()
        for name in self.private_columns:
            if name not in schema:
                raise ParameterError(
                    f"'{self.name}' reads column '{name}', which has no role.",
                    did_you_mean(name, schema),
                )
            if schema[name].role != "identifier":
                raise ParameterError(
                    f"'{self.name}' reads column '{name}', which has the role "
                    f"{schema[name].role} and would be published.",
                    "It reveals how careful people are: give it the role identifier.",
                )
        return self


def private_columns(require: Iterable[Requirement]) -> list[str]:
    """List the columns that requirements read and that no release holds, each once."""
    return list(dict.fromkeys(name for each in require for name in each.private_columns))
