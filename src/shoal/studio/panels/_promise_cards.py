"""What the promise shows of a plan: a card for each requirement, and what stands around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shoal import models
from shoal.base.members import first_line
from shoal.errors import ParameterError, ShoalError
from shoal.models import Requirement
from shoal.models.exact.shares import allowed
from shoal.plan import Plan
from shoal.plan.compatibility import refusals, require_linkable
from shoal.plan.feasibility import WholeTable
from shoal.plan.plan import UNANSWERED
from shoal.publications.groups.missing_policy import POLICIES
from shoal.release.promise import Promise
from shoal.studio.panels._promise_feasible import Slider, Verdict, slider, verdict, whole_table
from shoal.studio.panels._promise_levels import Levels, levels_of
from shoal.studio.panels._promise_offers import offers
from shoal.studio.panels._promise_options import Columns, Option, options_of
from shoal.studio.panels._promise_picture import Shoal, shoal_of
from shoal.studio.panels._promise_publication import forms
from shoal.studio.studio import Studio
from shoal.table.schema import NO_ENTITY, Schema


@dataclass(frozen=True)
class Card:
    """A requirement as the page shows it."""

    number: int
    """Its name for the page, which stays when others are removed."""
    requirement: Requirement
    options: Sequence[tuple[Option, Slider | None]]
    verdict: Verdict
    shoal: Shoal | None
    levels: Levels | None
    first_line: str


def shown(studio: Studio) -> dict[str, Any]:
    """Say all that the page shows."""
    plan = studio.plan
    problem: ShoalError | None = None
    whole = None
    try:
        whole, _ = whole_table(studio.table, plan)
    except ShoalError as error:
        problem = error
    roles = {name: column.role.value for name, column in plan.columns.items()}
    counts = "rows" if plan.entity in (None, UNANSWERED, NO_ENTITY) else "people"
    combination = plan.combination()
    sensitive = [name for name, role in roles.items() if role == "sensitive"]
    return {
        "cards": [_card(studio, plan, number) for number in numbers_of(studio, plan)],
        "problem": problem,
        "offers": offers(plan),
        "promise": Promise.of(
            [_filled_in(whole, each) for each in plan.requirements()],
            combination.publication,
            counts=counts,
            sensitive=sensitive,
        ),
        "counts": counts,
        "entity": plan.entity,
        "linkage": plan.linkage or "any-row",
        "identifiers": [
            (place, name) for place, name in enumerate(roles) if roles[name] == "identifier"
        ],
        "refused": _refused(plan, None if whole is None else whole.schema),
        "method": combination.method.name,
        "follows": combination.follows,
        "form": combination.publication,
        "forms": forms(combination, None if whole is None else whole.schema),
        "policies": POLICIES,
        "policy": combination.missing,
        "limit": plan.publication.suppression_limit,
        "limit_rows": allowed(plan.publication.suppression_limit, studio.table.rows),
        "rows": studio.table.rows,
    }


def _card(studio: Studio, plan: Plan, number: int) -> Card:
    requirement = models.from_spec(plan.require[place_of(studio, plan, number)])
    options = options_of(requirement, columns_of(studio, plan))
    found = verdict(studio.table, plan, requirement, options)
    with_sliders = [
        (each, slider(studio.table, plan, requirement, each) if each.kind == "number" else None)
        for each in options
    ]
    levels = levels_of(studio.table, plan, requirement)
    picture = drawn(studio, plan, requirement)
    line = first_line(type(requirement))
    return Card(number, requirement, with_sliders, found, picture, levels, line)


def drawn(studio: Studio, plan: Plan, requirement: Requirement) -> Shoal | None:
    """Draw the smallest group that a requirement allows."""
    try:
        whole, _ = whole_table(studio.table, plan, [requirement])
    except ShoalError:
        whole = None
    return shoal_of(requirement, whole)


def _filled_in(whole: WholeTable | None, requirement: Requirement) -> Requirement:
    """Fill in what columns say, if they do."""
    try:
        made: Requirement = requirement if whole is None else whole.bind(requirement)
    except ShoalError:
        return requirement
    return made


def _refused(plan: Plan, schema: Schema | None) -> list[str]:
    """Say why what the plan puts together cannot work."""
    found = [each.problem for each in refusals(plan.combination(), schema)]
    if schema is not None:
        try:
            require_linkable(
                schema,
                plan.requirements(),
                plan.build_method(),
                refined=plan.refine is not None,
                blocks=isinstance(plan.blocks, int) and plan.blocks > 1,
            )
        except ShoalError as error:
            found.append(str(error))
    return list(dict.fromkeys(found))


def columns_of(studio: Studio, plan: Plan) -> Columns:
    """Number the columns of a plan, with the values of those that are sensitive."""

    def values(column: str | None) -> Sequence[str | None]:
        try:
            whole, _ = whole_table(studio.table, plan)
            return whole.group.histogram(column)[1].labels
        except ShoalError:
            return ()

    return Columns({name: column.role.value for name, column in plan.columns.items()}, values)


def numbers_of(studio: Studio, plan: Plan) -> list[int]:
    """Number the requirements of a plan; a number means the same one as long as it lasts."""
    return studio.requirement_numbers.of(plan.require)


def place_of(studio: Studio, plan: Plan, number: int) -> int:
    """Find the place of a requirement in the plan by its number."""
    numbers = numbers_of(studio, plan)
    if number not in numbers:
        raise ParameterError("There is no such requirement.", "Load the page again.")
    return numbers.index(number)
