"""Zhang et al. (2014): attacks, noise and time of MICD and two Decompositions, figures 1 to 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from shoal_papers import adult
from shoal_papers.base import Cell, SampledExperiment, of_run
from shoal_papers.drawing import Drawing
from shoal_papers.figures import Figure
from shoal_papers.micd.grid import COUNT, DIVERSITY, HIGHEST, PRINTED, SECRETS, Grid, facts
from shoal_papers.micd.remarks import remarks
from shoal_papers.micd.rules import RULES, shuffled
from shoal_papers.micd.series import NUMBERS, OURS, PAPER, QUASI, SERIES, SHUFFLED, measure
from shoal_papers.paperfile import PaperFile
from shoal_papers.readings import OpenPoint
from shoal_papers.results import SEED, Results
from shoal_papers.trial import WARM_UP, listed, require_methods

__all__ = ["MicdExperiment"]

PRIMARIES = (HIGHEST, PRINTED)
"""The primary column by the paper's own rule, and as the paper names it."""

APPROACHED = 7
"""The values of marital-status: what l approaches, with |S| = 3, in all of the columns."""


@dataclass(frozen=True)
class MicdExperiment(SampledExperiment):
    """Figures 1 to 6 of the paper, and six of ours.

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
        __file__, rules=RULES, views={"shuffled": shuffled}
    )
    name: ClassVar[str] = "micd"
    title: ClassVar[str] = "Zhang, Yang, Zhang and Xie (2014): the experiments of MICD"
    reference: ClassVar[str] = (
        "Zhang, Yang, Zhang, Xie: A multi sensitive attribute data inverse clustering privacy "
        "preserving algorithm for sensitivity attack. Acta Electronica Sinica 42(5), 2014, "
        "896–903. Sections 4 and 5, figures 1 to 6."
    )
    numbers: ClassVar[tuple[str, ...]] = NUMBERS
    usual_rows: ClassVar[int] = adult.TRAIN_COMPLETE

    @property
    def judged(self) -> Grid:
        """The settings of all figures."""
        every = (2, 3, 5, 6, 7, 10) if self.quick else tuple(range(2, 11))
        ls = tuple(least for least in every if least <= APPROACHED)
        counts = (2, 3, 5) if self.quick else (2, 3, 4, 5)
        return Grid(
            methods={name: each.shown for name, each in PAPER.items() if name in self.methods},
            values={"l": ls, "secrets": counts},
            usual={"primary": HIGHEST, "secrets": COUNT, "l": DIVERSITY},
            facts={**facts(), "few": max(ls), "many": max(every)},
            every=every,
        )

    def settings(self) -> list[tuple[int, int]]:
        """List |S| and l of all figures, each once."""
        grid = self.judged
        by_l = {(COUNT, least) for least in grid.every}
        return sorted(by_l | {(count, DIVERSITY) for count in grid.values["secrets"]})

    def cells(self) -> list[Cell]:
        """Order cells by seed first: a slow minute of the machine then touches all settings."""
        return [
            {"method": method, "primary": primary, "secrets": count, "l": least, SEED: seed}
            for seed in self.seeds
            for count, least in self.settings()
            for primary in PRIMARIES
            for method in self.methods
            if primary == HIGHEST or method not in SHUFFLED.values()
        ]

    def prepare(self) -> None:
        """Refuse absent methods, and let every method run once on small tables."""
        require_methods(SERIES[name].method for name in self.methods)
        small = replace(self, rows=WARM_UP)
        for method in self.methods:
            for count in (min(self.judged.values["secrets"]), max(self.judged.values["secrets"])):
                cell: Cell = {"method": method, "primary": PRINTED, "secrets": count}
                small.measure({**cell, "l": DIVERSITY, SEED: 0})

    def measure(self, cell: Cell) -> dict[str, float]:
        """Measure a publication, and the time of its grouping."""
        return measure(cell, self.n_rows)

    def facts(self) -> dict[str, Any]:
        """Collect what texts name of the run."""
        grid = self.judged
        return {
            **of_run(self.seeds, self.n_rows, adult.TRAIN_COMPLETE),
            "complete": adult.TRAIN_COMPLETE,
            "quasi": ", ".join(QUASI),
            "sensitive": ", ".join(SECRETS),
            "highest": HIGHEST,
            "printed": PRINTED,
            "every_l": listed(grid.every),
            "few": grid.facts["few"],
        }

    def figures(self, results: Results) -> list[Figure]:
        """Lay out figures 1 to 6, and ours; each with both primary columns."""
        grid = self.judged
        shown = {name: series.shown for name, series in (PAPER | OURS).items()}
        over = {"l": grid.every, "secrets": grid.values["secrets"]}
        paper = Drawing(results.only("method", tuple(PAPER)), shown, over)
        every = Drawing(results.only("method", tuple(shown)), shown, over)

        def against_l(
            drawing: Drawing,
            name: str,
            title: str,
            measure: tuple[str, str],
            *,
            log_y: bool = False,
        ) -> Figure:
            panels: list[Cell] = [{"primary": each, "secrets": COUNT} for each in PRIMARIES]
            words = f"{title} against l{' (ours)' if drawing is every else ''}"
            named = ["primary", "secrets"]
            return drawing.figure(name, words, measure, "l", panels, named=named, log_y=log_y)

        def against_count(name: str, title: str, measure: tuple[str, str]) -> Figure:
            panels: list[Cell] = [{"primary": each, "l": DIVERSITY} for each in PRIMARIES]
            words, named = f"{title} against |S|", ["primary", "l"]
            return paper.figure(name, words, measure, "secrets", panels, named=named)

        attacks = ("vulnerability", "share of groups")
        noise, seconds = ("noise_ratio", "noise ratio"), ("cpu_seconds", "CPU seconds")
        return [
            against_l(paper, "1", "Probability of attack", attacks),
            against_count("2", "Probability of attack", attacks),
            against_l(paper, "3", "Noise ratio", noise),
            against_count("4", "Noise ratio", noise),
            against_l(paper, "5", "Time", seconds),
            against_count("6", "Time", seconds),
            against_l(every, "A", "Groups", ("groups", "groups"), log_y=True),
            against_l(
                every,
                "B",
                "Rows of the largest group",
                ("largest_group", "rows"),
                log_y=True,
            ),
            against_l(
                every,
                "C",
                "Error of COUNT queries",
                ("count_query_error", "count query error"),
            ),
            against_l(
                every,
                "D",
                "Spread of degrees",
                ("degree_spread", "degree spread, higher is better"),
            ),
            against_l(
                every,
                "E",
                "Groups with half of their values highly sensitive",
                ("vulnerability_half", "share of groups"),
            ),
            against_l(
                every,
                "F",
                "Highly sensitive ones among added values",
                ("noise_sensitive", "share of added values"),
            ),
        ]

    def readings(self) -> Sequence[OpenPoint]:
        """List where the text can be read in more than one way."""
        grid = self.judged
        others = {"printed": grid.at(PRINTED), "every l": grid.at(every=True)}
        return self.file.points(grid, others)

    def remarks(self, results: Results) -> list[str]:
        """Report what our additions cost, and how to read the numbers."""
        measured = remarks(self.n_rows, self.methods, results)
        return [*measured, *self.file.texts("remarks", {})]
