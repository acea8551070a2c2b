"""The contract of a requirement: it judges plain arrays, whoever counted them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from shoal.base.arguments import Optioned
from shoal.base.arrays import Bools, Ints
from shoal.base.limits import Limit, check_options
from shoal.errors import InfeasibleError, ParameterError
from shoal.models._statistics import GroupStatistics
from shoal.models.exact.conditions import Condition
from shoal.models.exact.limits import Number
from shoal.models.exact.shares import ShareBounds, allowed, rounded_up, spelled

if TYPE_CHECKING:
    from shoal.models._cases import HandCase


@dataclass(frozen=True)
class Outcome:
    """A requirement's judgement: which groups hold it, and how far the worst one goes.

    Parameters
    ----------
    holds
        A truth value per group.
    achieved
        The level that all groups reach, in the requirement's own terms (k, l, …).
    """

    holds: Bools
    achieved: dict[str, float | int]

    @property
    def passed(self) -> bool:
        """Whether every group holds the requirement."""
        return bool(self.holds.all())


class Requirement(metaclass=Optioned):
    """What must hold for every group of a release.

    Subclasses are frozen dataclasses. They state facts about themselves, so that methods
    prune and grow only on what is true. Besides the properties below, which may depend on options:

    ``name``
        The spelling in plans and on the command line.
    ``monotone``
        Whether the union of two groups that hold it holds it too.
    ``limits``
        What its numbers may be, by option; see `shoal.base.limits`. One without them writes
        `validate` and `thresholds`.
    ``needs``
        The `GroupStatistics` it reads.
    ``relative``
        Whether a group is judged against all published groups, so that a verdict may change when
        other groups go. `against` says what to judge by instead, so that groups can be judged
        one by one; with such a reference the other facts hold, and ``judges_alone`` is true.
    ``of_table``
        Whether it is about a number of the published table as a whole. Then it is ``relative``:
        `judge` fails the fewest groups without which the others hold it, and `against` gives what
        would do of each group by itself.
    ``across_releases``
        Whether it also asks that everyone stands among the same values from release to release.
        Then it says what a class is, and is asked for alone; classes that lack a value show
        counterfeits, and its counts are those of the values shown.
    ``presence_unknown``
        Whether it protects only against an attacker who does not know who is in the table.
    """

    name: ClassVar[str]
    monotone: ClassVar[bool]
    limits: ClassVar[Mapping[str, Limit]]
    needs: ClassVar[frozenset[str]]
    relative: ClassVar[bool] = False
    of_table: ClassVar[bool] = False
    across_releases: ClassVar[bool] = False
    presence_unknown: ClassVar[bool] = False
    monotone_in_people: ClassVar[bool] = True
    """Whether it is `monotone` even if a person has rows in both groups."""
    monotone_in_rows: ClassVar[bool] = False
    """Whether a group that holds it holds it whatever rows join, unlike shares of values.

    Then no part of a group that fails holds it.
    """
    counts_matter: ClassVar[bool] = True
    """Whether it asks how often a value occurs in a group, and not only that it does.

    Then values must be published with their counts.
    """
    complete: ClassVar[bool] = False
    """Whether `required_size` and `shares` are all that it asks, so that nothing is judged."""
    tells_levels: ClassVar[bool] = False
    """Whether its shares tell the levels of values, how sensitive they are."""
    private_columns: ClassVar[tuple[str, ...]] = ()
    """The columns of the input that a `Private` requirement reads and that no release holds."""
    _reference: ClassVar[Any] = None
    """What groups are judged against, where `against` has said it."""

    @property
    def judges_alone(self) -> bool:
        """Whether a verdict on a group rests on that group alone, or on a reference it was told."""
        return not self.relative or self._reference is not None

    @property
    def least_size(self) -> int:
        """The least size of a group that can hold it; 1 if it says nothing about sizes."""
        return 1

    @property
    def least_people(self) -> int:
        """The least number of people of a group that holds it, however many rows each has."""
        return self.least_size if "people" in self.needs else 1

    @property
    def required_size(self) -> int:
        """The size it explicitly requires of a group, k; `least_size` may follow to be more."""
        return self.least_size

    @property
    def bounds_shares(self) -> bool:
        """Whether it bounds shares of sensitive values, as it does if it writes `shares`."""
        return type(self).shares is not Requirement.shares

    @property
    def size_only(self) -> bool:
        """Whether every group of `required_size` holds it, whatever its values."""
        return self.complete and "histograms" not in self.needs

    @classmethod
    @abstractmethod
    def example(cls) -> Self:
        """Give a modest instance, for the contract checks and the documentation."""

    @classmethod
    @abstractmethod
    def cases(cls) -> Sequence[HandCase]:
        """Give cases worked out by hand: some groups that hold it, and some that do not.

        Every requirement that occurs in them has a case exactly at each of its `thresholds`: a
        group whose verdict the slightest step changes.
        """

    def thresholds(self) -> Mapping[str, tuple[Self, Self]]:
        """Give, for each number in it, the next weaker and the next stricter requirement.

        That is one more or less of a whole number, and the slightest bit (`nudged`) of others. By
        default of each that `limits` declares.
        """
        made = {}
        for name, limit in self.limits.items():
            steps = limit.steps(getattr(self, name)) if isinstance(limit, Number) else ()
            if steps:
                made[name] = self._with(name, *steps)
        return made

    def _with(self, name: str, *values: Any) -> tuple[Self, Self]:
        less, more = (replace(self, **{name: each}) for each in values)  # type: ignore[type-var]
        return less, more

    def validate(self) -> None:
        """Refuse parameters that make no sense (raises `ParameterError`)."""
        check_options(self)

    @abstractmethod
    def judge(self, groups: GroupStatistics) -> Outcome:
        """Say which groups hold the requirement."""

    def rows_lacking(self, groups: GroupStatistics) -> Ints:
        """Say how many rows, at least, must join each group before it holds the requirement.

        0 where it holds. Methods that grow groups row by row ask again only then. By default 1 of
        each group that fails.
        """
        return (~self.judge(groups).holds).astype(np.int64)

    def of_equal_cells(self) -> Requirement:
        """Give what rows of equal cells must meet where it is unknown which of them form a group.

        What the union of groups may lack is asked of them in a form that unions keep.
        """
        return self

    @abstractmethod
    def describe(self) -> str:
        """Say in words what is required."""

    @abstractmethod
    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Say which weaker parameters the whole table, as one group, could hold."""

    def shares(self, whole: GroupStatistics) -> Sequence[ShareBounds]:
        """Say which values, or sets of values, may have which share of a group at most.

        Methods keep to these numbers instead of reading the requirement's options. Sets that
        overlap are given one after the other. None by default.

        Parameters
        ----------
        whole
            All rows as one group: it knows the sensitive columns and the codes of their values.
        """
        return ()

    def conditions(self, whole: GroupStatistics) -> Sequence[Condition] | None:
        """Say what it asks of the values of a group as plain numbers, if that is all it asks.

        Groups of `required_size` rows that hold these hold it. Methods that judge very many groups
        go by them; ``None``: they call `judge`. By default `shares`, where these are `complete`;
        ``whole`` is theirs.
        """
        return tuple(self.shares(whole)) if self.complete else None

    def as_shares(self) -> Requirement:
        """Give a requirement on shares alone: each group that holds it holds this one, too.

        Methods that mix values by their shares keep to it. Itself by default.
        """
        return self

    @property
    def required_values(self) -> Mapping[str, int]:
        """How many different values of a sensitive column it asks of every group, by column.

        Only what it requires explicitly; methods that gather values go by it.
        """
        return {}

    def least_values(self, whole: GroupStatistics) -> Mapping[str, int]:
        """Say how many different values of a sensitive column each group that holds it shows.

        At least so many; methods that try groups leave out those that show fewer.
        """
        return self.required_values

    def most_of_each(self, whole: GroupStatistics) -> Mapping[str, Ints]:
        """Say how many people (or rows) of each value may stay, by column and code.

        With no more of each, the rest hold it as one group. Only where a value is too frequent,
        and `shares` does not say so. None by default.
        """
        return {}

    def least_suppression(self, whole: GroupStatistics) -> int | None:
        """Say how many rows must go before the rest, as one group, holds it; ``None``: never."""
        return 0 if self.judge(whole).passed else None

    def require_fitting(self, whole: GroupStatistics) -> None:
        """Refuse a table that the requirement does not speak of (raises `ParameterError`)."""
        if "histograms" in self.needs and not whole.histograms:
            raise ParameterError(
                f"'{self.name}' protects sensitive values, but no column is sensitive.",
                "Give a column the role sensitive.",
            )
        if "population" in self.needs:
            whole.fitting(self.name)

    def require_feasible(self, whole: GroupStatistics, *, suppression_limit: float = 0.0) -> None:
        """Refuse a table that could not hold the requirement even as one group.

        Parameters
        ----------
        suppression_limit
            The share of rows that may be left out for it.
        """
        self.validate()
        self.require_fitting(whole)
        needed = self.least_suppression(whole)
        if needed is None:
            raise InfeasibleError(
                f"{self.describe()} cannot hold, not even with all rows in one group.",
                self.nearest_feasible(whole),
            )
        self._refuse_beyond(suppression_limit, needed, whole)

    def _refuse_beyond(
        self, limit: float, needed: int, whole: GroupStatistics, why: str = ""
    ) -> None:
        """Refuse a table of which more rows must go than the limit allows, and say why."""
        rows = int(whole.sizes.sum())
        if needed > allowed(limit, rows):
            raise InfeasibleError(
                f"{self.describe()} can hold only if at least {needed} of {rows} rows are "
                f"suppressed, more than the limit of {limit:.1%}{why}.",
                f"{self.nearest_feasible(whole)} Or raise suppression_limit to "
                f"{rounded_up(needed, rows)} or more.",
            )

    def remarks(self, whole: GroupStatistics) -> list[str]:
        """Say what people must know of how this table meets the requirement."""
        if "population" not in self.needs:
            return []
        return [
            f"'{self.name}' was counted in a table of the population. A recount needs that table."
        ]

    def against(self, whole: GroupStatistics | None) -> Self:
        """Judge groups against these rows, or again against all groups given (``None``)."""
        return self

    def _told(self, reference: Any) -> Self:
        """Judge groups against a reference from now on, or no more (``None``)."""
        made: Self = replace(self)  # type: ignore[type-var]
        object.__setattr__(made, "_reference", reference)
        return made

    def bind(self, schema: Mapping[str, Any]) -> Self:
        """Fill in what the schema says and the requirement leaves open."""
        return self

    def published(self, values: Mapping[str, Collection[str | None]]) -> Requirement:
        """Say the same without naming values that are not published; for public files.

        Parameters
        ----------
        values
            The published values of each sensitive column; ``None`` is the missing one.
        """
        return self

    def to_spec(self) -> dict[str, Any]:
        """Write the requirement as a plan's table; what is left open is left out."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        written = {name: spelled(value) for name, value in given.items() if value is not None}
        return {"model": self.name, **written}

    @property
    def _of_column(self) -> str:
        """Name its column in a sentence, where it names one."""
        column = getattr(self, "column", None)
        return "" if column is None else f" of '{column}'"


def holding(require: Sequence[Requirement], groups: GroupStatistics) -> Bools:
    """Say which groups can be published together.

    A requirement that judges a group against all published groups may fail once others are
    left out, so those that fail are taken away until all that remain hold.

    Examples
    --------
    >>> from shoal.models import KAnonymity
    >>> holding([KAnonymity(3)], GroupStatistics(np.array([3, 2, 4]))).tolist()
    [True, False, True]
    """
    holds = np.ones(len(groups.sizes), dtype=np.bool_)
    for requirement in require:
        if not requirement.relative:
            holds &= requirement.judge(groups).holds
    relative = [requirement for requirement in require if requirement.relative]
    while relative and holds.any():  # each turn leaves fewer groups
        left = groups if holds.all() else groups.only(holds)
        fine = np.logical_and.reduce([each.judge(left).holds for each in relative])
        if fine.all():
            break
        holds[holds] = fine
    return holds
