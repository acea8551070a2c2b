"""Find groups that hold as they are published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from shoal.engines.blocks.cutting import blocks_for
from shoal.engines.blocks.working import group_in_blocks
from shoal.engines.setting import Setting
from shoal.errors import InfeasibleError
from shoal.methods import Progress
from shoal.methods._relative import merge_or_drop_failing, pinned
from shoal.models import KAnonymity, Requirement
from shoal.models.exact.shares import allowed
from shoal.plan.compatibility import require_linkable
from shoal.plan.feasibility import require_enough
from shoal.publications.groups.completing import complete, holds, least_size
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.publications.groups.indistinguishable import merge_indistinguishable
from shoal.release.again import across
from shoal.table import Table

if TYPE_CHECKING:
    from shoal.methods._invariance import Signatures


def group(
    table: Table,
    require: Sequence[Requirement],
    setting: Setting,
    *,
    gone: int = 0,
    known: Signatures | None = None,
    progress: Progress | None = None,
) -> Grouping:
    """Find groups in a table that was found feasible, or in what is left of it.

    Unless the publication names groups, those that show the same cells are one to a reader, and
    must hold as one. Requirements that compare a group with all published ones are given the
    publishable rows to compare with at first; then groups that fail beside the others are merged.
    Nothing is refused that one group holds.

    `gone`: how many rows were left out before, of those that the limit is a share of.
    `known`: what earlier releases showed of the rows of the input, if there are any.
    """
    limit = setting.suppression_limit
    invariant = across(require)
    if invariant is not None:
        found = _group_across(table, invariant, setting, known, progress)
    else:
        most = allowed(limit, table.n_rows + gone) - gone
        found = _group_table(table, require, setting, most, progress)
    require_enough(table.n_rows + gone, gone + found.n_suppressed, limit)
    padding = {name: added for name, added in found.padding.items() if len(added)}
    return replace(found, labels=found.labels.astype(np.int32, copy=False), padding=padding)


def _group_table(
    table: Table,
    require: Sequence[Requirement],
    setting: Setting,
    most: int,
    progress: Progress | None,
) -> Grouping:
    """Group rows; where the method leaves out more than ``most`` of them, one group may be all."""
    refusal, count = None, 1
    if most < 0:  # too few are left, whatever becomes of them
        return Grouping(np.zeros(table.n_rows, dtype=np.int32))
    method, seed = setting.method, setting.seed
    own = replace(setting, method=method.suppressing_at_most(most, table))
    try:
        if table.schema.linkage == "all-rows":
            require_linkable(table.schema, require, method)
            found = _group_people(table, require, own, progress)
        else:
            needs = pinned(table, require)
            if setting.blocks is not None and method.in_blocks:
                count = blocks_for(table.n_rows) if setting.blocks == "auto" else setting.blocks
                found = group_in_blocks(
                    table, needs, own.method, count, seed=seed, progress=progress
                )
            else:
                rng = np.random.default_rng(seed)
                found = own.method.group(table, needs, rng=rng, progress=progress)
            count = found.blocks
            found = hold_as_published(table, found, require, setting, most)
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
    table: Table, require: Sequence[Requirement], setting: Setting, progress: Progress | None
) -> Grouping:
    """Group people by their first rows; the others follow, and cells cover them all.

    So all rows of a person show the same cells, and whoever fits one of them fits all. What is
    required of values is held by merging groups, which parts nobody's rows.
    """
    assert table.people is not None, "a schema with several rows per person names an entity"
    _, first, person = np.unique(table.people, return_index=True, return_inverse=True)
    order = np.sort(first)
    number = np.searchsorted(order, first)[person.reshape(-1)]
    sizes = [each for each in require if each.size_only] or [
        KAnonymity(max(2, least_size(require)))
    ]
    rng = np.random.default_rng(setting.seed)
    found = setting.method.group(table.select(order), sizes, rng=rng, progress=progress)
    grouping = replace(found, labels=found.labels[number])
    grouping = complete(table, grouping, require, setting.columns(table))
    return _united(table, setting, grouping, require)


def _group_across(
    table: Table,
    requirement: Requirement,
    setting: Setting,
    known: Signatures | None,
    progress: Progress | None,
) -> Grouping:
    """Find classes that keep the values that earlier releases showed; counterfeits fill them."""
    from shoal.methods._invariance import Signatures, group_invariant  # most runs do without

    if known is None:
        known = Signatures.none(table.n_rows)
    requirement.require_fitting(one_group(table, [requirement]))
    how = setting.method.closeness(table, rng=np.random.default_rng(setting.seed))
    assert how is not None, "the combination was judged before"
    (column,) = table.sensitive  # the forms that publish counterfeits have one
    return group_invariant(
        table, column, requirement.least_size, how, known=known, progress=progress
    )


def hold_as_published(
    table: Table, groups: Grouping, require: Sequence[Requirement], setting: Setting, most: int
) -> Grouping:
    """Let groups hold as a reader sees them: those of equal cells as one, beside the others."""
    unite = partial(_united, table, setting)
    united = unite(groups, pinned(table, require))
    columns = setting.columns(table)
    return merge_or_drop_failing(table, united, require, columns, most=most, unite=unite)


def _united(
    table: Table, setting: Setting, groups: Grouping, needs: Sequence[Requirement]
) -> Grouping:
    """Make one of groups that show the same, unless the publication names groups."""
    if setting.publication.names_groups:
        return groups
    columns = setting.columns(table)
    return merge_indistinguishable(table, groups, needs, columns, partial(setting.show, table))
