"""Can a method, requirements, a publication and a missing policy go together; if not, why?

Everything follows from facts that members state about themselves (`Method`, `Requirement`,
`Publication`); no member is known by name. What depends on the cells of a table is not judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from shoal.errors import ParameterError
from shoal.methods import Method
from shoal.models import Requirement
from shoal.publications import Publication
from shoal.publications.groups.missing_policy import MissingPolicy, leaves_missing
from shoal.table.schema import Role, Schema

Part: TypeAlias = Literal["require", "publication", "missing", "blocks", "refine", "bound"]
"""What of a combination does not go together with its method, or with the parts before it."""


@dataclass(frozen=True)
class Combination:
    """What a plan puts together."""

    method: Method
    require: tuple[Requirement, ...]
    publication: Publication
    missing: MissingPolicy = "keep"
    refined: bool = False
    """Whether groups are refined after they are found."""
    bounded: bool = False
    """Whether a lower bound of the loss is sought."""
    blocks: bool = False
    """Whether the table is grouped in blocks."""
    follows: bool = False
    """Whether the publication is the one that the method is made for because none is named; then it
    changes with the method."""


@dataclass(frozen=True)
class Refusal:
    """Why a combination cannot work."""

    part: Part
    problem: str
    """A sentence that names the members."""
    rule: str = ""
    """The same of any members, for a table of many combinations; empty: `problem` names none."""


def refusals(wanted: Combination, schema: Schema | None = None) -> list[Refusal]:
    """Say why a combination cannot work; an empty list if it can.

    `schema`: the columns of the table. Without it, they are taken to be as they must be: see
    `conditions`.
    """
    rules = (_carried, _across, _populated, _needed, _counted, _published, _grouped, _improved)
    found = [each for rule in rules for each in rule(wanted)]
    return found if schema is None else [*found, *_of_schema(wanted, schema)]


def conditions(wanted: Combination) -> list[str]:
    """Say what a table, or a requirement, must be like for a combination that can work."""
    made = form_conditions(wanted.publication)
    if any("population" in each.needs for each in wanted.require):
        made.append("A table of the population is given, and everyone has one row.")
    if wanted.method.needs == "levels" and not _orders_levels(wanted):
        made.append("A sensitive column has levels.")
    if wanted.publication.whole_counterfeits and _invariant(wanted) is not None:
        made.append("There is one sensitive column, and no column has the role other.")
    if wanted.method.adds_values and not _publishes_added(wanted.publication):
        made.append("Requirements concern only one sensitive column, so no value is added.")
    return made


def form_conditions(form: Publication) -> list[str]:
    """Say what a table must be like for a publication, whatever is required of it."""
    if form.sensitive_columns == (0, None):
        return []
    return [f"There is {form.columns_in_words}."]


def _carried(wanted: Combination) -> Iterator[Refusal]:
    """The method must hold every requirement."""
    method = wanted.method
    for each in wanted.require:
        if method.carries is None or each.name in method.carries:
            continue
        if not (method.carries_bounds and each.complete):
            also = " and any that limit only sizes and shares" * method.carries_bounds
            carried = f"it carries {', '.join(sorted(method.carries))}{also}."
            problem = f"The method '{method.name}' cannot carry '{each.name}': {carried}"
            yield Refusal("require", problem, "The method cannot carry the requirement.")


def _across(wanted: Combination) -> Iterator[Refusal]:
    """What says what a class is in every release is asked for alone, of methods that can."""
    asked = _invariant(wanted)
    if asked is None:
        return
    if not wanted.method.has_closeness:
        why = "does not form classes of different values by the nearest record"
        problem = f"The method '{wanted.method.name}' cannot carry '{asked.name}': it {why}."
        yield Refusal("require", problem, f"The method {why}.")
    others = [other.name for other in wanted.require if other is not asked]
    if others:
        why = "defines the classes of every release, so it cannot be combined with"
        yield Refusal("require", f"'{asked.name}' {why} '{others[0]}'.")
    if not wanted.publication.carries_counterfeits:
        yield Refusal(
            "publication",
            f"'{asked.name}' may need counterfeits, which the form '{wanted.publication.name}' "
            "cannot publish.",
            "The requirement may need counterfeits, which the form cannot publish.",
        )
    if wanted.blocks:
        yield Refusal("blocks", "Classes that keep their values cannot be found in blocks.")
    if wanted.refined:
        yield Refusal(
            "refine", "Classes that keep their values from release to release cannot be refined."
        )
    if wanted.bounded:
        yield Refusal(
            "bound", "There is no lower bound: classes may hold fewer people than values."
        )


def _invariant(wanted: Combination) -> Requirement | None:
    """Find what speaks of several releases."""
    return next((each for each in wanted.require if each.across_releases), None)


def _populated(wanted: Combination) -> Iterator[Refusal]:
    """Few methods count who of a population fits a class, and classes must be known by cells."""
    form = wanted.publication
    for each in wanted.require:
        if "population" not in each.needs:
            continue
        if not wanted.method.counts_population:
            why = "does not count which people of a population match its groups"
            problem = f"The method '{wanted.method.name}' cannot carry '{each.name}': it {why}."
            yield Refusal("require", problem, f"The method {why}.")
        if form.names_groups:
            why = "counts the people who match the cells of a class, but the form"
            problem = f"'{each.name}' {why} '{form.name}' identifies classes by an id."
            yield Refusal(
                "publication", problem, f"The requirement {why} identifies classes by an id."
            )


def _needed(wanted: Combination) -> Iterator[Refusal]:
    """What the method groups by must be among the requirements; levels may be in the schema."""
    if wanted.method.needs not in NEEDS:
        return
    is_given, need = NEEDS[wanted.method.needs]
    if not any(map(is_given, wanted.require)):
        rule = f"The method needs {need}, which the requirement alone does not give."
        yield Refusal("require", f"The method '{wanted.method.name}' needs {need}.", rule)


NEEDS: dict[str | None, tuple[Callable[[Requirement], bool], str]] = {
    "shares": (
        lambda each: each.as_shares().bounds_shares,
        "a limit on the shares of sensitive values",
    ),
    "values": (
        lambda each: bool(each.required_values),
        "the number of values of each sensitive column that a group must show",
    ),
}
"""What a method may need of the requirements, and which of them tell it."""


def _counted(wanted: Combination) -> Iterator[Refusal]:
    """Where each value of a group is shown once, nobody can count how often it occurs."""
    form = wanted.publication
    for each in wanted.require if not form.shows_counts else ():
        if "histograms" in each.needs and each.counts_matter:
            why = "counts how often a value occurs in a group, but the form"
            problem = f"'{each.name}' {why} '{form.name}' shows each value once."
            yield Refusal("publication", problem, f"The requirement {why} shows each value once.")


def _published(wanted: Combination) -> Iterator[Refusal]:
    """Added values must be published, and look like the others; levels must be kept."""
    method, form = wanted.method, wanted.publication
    unfit = method.adds_values and not _publishes_added(form)
    if unfit and len({name for each in wanted.require for name in each.required_values}) > 1:
        why = (
            "and counts would distinguish them from the others"
            if form.carries_padding
            else f"which the form '{form.name}' cannot publish"
        )
        rule = "The method adds values to groups, which the form cannot publish."
        problem = f"The method '{method.name}' adds values to groups, {why}."
        yield Refusal("publication", problem, rule)
    if method.one_level and not form.keeps_levels:
        yield Refusal(
            "publication",
            f"The method '{method.name}' chooses one level per column, which the form "
            f"'{form.name}' with these options would break.",
            "The method chooses one level per column, which the form would break.",
        )


def _grouped(wanted: Combination) -> Iterator[Refusal]:
    """A method need not cope with missing cells, nor without the whole table before its eyes."""
    if leaves_missing(wanted.missing) and not wanted.method.carries_missing:
        yield Refusal(
            "missing",
            f"The method '{wanted.method.name}' does not group rows with missing cells, but "
            f'missing = "{wanted.missing}" keeps them.',
            "The method does not group rows with missing cells.",
        )
    if wanted.blocks and not wanted.method.in_blocks:
        why = "cannot group a table in blocks: it needs the whole table"
        rule = "It needs the whole table, which cannot be cut into blocks."
        yield Refusal("blocks", f"The method '{wanted.method.name}' {why}.", rule)


def _improved(wanted: Combination) -> Iterator[Refusal]:
    """Refining must be allowed and gain something; a bound must hold for the cells of the form."""
    method, form = wanted.method, wanted.publication
    if wanted.refined and method.fixed is not None:
        problem = f"The groups of '{method.name}' cannot be refined: {method.fixed}."
        yield Refusal("refine", problem, f"Its groups may not be changed: {method.fixed}.")
    if wanted.refined and form.exact:
        yield Refusal(
            "refine",
            "Quasi-identifiers are published unchanged, so refining groups would gain nothing.",
        )
    elif wanted.refined and form.centre is not None:
        yield Refusal(
            "refine", "Cells are centres of their groups, but refining narrows ranges and nodes."
        )
    if wanted.bounded and form.unbounded is not None:
        yield Refusal("bound", f"There is no lower bound: {form.unbounded}.")


def _of_schema(wanted: Combination, schema: Schema) -> Iterator[Refusal]:
    """The columns must be as the form and the method need them."""
    misfit = wanted.publication.misfit(len(schema.sensitive))
    if misfit is not None:
        yield Refusal("publication", misfit)
    form, asked = wanted.publication, _invariant(wanted)
    if form.whole_counterfeits and asked is not None:
        about = f"'{asked.name}' may need counterfeits, which are rows in the form '{form.name}'"
        others = [name for name, column in schema.items() if column.role is Role.OTHER]
        if others:
            why = f"they would have no value in column '{others[0]}' (other), which would"
            yield Refusal("publication", f"{about}: {why} distinguish them from people.")
        if len(schema.sensitive) > 1:
            why = "they have a value in one sensitive column, but there are"
            yield Refusal("publication", f"{about}: {why} {len(schema.sensitive)}.")
    graded = any(schema[name].levels for name in schema.sensitive)
    if wanted.method.needs == "levels" and not graded and not _orders_levels(wanted):
        why = (
            "needs levels of sensitivity, but neither a sensitive column nor a requirement has them"
        )
        yield Refusal("require", f"The method '{wanted.method.name}' {why}.")


def _orders_levels(wanted: Combination) -> bool:
    return any(each.tells_levels for each in wanted.require)


def _publishes_added(form: Publication) -> bool:
    return form.carries_padding and not form.shows_counts


def require_linkable(
    schema: Schema,
    require: Sequence[Requirement],
    method: Method,
    *,
    refined: bool = False,
    blocks: bool = False,
) -> None:
    """Refuse what cannot keep all rows of a person together (raises `ParameterError`).

    `refined`, `blocks`: whether groups are to be refined, or found in blocks.
    """
    if schema.linkage != "all-rows":
        return
    relative = [each.name for each in require if each.relative]
    private = [each.name for each in require if each.private_columns]
    reason = None
    if method.needs_rows is not None:
        reason = f"the method '{method.name}' cannot: {method.needs_rows}"
    elif relative:
        reason = f"'{relative[0]}' compares groups with each other and moves rows between them"
    elif private:
        reason = f"'{private[0]}' is judged class by class, not over all rows of a person"
    elif refined:
        reason = "refinement moves rows one by one"
    elif blocks:
        reason = "blocks are cut by rows"
    if reason is not None:
        raise ParameterError(
            f"With linkage = 'all-rows' all rows of a person stay in one group, but {reason}.",
            "Use a method that clusters records, such as gaa-cp, without refine and blocks, "
            "or linkage = 'any-row'.",
        )
