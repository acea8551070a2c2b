"""Jiang, Zeng and Ma (2017): loss and time of KACA, EBKC and GAA-CP on Adult (figures 2 to 6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl

from shoal.measures import Pair, iloss
from shoal.models import KAnonymity
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize
from shoal.table import Table
from shoal_papers import adult
from shoal_papers.base import Cell, SampledExperiment, of_run
from shoal_papers.drawing import Drawing
from shoal_papers.figures import Figure
from shoal_papers.lines import Settings
from shoal_papers.paperfile import PaperFile
from shoal_papers.readings import View
from shoal_papers.results import Results
from shoal_papers.trial import SHORT, WARM_UP, Series, listed, require_k, require_methods, timed

__all__ = ["GaaCpExperiment"]

QUASI = (
    "age",
    "sex",
    "education",
    "marital-status",
    "race",
    "workclass",
    "native-country",
    "salary-class",
)
"""The paper's quasi-identifiers in its order; |QI| = q means the first q."""

SENSITIVE = "occupation"

SERIES = {
    "kaca": Series("KACA", "kaca"),
    "ebkc": Series("EBKC", "ebkc"),
    "gaa-cp": Series("GAA-CP", "gaa-cp"),
}
"""The methods, in the order of the paper's legend, as it spells them."""

TIMES = 3
"""How often a short grouping is timed."""

VARIANTS = {
    "ebkc-mean": Series("EBKC, δ on the mean", "ebkc", options={"per": "mean"}),
    "ebkc-random": Series("EBKC, random order", "ebkc", options={"picks": "random"}),
    "gaa-cp-loss": Series("GAA-CP by added loss", "gaa-cp", options={"distance": "loss"}),
}
"""The same under other readings; each is run if the method it varies is."""


@dataclass(frozen=True)
class GaaCpExperiment(SampledExperiment):
    """Figures 2 to 6 of the paper.

    Parameters
    ----------
    quick
        A sample of half the rows, two repetitions, fewer settings.
    rows, repetitions, methods
        Instead of the usual ones, for tests.
    """

    methods: tuple[str, ...] = tuple(SERIES)

    file: ClassVar[PaperFile] = PaperFile.beside(
        __file__, views={"steps": lambda method: _count_steps(method)}
    )
    name: ClassVar[str] = "gaa-cp"
    title: ClassVar[str] = "Jiang, Zeng and Ma (2017): the experiments of GAA-CP"
    reference: ClassVar[str] = (
        "Jiang, Zeng, Ma: Greedy clustering-anonymity method for privacy preservation of table "
        "data-publishing. Journal of Software 28(2), 2017, 341–351. Section 4, figures 2 to 6."
    )
    numbers: ClassVar[tuple[str, ...]] = (
        "iloss",
        "iloss_age_interval",
        "iloss_age_steps",
        "classes",
        "cpu_seconds",
        "wall_seconds",
    )

    usual_rows: ClassVar[int] = 45_222
    quick_divisor: ClassVar[int] = 2

    @property
    def widths(self) -> tuple[int, ...]:
        """The numbers of quasi-identifiers of figures 2 and 4."""
        return (2, 5, 8) if self.quick else (2, 3, 4, 5, 6, 7, 8)

    @property
    def ks(self) -> tuple[int, ...]:
        """The values of k of figures 3 and 5."""
        return (2, 5, 10, 25) if self.quick else (2, 5, 10, 15, 20, 25)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The table sizes of figure 6, each about twice the one before."""
        return tuple(self.n_rows // part for part in (8, 4, 2, 1))

    def settings(self) -> list[tuple[int, int, int]]:
        """List rows, |QI| and k of all figures, each once."""
        n = self.n_rows
        wanted = [(n, q, k) for k in (5, 10) for q in self.widths]
        wanted += [(n, q, k) for q in (2, 5, 8) for k in self.ks]
        wanted += [(size, q, 8) for q in (3, 6) for size in self.sizes]
        return sorted(set(wanted))

    @property
    def series(self) -> dict[str, Series]:
        """The methods and their variants, by name."""
        varied = {name: each for name, each in VARIANTS.items() if each.method in self.methods}
        return {**{name: SERIES[name] for name in self.methods}, **varied}

    def cells(self) -> list[Cell]:
        """Order cells by seed first: a slow minute of the machine then touches all settings."""
        return [
            {"method": method, "rows": n, "quasi": q, "k": k, "seed": seed}
            for seed in self.seeds
            for n, q, k in self.settings()
            for method in self.series
        ]

    def prepare(self) -> None:
        """Refuse absent methods, and let every method run once on small tables."""
        require_methods(self.methods)
        for method in self.series:
            for width in (2, 8):
                self.measure({"method": method, "rows": WARM_UP, "quasi": width, "k": 5, "seed": 0})

    def measure(self, cell: Cell) -> dict[str, float]:
        """Group once, take the time of that alone, and measure the publication."""
        table = _table(int(cell["rows"]), int(cell["quasi"]))
        method = self.series[str(cell["method"])].build(int(cell["seed"]))
        require = [KAnonymity(int(cell["k"]))]

        def group() -> Grouping:
            return method.group(table, require, rng=np.random.default_rng(int(cell["seed"])))

        made = timed(group, times=TIMES)
        grouping = made.grouping
        require_k(grouping, int(cell["k"]), method.name)
        return {
            "iloss": _loss(table, grouping, method.numbers),
            "iloss_age_interval": _loss(table, grouping, "intervals"),
            "iloss_age_steps": _loss(replace(table, quasi=table.trees), grouping, "tree"),
            "classes": grouping.n_groups,
            "cpu_seconds": made.cpu_seconds,
            "wall_seconds": made.wall_seconds,
        }

    def facts(self) -> dict[str, Any]:
        """Collect what texts name of the run."""
        return {
            **of_run(self.seeds, self.n_rows, self.usual_rows),
            "quasi": ", ".join(QUASI),
            "sensitive": SENSITIVE,
            "methods": ", ".join(SERIES[name].shown for name in self.methods),
            "variants": ", ".join(
                (each.shown for name, each in self.series.items() if name in VARIANTS)
            ),
            "ks": listed(self.ks),
            "widths": listed(self.widths),
            "sizes": listed(self.sizes),
            "times": TIMES,
            "short": SHORT,
        }

    def figures(self, results: Results) -> list[Figure]:
        """Lay out figures 2 to 6 with the paper's methods, and the loss of the other readings."""
        n = self.n_rows
        by_width = [{"rows": n, "k": k} for k in (5, 10)]
        by_k = [{"rows": n, "quasi": q} for q in (2, 5, 8)]
        by_size = [{"k": 8, "quasi": q} for q in (3, 6)]
        loss, seconds = ("iloss", "loss (thousands)"), ("cpu_seconds", "CPU seconds")
        over = {"quasi": self.widths, "k": self.ks, "rows": self.sizes}
        shown = {name: each.shown for name, each in self.series.items()}
        figure = Drawing(results.only("method", self.methods), shown, over).figure
        others = Drawing(results, shown, over).figure
        return [
            figure(
                "2",
                "Information loss against |QI|",
                loss,
                "quasi",
                by_width,
                named=["k"],
                unit=1000,
            ),
            figure(
                "3",
                "Information loss against k",
                loss,
                "k",
                by_k,
                named=["quasi"],
                unit=1000,
                shared_y=False,
            ),
            figure("4", "Time against |QI|", seconds, "quasi", by_width, named=["k"], log_y=True),
            figure("5", "Time against k", seconds, "k", by_k, named=["quasi"], log_y=True),
            figure(
                "6",
                "Time against n, k = 8",
                seconds,
                "rows",
                by_size,
                named=["quasi"],
                log_y=True,
                log_x=True,
            ),
            others(
                "A",
                "Information loss under other readings",
                loss,
                "quasi",
                by_width,
                named=["k"],
                unit=1000,
                log_y=True,
            ),
        ]

    @property
    def judged(self) -> Settings:
        """The settings by which claims are judged."""
        return Settings(
            {name: SERIES[name].shown for name in self.methods},
            {"quasi": self.widths, "k": self.ks, "rows": self.sizes},
            {"rows": self.n_rows},
        )


def _table(n: int, width: int) -> Table:
    """Encode the first quasi-identifiers of a sample of n rows."""
    return adult.encoded(QUASI[:width], (SENSITIVE,), rows=n, complete=True)


def _loss(table: Table, grouping: Grouping, numbers: Literal["intervals", "tree"]) -> float:
    published = generalize(table, grouping, bounds="observed", numbers=numbers)
    return iloss.of(Pair(table, published))


def _count_steps(method: str) -> View:
    """Count a method's ages like a category's nodes; the others publish no nodes for them."""

    def view(results: Results) -> Results:
        mine = pl.col("method") == method
        loss = pl.when(mine).then("iloss_age_steps").otherwise("iloss")
        return Results(results.runs.with_columns(iloss=loss), results.numbers)

    return view
