"""The way of the data, one function per step; every face of Shoal calls only these."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from shoal.base.arguments import BLOCK_COUNT, is_block_count
from shoal.base.shuffling import CLASS_IDS, COUNTERFEIT_PLACES, permutation
from shoal.engines.groups import (
    bound_groups,
    bounding_of,
    compare_with_bound,
    possible_rows,
    refine_groups,
    refinement_of,
    require_bound_to_stop_at,
    require_enough,
    require_feasible,
    require_linkable,
)
from shoal.engines.rebuilding import Encoder, Encoding, found_trees, group_encoded, rebuild
from shoal.errors import ParameterError, a_type
from shoal.improve import Refinement
from shoal.improve.loss_bound import Bounding
from shoal.judging.remarks import column_remarks
from shoal.judging.verification import verify
from shoal.measures import Pair, cells_by_fate, informed_losses, measure_all, weighed
from shoal.methods import Method, method_of
from shoal.models import Requirement, Requirements, private_columns, requirements
from shoal.plan import Plan, PopulationPlan, PublicationPlan, WeightsPlan
from shoal.plan.compatibility import require_compatible
from shoal.plan.reading import (
    read as read,
    read_original,
    read_population as read_population,
    read_source as read_source,
    require_population,
)
from shoal.publications import Made, Publication
from shoal.publications.groups.grouping import Grouping
from shoal.publications.groups.missing_policy import complete_rows
from shoal.publications.published import Published
from shoal.publications.recoding import Recoded, lone_ends
from shoal.release import Release, require_passed, require_writable
from shoal.release.again import (
    across,
    groups_of,
    names_of,
    require_apart,
    require_one_row_each,
    verify_across,
)
from shoal.release.delivery import require_deliverable
from shoal.release.remarks import remarks
from shoal.release.replaced import ReplacedRelease
from shoal.table import Table
from shoal.table.schema import Schema, SchemaLike, as_schema

if TYPE_CHECKING:
    from shoal.release import OpenedRelease
    from shoal.release.earlier import Earlier

__all__ = ["Report", "Watch", "anonymize", "run"]

Report: TypeAlias = Callable[[str, int, int], None]
"""Called with the step's name, the work done and the work in all."""

Watch: TypeAlias = Callable[[float, float | None], None]
"""Called while groups are refined: what is lost so far, and at least (``None``: nobody knows)."""


def anonymize(
    data: Any,
    plan: Plan | SchemaLike,
    *,
    require: Requirements | None = None,
    method: Method | str | Mapping[str, Any] | None = None,
    refine: Refinement | Mapping[str, Any] | None = None,
    bound: Bounding | Mapping[str, Any] | Literal["auto"] | None = "auto",
    blocks: int | Literal["auto"] | None = None,
    publication: str | Publication | None = None,
    quasi_cells: str | None = None,
    sensitive_cells: str | None = None,
    bounds: str | None = None,
    missing: str = "keep",
    suppression_limit: float = 0.05,
    weights: str | Mapping[str, float] | None = None,
    label: str | None = None,
    seed: int | None = None,
    again: OpenedRelease | str | PathLike[str] | None = None,
    population: Any = None,
    progress: Report | None = None,
    watch: Watch | None = None,
) -> Release:
    """Make a release: group, publish, verify, measure. Nothing is written to disk.

    `shoal.anonymize` takes columns in lists as well, and says what the arguments mean.

    Raises
    ------
    VerificationError
        If what the method made does not hold what is required; no release is given.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({"name": "identifier", "age": "quasi", "sex": "quasi",
    ...     "zip": "quasi", "disease": "sensitive"})
    >>> anonymize(shoal.datasets.patients(1), schema, require=2)
    Release(5 rows, 2 classes, k = 2, verified)
    """
    if not isinstance(plan, Plan | Mapping):
        raise ParameterError(
            f"The second argument must be a Plan, a Schema or a role per column, not "
            f"{a_type(plan)}.",
            "Read a plan file with shoal.Plan.read.",
        )
    if progress is not None and not callable(progress):
        raise ParameterError(
            f"progress must be a function, not {a_type(progress)}.",
            "It is called with the step's name, the work done and the work in all.",
        )
    if isinstance(plan, Plan):
        said = (require, method, refine, publication, quasi_cells, sensitive_cells, bounds)
        told = any(each is not None for each in (*said, blocks, weights, label, seed))
        if told or (bound, missing, suppression_limit) != ("auto", "keep", 0.05):
            raise ParameterError(
                "A plan already says what is required and by which method.",
                "Give a plan, or a schema with require and method.",
            )
        schema, needs, how = plan.schema_(), plan.requirements(), plan.build_method()
    else:
        if not is_block_count(blocks):
            raise ParameterError(f"blocks {BLOCK_COUNT}, not {blocks!r}.", "Such as 16.")
        schema, needs, how = as_schema(plan), requirements(require), method_of(method)
        schema, found = _weigh(schema, weights, label)
        form = _form(
            publication,
            quasi_cells=quasi_cells,
            sensitive_cells=sensitive_cells,
            bounds=bounds,
        )
        plan = Plan.of(
            schema,
            needs,
            how,
            PublicationPlan.of(
                **form, missing=missing, suppression_limit=suppression_limit, seed=seed
            ),
            found,
            None if refine is None else Refinement.of(refine),
            _bounding(bound),
            blocks,
        )
    how.validate()
    asked = plan.combination(how, needs)
    plan = plan.model_copy(update={"publication": plan.publication.completed(how)})
    require_compatible(asked, schema)
    require_linkable(schema, needs, how, refined=asked.refined, blocks=asked.blocks)
    needs = [each.bind(schema) for each in needs]
    people = plan.population_path if population is None else population
    require_population(people, needs, schema)
    place = str(Path(people).resolve()) if isinstance(people, str | PathLike) else None
    how_read = plan.population or PopulationPlan()
    kept = None if place is None else how_read.model_copy(update={"path": place})
    plan = plan.model_copy(update={"population": kept})
    earlier = None if again is None else _earlier(again, needs, schema)
    report, watching = progress or _quiet, watch or _unwatched
    return _release(data, plan, schema, needs, how, report, watching, earlier, people)


def run(
    plan: Plan,
    *,
    data: Any = None,
    output: str | PathLike[str] | None = None,
    again: str | PathLike[str] | None = None,
    progress: Report | None = None,
    watch: Watch | None = None,
) -> Release:
    """Read the plan's table, make the release and write it.

    Parameters
    ----------
    data, output
        A table and a folder to use instead of the plan's.
    again
        The folder of the release that this one goes on from (see `shoal.anonymize`).
    progress, watch
        What is told on the way: see `Report` and `Watch`.
    """
    if not isinstance(plan, Plan):
        raise ParameterError(
            f"run takes a plan, not {a_type(plan)}.",
            "Read one with shoal.Plan.read, or call shoal.anonymize.",
        )
    target = plan.output_path if output is None else output
    require_writable(target, plan.output.format)
    source = plan.source if data is None else data
    require_deliverable(plan, source)
    if again is not None:
        require_apart(target, again)
    replaced = ReplacedRelease.find(target)
    release = anonymize(source, plan, again=again, progress=progress, watch=watch)
    with _step("write", release.seconds, progress or _quiet):
        release.write(target)
    warning = "" if replaced is None else replaced.warning(release)
    return replace(release, warnings=(warning,)) if warning else release


def publish(
    table: Table,
    grouping: Grouping,
    publication: Publication,
    method: Method,
    suppressed: Sequence[str] = (),
    *,
    seed: int | None = None,
) -> Made:
    """Make the published tables of a grouping; the seed draws the ids of its groups."""
    ids = permutation(grouping.n_groups, seed, CLASS_IDS) + 1
    made = publication.make(table, grouping, ids, numbers=method.numbers, suppressed=suppressed)
    return replace(made, published=_mixed(made.published, seed))


def _mixed(published: Published, seed: int | None) -> Published:
    """Put counterfeit rows at random places; the others keep their order."""
    added = published.counterfeit_rows
    if added is None:
        return published
    places = permutation(len(added), seed, COUNTERFEIT_PLACES)
    mixed = np.zeros_like(added)
    mixed[places[: int(added.sum())]] = True
    order = np.empty(len(added), dtype=np.int64)
    order[~mixed], order[mixed] = np.flatnonzero(~added), np.flatnonzero(added)
    return replace(published, table=published.coded.take(order), counterfeit_rows=mixed)


def measure(table: Table, recoded: Recoded) -> dict[str, float]:
    """Take every measure that makes sense of a publication of all rows."""
    return measure_all(Pair(table, recoded))


def measure_informed(both: Pair, plan: Plan, method: Method) -> dict[str, float]:
    """Take the losses of Gu and Dong (2022) that the weights of a plan or method ask for."""
    asked: list[tuple[Any, str | None]] = [(method.weighing, method.label)]
    if plan.weights is not None:
        asked.append((plan.weights.kind, plan.weights.label))
    return informed_losses(both, asked)


def _release(
    data: Any,
    plan: Plan,
    schema: Schema,
    require: Sequence[Requirement],
    method: Method,
    report: Report,
    watch: Watch,
    earlier: Earlier | None,
    people: Any,
) -> Release:
    seconds: dict[str, float] = {}

    def step(name: str) -> AbstractContextManager[None]:
        return _step(name, seconds, report)

    seed = plan.publication.seed if method.seed is None else method.seed
    seed = secrets.randbits(53) if seed is None else seed
    form = plan.publication.build(method)
    require_bound_to_stop_at(plan)
    with step("read"):
        source = read_source(data, plan)
        coded = source.table
        population = None if people is None else read_population(people, plan, schema)
    with step("encode"):
        policy, hidden = plan.publication.missing, private_columns(require)
        schema.require_roles(coded.columns)
        encoder = Encoder(coded, schema, require, plan.weights, policy, population)
        whole = encoder.encode()
        if across(require) is not None:
            require_one_row_each(whole.table)
        known = None if earlier is None else earlier.known(whole.table)
        complete = _complete(encoder, whole) if policy == "drop" else whole
        fitting = possible_rows(complete.table, complete.require)
        every = len(fitting) == complete.n_rows
        if not every:
            limit = plan.publication.suppression_limit
            require_feasible(complete.table, complete.require, method, suppression_limit=limit)
        grouped = complete if every else encoder.encode_kept(complete, fitting)
        seen = column_remarks(grouped.table.coded, grouped.table.schema.without(hidden))
        again = None
        if isinstance(data, str | PathLike):  # nobody else holds what is left out of the release
            again = partial(read_original, data, plan, whole.asked)
            needed = [*_needed(whole.table.schema, plan, method), *hidden]
            encoder = replace(encoder, coded=coded.only(needed))
            same = grouped is whole
            whole = whole.only(needed)
            grouped = whole if same else grouped.only(needed)
        source = source._replace(table=encoder.coded)
        del coded
        if known is not None:
            table = grouped.table
            column = next(iter(table.sensitive))
            grouped = replace(grouped, table=table.with_values(column, known.labels))
    with step("group"):
        grouped, part, grouping = group_encoded(
            encoder,
            grouped,
            method,
            publication=form,
            seed=seed,
            blocks=plan.blocks,
            limit=plan.publication.suppression_limit,
            known=None if known is None else known.take(grouped.rows),
            progress=lambda done, total: report("group", done, total),
        )
        require, blocks = grouped.require, grouping.blocks
    refined = found = None
    bounding = bounding_of(plan, method, form, part.table, require)
    if bounding is not None:
        with step("bound"):
            found = bound_groups(
                part,
                grouping,
                require,
                method,
                bounding,
                publication=form,
                progress=lambda done, total: report("bound", done, total),
            )
    refinement = refinement_of(plan, method, form, part.table, require, grouping)
    if refinement is not None:
        with step("refine"):
            by_same = found is not None and found.measure == refinement.measure
            least = found.value if found is not None and by_same else None

            def told(done: int, total: int, loss: float) -> None:
                report(f"refine: {refinement.measure} {loss:,.4g}", done, total)
                watch(loss, least)

            refined = refine_groups(
                part,
                grouping,
                require,
                method,
                refinement,
                seed=seed,
                publication=form,
                suppression_limit=plan.publication.suppression_limit,
                least=least,
                watch=told,
            )
            grouping = refined.grouping
    before = grouping
    with step("recode"):
        kept, groups = rebuild(
            encoder,
            grouped,
            grouping,
            method,
            suppressed_columns=part.suppressed_columns,
            publication=form,
            seed=seed,
            blocks=plan.blocks,
            limit=plan.publication.suppression_limit,
        )
        lost = complete.n_rows - kept.n_rows
        require_enough(complete.n_rows, lost, plan.publication.suppression_limit)
        table, require = kept.table, kept.require
        fixed = plan.publication.fixed_seed(method)
        made = publish(table, groups, form, method, part.suppressed_columns, seed=fixed)
        grouping = kept.widen(groups, whole.n_rows)
    with step("verify"):
        proof = verify(
            made.published,
            kept.asked,
            require,
            original=encoder.coded,
            rows=kept.rows,
            centres=made.published.centres,
            population=population,
        )
        if across(require) is not None:
            proof = verify_across(
                proof,
                require,
                made.published,
                table.schema,
                groups=groups_of(made.published, groups),
                names=names_of(whole.table)[kept.rows],
                earlier=earlier,
            )
        require_passed(
            proof, "Nothing was published: take another method, and report this one as a defect."
        )
    with step("measure"):
        both = Pair(table, made.recoded, removed=whole.n_rows - kept.n_rows)
        measures = measure_all(both) | measure_informed(both, plan, method)
        fates = cells_by_fate(both)
        observed = form.bounds == "observed" and method.numbers == "intervals"
        ends = lone_ends(table, made.recoded) if observed else None
        bound = None
        if found is not None and bounding is not None:
            bound = compare_with_bound(
                found,
                part,
                before,
                bounding,
                numbers=method.numbers,
                publication=form,
                partly=bool(part.suppressed_columns) or grouped.n_rows < whole.n_rows,
            )
        if lost:
            seen = _seen(kept, data, plan, hidden)
    return Release(
        published=replace(made.published, given=data),
        publication=form,
        remarks=(*remarks(table, groups, require, seen, ends), *proof.remarks),
        lone_ends=ends,
        original=data,
        plan=plan,
        schema=kept.asked,
        whole=whole.table,
        given=encoder.coded,
        require=require,
        method=method,
        grouping=grouping,
        refinement=refinement,
        refined=refined,
        bound=bound,
        blocks=blocks,
        read_again=again,
        to_be_found=found_trees(schema) if kept.n_rows < whole.n_rows else frozenset(),
        n_dropped=whole.n_rows - complete.n_rows,
        suppressed_columns=part.suppressed_columns,
        pair=both,
        measures=measures,
        fates=fates,
        verification=proof,
        seed=seed,
        seconds=seconds,
        read_as=source.read_as,
        dialect=source.dialect,
        decimal_columns=source.numbers if plan.input.decimal else None,
        earlier=earlier,
        population=population,
        again={} if earlier is None or known is None else earlier.counts(known, grouping),
    )


def _complete(encoder: Encoder, whole: Encoding) -> Encoding:
    """Encode the rows that miss no quasi-identifier, if others do."""
    rows = complete_rows(encoder.coded, encoder.schema)
    return whole if len(rows) == whole.n_rows else encoder.encode_kept(whole, rows)


def _seen(kept: Encoding, data: Any, plan: Plan, hidden: Collection[str]) -> list[str]:
    """Remark on the columns of the rows that stay; what was not kept in memory is read again."""
    coded = kept.table.coded
    gone = [name for name in kept.asked if not coded.holds(name)]
    if gone:
        again = read_source(data, plan).table
        coded = coded.with_dictionaries({name: again[name].take(kept.rows) for name in gone})
    return column_remarks(coded, kept.table.schema.without(hidden))


def _earlier(
    again: OpenedRelease | str | PathLike[str], require: Sequence[Requirement], schema: Schema
) -> Earlier:
    """Open the release to go on from; refuse what cannot go on from it."""
    from shoal.release.earlier import Earlier  # most runs do without

    found = Earlier.of(again)
    found.require_fitting(across(require), schema)
    return found


def _needed(schema: Schema, plan: Plan, method: Method) -> list[str]:
    """List the columns whose cells are looked at after all remarks on columns are made."""
    label = None if plan.weights is None else plan.weights.label
    others = (schema.entity, method.label, label)
    return [*schema.quasi, *schema.untouched, *(name for name in others if name is not None)]


@contextmanager
def _step(name: str, seconds: dict[str, float], report: Report) -> Iterator[None]:
    """Report the start and the end of a step, and note how long it took."""
    report(name, 0, 1)
    began = time.perf_counter()
    yield
    seconds[name] = round(time.perf_counter() - began, 4)
    report(name, 1, 1)


def _weigh(
    schema: Schema, weights: str | Mapping[str, float] | None, label: str | None
) -> tuple[Schema, WeightsPlan | None]:
    """Take weights as they are given, or note how they will be found in the table."""
    if weights is None:
        if label is not None:
            raise ParameterError(
                "A label is only used to weigh columns.", 'Add weights="mutual-information".'
            )
        return schema, None
    if isinstance(weights, Mapping):
        return weighed(None, schema, weights, label), None
    found = WeightsPlan.of(weights, label)
    for name in schema.quasi:  # what is found replaces what the schema says
        schema = schema.with_column(name, weight=1.0)
    return schema, found


def _bounding(bound: Any) -> Bounding | None:
    """Take ``None`` for "not at all"; a plan that says nothing leaves it to the method."""
    if isinstance(bound, str) and bound == "auto":
        return None
    return Bounding(times=0) if bound is None else Bounding.of(bound)


def _form(publication: str | Publication | None, **options: str | None) -> dict[str, Any]:
    """Take a form by its name, or with its options."""
    made = {"form": publication}
    if isinstance(publication, Publication):
        made = publication.to_spec()
    return made | {name: option for name, option in options.items() if option is not None}


def _quiet(step: str, done: int, total: int) -> None:
    """Report nothing."""


def _unwatched(loss: float, least: float | None) -> None:
    """Let nobody watch."""
