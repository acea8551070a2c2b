"""What the whole table could hold of a requirement: found once for its columns, and kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Literal

from shoal.base.options import makes_sense
from shoal.engines import pipeline
from shoal.errors import InfeasibleError, ShoalError
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.plan.feasibility import Number, WholeTable, required_numbers, strictest
from shoal.plan.plan import UNANSWERED
from shoal.studio.loaded import LoadedTable
from shoal.studio.panels._promise_options import Option
from shoal.table.schema import NO_ENTITY

MOST_DRAGGED = 100
"""Whole numbers beyond this are typed, unless one is asked for already."""


MANY_VALUES = 50_000
"""With more values than this, what is asked is judged, and nothing stricter or weaker sought."""


@dataclass(frozen=True)
class Use:
    """A value of a number that would do."""

    name: str
    option: str
    about: str
    value: str


@dataclass(frozen=True)
class Verdict:
    """Whether the whole table could hold a requirement."""

    state: Literal["good", "costly", "cannot", "wrong"]
    """``good``; ``costly``: only if rows are left out; ``cannot``; ``wrong``: it makes no sense."""
    problem: str = ""
    hint: str = ""
    rows: int = 0
    """How many rows must be left out, at least."""
    uses: tuple[Use, ...] = ()
    """Values that would do."""


@dataclass(frozen=True)
class Slider:
    """Where a number may be dragged to, and what of that the table could hold."""

    least: str
    most: str
    step: str
    value: str
    stricter: str = ""
    end: str = ""
    """The strictest value that holds without leaving rows out, if there is one on the way."""
    good: tuple[float, float] | None = None
    costly: tuple[float, float] | None = None
    """From where to where, in parts of a hundred of the way."""
    judged: bool = False


def whole_table(
    table: LoadedTable, plan: Plan, require: Sequence[Requirement] = ()
) -> tuple[WholeTable, str]:
    """Count the table as one group by the roles of a plan; also say under which key it is kept."""
    private = [each for each in require if each.private_columns]
    key = json.dumps(
        [
            {name: _read_of(column) for name, column in plan.columns.items()},
            [plan.entity, plan.linkage, plan.input.missing, plan.publication.missing],
            None if plan.population is None else plan.population.model_dump(mode="json"),
            [_without_numbers(each) for each in private],
        ],
        default=str,
    )

    def count() -> WholeTable:
        entity = NO_ENTITY if plan.entity == UNANSWERED else plan.entity
        schema = plan.model_copy(update={"entity": entity}).schema_()
        place = plan.population_path
        people = None if place is None else pipeline.read_population(place, plan, schema)
        return WholeTable.of(
            table.table,
            schema,
            private,
            missing=plan.publication.missing,
            population=None if people is None else people.height,
        )

    return table.keep(("whole", key), count), key


def _without_numbers(requirement: Requirement) -> dict[str, Any]:
    """Say which private columns a requirement reads, and how; its numbers play no part."""
    numbers = {each.option for each in required_numbers(requirement)}
    return {name: value for name, value in requirement.to_spec().items() if name not in numbers}


def _read_of(column: Any) -> Any:
    """Say what of a column the count depends on: of quasi-identifiers which cells are missing."""
    if column.role.value == "sensitive":
        return column.model_dump(mode="json")
    return [column.role.value, column.missing]


def verdict(
    table: LoadedTable, plan: Plan, requirement: Requirement, options: Sequence[Option] = ()
) -> Verdict:
    """Judge a requirement by the whole table."""
    limit = plan.publication.suppression_limit
    try:
        requirement.validate()
        whole, _ = whole_table(table, plan, [requirement])
        made = whole.require_feasible(requirement, suppression_limit=limit)
        rows = made.least_suppression(whole.group) or 0
    except InfeasibleError as error:
        uses = _uses(table, plan, requirement, options)
        return Verdict("cannot", error.problem, error.hint, uses=uses)
    except ShoalError as error:
        return Verdict("wrong", error.problem, error.hint)
    return Verdict("costly" if rows else "good", rows=rows)


def _uses(
    table: LoadedTable, plan: Plan, requirement: Requirement, options: Sequence[Option]
) -> tuple[Use, ...]:
    """List, for each number, the value nearest to what is asked that would do by itself."""
    made: list[Use] = []
    if many_values(table, plan, requirement):
        return ()
    for number in required_numbers(requirement):
        option = next((each for each in options if _is_about(each, number)), None)
        end = strictest_of(table, plan, requirement, number)
        if option is not None and end is not None and end != number.value:
            made.append(Use(option.name, option.option, option.about, _text(end)))
    return tuple(made)


def many_values(table: LoadedTable, plan: Plan, requirement: Requirement) -> bool:
    """Say whether a search would take long, because the column has many values."""
    if not requirement.needs & {"histograms", "private"}:
        return False
    whole, _ = whole_table(table, plan, [requirement])
    found = [*whole.group.histograms.values(), *whole.group.private.values()]
    return any(len(each.labels) > MANY_VALUES for each in found)


def _is_about(option: Option, number: Number) -> bool:
    return (option.option, option.key) == (number.option, number.key)


def strictest_of(
    table: LoadedTable,
    plan: Plan,
    requirement: Requirement,
    number: Number,
    limit: float = 0.0,
    farthest: Fraction | None = None,
) -> Fraction | None:
    """Find the strictest value of a number, once for what the others are."""
    whole, key = whole_table(table, plan, [requirement])
    others = number.set(requirement, Fraction(3 if number.whole else 1))
    question = (key, repr(others), number.option, number.key, number.whole, limit, farthest)
    return table.keep(
        ("strictest", *question),
        lambda: strictest(whole, requirement, number, suppression_limit=limit, farthest=farthest),
    )


def slider(
    table: LoadedTable, plan: Plan, requirement: Requirement, option: Option
) -> Slider | None:
    """Make the slider of a number; ``None`` where it has none, or it is not a plain one."""
    try:
        numbers = required_numbers(requirement)
    except ShoalError:
        return None
    number = next((number for number in numbers if _is_about(option, number)), None)
    if number is None:
        return None
    ends: list[Fraction | None] = []
    counted_up = number.whole and number.stricter == "more"
    farthest = Fraction(max(MOST_DRAGGED, 2 * ceil(number.value))) if counted_up else None
    limit = plan.publication.suppression_limit
    try:
        if not many_values(table, plan, requirement):
            ends.append(strictest_of(table, plan, requirement, number, 0.0, farthest))
            ends.append(strictest_of(table, plan, requirement, number, limit, farthest))
    except ShoalError:  # the table itself does not fit: the verdict says why
        ends = []
    judged = bool(ends)
    end, lenient = ends if judged else (None, None)
    least, most, step = _scale(requirement, number, end)
    span = most - least

    def part(value: Fraction) -> float:
        return float(min(max((value - least) / span, Fraction(0)), Fraction(1))) * 100

    more = number.stricter == "more"
    good = costly = None
    if end is not None:
        good = (0.0, part(end)) if more else (part(end), 100.0)
    if lenient is not None and lenient != end:
        far = part(lenient)
        near = (good[1] if more else good[0]) if good else (0.0 if more else 100.0)
        costly = (near, far) if more else (far, near)
    shown = min(max(number.value, least), most)
    scale = _text(least), _text(most), _text(step), _text(shown)
    strict = "" if end is None or end == farthest else _text(end)
    return Slider(*scale, number.stricter, strict, good, costly, judged)


def _scale(
    requirement: Requirement, number: Number, end: Fraction | None
) -> tuple[Fraction, Fraction, Fraction]:
    """Say from where to where a number is dragged, so that some of what cannot hold is seen."""

    def is_allowed(value: Fraction) -> bool:
        return makes_sense(number.set(requirement, value))

    if number.whole:
        first = next((n for n in range(4) if is_allowed(Fraction(n))), 1)
        up = number.stricter == "more" and end is not None
        far = min(MOST_DRAGGED, ceil((end or 0) * Fraction(3, 2))) if up else MOST_DRAGGED
        most = max(10, far)
        if number.value > most:  # typed; there is still a way beyond it
            most = ceil(number.value * Fraction(3, 2))
        return Fraction(first), Fraction(most), Fraction(1)
    if is_allowed(Fraction(3, 2)):
        far = 10 if number.value <= 10 else ceil(number.value * Fraction(3, 2))
        step = Fraction(1, 10)
    else:
        far, step = 1, Fraction(1, 1000 if 0 < number.value < Fraction(1, 20) else 100)
    least = next((n * step for n in (0, 1, 11) if is_allowed(n * step)), step)
    return least, Fraction(far), step


def _text(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.4f}".rstrip("0")
