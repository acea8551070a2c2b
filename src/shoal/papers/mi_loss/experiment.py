"""Paper 5: what logistic regression learns from the optima of weighted losses (figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import nan
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.grouping import Grouping
from shoal.hierarchies import Builder, CsvFile, Intervals
from shoal.measures import weighed
from shoal.methods import GAACP, FullDomain
from shoal.models import KAnonymity
from shoal.papers import adult
from shoal.papers.base import Cell, Experiment
from shoal.papers.claims import Claim
from shoal.papers.drawing import Drawing
from shoal.papers.figures import Figure
from shoal.papers.mi_loss import claims as mi_loss_claims, questions as mi_loss_questions
from shoal.papers.mi_loss.claims import (
    OBSERVED,
    OPTIMA,
    ORIGINAL,
    PUBLISHED,
    RAW,
    Grid,
    Setting,
)
from shoal.papers.mi_loss.questions import CLUSTERED
from shoal.papers.mi_loss.weights import LABEL, QUASI, label_of, table_2
from shoal.papers.results import SEED, Results
from shoal.papers.tables import PageTable
from shoal.papers.trial import WARM_UP, listed, require_held, require_methods
from shoal.recode import generalize
from shoal.schema import Column, Schema, quasi, sensitive
from shoal.table import Table
from shoal.utility import utility

__all__ = ["MiLossExperiment"]

BOUNDS = {"raw": "raw", "majority": "majority"}
"""What is learnt without anonymization, and without learning."""

WEIGHTS = {
    "loss": "equal",
    "entropy-loss": "entropy",
    "mi-loss": "mutual-information",
    "mi-loss-gain-ratio": "gain-ratio",
    "gaa-cp": "equal",
    "gaa-cp-mi": "mutual-information",
    "gaa-cp-gain-ratio": "gain-ratio",
}
"""The kind of weights of each series."""

INTERVALS = {
    "wide": {
        "age": Intervals(width=20, levels=1),
        "education-num": Intervals(width=4, levels=1),
        "capital-gain": Intervals(width=25_000, levels=1),
        "hours-per-week": Intervals(width=25, levels=1),
    },
    "narrow": {
        "age": Intervals(width=10, levels=2),
        "education-num": Intervals(width=2, levels=2),
        "capital-gain": Intervals(width=5_000, levels=2),
        "hours-per-week": Intervals(width=10, levels=2),
    },
}
"""Two sets of hierarchies of the numbers; above the intervals stands ``*``."""

NUMERIC = tuple(INTERVALS["wide"])

SETTINGS: tuple[Setting, ...] = (("wide", 0), ("wide", 5), ("narrow", 0), ("narrow", 5))

BEST = "best"
"""The series of the most accurate optimum at each setting and k."""

LEVELS = tuple(f"level_{name}" for name in QUASI)


@dataclass(frozen=True)
class MiLossExperiment(Experiment):
    """Table 2 and figure 3 of the paper, and two figures of ours.

    Parameters
    ----------
    quick
        A sample of 500 rows, wide intervals only, two values of k, two splits.
    rows, splits, settings
        Instead of the usual ones, for tests.
    seconds
        The most time that a search takes; then the best node found so far is taken.
    """

    quick: bool = False
    rows: int | None = None
    splits: int | None = None
    settings: tuple[Setting, ...] | None = None
    seconds: float = 60.0

    name: ClassVar[str] = "mi-loss"
    title: ClassVar[str] = "Paper 5: the experiments of MI Loss"
    reference: ClassVar[str] = (
        "Gu, Dong: MI Loss evaluation model for k-anonymity in PPDM. Computer Engineering "
        "48(4), 2022, 143–147. Section 4, table 2 and figure 3."
    )
    numbers: ClassVar[tuple[str, ...]] = (
        PUBLISHED,
        ORIGINAL,
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
    def grid(self) -> Grid:
        """The settings of the optima."""
        usual = SETTINGS[:2] if self.quick else SETTINGS
        return Grid((2, 10) if self.quick else (2, 3, 5, 10), self.settings or usual)

    def cells(self) -> list[Cell]:
        """Order cells by search, so that all splits of a node follow each other."""
        grid = self.grid
        wanted = [(name, RAW, 0, 0) for name in BOUNDS]
        wanted += [(name, OBSERVED, 0, k) for k in grid.ks for name in CLUSTERED]
        wanted += [
            (name, *setting, k) for setting in grid.settings for k in grid.ks for name in OPTIMA
        ]
        return [
            {"method": name, "intervals": intervals, "limit": limit, "k": k, SEED: seed}
            for name, intervals, limit, k in wanted
            for seed in self.seeds
        ]

    def configuration(self) -> dict[str, Any]:
        """Add the data and the time limit that the numbers depend on."""
        data = {"table": "adult", "rows": self.n_rows, "sample_seed": adult.SAMPLE_SEED}
        return {**super().configuration(), **data, "seconds_per_search": self.seconds}

    def prepare(self) -> None:
        """Refuse absent methods, and compile the search before any has a time limit."""
        require_methods([FullDomain.name, GAACP.name])
        for _, limit in self.grid.settings:
            _optimum(WARM_UP, "wide", "equal", limit, 2, 0.1)

    def measure(self, cell: Cell) -> dict[str, float]:
        """Predict the label of held-out rows."""
        method, k, seed = str(cell["method"]), int(cell["k"]), int(cell[SEED])
        unsearched = dict.fromkeys(self.numbers[2:], nan) | {"suppressed": 0.0}
        if method in BOUNDS:
            return unsearched | _learnt_raw(self.n_rows, seed)[method]
        intervals, kind = str(cell["intervals"]), WEIGHTS[method]
        table = _table(self.n_rows, intervals, kind)
        if method in CLUSTERED:
            rng = np.random.default_rng(seed)
            grouping = GAACP(seed=seed).group(table, [KAnonymity(k)], rng=rng)
            require_held(table, grouping, [KAnonymity(k)], GAACP.name)
            return unsearched | _learnt(table, grouping, seed)
        grouping = _optimum(self.n_rows, intervals, kind, int(cell["limit"]), k, self.seconds)
        return _search_facts(grouping) | _learnt(table, grouping, seed)

    def about(self) -> list[tuple[str, str]]:
        """Say what was run."""
        sample = "" if self.n_rows == adult.TRAIN else f"; here a sample of {self.n_rows:,}"
        used = dict.fromkeys(intervals for intervals, _ in self.grid.settings)
        return [
            ("Data", f"UCI Adult, the first {adult.TRAIN:,} rows, missing cells kept{sample}"),
            ("Quasi-identifiers", ", ".join(QUASI)),
            ("Label", LABEL),
            (
                "Optima",
                "the node of least loss (FullDomain); the columns' losses are weighed equally "
                "(Loss), by entropy (Entropy Loss), or by what they tell about the label (MI "
                "Loss): by equation 4, and by the gain ratio, which is what table 2 prints",
            ),
            (
                "Intervals",
                f"of numbers: the value, intervals, then *; {' or '.join(map(_widths, used))}. "
                "Categories have the bundled hierarchies. All are ours: the paper prints none",
            ),
            (
                "Limit",
                f"the largest share of rows that may be suppressed: {_limits(self.grid)} %; "
                "the paper gives none",
            ),
            (
                "Search",
                f"at most {self.seconds:g} s each; table A says of each node whether it is proven "
                "to be the best one, and how far it may be off where it is not",
            ),
            (
                "GAA-CP",
                "ours: the method of paper 1, with the same weights in its distance. It groups "
                "locally, suppresses nothing, and publishes a number as the interval from the "
                "least to the largest of its group, so intervals and limit do not concern it: it "
                "is measured once per k and seed, and shown in every panel",
            ),
            (
                "Learning",
                "logistic regression (the paper's text says linear), 3-fold cross-validation, an "
                "interval as the mean of its ends (shoal.utility). Published rows are learnt from",
            ),
            (
                "Tested on",
                "held-out published rows, as in the paper: figures 3 and A, and every verdict on "
                "the paper's claims. Figures 3b and B: the same models on the held-out original "
                "rows, suppressed ones included, which is what shoal.utility asks",
            ),
            ("raw, majority", "models of the original rows; the most frequent class"),
            ("k", f"{listed(self.grid.ks)}; in the CSV files k = 0 is the raw table"),
            (
                "Repetitions",
                f"{len(self.seeds)} splits into folds, seeds {self.seeds[0]} to {self.seeds[-1]}; "
                "GAA-CP groups anew with each seed, an optimum is the same in all of them",
            ),
            ("Choices", "all of these were fixed before this run"),
        ]

    def figures(self, results: Results) -> list[Figure]:
        """Lay out figure 3, and ours; each for both kinds of rows that are tested."""
        every = _in_every_panel(results, self.grid)
        panels: list[Cell] = [{"intervals": i, "limit": limit} for i, limit in self.grid.settings]
        optima = {"raw": BOUNDS["raw"], **OPTIMA, "majority": BOUNDS["majority"]}
        clustered = {"raw": BOUNDS["raw"], **CLUSTERED, BEST: "best of the four optima"}

        def figure(number: str, words: str, column: str, shown: dict[str, str]) -> Figure:
            drawn = _with_best(every, column).only("method", tuple(shown))
            drawing = Drawing(drawn, shown, {"k": self.grid.ks})
            named, measure = ["intervals", "limit"], (column, "accuracy")
            return drawing.figure(number, words, measure, "k", panels, named=named, zero_y=False)

        return [
            figure("3", "Accuracy against k, tested on published rows", PUBLISHED, optima),
            figure("3b", "Accuracy against k, tested on original rows", ORIGINAL, optima),
            figure("A", "GAA-CP (ours), tested on published rows", PUBLISHED, clustered),
            figure("B", "GAA-CP (ours), tested on original rows", ORIGINAL, clustered),
        ]

    def claims(self) -> Sequence[Claim]:
        """List what abstract and section 4 say."""
        return mi_loss_claims.claims(self.grid)

    def questions(self) -> Sequence[Claim]:
        """Ask about GAA-CP with these weights."""
        return mi_loss_questions.questions(self.grid)

    def tables(self, results: Results) -> list[PageTable]:
        """Give Table 2, and how each search ended."""
        return [table_2(), self._searches(results)]

    def remarks(self, results: Results) -> list[str]:
        """Say what limits the verdicts."""
        found = _searched(results)
        open_ = int((found["proven"] < 1).sum())
        proofs = (
            f"All {found.height} nodes are proven to be the best ones."
            if not open_
            else f"{open_} of {found.height} nodes are not proven to be the best ones: there, "
            "verdicts compare nodes that were found in the time, not the optima that the paper "
            "compares, and another machine may find others. They may be off by at most "
            f"{max(found['gap'].to_list()):.4f} in loss."
        )
        return [
            proofs,
            "Where several nodes have the same least loss, the one of lowest levels is taken, in "
            "the order of the quasi-identifiers; another may be more or less accurate.",
            "The paper gives neither hierarchies nor a suppression limit: its claims are judged "
            "over all settings together, and figure 3 shows each.",
            "Rows that were suppressed are not tested on published rows, but on original ones. "
            "GAA-CP is tested on all rows in both.",
            "On original rows a number is itself, but its interval was learnt as the mean of its "
            "ends: most capital gains are 0, and lie at the very end of theirs.",
            "Groups and nodes were chosen with all rows, held-out ones among them, and the weights "
            "of MI Loss saw their labels.",
            "Bars show splits alone; for GAA-CP also what it draws. They do not show what another "
            "sample of people would change. Accuracies in figures do not start at 0.",
        ]

    def _searches(self, results: Results) -> PageTable:
        """Say how each search ended."""
        tops = {intervals: _heights(self.n_rows, intervals) for intervals, _ in self.grid.settings}
        rows = []
        for row in _searched(results).iter_rows(named=True):
            levels = zip((int(row[name]) for name in LEVELS), tops[row["intervals"]], strict=True)
            rows.append(
                [
                    f"{row['intervals']}, {row['limit']} %",
                    str(row["k"]),
                    OPTIMA[row["method"]],
                    f"{row['loss']:.4f}",
                    "yes" if row["proven"] == 1 else f"no, gap {row['gap']:.4f}",
                    f"{int(row['nodes']):,}",
                    f"{row['suppressed']:.2%}",
                    " ".join("*" if level == top else str(level) for level, top in levels),
                ]
            )
        return PageTable(
            title="Table A (ours): searches",
            text="Loss is by the weights of the row. The gap says by how much the loss of another "
            "node could be less. Levels are in the order of the quasi-identifiers; 0 shows values "
            "as they are, * nothing.",
            head=(
                "intervals, limit",
                "k",
                "optimum of",
                "loss",
                "proven",
                "nodes counted",
                "suppressed",
                "levels",
            ),
            rows=rows,
        )


def _widths(intervals: str) -> str:
    """Write a set of intervals."""
    said = [
        f"{name} {' and '.join(f'{built.width * 2**level:,}' for level in range(built.levels))}"
        for name, built in INTERVALS[intervals].items()
        if built.width is not None and built.levels is not None
    ]
    return f"{intervals} (their widths: {', '.join(said)})"


def _limits(grid: Grid) -> str:
    return listed(sorted({limit for _, limit in grid.settings}))


def _column(name: str, intervals: str) -> Column:
    """Declare a column; without a set of intervals, numbers have no tree."""
    if name not in NUMERIC:
        return quasi(kind="categorical", hierarchy=CsvFile(adult.bundled("hierarchies", name)))
    tree: Builder | None = INTERVALS[intervals][name] if intervals in INTERVALS else None
    return quasi(kind="numeric", hierarchy=tree)


@lru_cache(maxsize=32)
def _table(n: int, intervals: str, kind: str) -> Table:
    """Encode n rows, with weights made from them."""
    frame = adult.sample(adult.rows_of(train=True).select(*QUASI, LABEL), n)
    columns = {name: _column(name, intervals) for name in QUASI}
    schema = Schema({**columns, LABEL: sensitive()})
    return Table.encode(frame, weighed(frame, schema, kind, label_of(kind)))


def _heights(n: int, intervals: str) -> list[int]:
    return [tree.hierarchy.height for tree in _table(n, intervals, "equal").trees]


@lru_cache(maxsize=2)
def _optimum(n: int, intervals: str, kind: str, limit: int, k: int, seconds: float) -> Grouping:
    """Find the best node, as far as the time goes."""
    table = _table(n, intervals, kind)
    method = FullDomain(suppression_limit=limit / 100, time_limit=seconds)
    grouping = method.group(table, [KAnonymity(k)], rng=np.random.default_rng(0))
    require_held(table, grouping, [KAnonymity(k)], method.name)
    return grouping


def _search_facts(grouping: Grouping) -> dict[str, float]:
    """Say how a search ended."""
    search, levels = grouping.search, grouping.levels
    assert search is not None
    assert levels is not None
    return {
        "suppressed": grouping.n_suppressed / len(grouping.labels),
        "loss": search["score"],
        "proven": float(search["optimal"]),
        "gap": search["gap"],
        "nodes": search["looked_at"],
        **{column: levels[name] for column, name in zip(LEVELS, QUASI, strict=True)},
    }


def _learnt(table: Table, grouping: Grouping, seed: int) -> dict[str, float]:
    """Learn from published rows: a node's cells, or the least ones of each group."""
    recoded = generalize(table, grouping, bounds="observed")
    found = _accuracies(table, recoded.decode(table), recoded.rows, "release", seed)
    return {PUBLISHED: found["release", "release"], ORIGINAL: found["release", "original"]}


@lru_cache(maxsize=64)
def _learnt_raw(n: int, seed: int) -> dict[str, dict[str, float]]:
    """Learn from original rows, which are tested as they are."""
    table = _table(n, RAW, "equal")
    found = _accuracies(table, table.frame, None, "original", seed)
    of = {"raw": found["original", "original"], "majority": found["baseline", "original"]}
    return {name: {PUBLISHED: value, ORIGINAL: value} for name, value in of.items()}


def _accuracies(
    table: Table,
    published: pl.DataFrame,
    rows: npt.NDArray[np.intp] | None,
    train_on: Literal["original", "release"],
    seed: int,
) -> dict[tuple[str, str], float]:
    """Give the mean accuracy by what was learnt from, and what was tested."""
    scores = utility(
        table.frame,
        published,
        table.schema,
        LABEL,
        rows=rows,
        models=["logistic-regression"],
        seed=seed,
        train_on=[train_on],
        test_on_release=train_on == "release",
    )
    return {
        (score.trained_on, score.tested_on): score.mean
        for score in scores
        if score.measure == "accuracy"
    }


def _searched(results: Results) -> pl.DataFrame:
    """Give the different nodes that searches found."""
    found = results.only("method", tuple(OPTIMA)).runs
    same = ["method", "intervals", "limit", "k", *LEVELS]
    return found.unique(same, keep="first", maintain_order=True)


def _in_every_panel(results: Results, grid: Grid) -> Results:
    """Repeat what intervals, limit or k do not concern, at each of them."""
    runs = results.runs
    ks = pl.DataFrame({"k": list(grid.ks)})
    panels = pl.DataFrame(list(grid.settings), schema=["intervals", "limit"], orient="row")
    names = runs.columns
    bounds = runs.filter(pl.col("method").is_in(list(BOUNDS))).drop("k").join(ks, how="cross")
    local = runs.filter(pl.col("method").is_in(list(CLUSTERED)))
    same = pl.concat([bounds.select(names), local]).drop("intervals", "limit")
    optima = runs.filter(pl.col("method").is_in(list(OPTIMA)))
    shown = pl.concat([optima, same.join(panels, how="cross").select(names)])
    return Results(shown, results.numbers)


def _with_best(results: Results, column: str) -> Results:
    """Add the optimum of the highest mean, at each setting and k, as a series of its own."""
    place = ["intervals", "limit", "k"]
    optima = results.only("method", tuple(OPTIMA)).runs
    of_each = optima.group_by(*place, "method", maintain_order=True).agg(pl.col(column).mean())
    highest = of_each.sort(column, descending=True, maintain_order=True).unique(
        place, keep="first", maintain_order=True
    )
    best = optima.join(highest.select(*place, "method"), on=[*place, "method"])
    named = best.with_columns(pl.lit(BEST).alias("method"))
    return Results(pl.concat([results.runs, named]), results.numbers)
