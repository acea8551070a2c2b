"""Loss, time and protection of Top-Down and the two GCA on Adult (figures 1 to 5)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any, ClassVar

import numpy as np

from shoal.measures import Pair
from shoal_papers import adult
from shoal_papers.alpha_i_k import figures as alpha_i_k_figures
from shoal_papers.alpha_i_k.data import (
    QUASI,
    ROWS,
    SENSITIVE,
    decades_of,
    most_frequent,
    table_of,
)
from shoal_papers.alpha_i_k.grid import ALPHA, BY_ALPHA, FEW_KS, GRADED_K, WIDTH, Grid
from shoal_papers.alpha_i_k.numbers import NUMBERS, SECONDS, measured, nothing_published
from shoal_papers.alpha_i_k.rules import RULES, beside_quasi, standing_in
from shoal_papers.alpha_i_k.series import (
    EXACT,
    LEVEL_ALPHAS,
    LEVELS,
    OTHER,
    PAPER,
    QUASI_ONLY,
    SERIES,
    FormSeries,
)
from shoal_papers.base import Cell, SampledExperiment, of_run
from shoal_papers.claims import course
from shoal_papers.figures import Figure
from shoal_papers.lines import Settings
from shoal_papers.paperfile import PaperFile
from shoal_papers.results import SEED, Results
from shoal_papers.tables import PageTable
from shoal_papers.trial import WARM_UP, listed, require_held, require_methods, timed
from shoal_papers.verdicts import number

__all__ = ["AlphaIKExperiment"]

TIMED = PAPER | EXACT | LEVELS
"""The series whose times are judged, by default or with another reading."""

TIMES = 3
"""How often they are timed in each repetition; the least counts, for a busy machine adds to it."""


@dataclass(frozen=True)
class AlphaIKExperiment(SampledExperiment):
    """Figures 1 to 5 of the paper, and more of ours.

    Parameters
    ----------
    quick
        A quarter of the rows, two repetitions, fewer settings.
    rows, repetitions
        Instead of the usual ones, for tests.
    methods
        The series to measure.
    """

    methods: tuple[str, ...] = tuple(SERIES)

    file: ClassVar[PaperFile] = PaperFile.beside(
        __file__, rules=RULES, views={"standing_in": standing_in}
    )
    name: ClassVar[str] = "alpha-i-k"
    title: ClassVar[str] = "The experiments of (αᵢ, k)-anonymity"
    reference: ClassVar[str] = "(αᵢ, k)-anonymity by graded sensitivity. Section 5, figures 1 to 5."
    numbers: ClassVar[tuple[str, ...]] = NUMBERS
    usual_rows: ClassVar[int] = ROWS

    @property
    def judged(self) -> Settings:
        """The settings by which claims are judged."""
        return self._settings(PAPER)

    @property
    def question_settings(self) -> Settings:
        """The same for our questions, which are about our series, too."""
        return self._settings(SERIES)

    def _settings(self, series: Mapping[str, FormSeries]) -> Settings:
        grid = self.grid
        return Settings(
            {name: each.shown for name, each in series.items() if name in self.methods},
            {"k": grid.ks, "alpha": grid.alphas, "quasi": grid.widths},
            {"alpha": ALPHA, "quasi": WIDTH, "k": BY_ALPHA},
        )

    @property
    def grid(self) -> Grid:
        """The settings of all figures."""
        return Grid(
            ks=(2, 4, 10) if self.quick else (2, 4, 6, 8, 10),
            alphas=(0.2, 0.3, 0.5, 0.7) if self.quick else (0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7),
            widths=(3, 6, 9) if self.quick else (3, 4, 5, 6, 7, 8, 9),
        )

    def settings(self, method: str) -> list[tuple[int, int, float]]:
        """List |QI|, k and α of all figures with a series, each once.

        What another reading makes of times is measured where times are what it may change.
        """
        grid = self.grid
        if method in QUASI_ONLY:
            return [(WIDTH, GRADED_K, alpha) for alpha in grid.few_alphas]
        wanted = [(WIDTH, k, ALPHA) for k in grid.ks]
        if method not in OTHER:
            ks = FEW_KS if method in TIMED else (BY_ALPHA,)
            wanted += [(WIDTH, k, alpha) for k in ks for alpha in grid.alphas]
            wanted += [(WIDTH, GRADED_K, alpha) for alpha in grid.few_alphas]
        if method in PAPER | EXACT:
            wanted += [(q, k, ALPHA) for k in FEW_KS for q in grid.widths]
        return sorted(set(wanted))

    def cells(self) -> list[Cell]:
        """Order cells by seed first: a slow minute of the machine then touches all settings."""
        by_method = {method: self.settings(method) for method in self.methods}
        every = sorted({setting for settings in by_method.values() for setting in settings})
        return [
            {"method": method, "quasi": q, "k": k, "alpha": alpha, SEED: seed}
            for seed in self.seeds
            for q, k, alpha in every
            for method in self.methods
            if (q, k, alpha) in by_method[method]
        ]

    def configuration(self) -> dict[str, Any]:
        """Leave out what draws one sample: each repetition draws its own."""
        made = super().configuration()
        return {name: made[name] for name in made if name != "sample_seed"}

    def prepare(self) -> None:
        """Refuse absent methods, and let every method run once on small tables."""
        require_methods(SERIES[name].method for name in self.methods)
        small = replace(self, rows=WARM_UP)
        for method in self.methods:
            for width in (min(self.grid.widths), max(self.grid.widths)):
                cell = {"quasi": width, "k": BY_ALPHA, "alpha": ALPHA, SEED: 0}
                small.measure({"method": method, **cell})

    def measure(self, cell: Cell) -> dict[str, float]:
        """Group and publish once, take the time of that alone, and measure the publication."""
        series, seed = SERIES[str(cell["method"])], int(cell[SEED])
        data = self.n_rows, int(cell["quasi"]), seed
        table = table_of(*data)
        grouped = decades_of(*data) if series.by_decades else table
        require = [series.require(table, int(cell["k"]), float(cell["alpha"]))]
        method = series.build(seed)
        seconds = dict.fromkeys(SECONDS, inf)
        for _ in range(TIMES if str(cell["method"]) in TIMED else 1):
            rng = np.random.default_rng(seed)
            made = timed(partial(method.group, grouped, require, rng=rng))
            grouping = made.grouping
            begin = time.process_time()
            recoded = series.publish(table, grouping, method) if grouping.n_groups else None
            alone, all_lines = made.cpu_seconds, made.cpu_seconds + time.process_time() - begin
            both = zip(SECONDS, (all_lines, alone), strict=True)
            seconds = {name: min(seconds[name], each) for name, each in both}
        if recoded is None and series.scope == "level":
            return {**nothing_published(), **seconds}
        require_held(table, grouping, require, method.name)
        assert recoded is not None
        suppressed = {"suppressed": grouping.n_suppressed / table.n_rows}
        return {**measured(Pair(table, recoded)), **suppressed, **seconds}

    def facts(self) -> dict[str, Any]:
        """Collect what texts name of the run."""
        grid = self.grid
        return {
            **of_run(self.seeds, self.n_rows, ROWS),
            "rows": self.n_rows,
            "complete": adult.TRAIN_COMPLETE,
            "usual_rows": ROWS,
            "quasi": ", ".join(QUASI),
            "sensitive": SENSITIVE,
            "alphas_of_levels": listed(LEVEL_ALPHAS),
            "ks": listed(grid.ks),
            "alphas": listed(grid.alphas),
            "widths": listed(grid.widths),
            "few_alphas": listed(grid.few_alphas),
            "times": TIMES,
        }

    def figures(self, results: Results) -> list[Figure]:
        """Lay out figures 1 to 5, and ours."""
        return alpha_i_k_figures.figures(self.grid, results)

    def remarks(self, results: Results) -> list[str]:
        """Report what the form of publication is worth, and how to read the numbers."""
        of_values = results.only("method", [name for name in SERIES if name not in LEVELS])
        measured = {*QUASI_ONLY, *EXACT} <= set(self.methods)
        facts = {
            "most_frequent": most_frequent(),
            "complete": adult.TRAIN_COMPLETE,
            "suppressed": _suppressed(of_values),
            "beside_quasi": beside_quasi(self.judged, results) if measured else "",
        }
        return [*self._forms(results), *self.file.texts("remarks", facts)]

    def tables(self, results: Results) -> list[PageTable]:
        """Add how many classes there are and how large, and what is suppressed."""
        gca = [name for name in self.methods if "gca" in name and name not in OTHER | LEVELS]
        text = f"Means at α = {ALPHA:g}, |QI| = {WIDTH}, by k."
        fixed = {"quasi": WIDTH, "alpha": ALPHA}
        return [
            _table(results, "Table A (ours): classes", text, gca, "classes", "k", **fixed),
            _table(
                results,
                "Table B (ours): rows of the largest class",
                text,
                gca,
                "largest_class",
                "k",
                **fixed,
            ),
            _table(
                results,
                "Table C (ours): the share of suppressed rows where α bounds levels",
                f"Means at k = {BY_ALPHA}, |QI| = {WIDTH}, by α, which (αᵢ,k)-GCA does not know. "
                "Where α bounds values, nothing is suppressed.",
                [name for name in self.methods if name in LEVELS],
                "suppressed",
                "alpha",
                quasi=WIDTH,
                k=BY_ALPHA,
            ),
        ]

    def _forms(self, results: Results) -> list[str]:
        """Say what the form of publication is worth, and what the grouping is."""
        form, grouping = "What the form is worth", "What the grouping is worth"
        wanted = [
            (form, "top-down-two", "top-down"),
            (form, "gca", "gca-one"),
            (form, "leveled-gca", "leveled-gca-one"),
            (f"{grouping}, as two tables", "gca", "top-down-two"),
            (f"{grouping}, as two tables", "leveled-gca", "top-down-two"),
            (f"{grouping}, generalized", "gca-one", "top-down"),
            (f"{grouping}, generalized", "leveled-gca-one", "top-down"),
        ]
        texts = []
        for why, ours, theirs in wanted:
            if {ours, theirs} <= set(self.methods):
                distance, error = (
                    course(_ratio(results, column, ours, theirs), "k = {}")
                    for column in ("reconstruction_distance", "count_query_error")
                )
                texts.append(
                    f"{why}: {SERIES[ours].shown} ÷ {SERIES[theirs].shown} is {distance} in "
                    f"reconstruction distance, and {error} in count query error."
                )
        if texts:
            texts.insert(
                0,
                f"Ratios of means at α = {ALPHA:g}, |QI| = {WIDTH}, by k; below 1 the first loses "
                "less. Where both GCA are generalized, they choose the nearest record of a value, "
                "which two tables do not need.",
            )
        return texts


def _ratio(results: Results, column: str, ours: str, theirs: str) -> dict[float, float]:
    """Divide the means of two series, at some k."""
    first, second = (
        results.line(column, "k", method=name, quasi=WIDTH, alpha=ALPHA) for name in (ours, theirs)
    )
    return {k: first[k] / second[k] for k in (2, BY_ALPHA, max(FEW_KS)) if second.get(k)}


def _table(
    results: Results,
    title: str,
    text: str,
    methods: Sequence[str],
    column: str,
    over: str,
    **fixed: float,
) -> PageTable:
    """Set the means of some series side by side."""
    lines = {name: results.line(column, over, method=name, **fixed) for name in methods}
    places = sorted({x for line in lines.values() for x in line})
    rows = [
        (SERIES[name].shown, *(number(line[x]) if x in line else "" for x in places))
        for name, line in lines.items()
    ]
    return PageTable(title, text, ("series", *(f"{x:g}" for x in places)), rows)


def _suppressed(results: Results) -> str:
    """Say how many rows were suppressed at most."""
    most = max(results.runs["suppressed"].to_list())
    return f"At most {most:.2%} of rows were suppressed." if most else "No run suppressed a row."
