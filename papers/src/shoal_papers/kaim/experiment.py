"""Gong, Yang, Luo (2013): loss of KAIM and k-member on Adult with missing cells, figures 4 to 8."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from shoal_papers import adult
from shoal_papers.base import Cell, SampledExperiment, of_run
from shoal_papers.drawing import Drawing
from shoal_papers.figures import Figure, Panel, Point
from shoal_papers.kaim.remarks import write_ratios
from shoal_papers.kaim.rules import FEW_KS, FEW_WIDTHS, RULES, WIDTH, Grid, K, used
from shoal_papers.kaim.series import (
    DRAWN,
    NUMBERS,
    QUASI,
    SENSITIVE,
    SERIES,
    measure_costliest_pair,
    measure_loss,
)
from shoal_papers.paperfile import PaperFile
from shoal_papers.results import SEED, Results
from shoal_papers.trial import WARM_UP, listed, require_methods

__all__ = ["KaimExperiment"]

FAR = 80
"""The missing rate, in per cent, that stands for one that "grows further"."""

STEP = 5_000
"""By how many rows the tables of figure 5 differ; a smaller table has smaller steps."""

PARTS = {
    "iloss_rate": "whole loss",
    "suppression": "suppression",
    "generalization": "generalization",
}
"""The numbers of figure 7(a), with their names."""


@dataclass(frozen=True)
class KaimExperiment(SampledExperiment):
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

    many: int | None = None
    methods: tuple[str, ...] = tuple(SERIES)

    usual_repetitions: ClassVar[int] = 5
    file: ClassVar[PaperFile] = PaperFile.beside(__file__, rules=RULES, views={"used": used})
    name: ClassVar[str] = "kaim"
    title: ClassVar[str] = "Gong, Yang and Luo (2013): the experiments of KAIM"
    reference: ClassVar[str] = (
        "Gong, Yang, Luo: Data anonymization approach for incomplete microdata. Journal of "
        "Software 24(12), 2013, 2883–2896. Section 4, figures 4 to 8."
    )
    numbers: ClassVar[tuple[str, ...]] = NUMBERS
    usual_rows: ClassVar[int] = adult.ROWS

    @property
    def many_seeds(self) -> range:
        """One seed per repetition of figure 8."""
        return range(1, (self.many or (5 if self.quick else 20)) + 1)

    @property
    def judged(self) -> Grid:
        """The settings of all figures; of missing rates, 0 stands for the table's own."""
        n, steps = self.n_rows, (2, 5) if self.quick else range(1, 10)
        methods = {"kaim": "KAIM", "k-member-drop": "k-member"}
        return Grid(
            methods={name: shown for name, shown in methods.items() if name in self.methods},
            values={
                "quasi": (2, 5, 8) if self.quick else (2, 3, 4, 5, 6, 7, 8),
                "k": (2, 5, 10, 50) if self.quick else (2, 5, 10, 25, 50),
                "rows": (*(STEP * step * n // adult.ROWS for step in steps), n),
                "vmr_target": (0, 5, 10, 30) if self.quick else (0, 5, 10, 15, 20, 30),
            },
            usual={"rows": n, "vmr_target": 0, "quasi": WIDTH, "k": K},
            facts={"far": FAR},
        )

    def settings(self, of: str = "all") -> list[tuple[int, int, int, int]]:
        """List rows, missing rate, |QI| and k, each once: of all figures, or some of them."""
        n, values = self.n_rows, self.judged.values
        wanted = [(n, 0, q, k) for q in FEW_WIDTHS for k in values["k"]]
        wanted += [(size, 0, WIDTH, k) for k in FEW_KS for size in values["rows"]]
        wanted += [(n, 0, q, k) for k in FEW_KS for q in values["quasi"]]
        wanted += [(n, rate, WIDTH, K) for rate in (*values["vmr_target"], FAR)]
        some = {
            "all": wanted,
            "narrow": [setting for setting in wanted if setting[2] < WIDTH],
            "rates": [(n, rate, WIDTH, K) for rate in values["vmr_target"]],
            "own": [(n, 0, WIDTH, K)],
            "pairs": [(n, 0, 2, k) for k in FEW_KS],
        }
        return sorted(set(some[of]))

    def repeated(self) -> list[tuple[int, int, int, int]]:
        """List the settings of figure 8, at which KAIM is repeated more often."""
        return [(self.n_rows, 0, q, k) for q in FEW_WIDTHS for k in FEW_KS]

    def cells(self) -> list[Cell]:
        """Order cells by seed first: a slow minute of the machine then touches all settings."""
        wanted = {name: set(self.settings(SERIES[name].settings)) for name in self.methods}
        again = [name for name in ("kaim", "kaim-equation-9") if name in self.methods]
        runs = [
            (seed, *setting, method)
            for seed in self.seeds
            for setting in self.settings()
            for method in self.methods
            if setting in wanted[method]
        ]
        runs += [
            (seed, *setting, method)
            for seed in self.many_seeds
            if seed not in self.seeds
            for setting in self.repeated()
            for method in again
        ]
        return [
            {"method": method, "rows": n, "vmr_target": rate, "quasi": q, "k": k, SEED: seed}
            for seed, n, rate, q, k, method in runs
        ]

    def prepare(self) -> None:
        """Refuse absent methods, and let every method run once on small tables."""
        require_methods(SERIES[name].method for name in self.methods)
        for method in self.methods:
            for width in (2, WIDTH):
                small = {"rows": WARM_UP, "vmr_target": 0, "quasi": width, "k": K, SEED: 0}
                self.measure({"method": method, **small})

    def measure(self, cell: Cell) -> dict[str, float]:
        """Group, and measure what is lost."""
        series = SERIES[str(cell["method"])]
        n, rate, q, k, seed = (
            int(cell[name]) for name in ("rows", "vmr_target", "quasi", "k", SEED)
        )
        if series.settings == "pairs":
            return measure_costliest_pair(series, n, k, seed)
        return measure_loss(series, n, QUASI[:q], rate, k, seed)

    def facts(self) -> dict[str, Any]:
        """Collect what texts name of the run."""
        values = self.judged.values
        return {
            **of_run(self.seeds, self.n_rows, adult.ROWS),
            "every_row": adult.ROWS,
            "quasi": ", ".join(QUASI),
            "sensitive": SENSITIVE,
            "many": len(self.many_seeds),
            "ks": listed(values["k"]),
            "sizes": listed(values["rows"]),
            "widths": listed(values["quasi"]),
            "rates": listed(values["vmr_target"][1:]),
            "far": FAR,
            "few_widths": listed(FEW_WIDTHS),
        }

    def figures(self, results: Results) -> list[Figure]:
        """Lay out figures 4 to 8; figure 7 has two kinds of series and so is two."""
        n, values = self.n_rows, self.judged.values
        results = results.only("method", DRAWN)
        shown = {name: SERIES[name].shown for name in DRAWN}
        figure = Drawing(results, shown, values).figure
        loss, own = ("iloss_rate", "ILossRate"), {"rows": n, "vmr_target": 0}
        by_k = [{**own, "quasi": q} for q in FEW_WIDTHS]
        by_size = [{"vmr_target": 0, "quasi": WIDTH, "k": k} for k in FEW_KS]
        by_width = [{**own, "k": k} for k in FEW_KS]
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

    def remarks(self, results: Results) -> list[str]:
        """Report what each choice is worth, and where the text slips."""
        texts = write_ratios(self.judged, self.methods, results)
        return [*texts, *self.file.texts("remarks", {})]

    def _own_rate(self, results: Results) -> float:
        """Give the table's own missing rate, in per cent."""
        at = {"rows": self.n_rows, "quasi": WIDTH, "k": K, "vmr_target": 0}
        own = results.of("vmr", method=self.methods[0], **at)["mean"].item()
        return round(100 * float(own), 2)

    def _parts(self, results: Results) -> Figure:
        """Split the loss of k-member, rows deleted, over the missing rates."""
        own, points = self._own_rate(results), []
        at = {"rows": self.n_rows, "quasi": WIDTH, "k": K}
        for column, shown in PARTS.items():
            found = results.of(column, method="k-member-drop", **at).sort("vmr_target")
            for row in found.iter_rows(named=True):
                if row["vmr_target"] in self.judged.values["vmr_target"]:
                    ends = (row[end] for end in ("mean", "min", "max"))
                    points.append(Point(shown, row["vmr_target"] or own, *ends))
        return Figure(
            name="figure-7a",
            title="Figure 7a: Parts of the loss of k-member, rows deleted",
            x_title=Drawing.TITLES["vmr_target"],
            y_title="ILossRate",
            series=tuple(PARTS.values()),
            panels=(Panel(f"k = {K}, |QI| = {WIDTH}", tuple(points)),),
        )

    def _repetitions(self, results: Results) -> Figure:
        """Show every repetition of KAIM, all rows."""
        panels = []
        for letter, k in zip("abc", FEW_KS, strict=True):
            rows = results.runs.filter(method="kaim", rows=self.n_rows, vmr_target=0, k=k).select(
                "quasi", SEED, "iloss_rate"
            )
            points = tuple(
                Point(f"|QI| = {q}", seed, loss, loss, loss)
                for q, seed, loss in rows.sort("quasi", SEED).iter_rows()
                if q in FEW_WIDTHS and seed in self.many_seeds
            )
            panels.append(Panel(f"({letter}) k = {k}", points))
        return Figure(
            name="figure-8",
            title="Figure 8: Loss of KAIM, repetition by repetition",
            x_title="repetition",
            y_title="ILossRate",
            series=tuple(f"|QI| = {q}" for q in FEW_WIDTHS),
            panels=tuple(panels),
            shared_y=False,
        )
