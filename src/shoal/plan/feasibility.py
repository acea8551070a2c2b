"""Whether a table could hold what is required, before any work, and how strict that may be.

What not even all rows hold as one group, no grouping holds. So one count of the whole table answers
at once, while somebody is still deciding.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from shoal.base.options import makes_sense, require_texts
from shoal.base.plural import counted
from shoal.errors import InfeasibleError, InputError, ShoalError
from shoal.io.frames import Coded
from shoal.kernels.collapse import collapse
from shoal.methods import Method
from shoal.models import GroupStatistics, Requirement, private_columns
from shoal.models.exact.shares import allowed, exact, rounded_up
from shoal.publications.groups.counting import one_group, whole_group, with_private
from shoal.publications.groups.missing_policy import MissingPolicy, complete_rows
from shoal.table import NumericColumn, QuasiColumn, Table
from shoal.table.population import Population
from shoal.table.schema import Schema

GRAIN = Fraction(1, 10_000)
"""Numbers that are not whole are sought with four decimals, as messages say them."""

FARTHEST = 2**40
"""So many steps away from what is asked nobody looks."""

LARGEST = 1e300
"""Numbers from here on are too near to infinity to measure between them."""


def require_feasible(
    table: Table, require: Sequence[Requirement], method: Method, *, suppression_limit: float = 0.0
) -> None:
    """Refuse, before any work, what a table cannot hold."""
    members: list[Method | Requirement] = [method, *require]
    for each in members:
        require_texts(each, each.name)
        each.validate()
    if table.population is not None:
        _require_contained(table, table.population)
    whole = one_group(table, require)
    require_holdable(table.quasi, whole, require, suppression_limit=suppression_limit)


def require_holdable(
    quasi: Sequence[QuasiColumn],
    whole: GroupStatistics,
    require: Sequence[Requirement],
    *,
    suppression_limit: float,
) -> None:
    """Refuse what not even all rows hold as one group, wherever these were counted."""
    for column in quasi:  # a distance, or the end of an interval, must not be infinite
        if isinstance(column, NumericColumn) and column.size:
            ends = (float(column.values[0]), float(column.values[-1]))
            if max(map(abs, ends)) > LARGEST:
                raise InputError(
                    f"The numeric column '{column.name}' holds numbers beyond {LARGEST:g}.",
                    "Mark them as missing, use another unit, or make the column categorical.",
                )
    for requirement in require:
        requirement.require_feasible(whole, suppression_limit=suppression_limit)


def _require_contained(table: Table, people: Population) -> None:
    """Refuse a population that does not hold the rows of the table, those with a hole aside.

    A missing cell equals only a missing one, and the population may know what the table does not.
    """
    n, columns = table.n_rows, table.trees
    codes = [np.concatenate((each.codes, people.codes[each.name])) for each in columns]
    tuples = collapse(codes, [each.size + 1 for each in columns])
    known = tuples[:n][~table.missing.any(axis=1)]
    spare = np.bincount(tuples[n:], minlength=int(tuples.max()) + 1)
    lacking = np.maximum(np.bincount(known, minlength=len(spare)) - spare, 0)
    count = int(lacking.sum())
    if count:
        raise InfeasibleError(
            f"The population does not hold the table: {count:,} of {counted(n, 'row')} match "
            "no person in it by their quasi-identifiers.",
            "Give the table of all people from whom the rows were drawn, in the same spelling.",
        )


def require_enough(n: int, lost: int, limit: float) -> None:
    """Refuse to leave too many rows out (raises `InfeasibleError`)."""
    if lost == n:
        raise InfeasibleError(
            f"All {counted(n, 'row')} would be suppressed.",
            "Weaken the requirements or change the method.",
        )
    if lost > allowed(limit, n):
        raise InfeasibleError(
            f"{lost:,} of {counted(n, 'row')} would be suppressed, more than the limit of "
            f"{limit:.1%}.",
            f"Weaken the requirements, or raise suppression_limit to {rounded_up(lost, n)}.",
        )


@dataclass(frozen=True, eq=False)
class WholeTable:
    """A table as one group, which requirements are judged by before any work."""

    schema: Schema
    """The roles of all its columns."""
    table: Table
    """The columns that requirements read, with the rows that the policy for missing cells
    leaves."""
    group: GroupStatistics
    """What was counted of them."""

    @classmethod
    def of(
        cls,
        data: Coded,
        schema: Schema,
        require: Sequence[Requirement] = (),
        *,
        missing: MissingPolicy = "keep",
        population: int | None = None,
    ) -> WholeTable:
        """Count a table, without building a tree for any quasi-identifier.

        `require`: requirements that read private columns are given; others may be, or not.
        `population`: how many people the population has, where there is one.
        """
        known = [each.bind(schema) for each in require]
        table = Table.judged(data, schema, private_columns(known))
        table = with_private(table, [each.bind(table.schema) for each in known])
        if missing == "drop":
            table = table.select(complete_rows(data, schema))
        group = whole_group(table)
        if population is not None:
            group = replace(group, population=np.array([population]))
        return cls(schema, table, group)

    def bind(self, requirement: Requirement) -> Requirement:
        """Fill in what the columns say and a requirement leaves open, such as levels."""
        return requirement.bind(self.schema).bind(self.table.schema)

    def require_feasible(
        self, requirement: Requirement, *, suppression_limit: float = 0.0
    ) -> Requirement:
        """Refuse what no grouping of the table could hold; else give it, filled in.

        Raises `InfeasibleError` with the nearest numbers that could hold.
        Raises `ParameterError` or `InputError` if the requirement makes no sense, or not of this
        table.
        """
        requirement.validate()
        made = self.bind(requirement)
        made.require_feasible(self.group, suppression_limit=suppression_limit)
        return made


@dataclass(frozen=True)
class Number:
    """A number that a requirement asks for."""

    option: str
    """The option that it stands in."""
    key: str | int | None
    """Which entry of the option, where that lists several: a place, or the name of a column."""
    value: Fraction
    """What it is now, exactly."""
    whole: bool
    """Whether only whole numbers make sense."""
    stricter: Literal["more", "less"]
    """Whether ``"more"`` or ``"less"`` of it is stricter."""

    def set(self, requirement: Requirement, value: Fraction) -> Requirement:
        """Give the same requirement with another number."""
        value_set: Any = int(value) if value.denominator == 1 else float(value)
        given = getattr(requirement, self.option)
        if isinstance(given, Mapping):
            value_set = {**given, self.key: value_set}
        elif self.key is not None:
            value_set = [
                value_set if place == self.key else each for place, each in enumerate(given)
            ]
        made: Requirement = replace(requirement, **{self.option: value_set})  # type: ignore[type-var]
        return made


def required_numbers(requirement: Requirement) -> list[Number]:
    """List the numbers of a requirement that make it stricter or weaker.

    They are those of its `thresholds`, whatever these are called.
    """
    made = []
    for _, stricter in requirement.thresholds().values():
        for option, key, now, then in _differing(requirement, stricter):
            before, after = exact(now), exact(then)
            if before is not None and after is not None and before != after:
                direction: Literal["more", "less"] = "more" if after > before else "less"
                made.append(Number(option, key, before, isinstance(then, int), direction))
    return made


def _differing(
    one: Requirement, other: Requirement
) -> Iterator[tuple[str, str | int | None, Any, Any]]:
    """List the entries of options in which two requirements differ."""
    for field in dataclasses.fields(one):  # type: ignore[arg-type]
        now, then = getattr(one, field.name), getattr(other, field.name)
        if isinstance(now, Mapping):
            yield from ((field.name, key, now[key], then[key]) for key in now if now != then)
        elif isinstance(now, list | tuple):
            both = enumerate(zip(now, then, strict=True))
            yield from ((field.name, place, a, b) for place, (a, b) in both if a != b)
        elif now != then:
            yield field.name, None, now, then


def strictest(
    whole: WholeTable,
    requirement: Requirement,
    number: Number,
    *,
    suppression_limit: float = 0.0,
    farthest: Fraction | None = None,
) -> Fraction | None:
    """Find the strictest value of a number that the table could hold; ``None`` if there is none.

    The other numbers stay as they are. What is not whole is found with four decimals.

    `suppression_limit`: the share of rows that may be left out for it.
    `farthest`: nobody looks for stricter values than this one; it is given if the table could hold
    it.
    """
    grain = Fraction(1) if number.whole else GRAIN
    towards = 1 if number.stricter == "more" else -1

    def fits(steps: int) -> bool:
        beyond = farthest is not None and (steps * grain - farthest) * towards > 0
        if steps < 0 or beyond:
            return False
        try:
            raised = number.set(requirement, steps * grain)
            whole.require_feasible(raised, suppression_limit=suppression_limit)
        except ShoalError:
            return False
        return True

    def is_allowed(steps: int) -> bool:
        return steps >= 0 and makes_sense(number.set(requirement, steps * grain))

    own = max(int(number.value / grain), 1)
    if farthest is not None and towards > 0:
        ends = [int(farthest / grain)]
    else:
        ends = [0, 1] if towards < 0 else []
    for end in ends:  # often nothing is too strict
        if fits(end):
            return end * grain
    if fits(own):
        return (own + towards * _farthest(lambda n: fits(own + towards * n))) * grain
    weakest = own - towards * _farthest(lambda n: is_allowed(own - towards * n))
    if not fits(weakest):
        return None
    return (weakest + towards * _farthest(lambda n: fits(weakest + towards * n))) * grain


def _farthest(holds: Callable[[int], bool]) -> int:
    """Find the largest number that holds; those below it do, 0 unasked.

    Examples
    --------
    >>> _farthest(lambda n: n <= 37), _farthest(lambda n: False)
    (37, 0)
    """
    beyond = 1
    while beyond < FARTHEST and holds(beyond):
        beyond *= 2
    low, high = beyond // 2, beyond
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
