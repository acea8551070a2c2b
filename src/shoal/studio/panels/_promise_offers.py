"""Which requirements can be added, why others cannot, and with which numbers they begin."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from shoal.base.members import first_line
from shoal.base.options import makes_sense
from shoal.errors import InfeasibleError, ShoalError
from shoal.models import MODELS, Requirement
from shoal.plan import Plan
from shoal.plan.feasibility import required_numbers
from shoal.steward.proposal.rarity import draft_levels
from shoal.studio.loaded import LoadedTable
from shoal.studio.panels._promise_feasible import many_values, strictest_of, whole_table

Family = Literal["found", "secrets", "again", "personal", "population"]

FAMILIES: tuple[Family, ...] = ("found", "secrets", "again", "personal", "population")


@dataclass(frozen=True)
class Offer:
    """A requirement that is not asked for yet, or not of this column."""

    name: str
    family: Family
    """What it is against."""
    reason: str
    """The key of why it makes no sense here; empty if it does."""
    first_line: str
    """What it says of itself."""


def offers(plan: Plan) -> dict[Family, list[Offer]]:
    """List every requirement that is installed, by what it is against."""
    roles = [column.role.value for column in plan.columns.values()]
    required = {spec.get("model") for spec in plan.require}
    made = []
    for name in MODELS:
        try:
            example = MODELS[name].example()
        except ShoalError as error:  # another package, which cannot be loaded
            made.append(Offer(name, "found", "broken", error.problem))
            continue
        options = {field.name for field in dataclasses.fields(example)}  # type: ignore[arg-type]
        reason = ""
        if "histograms" in example.needs and "sensitive" not in roles:
            reason = "no_sensitive"
        elif example.private_columns and "identifier" not in roles:
            reason = "no_identifier"
        elif "population" in example.needs and plan.population is None:
            reason = "no_population"
        elif name in required and "column" not in options:
            reason = "asked"
        made.append(Offer(name, _family(example), reason, first_line(type(example))))
    found = {family: [each for each in made if each.family == family] for family in FAMILIES}
    return {family: members for family, members in found.items() if members}


def _family(example: Requirement) -> Family:
    if example.private_columns:
        return "personal"
    if example.across_releases:
        return "again"
    if "histograms" in example.needs:
        return "secrets"
    return "population" if example.presence_unknown else "found"


def begin(table: LoadedTable, plan: Plan, name: str) -> tuple[Requirement, dict[str, Any]]:
    """Make a requirement to begin with, and the levels of columns that it needs.

    It is the member's own example, of this table's columns, weakened until the table could hold it.
    """
    columns = {name: column.role.value for name, column in plan.columns.items()}
    sensitive = [name for name, role in columns.items() if role == "sensitive"]
    made = _named(MODELS[name].example(), sensitive)
    size = max((each.required_size for each in plan.requirements()), default=2)
    if "people" in made.needs and made.required_size > 1 and size > 1:
        made = _sized(made, size)
    levels: dict[str, Any] = {}
    if made.tells_levels:
        made, levels = _leveled(table, plan, made, sensitive)
    if made.private_columns:
        return _private(table, plan, made, columns), levels
    return _feasible(table, plan, made, levels), levels


def _named(example: Requirement, sensitive: Sequence[str]) -> Requirement:
    """Let an example speak of this table's sensitive columns."""
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(example):  # type: ignore[arg-type]
        now = getattr(example, field.name)
        if field.name == "column" and "histograms" in example.needs and len(sensitive) > 1:
            changes["column"] = sensitive[0]
        elif field.name == "parents":  # the checks' tree, not this column's
            changes["parents"] = None
        elif isinstance(now, Mapping) and dict(example.required_values) == dict(now) and now:
            least = min(now.values())
            changes[field.name] = dict.fromkeys(sensitive, least)
    made: Requirement = replace(example, **changes)  # type: ignore[type-var]
    return made


def _sized(made: Requirement, size: int) -> Requirement:
    """Ask for groups as large as the plan does already."""
    for number in required_numbers(made):
        if number.whole and number.value == made.required_size:
            other = number.set(made, Fraction(size))
            return other if makes_sense(other) else made
    return made


def _feasible(
    table: LoadedTable, plan: Plan, made: Requirement, levels: Mapping[str, Any]
) -> Requirement:
    """Weaken the first number that makes it feasible by itself, if that is needed."""
    for name, given in levels.items():
        column = plan.columns[name].model_copy(update={"levels": given})
        plan = plan.model_copy(update={"columns": {**plan.columns, name: column}})
    try:
        whole, _ = whole_table(table, plan)
        whole.require_feasible(made)
    except InfeasibleError:
        for number in required_numbers(made) if not many_values(table, plan, made) else ():
            end = strictest_of(table, plan, made, number)
            if end is not None:
                return number.set(made, end)
    except ShoalError:  # the page says what is wrong
        pass
    return made


def _private(
    table: LoadedTable, plan: Plan, made: Requirement, columns: Mapping[str, str]
) -> Requirement:
    """Take the first identifier whose cells it can read."""
    (field,) = [
        each.name
        for each in dataclasses.fields(made)  # type: ignore[arg-type]
        if getattr(made, each.name) in made.private_columns
    ]
    names = [name for name, role in columns.items() if role == "identifier"]
    tried: list[Requirement] = [
        replace(made, **{field: name})  # type: ignore[type-var]
        for name in names
    ]
    for each in tried:
        try:
            whole, _ = whole_table(table, plan, [each])
            whole.require_feasible(each, suppression_limit=plan.publication.suppression_limit)
        except ShoalError:
            continue
        return each
    return tried[0]


def _leveled(
    table: LoadedTable, plan: Plan, made: Requirement, sensitive: Sequence[str]
) -> tuple[Requirement, dict[str, Any]]:
    """Take the levels of a column, or draft some from how rare its values are."""
    name = next((each for each in sensitive if plan.columns[each].levels), sensitive[0])
    levels, alphas = drafted(table, plan, name, made.required_size)
    given = plan.schema_()[name].levels if plan.columns[name].levels else None
    if given:
        most = max(given.values())
        alphas = [*alphas, *[alphas[-1]] * most][:most]
    changes = {"levels": None, "alphas": alphas, "column": name if len(sensitive) > 1 else None}
    leveled: Requirement = replace(made, **changes)  # type: ignore[type-var]
    return leveled, {} if given else {name: levels}


def drafted(
    table: LoadedTable, plan: Plan, name: str, k: int
) -> tuple[dict[str, int], list[float]]:
    """Draft the levels of a column, and shares for them; one level where rarity says nothing."""
    bare = plan.columns[name].model_copy(update={"levels": None})
    plan = plan.model_copy(update={"columns": {**plan.columns, name: bare}})
    whole, _ = whole_table(table, plan)
    column = whole.table.sensitive[name]
    found = draft_levels(name, "", column, k=k, people=whole.table.people)
    if found is None:
        return {label or "": 1 for label in column.labels}, [1.0]
    return dict(found.levels), list(found.alphas)
