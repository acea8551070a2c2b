"""Find groups that hold as they are published, refine them, and bound what they lose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from shoal.base.options import require_texts
from shoal.base.plural import counted
from shoal.engines.blocks import blocks_for, group_in_blocks
from shoal.errors import InfeasibleError, InputError, ParameterError
from shoal.improve import Refinement
from shoal.improve.loss_bound import Bounding, LossBound
from shoal.kernels.collapse import collapse
from shoal.measures import Pair
from shoal.methods import Method, Progress, method_of
from shoal.methods._relative import merge_or_drop_failing, pinned
from shoal.models import KAnonymity, Private, Requirement
from shoal.models.exact.shares import allowed, rounded_up
from shoal.plan import Plan
from shoal.plan.compatibility import Combination, refusals
from shoal.plan.compatibility.linkage import require_linkable
from shoal.publications import Publication
from shoal.publications.groups.completing import complete, holds, least_size
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.publications.groups.indistinguishable import merge_indistinguishable
from shoal.publications.groups.missing_policy import Part
from shoal.publications.groups.possible import possible_rows, rows_without_surplus
from shoal.publications.recoding import Recoded
from shoal.table import NumericColumn, Table

if TYPE_CHECKING:
    from shoal.improve import Refined, Watch
    from shoal.improve.lower_bound import LowerBound
    from shoal.methods._invariance import Signatures

__all__ = [
    "bound_groups",
    "bounding_of",
    "compare_with_bound",
    "group",
    "hold_as_published",
    "possible_rows",
    "refine_groups",
    "refinement_of",
    "require_bound_to_stop_at",
    "require_enough",
    "require_feasible",
    "require_linkable",
    "rows_without_surplus",
]

REFINING = 1
"""Beside the seed: what refinement draws is not what the method drew."""

LARGEST = 1e300
"""Numbers from here on are too near to infinity to measure between them."""


def require_feasible(
    table: Table, require: Sequence[Requirement], method: Method, *, suppression_limit: float = 0.0
) -> None:
    """Refuse, before any work, what cannot hold."""
    require_texts(method, method.name)
    _require_measurable(table)
    _require_contained(table)
    method.validate()
    for requirement in require:
        require_texts(requirement, requirement.name)
        requirement.validate()
    whole = one_group(table, require)
    for requirement in require:
        requirement.require_feasible(whole, suppression_limit=suppression_limit)


def _require_measurable(table: Table) -> None:
    """Refuse numbers between which a distance, or the end of an interval, could be infinite."""
    for column in table.quasi:
        if isinstance(column, NumericColumn) and column.size:
            ends = (float(column.values[0]), float(column.values[-1]))
            if max(map(abs, ends)) > LARGEST:
                raise InputError(
                    f"The numeric column '{column.name}' holds numbers beyond {LARGEST:g}.",
                    "Mark them as missing, use another unit, or make the column categorical.",
                )


def _require_contained(table: Table) -> None:
    """Refuse a population that does not hold the rows of the table, those with a hole aside.

    A missing cell equals only a missing one, and the population may know what the table does not.
    """
    people = table.population
    if people is None:
        return
    n, columns = table.n_rows, table.trees
    codes = [np.concatenate((each.codes, people.codes[each.name])) for each in columns]
    tuples = collapse(codes, [each.size + 1 for each in columns])
    known = tuples[:n][~table.missing.any(axis=1)]
    spare = np.bincount(tuples[n:], minlength=int(tuples.max()) + 1)
    lacking = np.maximum(np.bincount(known, minlength=len(spare)) - spare, 0)
    count = int(lacking.sum())
    if count:
        raise InfeasibleError(
            f"The population does not hold the table: {count:,} of {counted(n, 'row')} have nobody "
            "with the same quasi-identifiers in it.",
            "Give the table of everyone whom the rows were drawn from, in the same spelling.",
        )


def group(
    part: Part,
    require: Sequence[Requirement],
    method: Method,
    *,
    seed: int,
    publication: Publication,
    suppression_limit: float = 0.05,
    blocks: int | Literal["auto"] | None = None,
    gone: int = 0,
    known: Signatures | None = None,
    progress: Progress | None = None,
) -> Grouping:
    """Find groups; rows of the input that are not in the part are suppressed.

    Unless the publication names groups, those that show the same cells are one to a reader, and
    must hold as one. Requirements that compare
    a group with all published ones are given the publishable rows to compare with at first; then
    groups that fail beside the others are merged. Nothing is refused that one group holds.

    Parameters
    ----------
    gone
        How many rows were left out before, of those that the limit is a share of.
    known
        What earlier releases showed of the rows of the input, if there are any.
    """
    across = [each for each in require if each.across_releases]
    if across:
        table = part.table
        if known is not None:
            (column,) = table.sensitive
            part = replace(part, table=table.with_values(column, known.labels))
        found = _group_across(part, across[0], method, suppression_limit, seed, known, progress)
        require_enough(len(found.labels), found.n_suppressed, suppression_limit)
        return part.widen(found)
    require_feasible(part.table, require, method, suppression_limit=suppression_limit)
    n = part.table.n_rows + gone
    most = allowed(suppression_limit, n) - gone
    found = _group_part(part, require, method, seed, publication, most, blocks, progress)
    require_enough(n, gone + found.n_suppressed, suppression_limit)
    return part.widen(found)


def _group_part(
    part: Part,
    require: Sequence[Requirement],
    method: Method,
    seed: int,
    publication: Publication,
    most: int,
    blocks: int | Literal["auto"] | None,
    progress: Progress | None,
) -> Grouping:
    """Group a part; where the method leaves out more than ``most`` rows, one group may be all."""
    table, refusal, count = part.table, None, 1
    if most < 0:  # too few are left, whatever becomes of them
        return Grouping(np.zeros(table.n_rows, dtype=np.int32))
    own = method.suppressing_at_most(most, table)
    try:
        if table.schema.linkage == "all-rows":
            require_linkable(table.schema, require, method)
            rng = np.random.default_rng(seed)
            found = _group_people(table, require, own, publication, rng, progress)
        else:
            needs = pinned(table, require)
            count = _count_blocks(table, method, blocks)
            if count > 1 or (blocks is not None and method.in_blocks):  # as other engines do
                found = group_in_blocks(table, needs, own, count, seed=seed, progress=progress)
            else:
                rng = np.random.default_rng(seed)
                found = own.group(table, needs, rng=rng, progress=progress)
            count = found.blocks
            found = hold_as_published(table, found, require, method, publication, most)
    except InfeasibleError as error:
        found, refusal = Grouping(np.full(table.n_rows, SUPPRESSED, dtype=np.int32)), error
    if found.n_suppressed > most or not found.n_groups:
        needs = [each.against(None) for each in require]
        whole = method.one_group(table, needs)
        if whole is not None and holds(needs, table, np.arange(table.n_rows)):
            return whole
        if refusal is not None:
            raise refusal
    return replace(found, blocks=count)


def _group_people(
    table: Table,
    require: Sequence[Requirement],
    method: Method,
    publication: Publication,
    rng: np.random.Generator,
    progress: Progress | None,
) -> Grouping:
    """Group people by their first rows; the others follow, and cells cover them all.

    So all rows of a person show the same cells, and whoever fits one of them fits all. What is
    required of values is held by merging groups, which parts nobody's rows.
    """
    assert table.people is not None, "a schema that says so names an entity"
    _, first, person = np.unique(table.people, return_index=True, return_inverse=True)
    order = np.sort(first)
    number = np.searchsorted(order, first)[person.reshape(-1)]
    sizes = [each for each in require if each.size_only] or [
        KAnonymity(max(2, least_size(require)))
    ]
    found = method.group(table.take(order), sizes, rng=rng, progress=progress)
    grouping = replace(found, labels=found.labels[number])
    columns = table.trees if method.numbers == "tree" else table.quasi
    grouping = complete(table, grouping, require, columns)
    if publication.names_groups:
        return grouping

    def show(groups: Grouping) -> Recoded:
        return publication.recode(table, groups, numbers=method.numbers)

    return merge_indistinguishable(table, grouping, require, columns, show)


def _group_across(
    part: Part,
    requirement: Requirement,
    method: Method,
    suppression_limit: float,
    seed: int,
    known: Signatures | None,
    progress: Progress | None,
) -> Grouping:
    """Find classes that keep the values that earlier releases showed; counterfeits fill them."""
    from shoal.methods._invariance import Signatures, group_invariant  # most runs do without

    table = part.table
    if known is None:
        require_feasible(table, [requirement], method, suppression_limit=suppression_limit)
        known = Signatures.none(part.n_input)
    requirement.require_fitting(one_group(table, [requirement]))
    how = method.closeness(table, rng=np.random.default_rng(seed))
    assert how is not None, "the combination was judged before"
    (column,) = table.sensitive  # the forms that publish counterfeits have one
    known = known.take(part.rows)
    return group_invariant(
        table, column, requirement.least_size, how, known=known, progress=progress
    )


def _count_blocks(table: Table, method: Method, asked: int | Literal["auto"] | None) -> int:
    """Say in how many blocks a table is to be grouped."""
    if asked == "auto":
        return blocks_for(table.n_rows) if method.in_blocks else 1
    return asked or 1


def hold_as_published(
    table: Table,
    groups: Grouping,
    require: Sequence[Requirement],
    method: Method,
    publication: Publication,
    most: int,
) -> Grouping:
    """Let groups hold as a reader sees them: those of equal cells as one, beside the others."""
    columns = table.trees if method.numbers == "tree" else table.quasi

    def show(groups: Grouping) -> Recoded:
        return publication.recode(table, groups, numbers=method.numbers)

    def unite(groups: Grouping, needs: Sequence[Requirement]) -> Grouping:
        if publication.names_groups:
            return groups
        return merge_indistinguishable(table, groups, needs, columns, show)

    return merge_or_drop_failing(
        table,
        unite(groups, pinned(table, require)),
        require,
        columns,
        most=most,
        unite=unite,
    )


def refinement_of(
    plan: Plan,
    method: Method,
    form: Publication,
    table: Table,
    require: Sequence[Requirement],
    groups: Grouping,
) -> Refinement | None:
    """Say how groups are refined: as the plan says, or as the method does, where they can be.

    A plan may say how many times as long as the method, or else `Auto`, would.

    Where people say among how many they want to be, no requirement says how large groups become;
    those that were found do.
    """
    asked = plan.refinement()
    if asked is not None and asked.times is None:
        return asked
    if asked is None:
        if table.schema.linkage == "all-rows":  # it moves rows one by one
            return None
        own = Combination(method, tuple(require), form, plan.publication.missing, refined=True)
        if any(refusal.part == "refine" for refusal in refusals(own)):
            return None
    if any(isinstance(each, Private) for each in require):
        sizes = np.bincount(groups.labels[groups.rows])
        around = int(sizes @ sizes) // max(int(sizes.sum()), 1)  # a row, on average
        require = [*require, KAnonymity(max(around, 2))]
    usual = method.refinement(table, require)
    if asked is None:
        return usual
    usual = usual or method_of(None).refinement(table, require)
    return None if usual is None else asked.in_steps(usual)


def bounding_of(
    plan: Plan, method: Method, form: Publication, table: Table, require: Sequence[Requirement]
) -> Bounding | None:
    """Say how a bound is sought: as the plan says, or as the method itself does, where it holds."""
    asked = plan.bounding()
    if asked is not None and asked.times is None:
        return asked
    usual = method.bounding(table, require) if form.unbounded is None else None
    if asked is None:
        return usual
    usual = usual or method_of(None).bounding(table, require)
    return None if usual is None else asked.in_looks(usual)


def require_bound_to_stop_at(plan: Plan) -> None:
    """Refuse to refine until a bound is near that nobody asked for (`ParameterError`)."""
    refinement, bounding = plan.refinement(), plan.bounding()
    if refinement is None or refinement.within is None:
        return
    if bounding is None or bounding.times == 0 or bounding.measure != refinement.measure:
        raise ParameterError(
            f"To refine until the loss is within {refinement.within:g} of the best possible needs "
            f"a lower bound by {refinement.measure}.",
            "Add bound, such as [bound] seconds = 10, or leave out within.",
        )


def bound_groups(
    part: Part,
    grouping: Grouping,
    require: Sequence[Requirement],
    method: Method,
    asked: Bounding,
    *,
    publication: Publication,
    progress: Progress | None = None,
) -> LowerBound:
    """Find what any grouping of the part loses at least, with cells like the publication's.

    Ranges are rounded to a grid that follows the published rows. So where a row is left out, the
    bound is that of observed ends, which cost less.
    """
    from shoal.improve.lower_bound import bound_of  # most runs do without

    every_row = not (grouping.labels[part.rows] < 0).any()
    return bound_of(
        part.table,
        least_size(require),
        asked.measured,
        numbers=method.numbers,
        bounds=(publication.bounds or "rounded") if every_row else "observed",
        seconds=asked.seconds,
        looks=asked.looks,
        progress=progress,
    )


def compare_with_bound(
    found: LowerBound,
    part: Part,
    grouping: Grouping,
    asked: Bounding,
    *,
    numbers: Literal["intervals", "tree"],
    publication: Publication,
    partly: bool = False,
) -> LossBound:
    """Put the bound of a part beside what its groups lose.

    Parameters
    ----------
    partly
        Whether rows or columns were left out before.
    """
    kept = replace(grouping, labels=grouping.labels[part.rows])
    recoded = publication.recode(part.table, kept, numbers=numbers)
    lost = asked.measured.of(Pair(part.table, recoded))
    most = found.most or 1.0
    return LossBound(found.measure, found.k, lost / most, found.value / most, partly)


def refine_groups(
    part: Part,
    grouping: Grouping,
    require: Sequence[Requirement],
    method: Method,
    refinement: Refinement,
    *,
    seed: int,
    publication: Publication,
    suppression_limit: float = 0.05,
    least: float | None = None,
    watch: Watch | None = None,
) -> Refined:
    """Refine groups; if what then holds as it is published loses more, they stay as they were."""
    from shoal.improve import refine  # most runs do without

    table, rows = part.table, part.rows
    start = replace(grouping, labels=grouping.labels[rows])
    made = refine(
        table,
        start,
        require,
        refinement,
        rng=np.random.default_rng([seed, REFINING]),
        numbers=method.numbers,
        bounds=publication.bounds or "rounded",
        least=least,
        watch=watch,
    )
    most = allowed(suppression_limit, table.n_rows)
    groups = hold_as_published(table, made.grouping, require, method, publication, most)
    loss = {}
    for name, each in (("before", start), ("after", groups)):
        recoded = publication.recode(table, each, numbers=method.numbers)
        loss[name] = refinement.measured.of(Pair(table, recoded))
    better = loss["after"] <= loss["before"] and groups.n_suppressed <= start.n_suppressed
    return replace(
        made,
        grouping=part.widen(groups) if better else grouping,
        before=loss["before"],
        after=loss["after"] if better else loss["before"],
        settled=made.settled and np.array_equal(groups.labels, made.grouping.labels) and better,
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
