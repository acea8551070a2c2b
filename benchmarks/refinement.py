"""Refinement: what is lost after how many seconds, at three k, and beside other starts."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

import shoal
from benchmarks.stays import schema, stays
from benchmarks.timing import Figures
from shoal.improve import Refinement, refine
from shoal.measures import Pair, iloss
from shoal.methods import Method
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize
from shoal.table import Table
from shoal_papers.adult import encoded
from shoal_papers.gaa_cp.experiment import QUASI, SENSITIVE

MOMENTS = (1, 2, 4, 10)
"""Seconds of CPU, one thread, the start and the near points included."""


def refinement() -> Figures:
    """Complete Adult, 8 QIs, observed ends: iloss against CPU seconds; and distinct l = 3."""
    table = encoded(QUASI, (SENSITIVE,), rows=45_222, complete=True)
    figures: Figures = {}
    for k in (5, 10, 25):
        figures |= _plain(table, k) | _curve(table, [shoal.KAnonymity(k)], f"k = {k}")
    for k in (5, 10):
        require = [shoal.KAnonymity(k), shoal.LDiversity(3).bind(table.schema)]
        figures |= _curve(table, require, f"k = {k}, l = 3", moments=(10,))
    return figures


def refinement_stays() -> Figures:
    """Hospital stays, 50,000 rows, 7 QIs of another shape than Adult's: as above, three starts."""
    table = Table.encode(stays(), schema())
    starts = (shoal.KACA(picks="first"), shoal.GAACP(picks="first"), shoal.Mondrian("relaxed"))
    figures: Figures = {}
    for k in (5, 10, 25):
        figures |= _plain(table, k)
        for start in starts:
            name = f"k = {k}, from {start.name}"
            figures |= _curve(table, [shoal.KAnonymity(k)], name, moments=(10,), first=start)
    return figures


def refinement_census() -> Figures:
    """`census`, complete rows of a million, 8 QIs, k = 10: iloss against CPU of both cores."""
    columns = Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    frame = shoal.datasets.census(1_000_000).select(*columns).drop_nulls()
    table = Table.encode(frame, columns)
    figures: Figures = {"rows": table.n_rows}
    return figures | _curve(
        table, [shoal.KAnonymity(10)], "k = 10", moments=(13, 40, 100), threads=2
    )


def _plain(table: Table, k: int) -> Figures:
    grouping = _group(table, shoal.GAACP(picks="first"), [shoal.KAnonymity(k)])
    return {f"k = {k}: GAA-CP": _lost(table, grouping)}


def _group(table: Table, method: Method, require: Sequence[Requirement]) -> Grouping:
    return method.group(table, require, rng=np.random.default_rng(0))


def _lost(table: Table, grouping: Grouping) -> float:
    return iloss.of(Pair(table, generalize(table, grouping, bounds="observed")))


def _curve(
    table: Table,
    require: Sequence[Requirement],
    name: str,
    moments: Sequence[int] = MOMENTS,
    threads: int = 1,
    first: Method | None = None,
) -> Figures:
    """Refine groups once, with seed 1; note the loss whenever a moment has passed.

    They are GAA-CP's up to k = 10, KACA's above: from there refinement of Adult gets further.
    """
    if first is None:
        many = require[0].to_spec()["k"] > 10
        first = shoal.KACA(picks="first") if many else shoal.GAACP(picks="first")
    refine(  # compiles
        table,
        _group(table, first, require),
        require,
        Refinement(steps=200),
        rng=np.random.default_rng(1),
        threads=threads,
    )
    began, waiting, figures = time.process_time(), list(moments), Figures()
    start = _group(table, first, require)

    def watch(done: int, total: int, value: float) -> None:
        while waiting and time.process_time() - began >= waiting[0]:
            figures[f"{name}: refined, {waiting.pop(0)} s CPU"] = value
        if not waiting:
            raise KeyboardInterrupt

    budget = Refinement(seconds=10 * moments[-1], on_interrupt="keep")
    made = refine(
        table, start, require, budget, rng=np.random.default_rng(1), threads=threads, watch=watch
    )
    figures[f"{name}: microseconds per step"] = (
        1e6 * (time.process_time() - began) / max(made.steps, 1)
    )
    figures[f"{name}: measured again"] = _lost(table, made.grouping)
    return figures
