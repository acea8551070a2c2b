"""Paper 3: loss, time and protection of Top-Down and the two GCA on Adult (figures 1 to 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from shoal.grouping import Grouping
from shoal.measures import (
    Pair,
    count_query_error,
    mean_sensitivity_distance,
    reconstruction_distance,
)
from shoal.methods import Method
from shoal.models import AlphaK, LeveledAlphaK, Requirement
from shoal.papers import adult
from shoal.papers.alpha_i_k import claims as alpha_i_k_claims
from shoal.papers.alpha_i_k.claims import ALPHA, BY_ALPHA, FEW_KS, GRADED_K, WIDTH
from shoal.papers.base import Cell, Experiment
from shoal.papers.claims import Claim, course, differing
from shoal.papers.drawing import Drawing
from shoal.papers.figures import Figure
from shoal.papers.results import SEED, Results
from shoal.papers.trial import WARM_UP, Series, listed, require_held, require_methods, timed
from shoal.publications import TwoTable
from shoal.recode import Recoded, generalize
from shoal.risk import similarity
from shoal.table import Table

__all__ = ["AlphaIKExperiment"]

QUASI = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "relationship",
    "race",
    "sex",
    "native-country",
    "salary-class",
)
"""The quasi-identifiers in the order of table 9; |QI| = q means the first q."""

SENSITIVE = "occupation"

LEVEL_ALPHAS = (0.2, 0.3, 0.35, 0.4, 0.5)
"""The αᵢ of table 10, level 1 first."""

ROWS = 10_000


@dataclass(frozen=True)
class FormSeries(Series):
    """A method, what it must hold, and how its groups are published."""

    form: Literal["generalized", "two-table"]
    leveled: bool = False

    def require(self, table: Table, k: int, alpha: float) -> Requirement:
        """Say what groups must hold."""
        if self.leveled:
            return LeveledAlphaK(None, LEVEL_ALPHAS, k).bind(table.schema)
        return AlphaK(alpha, k)

    def publish(self, table: Table, grouping: Grouping, method: Method) -> Recoded:
        """Publish the groups."""
        if self.form == "generalized":
            return generalize(table, grouping, bounds="observed", numbers=method.numbers)
        return TwoTable().make(table, grouping, np.arange(grouping.n_groups) + 1).recoded


NEAR, AS_PRINTED = {"within": "nearest"}, {"stop": "paper"}

PAPER = {
    "top-down": FormSeries("Top-Down", "top-down", "generalized"),
    "gca": FormSeries("(α,k)-GCA", "gca", "two-table"),
    "leveled-gca": FormSeries("(αᵢ,k)-GCA", "leveled-gca", "two-table", leveled=True),
}
"""The paper's three methods, in the order of its legend, publishing as it says."""

OTHER = {
    "top-down-two": FormSeries("Top-Down, two tables", "top-down", "two-table"),
    "gca-one": FormSeries("(α,k)-GCA, generalized", "gca", "generalized", options=NEAR),
    "leveled-gca-one": FormSeries(
        "(αᵢ,k)-GCA, generalized", "leveled-gca", "generalized", leveled=True, options=NEAR
    ),
}
"""The same three in the other form of publication: our question."""

STOPS = {
    "gca": FormSeries("(α,k)-GCA, stop as printed", "gca", "two-table", options=AS_PRINTED),
    "leveled-gca": FormSeries(
        "(αᵢ,k)-GCA, stop as printed", "leveled-gca", "two-table", leveled=True, options=AS_PRINTED
    ),
}
"""Both GCA as line 4 prints, each beside the one that goes on."""

STAND_INS = {name: f"{name}-stop" for name in STOPS}

SERIES = PAPER | OTHER | {STAND_INS[name]: each for name, each in STOPS.items()}


@dataclass(frozen=True)
class AlphaIKExperiment(Experiment):
    """Figures 1 to 5 of the paper, and six of ours.

    Parameters
    ----------
    quick
        A quarter of the rows, two repetitions, fewer settings.
    rows, repetitions
        Instead of the usual ones, for tests.
    methods
        The series to measure.
    """

    quick: bool = False
    rows: int | None = None
    repetitions: int | None = None
    methods: tuple[str, ...] = tuple(SERIES)

    name: ClassVar[str] = "alpha-i-k"
    title: ClassVar[str] = "Paper 3: the experiments of (αᵢ, k)-anonymity"
    reference: ClassVar[str] = (
        "(αᵢ, k)-anonymity by graded sensitivity: paper 3 of this project's papers. Section 5, "
        "figures 1 to 5."
    )
    numbers: ClassVar[tuple[str, ...]] = (
        "reconstruction_distance",
        "count_query_error",
        "sensitivity_distance",
        "sensitivity_distance_raw",
        "one_level",
        "suppressed",
        "classes",
        "largest_class",
        "cpu_seconds",
    )

    @property
    def n_rows(self) -> int:
        """Rows of a sample."""
        return self.rows or (ROWS // 4 if self.quick else ROWS)

    @property
    def seeds(self) -> range:
        """One seed per repetition: it draws the sample."""
        return range(1, (self.repetitions or (2 if self.quick else 10)) + 1)

    @property
    def grid(self) -> alpha_i_k_claims.Grid:
        """The settings of all figures."""
        return alpha_i_k_claims.Grid(
            methods={name: each.shown for name, each in PAPER.items() if name in self.methods},
            ks=(2, 4, 10) if self.quick else (2, 4, 6, 8, 10),
            alphas=(0.2, 0.3, 0.5, 0.7) if self.quick else (0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7),
            widths=(3, 6, 9) if self.quick else (3, 4, 5, 6, 7, 8, 9),
        )

    def settings(self, method: str) -> list[tuple[int, int, float]]:
        """List |QI|, k and α of all figures with a series, each once."""
        grid = self.grid
        wanted = [(WIDTH, k, ALPHA) for k in grid.ks]
        if method not in OTHER:
            wanted += [(WIDTH, k, alpha) for k in FEW_KS for alpha in grid.alphas]
            wanted += [(q, k, ALPHA) for k in FEW_KS for q in grid.widths]
            wanted += [(WIDTH, GRADED_K, alpha) for alpha in grid.few_alphas]
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
        """Add the data that the numbers depend on."""
        return {**super().configuration(), "table": "adult", "rows": self.n_rows}

    def prepare(self) -> None:
        """Refuse absent methods, and let every method run once on small tables."""
        require_methods(SERIES[name].method for name in self.methods)
        small = replace(self, rows=WARM_UP)
        for method in self.methods:
            for width in (min(self.grid.widths), max(self.grid.widths)):
                cell = {"quasi": width, "k": BY_ALPHA, "alpha": ALPHA, SEED: 0}
                small.measure({"method": method, **cell})

    def measure(self, cell: Cell) -> dict[str, float]:
        """Group once, take the time of that alone, and measure the publication."""
        series, seed = SERIES[str(cell["method"])], int(cell[SEED])
        table = _table(self.n_rows, int(cell["quasi"]), seed)
        require = [series.require(table, int(cell["k"]), float(cell["alpha"]))]
        method = series.build(seed)
        rng = np.random.default_rng(seed)
        made = timed(lambda: method.group(table, require, rng=rng))
        require_held(table, made.grouping, require, method.name)
        pair = Pair(table, series.publish(table, made.grouping, method))
        sizes = np.bincount(pair.secret_classes)
        return {
            "reconstruction_distance": reconstruction_distance.of(pair),
            "count_query_error": count_query_error.of(pair),
            "sensitivity_distance": mean_sensitivity_distance(pair),
            "sensitivity_distance_raw": mean_sensitivity_distance(pair, normalised=False),
            "one_level": similarity(pair).share,
            "suppressed": made.grouping.n_suppressed / table.n_rows,
            "classes": len(sizes),
            "largest_class": int(sizes.max()),
            "cpu_seconds": made.cpu_seconds,
        }

    def about(self) -> list[tuple[str, str]]:
        """Say what was run."""
        grid = self.grid
        return [
            (
                "Data",
                f"UCI Adult, {self.n_rows:,} rows drawn at random from the "
                f"{adult.TRAIN_COMPLETE:,} complete ones of its train part, as the paper draws "
                f"{ROWS:,}",
            ),
            ("Quasi-identifiers", f"{', '.join(QUASI)}; |QI| = q means the first q"),
            (
                "Sensitive",
                f"{SENSITIVE}, with the levels of table 10 and αᵢ = {listed(LEVEL_ALPHAS)}; αᵢ "
                "bounds the share of each value of its level",
            ),
            (
                "Top-Down",
                "one generalized table; Age goes down its tree. Rows beyond α in the whole table "
                "are suppressed first",
            ),
            (
                "(α,k)-GCA, (αᵢ,k)-GCA",
                "two tables with exact quasi-identifiers; rows that no class takes are suppressed "
                "at the end. (αᵢ,k)-GCA does not know α, and was run at every α all the same",
            ),
            (
                "Stop",
                "both GCA begin classes until none can be completed (stop = exhausted, Shoal's "
                "default). Line 4 of the algorithm also stops when fewer than k values have "
                "records left (stop = paper): figures D to F show both, a remark says which "
                "verdicts differ",
            ),
            (
                "The other form",
                "ours: Top-Down's groups as two tables, and both GCA, choosing the nearest record "
                "of a value, as one generalized table with the least Age intervals",
            ),
            (
                "Repetitions",
                f"{len(self.seeds)}, seeds {self.seeds[0]} to {self.seeds[-1]}, each with a sample "
                "of its own",
            ),
            ("k in figure 1", f"{listed(grid.ks)}: our choice, the text does not give them"),
            ("α in figures 2 and 3", f"{listed(grid.alphas)}: our choice"),
            ("|QI| in figure 4", f"{listed(grid.widths)}: our choice"),
            ("α in figure 5", listed(grid.few_alphas)),
            (
                "Distances",
                "reconstruction distance of equations 3 to 6, a suppressed row costs 1; "
                "sensitivity distance of equation 7 with equation 2, and without its factor, as in "
                "the paper's examples, as sensitivity_distance_raw: four times as much",
            ),
            (
                "Time",
                "CPU seconds of the grouping alone, after every method ran once on a small table",
            ),
        ]

    def figures(self, results: Results) -> list[Figure]:
        """Lay out figures 1 to 5, and ours."""
        grid, stops = self.grid, (*STAND_INS, *STAND_INS.values())
        shown = {name: series.shown for name, series in SERIES.items()}
        over = {"k": grid.ks, "alpha": grid.alphas, "quasi": grid.widths}
        paper = Drawing(results.only("method", tuple(PAPER)), shown, over).figure
        forms = Drawing(results.only("method", (*PAPER, *OTHER)), shown, over).figure
        both = Drawing(results.only("method", stops), shown, over).figure
        distance = ("reconstruction_distance", "reconstruction distance")
        seconds = ("cpu_seconds", "CPU seconds")
        by_k = [{"quasi": WIDTH, "alpha": ALPHA}]
        by_alpha, graded = ([{"quasi": WIDTH, "k": k}] for k in (BY_ALPHA, GRADED_K))
        few = [{"quasi": WIDTH, "k": k} for k in FEW_KS]
        by_width = [{"alpha": ALPHA, "k": k} for k in FEW_KS]
        at, held = ["alpha", "quasi"], ["k", "quasi"]
        return [
            paper("1", "Reconstruction distance against k", distance, "k", by_k, named=at),
            paper(
                "2", "Reconstruction distance against α", distance, "alpha", by_alpha, named=held
            ),
            paper("3", "Time against α", seconds, "alpha", few, named=held, log_y=True),
            paper(
                "4",
                "Time against |QI|",
                seconds,
                "quasi",
                by_width,
                named=["alpha", "k"],
                log_y=True,
            ),
            paper(
                "5",
                "Sensitivity distance against α; higher is better",
                ("sensitivity_distance", "sensitivity distance"),
                "alpha",
                graded,
                named=held,
            ),
            forms(
                "A",
                "Reconstruction distance of both forms of publication (ours)",
                distance,
                "k",
                by_k,
                named=at,
            ),
            forms(
                "B",
                "Error of COUNT queries, both forms of publication (ours)",
                ("count_query_error", "count query error"),
                "k",
                by_k,
                named=at,
            ),
            paper(
                "C",
                "People in classes of one level (ours)",
                ("one_level", "share of people"),
                "k",
                by_k,
                named=at,
            ),
            both(
                "D",
                "Reconstruction distance, going on and stopping as printed (ours)",
                distance,
                "k",
                by_k,
                named=at,
            ),
            both(
                "E",
                "Rows of the largest class, going on and stopping as printed (ours)",
                ("largest_class", "rows"),
                "k",
                by_k,
                named=at,
                log_y=True,
            ),
            both(
                "F",
                "Sensitivity distance, going on and stopping as printed; higher is better (ours)",
                ("sensitivity_distance", "sensitivity distance"),
                "k",
                by_k,
                named=at,
            ),
        ]

    def claims(self) -> Sequence[Claim]:
        """List what abstract and section 5 say."""
        return alpha_i_k_claims.claims(self.grid)

    def remarks(self, results: Results) -> list[str]:
        """Say what the form of publication is worth, and how to read the numbers."""
        return [
            *self._forms(results),
            f"The most frequent occupation is held by {_most_frequent():.1%} of the "
            f"{adult.TRAIN_COMPLETE:,} rows, below every α of the figures, so no α makes "
            f"suppression necessary. {_suppressed(results.only('method', (*PAPER, *OTHER)))}",
            *self._stops(results),
            "In two tables with exact quasi-identifiers, a record of a class of m records with "
            "different values costs 1 − 1/m, whatever its quasi-identifiers. A generalized record "
            "costs 1 − 1/Π, with Π the number of points its cells cover: 0 where they are "
            "unchanged, and near 1 soon after. So figures 1 and 2 compare two scales; figure B "
            "asks both forms the same questions.",
            "Why (αᵢ,k)-GCA's sensitivity distance is what it is: a class takes from the least "
            "sensitive level first, so that level runs out early and late classes mix the middle "
            "ones; left-over records of level 2, the most frequent, join classes that hold "
            "level 1, as line 18 of the algorithm prefers.",
            *self._largest(results),
            "Our hierarchies are the bundled ones: table 9 has the heights of the paper's, not "
            "their nodes. The text gives no numbers of the figures, so courses, orders and ratios "
            "are compared, not sizes.",
            "Times are those of Shoal's implementations: they say how ours compare with each "
            "other. A verdict on times whose figures lie near the rule's limit may differ in the "
            "next run; distances do not.",
        ]

    def _stops(self, results: Results) -> list[str]:
        """Say what stopping as printed changes."""
        if not {*STAND_INS, *STAND_INS.values()} <= set(self.methods):
            return []
        said = []
        for method, other in STAND_INS.items():
            for column, words in (("classes", "classes"), ("largest_class", "rows in the largest")):
                on, as_printed = (
                    course(
                        results.line(column, "k", method=each, quasi=WIDTH, alpha=ALPHA), "k = {}"
                    )
                    for each in (method, other)
                )
                said.append(f"{PAPER[method].shown}, {words}: {as_printed}; going on {on}.")
        grid = self.grid
        mine, theirs = (
            alpha_i_k_claims.claims(each) for each in (grid, replace(grid, stand_ins=STAND_INS))
        )
        stopped = results.only("method", tuple(STAND_INS.values()))
        return [
            "What stopping as printed (line 4) changes: what is left over when fewer than k values "
            "have records joins the classes there are. Means at "
            f"α = {ALPHA:g}, |QI| = {WIDTH}: {' '.join(said)} {_suppressed(stopped)}",
            f"With both GCA stopping as printed: {differing(mine, theirs, results)}.",
        ]

    def _largest(self, results: Results) -> list[str]:
        """Say how large (αᵢ,k)-GCA's classes become."""
        if "leveled-gca" not in self.methods:
            return []
        line = results.line("largest_class", "k", method="leveled-gca", quasi=WIDTH, alpha=ALPHA)
        return [
            f"Rows in (αᵢ,k)-GCA's largest class, on average: {course(line, 'k = {}')}. "
            "A class takes from the most frequent value of a level in every pass; where that "
            "keeps a share above its αᵢ, it grows until another value is the most frequent."
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
        said = []
        for why, ours, theirs in wanted:
            if {ours, theirs} <= set(self.methods):
                distance, error = (
                    course(_ratio(results, column, ours, theirs), "k = {}")
                    for column in ("reconstruction_distance", "count_query_error")
                )
                said.append(
                    f"{why}: {SERIES[ours].shown} ÷ {SERIES[theirs].shown} is {distance} in "
                    f"reconstruction distance, and {error} in count query error."
                )
        if said:
            said.insert(
                0,
                f"Ratios of means at α = {ALPHA:g}, |QI| = {WIDTH}, by k; below 1 the first loses "
                "less. Where both GCA are generalized, they choose the nearest record of a value, "
                "which two tables do not need.",
            )
        return said


def _table(n: int, width: int, seed: int) -> Table:
    """Encode the first quasi-identifiers of a sample of n rows."""
    return adult.encoded(
        QUASI[:width],
        (SENSITIVE,),
        rows=n,
        complete=True,
        train=True,
        sample_seed=seed,
        levels=True,
    )


def _ratio(results: Results, column: str, ours: str, theirs: str) -> dict[float, float]:
    """Divide the means of two series, at some k."""
    first, second = (
        results.line(column, "k", method=name, quasi=WIDTH, alpha=ALPHA) for name in (ours, theirs)
    )
    return {k: first[k] / second[k] for k in (2, BY_ALPHA, max(FEW_KS)) if second.get(k)}


def _suppressed(results: Results) -> str:
    """Say how many rows were suppressed at most."""
    most = max(results.runs["suppressed"].to_list())
    return f"At most {most:.2%} of rows were suppressed." if most else "No run suppressed a row."


def _most_frequent() -> float:
    """Give the share of the most frequent occupation."""
    counts = adult.rows_of(complete=True, train=True)[SENSITIVE].value_counts()["count"]
    return float(max(counts.to_list()) / counts.sum())
