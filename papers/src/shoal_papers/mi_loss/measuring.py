"""What is measured for Gu and Dong (2022): the best nodes, and what is learnt from them."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.judging.utility import utility
from shoal.judging.utility.features import Space, original_cells, published_cells
from shoal.measures import weighed
from shoal.methods import FullDomain
from shoal.models import KAnonymity
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import Recoded, generalize
from shoal.table import Table
from shoal.table.hierarchies import Builder, CsvFile, Intervals
from shoal.table.schema import Column, Schema, quasi, sensitive
from shoal_papers import adult
from shoal_papers.mi_loss.grid import LINEAR, ORIGINAL, PUBLISHED, RAW, STARRED
from shoal_papers.mi_loss.weights import LABEL, QUASI, label_of
from shoal_papers.trial import require_held

__all__ = [
    "AUC",
    "EVERY",
    "INTERVALS",
    "LEVELS",
    "heights",
    "learnt",
    "learnt_by",
    "learnt_raw",
    "optimum",
    "search_facts",
    "starred",
    "table_of",
]

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

NUMERIC = (*INTERVALS["wide"], "fnlwgt", "capital-loss")

EVERY = ("fnlwgt", "education", "capital-loss")
"""The features of Adult that are no quasi-identifiers in the paper."""

LEVELS = tuple(f"level_{name}" for name in QUASI)

AUC = "auc_linear"
"""The area under the curve of linear regression, on held-out published rows."""

FOLDS = 3


def _column(name: str, intervals: str) -> Column:
    """Declare a column; without a set of intervals, numbers have no tree."""
    if name not in NUMERIC:
        return quasi(kind="categorical", hierarchy=CsvFile(adult.bundled("hierarchies", name)))
    tree: Builder | None = INTERVALS[intervals][name] if intervals in INTERVALS else None
    return quasi(kind="numeric", hierarchy=tree)


@lru_cache(maxsize=32)
def table_of(n: int, intervals: str, kind: str, more: tuple[str, ...] = ()) -> Table:
    """Encode n rows, with weights made from them."""
    names = (*QUASI, *more)
    frame = adult.sample(adult.rows_of(train=True).select(*names, LABEL), n)
    columns = {name: _column(name, intervals) for name in names}
    schema = Schema({**columns, LABEL: sensitive()})
    return Table.encode(frame, weighed(frame, schema, kind, label_of(kind)))


def heights(n: int, intervals: str) -> list[int]:
    """Give the highest level of each column."""
    return [tree.hierarchy.height for tree in table_of(n, intervals, "equal").trees]


@lru_cache(maxsize=2)
def optimum(n: int, intervals: str, kind: str, limit: int, k: int, seconds: float) -> Grouping:
    """Find the best node, as far as the time goes."""
    table = table_of(n, intervals, kind)
    method = FullDomain(suppression_limit=limit / 100, time_limit=seconds)
    grouping = method.group(table, [KAnonymity(k)], rng=np.random.default_rng(0))
    require_held(table, grouping, [KAnonymity(k)], method.name)
    return grouping


def search_facts(grouping: Grouping) -> dict[str, float]:
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


def learnt(table: Table, grouping: Grouping, seed: int) -> dict[str, float]:
    """Learn from published rows: a node's cells, or the least ones of each group."""
    recoded = generalize(table, grouping, bounds="observed")
    found = _accuracies(table, recoded.decode(table), recoded.rows, "release", seed)
    of = {PUBLISHED: found["release", "release"], ORIGINAL: found["release", "original"]}
    return of | _linear(table, recoded, seed)


def starred(table: Table, grouping: Grouping, seed: int) -> dict[str, float]:
    """Learn from published rows and from suppressed ones, which show ``*`` in every column."""
    recoded = generalize(table, grouping, bounds="observed")
    gone = np.flatnonzero(grouping.labels < 0)
    shown = recoded.decode(table).cast(pl.String)
    star = table.frame[gone].select(
        pl.col(LABEL).cast(pl.String) if name == LABEL else pl.lit("*").alias(name)
        for name in shown.columns
    )
    rows = np.concatenate([recoded.rows, gone])
    found = _accuracies(table, pl.concat([shown, star]), rows, "release", seed)
    return {STARRED: found["release", "release"]}


@lru_cache(maxsize=64)
def learnt_raw(n: int, seed: int, more: tuple[str, ...] = ()) -> dict[str, dict[str, float]]:
    """Learn from original rows, which are tested as they are."""
    table = table_of(n, RAW, "equal", more)
    found = _accuracies(table, table.frame, None, "original", seed)
    raw, majority = found["original", "original"], found["baseline", "original"]
    return {
        "raw": {PUBLISHED: raw, ORIGINAL: raw, STARRED: raw} | _linear(table, None, seed),
        "majority": {PUBLISHED: majority, ORIGINAL: majority},
    }


def learnt_by(n: int, model: str, seed: int) -> dict[str, float]:
    """Learn from original rows with another model."""
    table = table_of(n, RAW, "equal")
    found = _accuracies(table, table.frame, None, "original", seed, model)["original", "original"]
    return {PUBLISHED: found, ORIGINAL: found}


def _accuracies(
    table: Table,
    published: pl.DataFrame,
    rows: npt.NDArray[np.intp] | None,
    train_on: Literal["original", "release"],
    seed: int,
    model: str = "logistic-regression",
) -> dict[tuple[str, str], float]:
    """Give the mean accuracy by what was learnt from, and what was tested."""
    scores = utility(
        table.frame,
        published,
        table.schema,
        LABEL,
        rows=rows,
        models=[model],
        folds=FOLDS,
        seed=seed,
        train_on=[train_on],
        test_on_release=train_on == "release",
    )
    return {
        (score.trained_on, score.tested_on): score.mean
        for score in scores
        if score.measure == "accuracy"
    }


def _linear(table: Table, recoded: Recoded | None, seed: int) -> dict[str, float]:
    """Learn by least squares with the same features and folds; above one half is the class."""
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold

    _, label = np.unique(table.frame[LABEL].to_numpy(), return_inverse=True)
    if recoded is None:
        cells, shown = original_cells(table, "midpoint"), np.arange(table.n_rows)
    else:
        cells, shown = published_cells(table, recoded, "midpoint"), recoded.rows
    fold = np.zeros(table.n_rows, dtype=np.int64)
    cut = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    for place, (_, test) in enumerate(cut.split(label, label)):
        fold[test] = place
    right, area = [], []
    for place in range(FOLDS):
        train, test = (np.flatnonzero((fold[shown] == place) == held) for held in (False, True))
        space = Space.span(cells, train)
        features, tested = (
            np.column_stack([np.ones(len(rows)), space.read(cells, rows)]) for rows in (train, test)
        )
        # Marks of categories sum to one: of all that fit best, the shortest vector is taken.
        square, target = features.T @ features, features.T @ label[shown[train]]
        guess = tested @ np.linalg.lstsq(square, target, rcond=1e-10)[0]
        truth = label[shown[test]]
        right.append(float(np.mean((guess > 0.5) == truth)))
        area.append(float(roc_auc_score(truth, guess)))
    return {LINEAR: float(np.mean(right)), AUC: float(np.mean(area))}
