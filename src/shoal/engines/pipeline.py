"""A table's way to its release; every interface of Shoal calls only these.

`setting.take_steps` is the whole way; `steps` has one function for each step.
"""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from shoal.engines import steps
from shoal.engines.ahead import compiled_ahead
from shoal.engines.improving import require_bound_to_stop_at
from shoal.engines.setting import Clock, Report as Report, Setting, take_steps
from shoal.engines.steps import State, Watch as Watch
from shoal.errors import ParameterError, a_type
from shoal.methods import Method
from shoal.plan import Plan, PopulationPlan
from shoal.plan.arguments import Arguments, settle
from shoal.plan.compatibility import require_compatible, require_linkable
from shoal.plan.reading import (
    read as read,
    read_population as read_population,
    read_source as read_source,
    require_population,
)
from shoal.release import Release, require_writable
from shoal.release.again import across, require_apart
from shoal.release.delivery import require_deliverable
from shoal.release.replaced import ReplacedRelease
from shoal.table.schema import SchemaLike

if TYPE_CHECKING:
    from shoal.release import OpenedRelease


def anonymize(
    data: Any,
    plan: Plan | SchemaLike,
    *,
    again: OpenedRelease | str | PathLike[str] | None = None,
    population: Any = None,
    progress: Report | None = None,
    watch: Watch | None = None,
    **given: Unpack[Arguments],
) -> Release:
    """Make a release: group, publish, verify, measure. Nothing is written to disk.

    What cannot be done is refused before any table is read. `shoal.anonymize` takes columns in
    lists as well, and says what the arguments mean.

    Raises `VerificationError` if what the method made does not hold what is required; no release is
    given.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({"name": "identifier", "age": "quasi", "sex": "quasi",
    ...     "zip": "quasi", "disease": "sensitive"})
    >>> anonymize(shoal.datasets.patients(1), schema, require=2)
    Release(5 rows, 2 classes, k = 2, verified)
    """
    if progress is not None and not callable(progress):
        raise ParameterError(
            f"progress must be a function, not {a_type(progress)}.",
            "It is called with the step's name, the work done and the work in all.",
        )
    plan, schema, require, method = settle(plan, **given)
    combination = plan.combination(method, require)
    require_compatible(combination, schema)
    refined, blocks = combination.refined, combination.blocks
    require_linkable(schema, require, method, refined=refined, blocks=blocks)
    require = tuple(each.bind(schema) for each in require)
    people = plan.population_path if population is None else population
    require_population(people, require, schema)
    kept = None
    if isinstance(people, str | PathLike):
        how = plan.population or PopulationPlan()
        kept = how.model_copy(update={"path": str(Path(people).resolve())})
    plan = plan.model_copy(update={"population": kept})
    earlier = None
    if again is not None:
        from shoal.release.earlier import Earlier  # most runs do without

        earlier = Earlier.of(again)
        earlier.require_fitting(across(require), schema)
    require_bound_to_stop_at(plan)
    setting, clock = Setting.of(plan, method), Clock(progress or _unwatched)
    state = State(data, plan, schema, require, setting, people, earlier, clock, watch or _unwatched)
    own = type(method).refinement is not Method.refinement
    with compiled_ahead(refines=own or plan.refinement() is not None):
        return take_steps(steps, state)


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
    with Clock(progress or _unwatched, release.seconds).step("write"):
        release.write(target)
    warning = "" if replaced is None else replaced.warning(release)
    return replace(release, warnings=(warning,)) if warning else release


def _unwatched(*what: object) -> None:
    """Let nobody watch, nor know how far the work is."""
