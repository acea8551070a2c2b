"""Try the levers of a plan, each in a real run with the same seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING

from shoal.base.arguments import require_whole
from shoal.base.plural import counted
from shoal.errors import ParameterError, did_you_mean
from shoal.plan import Plan
from shoal.release import Release
from shoal.steward.advice.beginning import begin
from shoal.steward.advice.levers import AS_IT_IS, Lever, flat_columns, levers
from shoal.steward.advice.result import Advice
from shoal.steward.advice.trial import Trial, measure_trial, trial_of
from shoal.steward.comparison.processes import require_workers, work_on_each
from shoal.table.roles import listed_columns
from shoal.table.schema import Role

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

ROWS = 10_000
"""The largest number of rows that are tried; from more, a sample is drawn."""

COARSE = 0.5
"""From this share of ``*``, or of lost information, on, a column is very coarse."""

COLUMNS = 3
"""The number of columns that get advice, unless some are named."""


def advise(
    what: Plan | Release,
    data: IntoFrame | str | PathLike[str] | None = None,
    *,
    columns: str | Iterable[str] | None = None,
    rows: int = ROWS,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Advice:
    """Say what helps the columns that were lost: each lever is tried, and measured.

    Levers are a larger weight, another measure or more time to refine by, the method auto, more
    rows to leave out, a column to leave out, and a smaller k, which is told and never recommended.
    All runs have the same seed, so that what differs is due to the lever. Nothing is published or
    written, and one that fails does not stop the others. The answer is private.

    Parameters
    ----------
    what
        A plan, or a release that was just made.
    data
        Of a plan: a table to use instead of the plan's.
    columns
        Quasi-identifiers to help. Left out: up to three, of those that lost most, which are ``*``
        in half of their cells, or lost half of their information.
    rows
        From a larger table so many rows are drawn, of which less can be told apart: losses are
        then somewhat larger than those of the whole table.
    workers
        How many processes work, which changes no result; as many as there are cores if left out.
    progress
        Called with the runs that are done and all of them.

    Examples
    --------
    >>> import shoal
    >>> release = shoal.anonymize(shoal.datasets.patients(1), k=2, drop="name", seed=1,
    ...     sensitive="disease", quasi=["age", "sex", "zip"], method="mondrian")
    >>> found = shoal.advise(release, workers=1)
    >>> found.now.columns["zip"].typical
    '*'
    >>> found
    Advice(10 levers tried; zip: nothing; age: nothing)
    """
    require_workers(workers)
    require_whole("rows", rows, 1)
    start = begin(what, data, rows)
    required = _required(columns, start.plan)
    report = progress or (lambda done, total: None)
    report(0, 1)
    made = start.release()
    now = trial_of(made, AS_IT_IS)
    picked = required or tuple(_coarse(now)[:COLUMNS])
    left = levers(made, picked) if now.loss > 0 else []
    report(1, len(left) + 1)
    found: dict[Lever, Trial] = {}
    work = partial(measure_trial, start.plan, start.source)
    for trial in work_on_each(work, left, workers):
        found[trial.lever] = trial
        report(len(found) + 1, len(left) + 1)
    trials, notes = tuple(found[lever] for lever in left), tuple(_notes(made, now, picked))
    return Advice(start.plan, now, trials, picked, notes, start.rows, start.of)


def _required(columns: str | Iterable[str] | None, plan: Plan) -> tuple[str, ...]:
    """Check the columns that somebody names."""
    if columns is None:
        return ()
    known = [name for name, column in plan.columns.items() if column.role is Role.QUASI]
    named = tuple(name for name, _ in listed_columns("columns", columns))
    for name in named:
        if name not in known:
            raise ParameterError(
                f"The plan has no quasi-identifier '{name}'.", did_you_mean(name, known)
            )
    return tuple(dict.fromkeys(named))


def _coarse(now: Trial) -> list[str]:
    """List the columns that tell next to nothing, the one that lost most first."""
    found = {
        name: each.loss
        for name, each in now.columns.items()
        if max(each.starred, each.loss) >= COARSE
    }
    return sorted(found, key=lambda name: -found[name])


def _notes(made: Release, now: Trial, columns: Sequence[str]) -> Iterator[str]:
    """Say what could not be tried, and what only a person can do."""
    if columns and (made.plan.weights is not None or made.method.weighing is not None):
        yield (
            "No weight was tried, because the plan's weights come from the table or from the "
            "method."
        )
    flat = flat_columns(made, columns)
    if flat:
        names = " and of ".join(f"'{name}'" for name in flat)
        yield (
            f"{names}: the hierarchy has no groups between values and *. Group values that "
            "belong together, so that cells can become a group instead of *; only you know "
            "which do."
        )
    more = [name for name in _coarse(now) if name not in columns]
    if more:
        text = counted(len(more), "more column is", "more columns are")
        yield f"{text} just as coarse, but no lever was tried for it: {', '.join(more)}."
