"""Encode a table, and encode the rows that stay anew once others were left out.

What is public is a function of the published rows and the plan. Rows that are dropped for a
missing cell are gone before anything is encoded; so is the surplus of values that are too frequent
before anything is grouped. Which other rows a method suppresses is known only after it has grouped
them; then ranges, trees and weights are found again in the rows that stay,
and their groups show, and hold, what follows from these.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from shoal.engines.blocks.points import canonical_order
from shoal.engines.groups import group, hold_as_published
from shoal.engines.setting import Setting
from shoal.errors import InfeasibleError
from shoal.io.frames import Coded
from shoal.measures import weighed
from shoal.methods import Progress
from shoal.models import Requirement
from shoal.plan import WeightsPlan
from shoal.plan.feasibility import require_feasible
from shoal.publications.groups.counting import with_private
from shoal.publications.groups.grouping import Grouping, Padding
from shoal.publications.groups.missing_policy import MissingPolicy, apply_missing_policy
from shoal.publications.groups.possible import rows_without_surplus
from shoal.release.again import across
from shoal.table import Table
from shoal.table.hierarchies import Builder, Flat, Hierarchy
from shoal.table.preparing import with_formats, with_preparation_of
from shoal.table.schema import Kind, Schema

if TYPE_CHECKING:
    from shoal.methods._invariance import Signatures

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Encoding:
    """A table as codes, with all that follows from its rows."""

    table: Table
    requested: Schema
    """The schema with the trees and weights of these rows, and with what is required of cells as
    they come in."""
    require: tuple[Requirement, ...]
    """What must hold, bound to these trees."""
    rows: Rows
    """The rows of the input that the table holds."""

    def only(self, names: Collection[str]) -> Encoding:
        """Forget the cells of all other columns; codes stay."""
        return replace(self, table=replace(self.table, coded=self.table.coded.only(names)))


@dataclass(frozen=True, eq=False)
class Encoder:
    """Encodes the rows of a table, or some of them, as the plan says."""

    coded: Coded
    """The table as it came in."""
    schema: Schema
    require: Sequence[Requirement]
    """The columns and what must hold, before any tree is built."""
    weights: WeightsPlan | None = None
    policy: MissingPolicy = "keep"
    population: Coded | None = None

    def encode(
        self, rows: Rows | None = None, private: Mapping[str, Any] | None = None
    ) -> Encoding:
        """Encode some of the rows, as if there had never been others.

        `private`: columns that no release holds, already encoded: what somebody asks for in a row
        that is left out counts in the others.
        """
        coded = self.coded if rows is None else self.coded.take(rows)
        schema = with_formats(coded, self.schema)
        if self.weights is not None:
            schema = weighed(coded, schema, self.weights.kind, self.weights.label)
        table = Table.encode(
            coded,
            schema,
            empty_columns=self.policy == "suppress-column",
            part=rows is not None,
            population=self.population,
        )
        require = tuple(each.bind(table.schema) for each in self.require)
        table = with_private(replace(table, private=private or {}), require)
        every = np.arange(self.coded.height) if rows is None else rows
        requested = with_preparation_of(table.schema, schema)
        return Encoding(table, requested, require, every)

    def levels_follow_rows(self, encoded: Encoding) -> bool:
        """Say whether what levels are chosen of follows from the rows, and not from the plan alone.

        That is where nodes of some tree do, or where columns with missing cells are set aside.
        """
        built = has_built_trees(self.schema, encoded.table.schema)
        return built or self.policy == "suppress-column"

    def set_aside(self, encoded: Encoding) -> tuple[str, ...]:
        """List the columns that show nothing: what they miss is missing in these rows."""
        if self.policy != "suppress-column":
            return ()
        return tuple(n for n, count in encoded.table.missingness.columns.items() if count)

    def encode_kept(self, whole: Encoding, kept: Rows) -> Encoding:
        """Encode the rows that stay of a table (by their places in it) anew."""
        private = {name: each.take(kept) for name, each in whole.table.private.items()}
        return self.encode(whole.rows[kept], private)


def group_encoded(
    encoder: Encoder,
    whole: Encoding,
    setting: Setting,
    *,
    known: Signatures | None = None,
    progress: Progress | None = None,
) -> tuple[Encoding, Table, Grouping]:
    """Group rows less the surplus, encoded as if it had never been there; else all of them.

    Which rows are the surplus is decided first, so their cells move no group of the others.

    `known`: what earlier releases showed of the rows, if there are any.

    Returns
    -------
    encoded, table, grouping
        The rows that were grouped, the columns that they were grouped by, and the groups.
    """
    tried = [whole]
    table, limit = apply_missing_policy(whole.table, encoder.policy), setting.suppression_limit
    if known is None:
        require_feasible(table, whole.require, setting.method, suppression_limit=limit)
    if across(whole.require) is None:
        order = None if setting.blocks is None else canonical_order  # whatever order rows came in
        kept = rows_without_surplus(table, whole.require, order)
        if len(kept) < len(whole.rows):
            tried.insert(0, encoder.encode_kept(whole, kept))
    refusal = None
    for each in tried:
        table = apply_missing_policy(each.table, encoder.policy)
        gone = len(whole.rows) - len(each.rows)
        try:
            found = group(table, each.require, setting, gone=gone, known=known, progress=progress)
        except InfeasibleError as error:
            refusal = refusal or error
        else:
            return each, table, found
    assert refusal is not None
    raise refusal


def rebuild(
    encoder: Encoder, grouped: Encoding, grouping: Grouping, setting: Setting
) -> tuple[Encoding, Grouping]:
    """Encode the rows that stay anew and let their groups hold, until no further row goes.

    Raises `InfeasibleError` if the groups cannot hold in what follows from the rows that stay.
    """
    kept = grouped
    while grouping.n_suppressed:
        before, kept = kept, encoder.encode_kept(kept, grouping.rows)
        kept, grouping = _regrouped(encoder, before, kept, grouping, setting)
    return kept, grouping


def _regrouped(
    encoder: Encoder, before: Encoding, kept: Encoding, grouping: Grouping, setting: Setting
) -> tuple[Encoding, Grouping]:
    """Carry the groups of a table over to the rows that stay, and let them hold there.

    Rows stay in the groups that they were in. Groups that look alike in the new cells are one, or
    are merged until what they show holds. Where levels follow from the data, or where methods add
    values to groups, the rows that stay are grouped anew, and no further row is suppressed: each
    would change the trees again. The rows that stay also know the values that were added to groups.

    `before`: the table that was grouped.
    `kept`: its published rows, encoded anew.
    """
    labels = grouping.labels[grouping.rows]
    empty = [each.name for each in kept.table.quasi if bool((each.codes == each.size).all())]
    aside = {*encoder.set_aside(kept), *empty}
    if len(aside) == len(kept.table.quasi):  # all cells show the same
        return kept, replace(grouping, labels=np.zeros_like(labels), padding={}, levels=None)
    table = kept.table.without(aside)
    if across(kept.require) is not None:
        return _with_padding(before, kept, replace(grouping, labels=labels))
    if setting.publication.carries_padding or (
        grouping.levels is not None and encoder.levels_follow_rows(kept)
    ):
        try:
            strict = replace(setting, suppression_limit=0.0)
            return kept, group(table, kept.require, strict)
        except InfeasibleError:  # levels may be given: then a further round must leave rows out
            return kept, group(table, kept.require, setting)
    carried = replace(grouping, labels=labels, padding={})
    if kept.table.schema.linkage == "all-rows" and setting.publication.names_groups:
        return kept, carried
    held = hold_as_published(table, carried, kept.require, setting, 0)
    return kept, held


def _with_padding(
    before: Encoding, kept: Encoding, grouping: Grouping
) -> tuple[Encoding, Grouping]:
    """Give added values the codes that they have among the rows that stay."""
    table, padding = kept.table, {}
    for name, added in grouping.padding.items():
        labels = [before.table.sensitive[name].labels[each] for each in added.value.tolist()]
        table = table.with_values(name, labels)
        codes = {label: code for code, label in enumerate(table.sensitive[name].labels)}
        value = np.array([codes[label] for label in labels], dtype=np.int64)
        padding[name] = Padding(added.group, value)
    return replace(kept, table=table), replace(grouping, padding=padding)


def found_trees(requested: Schema) -> frozenset[str]:
    """List the columns whose trees are not given, but found in the table."""
    names = (*requested.quasi, *requested.sensitive)
    return frozenset(name for name in names if not _is_planned(requested[name].hierarchy))


def _is_planned(hierarchy: Hierarchy | Builder | None) -> bool:
    return isinstance(hierarchy, Hierarchy) or (hierarchy is not None and hierarchy.planned)


def has_built_trees(requested: Schema, encoded: Schema) -> bool:
    """Say whether a quasi-identifier has a tree with inner nodes that the plan does not name."""
    return any(
        not (_is_planned(requested[name].hierarchy) or isinstance(requested[name].hierarchy, Flat))
        for name in requested.quasi
        if requested[name].hierarchy is not None or encoded[name].kind is not Kind.CATEGORICAL
    )
