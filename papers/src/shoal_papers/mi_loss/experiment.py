"""Gu and Dong (2022): what is learnt from the optima of weighted losses (table 2, figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Any, ClassVar

import numpy as np

from shoal.methods import GAACP, FullDomain
from shoal.models import KAnonymity
from shoal_papers import adult
from shoal_papers.base import Cell, Experiment, of_run
from shoal_papers.figures import Figure
from shoal_papers.mi_loss import showing
from shoal_papers.mi_loss.grid import (
    CLUSTERED,
    EQUATION_4,
    GAIN_RATIO,
    LINEAR,
    MODELS,
    OBSERVED,
    OPTIMA,
    ORIGINAL,
    PUBLISHED,
    RAW,
    STARRED,
    UNLIMITED,
    Grid,
)
from shoal_papers.mi_loss.measuring import (
    AUC,
    EVERY,
    INTERVALS,
    LEVELS,
    learnt,
    learnt_by,
    learnt_raw,
    optimum,
    search_facts,
    starred,
    table_of,
)
from shoal_papers.mi_loss.rules import FEWER_SPLITS, RULES, limited, starred as starred_rows
from shoal_papers.mi_loss.weights import LABEL, QUASI, table_2
from shoal_papers.paperfile import PaperFile
from shoal_papers.readings import OpenPoint
from shoal_papers.results import SEED, Results
from shoal_papers.tables import PageTable
from shoal_papers.trial import WARM_UP, listed, require_held, require_methods

__all__ = ["MiLossExperiment"]

WEIGHTS = {
    "loss": "equal",
    "entropy-loss": "entropy",
    GAIN_RATIO: "gain-ratio",
    EQUATION_4: "mutual-information",
    "gaa-cp": "equal",
    "gaa-cp-mutual-information": "mutual-information",
    "gaa-cp-gain-ratio": "gain-ratio",
}
"""The kind of weights of each series."""

LIMITS = (UNLIMITED, 5, 0)
"""The largest shares of suppressed rows, in per cent, the default first."""


@dataclass(frozen=True)
class MiLossExperiment(Experiment):
    """Table 2 and figure 3 of the paper, and two figures of ours.

    Parameters
    ----------
    quick
        A sample of 500 rows, wide intervals only, two values of k, two splits.
    rows, splits, intervals, limits
        Instead of the usual ones, for tests.
    seconds
        The most time that a search takes; then the best node found so far is taken.
    """

    quick: bool = False
    rows: int | None = None
    splits: int | None = None
    intervals: tuple[str, ...] | None = None
    limits: tuple[int, ...] = LIMITS
    seconds: float = 600.0

    file: ClassVar[PaperFile] = PaperFile.beside(
        __file__, rules=RULES, views={"limited": limited, "starred": starred_rows}
    )
    name: ClassVar[str] = "mi-loss"
    title: ClassVar[str] = "Gu and Dong (2022): the experiments of MI Loss"
    reference: ClassVar[str] = (
        "Gu, Dong: MI Loss evaluation model for k-anonymity in PPDM. Computer Engineering "
        "48(4), 2022, 143–147. Section 4, table 2 and figure 3."
    )
    numbers: ClassVar[tuple[str, ...]] = (
        PUBLISHED,
        ORIGINAL,
        LINEAR,
        AUC,
        STARRED,
        "suppressed",
        "loss",
        "proven",
        "gap",
        "nodes",
        *LEVELS,
    )

    @property
    def n_rows(self) -> int:
        """Rows of the table."""
        return self.rows or (500 if self.quick else adult.TRAIN)

    @property
    def seeds(self) -> range:
        """One seed per split into folds; it also draws what GAA-CP draws."""
        return range(1, (self.splits or (2 if self.quick else 5)) + 1)

    @property
    def judged(self) -> Grid:
        """The settings of the optima."""
        usual = tuple(INTERVALS)[:1] if self.quick else tuple(INTERVALS)
        return Grid(
            methods=OPTIMA,
            values={"k": (2, 10) if self.quick else (2, 3, 5, 10)},
            usual={},
            facts={"columns": len(QUASI)},
            intervals=self.intervals or usual,
        )

    def cells(self) -> list[Cell]:
        """Order cells by search, so that all splits of a node follow each other."""
        grid, every, few = self.judged, self.seeds, self.seeds[:FEWER_SPLITS]
        wanted: list[tuple[str, str, int, int, range]] = [
            (name, RAW, 0, 0, every) for name in showing.BOUNDS
        ]
        wanted += [(name, RAW, 0, 0, every[:1]) for name in showing.LEARNERS]
        wanted += [(name, OBSERVED, 0, k, every) for k in grid.ks for name in CLUSTERED]
        for limit in self.limits:
            names, seeds = (OPTIMA, every) if limit == UNLIMITED else (MODELS, few)
            wanted += [
                (name, intervals, limit, k, seeds)
                for intervals in grid.intervals
                for k in grid.ks
                for name in names
            ]
        return [
            {"method": name, "intervals": intervals, "limit": limit, "k": k, SEED: seed}
            for name, intervals, limit, k, seeds in wanted
            for seed in seeds
        ]

    def configuration(self) -> dict[str, Any]:
        """Add the data and the time limit that the numbers depend on."""
        data = {"table": "adult", "rows": self.n_rows, "sample_seed": adult.SAMPLE_SEED}
        return {**super().configuration(), **data, "seconds_per_search": self.seconds}

    def prepare(self) -> None:
        """Refuse absent methods, and compile the search before any has a time limit."""
        require_methods([FullDomain.name, GAACP.name])
        for limit in self.limits:
            optimum(WARM_UP, "wide", "equal", limit, 2, 0.1)

    def measure(self, cell: Cell) -> dict[str, float]:
        """Predict the label of held-out rows."""
        method, k, seed = str(cell["method"]), int(cell["k"]), int(cell[SEED])
        unsearched = dict.fromkeys(self.numbers, nan) | {"suppressed": 0.0}
        if method in showing.BOUNDS:
            return unsearched | learnt_raw(self.n_rows, seed)[method]
        if method == showing.ALL_FEATURES:
            return unsearched | learnt_raw(self.n_rows, seed, EVERY)["raw"]
        if method in showing.LEARNERS:
            return unsearched | learnt_by(self.n_rows, method.removeprefix("raw-"), seed)
        intervals, kind = str(cell["intervals"]), WEIGHTS[method]
        table = table_of(self.n_rows, intervals, kind)
        if method in CLUSTERED:
            rng = np.random.default_rng(seed)
            grouping = GAACP(seed=seed).group(table, [KAnonymity(k)], rng=rng)
            require_held(table, grouping, [KAnonymity(k)], GAACP.name)
            return unsearched | learnt(table, grouping, seed)
        limit = int(cell["limit"])
        grouping = optimum(self.n_rows, intervals, kind, limit, k, self.seconds)
        found = {STARRED: nan} | search_facts(grouping) | learnt(table, grouping, seed)
        if limit == UNLIMITED and method in MODELS and seed in self.seeds[:FEWER_SPLITS]:
            found |= starred(table, grouping, seed)
        return found

    def facts(self) -> dict[str, Any]:
        """Collect what texts name of the run."""
        shares = [f"{limit} %" for limit in self.limits if limit != UNLIMITED]
        return {
            **of_run(self.seeds, self.n_rows, adult.TRAIN),
            "train": adult.TRAIN,
            "quasi": ", ".join(QUASI),
            "label": LABEL,
            "intervals": " or ".join(map(showing.widths, self.judged.intervals)),
            "limits": " or ".join(shares),
            "seconds": self.seconds,
            "ks": listed(self.judged.ks),
            "few_repetitions": len(self.seeds[:FEWER_SPLITS]),
        }

    def figures(self, results: Results) -> list[Figure]:
        """Lay out figure 3, and ours; each for both kinds of rows that are tested."""
        return showing.figures(self.judged, self.limits, results)

    def readings(self) -> Sequence[OpenPoint]:
        """List what section 4 leaves open; limits that were not measured are no readings."""
        names = {
            f"at most {limit} % of the rows are suppressed"
            for limit in LIMITS
            if limit not in self.limits
        }
        return [
            replace(point, readings=tuple(r for r in point.readings if r.name not in names))
            for point in super().readings()
        ]

    def tables(self, results: Results) -> list[PageTable]:
        """Give Table 2, how each search ended, and the raw table by other learners."""
        return [table_2(), showing.searches(self.n_rows, results), showing.learners(results)]

    def remarks(self, results: Results) -> list[str]:
        """Report what limits the verdicts."""
        (printed,) = showing.printed_accuracy(results)
        facts = {"proofs": showing.proofs(results), "printed_accuracy": printed}
        return self.file.texts("remarks", facts)
