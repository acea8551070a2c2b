"""Paper 2: loss of KAIM and k-member on Adult with missing cells (figures 4 to 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.grouping import SUPPRESSED, Grouping
from shoal.measures import Pair, iloss_rate
from shoal.methods import Method
from shoal.models import KAnonymity
from shoal.papers import adult
from shoal.papers.base import Cell, Experiment
from shoal.papers.claims import Claim
from shoal.papers.drawing import Drawing
from shoal.papers.figures import Figure, Panel, Point
from shoal.papers.kaim import claims as kaim_claims
from shoal.papers.kaim.claims import WIDTH, K
from shoal.papers.results import SEED, Results
from shoal.papers.trial import WARM_UP, Series, listed, require_k, require_methods, timed
from shoal.recode import generalize
from shoal.table import Table

__all__ = ["KaimExperiment"]

Rows: TypeAlias = npt.NDArray[np.intp]

QUASI = (
    "age",
    "sex",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
)
"""The paper's quasi-identifiers in its order; |QI| = q means the first q."""

SENSITIVE = "salary-class"

FAR = 80
"""The missing rate, in per cent, that stands for one that "grows further"."""

PARTS = {
    "iloss_rate": "whole loss",
    "suppression": "suppression",
    "generalization": "generalization",
}
"""The numbers of figure 7(a), with their names."""


@dataclass(frozen=True)
class HoleSeries(Series):
    """A method, and what becomes of incomplete rows."""

    missing: Literal["keep", "drop"] = "keep"


SERIES = {
    "kaim": HoleSeries("KAIM", "kaim", options={"distance": "entropy-change"}),
    "kaim-equation-9": HoleSeries("KAIM (equation 9)", "kaim", options={"distance": "equation-9"}),
    "k-member-drop": HoleSeries("k-member (rows dropped)", "k-member", "drop"),
    "k-member": HoleSeries("k-member (holes kept)", "k-member"),
    "gaa-cp": HoleSeries("GAA-CP (holes kept)", "gaa-cp"),
}
READINGS = {"kaim": "entropy change", "kaim-equation-9": "equation 9"}


@dataclass(frozen=True)
class KaimExperiment(Experiment):
    """Figures 4 to 8 of the paper.

    Parameters
    ----------
    quick
        A sample of a quarter of the rows, few repetitions, fewer settings.
    rows, repetitions, many
        Instead of the usual ones, for tests; ``many`` are the repetitions of figure 8.
    methods
        The series to measure.
    """

    quick: bool = False
    rows: int | None = None
    repetitions: int | None = None
    many: int | None = None
    methods: tuple[str, ...] = tuple(SERIES)

    name: ClassVar[str] = "kaim"
    title: ClassVar[str] = "Paper 2: the experiments of KAIM"
    reference: ClassVar[str] = (
        "Gong, Yang, Luo: Data anonymization approach for incomplete microdata. Journal of "
        "Software 24(12), 2013, 2883–2896. Section 4, figures 4 to 8."
    )
    numbers: ClassVar[tuple[str, ...]] = (
        "iloss_rate",
        "generalization",
        "suppression",
        "iloss_rate_interval",
        "vmr",
        "classes",
        "cpu_seconds",
    )

    @property
    def n_rows(self) -> int:
        """Rows of the largest table."""
        return self.rows or (adult.ROWS // 4 if self.quick else adult.ROWS)

    @property
    def seeds(self) -> range:
        """One seed per repetition of figures 4 to 7."""
        return range(1, (self.repetitions or (2 if self.quick else 5)) + 1)

    @property
    def many_seeds(self) -> range:
        """One seed per repetition of figure 8."""
        return range(1, (self.many or (5 if self.quick else 20)) + 1)

    @property
    def grid(self) -> kaim_claims.Grid:
        """The settings of all figures."""
        tenths = (2, 5, 10) if self.quick else range(1, 11)
        return kaim_claims.Grid(
            rows=self.n_rows,
            widths=(2, 5, 8) if self.quick else (2, 3, 4, 5, 6, 7, 8),
            ks=(2, 5, 10, 50) if self.quick else (2, 5, 10, 25, 50),
            sizes=tuple(self.n_rows * part // 10 for part in tenths),
            rates=(0, 5, 10, 30) if self.quick else (0, 5, 10, 15, 20, 30),
            far=FAR,
            readings={name: said for name, said in READINGS.items() if name in self.methods},
        )

    def settings(self) -> list[tuple[int, int, int, int]]:
        """List rows, missing rate, |QI| and k of all figures, each once."""
        n, grid = self.n_rows, self.grid
        wanted = [(n, 0, q, k) for q in grid.few_widths for k in grid.ks]
        wanted += [(size, 0, WIDTH, k) for k in grid.few_ks for size in grid.sizes]
        wanted += [(n, 0, q, k) for k in grid.few_ks for q in grid.widths]
        wanted += [(n, rate, WIDTH, K) for rate in (*grid.rates, FAR)]
        return sorted(set(wanted))

    def repeated(self) -> list[tuple[int, int, int, int]]:
        """List the settings of figure 8, at which KAIM is repeated more often."""
        grid = self.grid
        return [(self.n_rows, 0, q, k) for q in grid.few_widths for k in grid.few_ks]

    def cells(self) -> list[Cell]:
        """Order cells by seed first: a slow minute of the machine then touches all settings."""
        few = [(seed, self.settings(), self.methods) for seed in self.seeds]
        kaim = tuple(self.grid.readings)
        more = [(seed, self.repeated(), kaim) for seed in self.many_seeds if seed not in self.seeds]
        return [
            {"method": method, "rows": n, "vmr_target": rate, "quasi": q, "k": k, SEED: seed}
            for seed, settings, methods in [*few, *more]
            for n, rate, q, k in settings
            for method in methods
        ]

    def configuration(self) -> dict[str, Any]:
        """Add the data that the numbers depend on."""
        data = {"table": "adult", "rows": self.n_rows, "sample_seed": adult.SAMPLE_SEED}
        return {**super().configuration(), **data}

    def prepare(self) -> None:
        """Refuse absent methods, and let every method run once on small tables."""
        require_methods(SERIES[name].method for name in self.methods)
        for method in self.methods:
            for width in (2, WIDTH):
                small = {"rows": WARM_UP, "vmr_target": 0, "quasi": width, "k": K, SEED: 0}
                self.measure({"method": method, **small})

    def measure(self, cell: Cell) -> dict[str, float]:
        """Group once, and measure the publication; rows that were dropped are paid for."""
        series, k, seed = SERIES[str(cell["method"])], int(cell["k"]), int(cell[SEED])
        rate = int(cell["vmr_target"])
        given = (int(cell["rows"]), int(cell["quasi"]), rate, seed if rate else 0)
        table = _table(*given)
        part, rows = _complete(*given) if series.missing == "drop" else (table, None)
        method = series.build(seed)
        made = timed(lambda: _group(table, part, rows, k, method, seed))
        left = 0 if part is None or part.n_rows < k else part.n_rows
        require_k(made.grouping, k, method.name, dropped=table.n_rows - left)
        loss = _loss(table, made.grouping, method.numbers)
        suppression = made.grouping.n_suppressed / table.n_rows
        return {
            "iloss_rate": loss,
            "generalization": loss - suppression,
            "suppression": suppression,
            "iloss_rate_interval": loss
            if method.numbers == "intervals"
            else _loss(table, made.grouping, "intervals"),
            "vmr": float(table.missing.mean()),
            "classes": made.grouping.n_groups,
            "cpu_seconds": made.cpu_seconds,
        }

    def about(self) -> list[tuple[str, str]]:
        """Say what was run."""
        grid = self.grid
        sample = "" if self.n_rows == adult.ROWS else f"; here a sample of {self.n_rows:,}"
        return [
            ("Data", f"UCI Adult, all {adult.ROWS:,} rows, missing cells included{sample}"),
            ("Quasi-identifiers", f"{', '.join(QUASI)}; |QI| = q means the first q"),
            ("Sensitive", SENSITIVE),
            (
                "KAIM",
                "with the change of entropy as distance, which the abstract describes and which "
                "is Shoal's default, and with equation 9 as it is printed; Age is published by "
                "its tree",
            ),
            (
                "k-member",
                "dropping the rows that miss one of the quasi-identifiers, as in the paper (a "
                "dropped row costs 1 in every column), and keeping all rows, a missing cell as *; "
                "Age is published as the least interval",
            ),
            ("GAA-CP", "the method of paper 1, keeping all rows; Age as the least interval"),
            (
                "Repetitions",
                f"{len(self.seeds)}, seeds {self.seeds[0]} to {self.seeds[-1]}; "
                f"{len(self.many_seeds)} for KAIM at the settings of figure 8",
            ),
            ("k in figure 4", f"{listed(grid.ks)}: our choice, the text does not give them"),
            (
                "n in figure 5",
                f"{listed(grid.sizes)}: our choice (the text says {len(grid.sizes)} sizes), "
                "nested random samples"
                if not self.quick
                else f"{listed(grid.sizes)}: nested random samples",
            ),
            ("|QI| in figure 6", listed(grid.widths)),
            (
                "VMR in figure 7",
                f"the table's own, then {listed(grid.rates[1:])} %: our choice; known cells of the "
                "quasi-identifiers are lost at random, drawn anew in each repetition "
                f"(shoal.datasets.with_missing). {FAR} % stands for a rate that grows further; it "
                "is judged, not drawn",
            ),
            (
                "Figure 8",
                "|QI| = 2, 5 and 8: the paper's text, labels and axis differ, and its |QI| = 10 "
                "does not exist",
            ),
            (
                "Loss",
                "ILossRate of definition 7 (iloss_rate), from 0 to 1; hierarchies are ours",
            ),
        ]

    def figures(self, results: Results) -> list[Figure]:
        """Lay out figures 4 to 8; figure 7 has two kinds of series and so is two."""
        n, grid = self.n_rows, self.grid
        shown = {name: series.shown for name, series in SERIES.items()}
        over = {"k": grid.ks, "rows": grid.sizes, "quasi": grid.widths, "vmr_target": grid.rates}
        figure = Drawing(results, shown, over).figure
        loss, own = ("iloss_rate", "ILossRate"), {"rows": n, "vmr_target": 0}
        by_k = [{**own, "quasi": q} for q in grid.few_widths]
        by_size = [{"vmr_target": 0, "quasi": WIDTH, "k": k} for k in grid.few_ks]
        by_width = [{**own, "k": k} for k in grid.few_ks]
        by_rate = [{"rows": n, "quasi": WIDTH, "k": K}]
        own_rate = self._own_rate(results)
        made = [
            figure("4", "Loss against k", loss, "k", by_k, named=["quasi"], shared_y=False),
            figure("5", f"Loss against n, |QI| = {WIDTH}", loss, "rows", by_size, named=["k"]),
            figure("6", "Loss against |QI|", loss, "quasi", by_width, named=["k"]),
            figure(
                "7b",
                "Loss against the missing rate",
                loss,
                "vmr_target",
                by_rate,
                named=["k", "quasi"],
                place=lambda rate: rate or own_rate,
            ),
        ]
        if "k-member-drop" in self.methods:
            made.insert(3, self._parts(results))
        if "kaim" in self.methods:
            made.append(self._repetitions(results))
        return made

    def claims(self) -> Sequence[Claim]:
        """List what abstract and section 4 say."""
        return kaim_claims.claims(self.grid)

    def remarks(self, results: Results) -> list[str]:
        """Say what the losses are about, and what each choice is worth."""
        return [
            *self._ratios(results),
            "The first five quasi-identifiers have no missing cell, so for |QI| ≤ 5 no row is "
            "dropped: there k-member is the same with and without holes kept, and a difference to "
            "KAIM is one of the methods alone. If the paper dropped rows that miss any of the "
            "eight columns whatever |QI|, its k-member lost up to 0.074 more there.",
            "A cell that was missing costs nothing, whatever is published, so a loss cannot exceed "
            "1 − VMR unless rows are dropped; this alone makes losses of methods that keep rows "
            "level off as VMR grows.",
            "KAIM publishes Age by its tree, the others as the least interval. The column "
            "iloss_rate_interval is the loss if KAIM's classes showed least intervals too.",
            "The paper does not print its hierarchies or its figures' numbers. Ours are the "
            "bundled ones, so the size of a loss cannot be compared with the paper's figures, only "
            "its course, order and ratio.",
            "k-member and GAA-CP choose one row at random, KAIM every seed and the order of "
            "left-over rows.",
        ]

    def _ratios(self, results: Results) -> list[str]:
        """Say what one series loses in terms of another, over the missing rates."""
        entropy = "What the entropy distance is worth"
        same_age = f"{entropy}, with Age as the least interval for both"
        wanted = [
            ("The paper's comparison", "kaim", "k-member-drop", "iloss_rate"),
            ("The paper's comparison", "kaim-equation-9", "k-member-drop", "iloss_rate"),
            ("What keeping rows is worth", "k-member", "k-member-drop", "iloss_rate"),
            (entropy, "kaim", "k-member", "iloss_rate"),
            (entropy, "kaim-equation-9", "k-member", "iloss_rate"),
            (same_age, "kaim", "k-member", "iloss_rate_interval"),
            (same_age, "kaim-equation-9", "k-member", "iloss_rate_interval"),
            ("Beside paper 1", "kaim", "gaa-cp", "iloss_rate"),
            ("Beside paper 1", "gaa-cp", "k-member", "iloss_rate"),
        ]
        said = []
        for why, ours, theirs, column in wanted:
            if {ours, theirs} <= set(self.methods):
                found = kaim_claims.ratios(self.grid, results, ours, theirs, column)
                course = ", ".join(f"{ratio:.3f} at {rate:g} %" for rate, ratio in found.items())
                said.append(f"{why}: {SERIES[ours].shown} ÷ {SERIES[theirs].shown} is {course}.")
        return [
            f"Ratios of mean losses at k = {K}, |QI| = {WIDTH}, by VMR; below 1 the first loses "
            "less.",
            *said,
        ]

    def _own_rate(self, results: Results) -> float:
        """Give the table's own missing rate, in per cent."""
        at = {"rows": self.n_rows, "quasi": WIDTH, "k": K, "vmr_target": 0}
        own = results.of("vmr", method=self.methods[0], **at)["mean"].item()
        return round(100 * float(own), 2)

    def _parts(self, results: Results) -> Figure:
        """Split the loss of k-member, rows dropped, over the missing rates."""
        own, points = self._own_rate(results), []
        at = {"rows": self.n_rows, "quasi": WIDTH, "k": K}
        for column, shown in PARTS.items():
            found = results.of(column, method="k-member-drop", **at).sort("vmr_target")
            for row in found.iter_rows(named=True):
                if row["vmr_target"] in self.grid.rates:
                    ends = (row[end] for end in ("mean", "min", "max"))
                    points.append(Point(shown, row["vmr_target"] or own, *ends))
        return Figure(
            name="figure-7a",
            title="Figure 7a: Parts of the loss of k-member, rows dropped",
            x_title=Drawing.TITLES["vmr_target"],
            y_title="ILossRate",
            series=tuple(PARTS.values()),
            panels=(Panel(f"k = {K}, |QI| = {WIDTH}", tuple(points)),),
        )

    def _repetitions(self, results: Results) -> Figure:
        """Show every repetition of KAIM, all rows."""
        grid, panels = self.grid, []
        for letter, q in zip("abc", grid.few_widths, strict=True):
            rows = results.runs.filter(
                method="kaim", rows=self.n_rows, vmr_target=0, quasi=q
            ).select("k", SEED, "iloss_rate")
            points = tuple(
                Point(f"k = {k}", seed, loss, loss, loss)
                for k, seed, loss in rows.sort("k", SEED).iter_rows()
                if k in grid.few_ks
            )
            panels.append(Panel(f"({letter}) |QI| = {q}", points))
        return Figure(
            name="figure-8",
            title="Figure 8: Loss of KAIM, repetition by repetition",
            x_title="repetition",
            y_title="ILossRate",
            series=tuple(f"k = {k}" for k in grid.few_ks),
            panels=tuple(panels),
            shared_y=False,
        )


def _table(n: int, width: int, rate: int, seed: int) -> Table:
    """Encode the first quasi-identifiers of n rows, with so many per cent of cells missing."""
    missing = (rate / 100, seed) if rate else None
    return adult.encoded(QUASI[:width], (SENSITIVE,), rows=n, missing=missing)


@lru_cache(maxsize=64)
def _complete(n: int, width: int, rate: int, seed: int) -> tuple[Table | None, Rows]:
    """Encode the complete rows of such a table, if there are any; also say which they are."""
    table = _table(n, width, rate, seed)
    rows = np.flatnonzero(~table.missing.any(axis=1))
    if len(rows) == table.n_rows:
        return table, rows
    return (table.take(rows) if len(rows) else None), rows


def _group(
    table: Table, part: Table | None, rows: Rows | None, k: int, method: Method, seed: int
) -> Grouping:
    """Group a part of a table, the rest suppressed; fewer than k rows leave nothing."""
    labels = np.full(table.n_rows, SUPPRESSED, dtype=np.int32)
    if part is not None and part.n_rows >= k:
        found = method.group(part, [KAnonymity(k)], rng=np.random.default_rng(seed))
        labels[slice(None) if rows is None else rows] = found.labels
    return Grouping(labels)


def _loss(table: Table, grouping: Grouping, numbers: Literal["intervals", "tree"]) -> float:
    published = generalize(table, grouping, bounds="observed", numbers=numbers)
    return iloss_rate.of(Pair(table, published))
