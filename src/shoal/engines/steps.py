"""The steps of a table to its release: one function each, on one state.

`read`, `encode`, `group`, `improve`, `publish`, `verify`, `measure`: each reads what the steps
before it found and adds its own. Nothing is written to disk here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.base.shuffling import CLASS_IDS, COUNTERFEIT_PLACES, permutation
from shoal.engines.improving import bounding_of, refine_groups, refinement_of
from shoal.engines.rebuilding import Encoder, Encoding, found_trees, group_encoded, rebuild
from shoal.engines.setting import Clock, Setting
from shoal.improve.loss_bound import LossBound
from shoal.judging import verification
from shoal.judging.remarks import column_remarks
from shoal.measures import Pair, cells_by_outcome, informed_losses, measure_all
from shoal.models import Requirement, private_columns
from shoal.plan import Plan
from shoal.plan.feasibility import require_enough, require_feasible
from shoal.plan.reading import read_original, read_population, read_source
from shoal.publications import Made
from shoal.publications.groups.completing import least_size
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.publications.groups.missing_policy import complete_rows
from shoal.publications.groups.possible import possible_rows
from shoal.publications.published import Published
from shoal.publications.recoding import unique_end_points
from shoal.release import Release, require_passed
from shoal.release.again import across, groups_of, names_of, require_one_row_each, verify_across
from shoal.release.remarks import remarks
from shoal.table import Table
from shoal.table.schema import Schema

if TYPE_CHECKING:
    from shoal.improve import Refined, Refinement
    from shoal.improve.loss_bound import Bounding
    from shoal.improve.lower_bound import LowerBound
    from shoal.io.frames import Coded
    from shoal.judging.verification import Verification
    from shoal.methods._invariance import Signatures
    from shoal.plan.reading import ReadTable
    from shoal.release.earlier import Earlier

Watch: TypeAlias = Callable[[float, float | None], None]
"""Called while groups are refined, with the loss so far and its lower bound (``None``: unknown)."""


@dataclass
class State:
    """A table on its way to a release."""

    data: Any
    """The table as it was given: a frame, a path, an address."""
    plan: Plan
    schema: Schema
    require: tuple[Requirement, ...]
    """The columns and what must hold, before any tree is built."""
    setting: Setting
    people: Any
    """The population, if a requirement counts one."""
    earlier: Earlier | None
    """The release that this one goes on from."""
    clock: Clock
    watch: Watch

    private: list[str] = field(init=False)
    """The columns that requirements read and no release holds."""
    source: ReadTable = field(init=False)
    population: Coded | None = field(init=False, default=None)

    encoder: Encoder = field(init=False)
    whole: Encoding = field(init=False)
    """All rows of the input."""
    grouped: Encoding = field(init=False)
    """The rows that are grouped: first those that the missing-value policy leaves."""
    n_complete: int = field(init=False)
    known: Signatures | None = field(init=False, default=None)
    column_remarks: list[str] = field(init=False)
    read_again: Callable[[], Any] | None = field(init=False, default=None)

    table: Table = field(init=False)
    """The rows that are grouped, with the columns that they are grouped by."""
    groups: Grouping = field(init=False)
    """Of the rows that are grouped; once published, of the rows that are published."""
    blocks: int = field(init=False)

    bounding: Bounding | None = field(init=False, default=None)
    lower_bound: LowerBound | None = field(init=False, default=None)
    refinement: Refinement | None = field(init=False, default=None)
    refined: Refined | None = field(init=False, default=None)

    refined_groups: Grouping = field(init=False)
    kept: Encoding = field(init=False)
    """The rows that are published, encoded as if there had never been others."""
    suppressed_columns: tuple[str, ...] = field(init=False)
    """The columns that show nothing, because published rows miss cells of them."""
    made: Made = field(init=False)
    proof: Verification = field(init=False)


def read(state: State) -> None:
    """Read the table, and the population if there is one."""
    with state.clock.step("read"):
        state.private = private_columns(state.require)
        state.source = read_source(state.data, state.plan)
        if state.people is not None:
            state.population = read_population(state.people, state.plan, state.schema)


def encode(state: State) -> None:
    """Encode all rows, then those that no policy leaves out, as if there had never been others."""
    plan, method = state.plan, state.setting.method
    with state.clock.step("encode"):
        coded, policy = state.source.table, plan.publication.missing
        state.schema.require_roles(coded.columns)
        encoder = Encoder(
            coded, state.schema, state.require, plan.weights, policy, state.population
        )
        whole = encoder.encode()
        if across(state.require) is not None:
            require_one_row_each(whole.table)
        state.known = None if state.earlier is None else state.earlier.known(whole.table)
        complete = whole
        if policy == "drop" and len(rows := complete_rows(coded, state.schema)) < len(whole.rows):
            complete = encoder.encode_kept(whole, rows)
        state.n_complete = len(complete.rows)
        fitting = possible_rows(complete.table, complete.require)
        grouped = complete
        if len(fitting) < len(complete.rows):
            limit = state.setting.suppression_limit
            require_feasible(complete.table, complete.require, method, suppression_limit=limit)
            grouped = encoder.encode_kept(complete, fitting)
        shown = grouped.table.schema.without(state.private)
        state.column_remarks = column_remarks(grouped.table.coded, shown)
        if isinstance(state.data, str | PathLike):  # can be read again: unneeded cells are let go
            state.read_again = partial(read_original, state.data, plan, whole.requested)
            needed = [*_needed(whole.table.schema, state), *state.private]
            encoder = replace(encoder, coded=coded.only(needed))
            grouped = grouped.only(needed)
            whole = grouped if len(grouped.rows) == len(whole.rows) else whole.only(needed)
        if state.known is not None:
            (column,) = grouped.table.sensitive
            table = grouped.table.with_values(column, state.known.labels)
            grouped = replace(grouped, table=table)
        state.source = state.source._replace(table=encoder.coded)
        state.encoder, state.whole, state.grouped = encoder, whole, grouped


def group(state: State) -> None:
    """Find groups that hold as they will be published."""
    with state.clock.step("group"):
        state.grouped, state.table, state.groups = group_encoded(
            state.encoder,
            state.grouped,
            state.setting,
            known=None if state.known is None else state.known.take(state.grouped.rows),
            progress=partial(state.clock.report, "group"),
        )
        state.blocks = state.groups.blocks


def improve(state: State) -> None:
    """Bound what any groups lose at least, and refine those that were found."""
    plan, setting, table = state.plan, state.setting, state.table
    require = state.grouped.require
    state.bounding = bounding_of(plan, setting, table, require)
    if state.bounding is not None:
        with state.clock.step("bound"):
            from shoal.improve.lower_bound import lower_bound  # most runs do without

            # Ranges are rounded to a grid that follows the published rows. So where a row is left
            # out, the bound is that of observed ends, which cost less.
            rounded = setting.publication.bounds or "rounded"
            state.lower_bound = lower_bound(
                table,
                table.schema,
                least_size(require),
                measure=state.bounding.measured,
                numbers=setting.method.numbers,
                bounds="observed" if state.groups.n_suppressed else rounded,
                seconds=state.bounding.seconds,
                looks=state.bounding.looks,
                progress=partial(state.clock.report, "bound"),
            )
    state.refinement = refinement_of(plan, setting, table, require, state.groups)
    if state.refinement is not None:
        with state.clock.step("refine"):
            measure, least = state.refinement.measure, None
            if state.lower_bound is not None and state.lower_bound.measure == measure:
                least = state.lower_bound.value

            def report(done: int, total: int, loss: float) -> None:
                state.clock.report(f"refine: {measure} {loss:,.4g}", done, total)
                state.watch(loss, least)

            state.refined = refine_groups(
                table, state.groups, require, setting, state.refinement, least=least, watch=report
            )
            state.groups = state.refined.grouping
    state.refined_groups = state.groups


def publish(state: State) -> None:
    """Encode the published rows anew, so that nothing else decides what they show; recode them."""
    with state.clock.step("recode"):
        setting = state.setting
        state.kept, state.groups = rebuild(state.encoder, state.grouped, state.groups, setting)
        state.suppressed_columns = state.encoder.set_aside(state.kept)
        lost = state.n_complete - len(state.kept.rows)
        require_enough(state.n_complete, lost, setting.suppression_limit)
        seed = state.plan.publication.fixed_seed(setting.method)
        made = setting.publication.make(
            state.kept.table,
            state.groups,
            permutation(state.groups.n_groups, seed, CLASS_IDS) + 1,
            numbers=setting.method.numbers,
            suppressed=state.suppressed_columns,
        )
        added = made.published.counterfeit_rows
        if added is not None:
            made = replace(made, published=_mixed(made.published, added, seed))
        state.made = made


def _mixed(published: Published, added: npt.NDArray[np.bool_], seed: int | None) -> Published:
    """Put counterfeit rows at random places; the others keep their order."""
    places = permutation(len(added), seed, COUNTERFEIT_PLACES)
    mixed = np.zeros_like(added)
    mixed[places[: int(added.sum())]] = True
    order = np.empty(len(added), dtype=np.int64)
    order[~mixed], order[mixed] = np.flatnonzero(~added), np.flatnonzero(added)
    return replace(published, table=published.coded.take(order), counterfeit_rows=mixed)


def verify(state: State) -> None:
    """Recount the published cells with code that shares nothing with what made them."""
    kept, published = state.kept, state.made.published
    with state.clock.step("verify"):
        proof = verification.verify(
            published,
            kept.requested,
            kept.require,
            original=state.encoder.coded,
            rows=kept.rows,
            centres=published.centres,
            population=state.population,
        )
        if across(kept.require) is not None:
            proof = verify_across(
                proof,
                kept.require,
                published,
                kept.table.schema,
                groups=groups_of(published, state.groups),
                names=names_of(state.whole.table)[kept.rows],
                earlier=state.earlier,
            )
        require_passed(
            proof, "Nothing was published: use another method, and report this one as a defect."
        )
        state.proof = proof


def measure(state: State) -> Release:
    """Measure what was lost, and put the release together."""
    plan, setting, kept, table = state.plan, state.setting, state.kept, state.table
    with state.clock.step("measure"):
        form, method = setting.publication, setting.method
        both = Pair(kept.table, state.made.recoded, removed=len(state.whole.rows) - len(kept.rows))
        measures = measure_all(both) | informed_losses(both, plan.weightings(method))
        outcomes = cells_by_outcome(both)
        observed = form.bounds == "observed" and method.numbers == "intervals"
        ends = unique_end_points(kept.table, state.made.recoded) if observed else None
        bound, least = None, state.lower_bound
        if least is not None and state.bounding is not None:
            shown = setting.show(table, state.refined_groups)
            lost, most = state.bounding.measured.of(Pair(table, shown)), least.most or 1.0
            # Where rows or columns are left out, others were grouped than are published.
            partly = bool(table.set_aside) or len(kept.rows) < len(state.whole.rows)
            bound = LossBound(least.measure, least.k, lost / most, least.value / most, partly)
        if len(kept.rows) < state.n_complete:
            state.column_remarks = _remarks_on_kept(state)
    labels = np.full(len(state.whole.rows), SUPPRESSED, dtype=np.int32)
    labels[kept.rows] = state.groups.labels
    grouping = replace(state.groups, labels=labels)
    found = remarks(kept.table, state.groups, kept.require, state.column_remarks, ends)
    again = {}
    if state.earlier is not None and state.known is not None:
        again = state.earlier.counts(state.known, grouping)
    return Release(
        published=replace(state.made.published, given=state.data),
        publication=form,
        remarks=(*found, *state.proof.remarks),
        unique_end_points=ends,
        original=state.data,
        plan=plan,
        schema=kept.requested,
        whole=state.whole.table,
        given=state.encoder.coded,
        require=kept.require,
        method=method,
        grouping=grouping,
        refinement=state.refinement,
        refined=state.refined,
        bound=bound,
        blocks=state.blocks,
        read_again=state.read_again,
        to_be_found=(
            found_trees(state.schema) if len(kept.rows) < len(state.whole.rows) else frozenset()
        ),
        n_dropped=len(state.whole.rows) - state.n_complete,
        suppressed_columns=state.suppressed_columns,
        pair=both,
        measures=measures,
        outcomes=outcomes,
        verification=state.proof,
        seed=setting.seed,
        seconds=state.clock.seconds,
        read_as=state.source.read_as,
        dialect=state.source.dialect,
        decimal_columns=state.source.numbers if plan.input.decimal else None,
        earlier=state.earlier,
        population=state.population,
        again=again,
    )


def _needed(schema: Schema, state: State) -> list[str]:
    """List the columns whose cells are looked at after all remarks on columns are made."""
    weights = state.plan.weights
    others = (schema.entity, state.setting.method.label, None if weights is None else weights.label)
    return [*schema.quasi, *schema.untouched, *(name for name in others if name is not None)]


def _remarks_on_kept(state: State) -> list[str]:
    """Remark on the columns of the rows that stay; what was not kept in memory is read again."""
    kept = state.kept
    coded = kept.table.coded
    gone = [name for name in kept.requested if not coded.holds(name)]
    if gone:
        again = read_source(state.data, state.plan).table.only(gone).take(kept.rows)
        coded = coded.with_columns({name: again[name] for name in gone})
    return column_remarks(coded, kept.table.schema.without(state.private))
