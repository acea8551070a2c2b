"""Train on the original and on the release, test both on held-out original rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import require_whole
from shoal.base.arrays import Floats
from shoal.errors import InputError, ParameterError, did_you_mean, require_extra
from shoal.io.frames import to_polars
from shoal.judging.utility.features import (
    INTERVALS,
    Intervals,
    Space,
    large_columns,
    original_cells,
    published_cells,
)
from shoal.judging.utility.label import (
    SAMPLE,
    Label,
    read_label,
    read_quasi_label,
    require_role,
    sample_rows,
    without_label,
)
from shoal.judging.utility.learners import CLASSIFIERS, REGRESSORS, chosen
from shoal.judging.utility.score import Score, TrainedOn
from shoal.publications.published import Released
from shoal.publications.recoding import parse
from shoal.table import Table
from shoal.table.schema import Role, Schema

Rows = npt.NDArray[np.intp]
Measured = dict[str, float]

SMALL = 10_000
"""With fewer rows than this, models use one thread."""


def utility(
    original: Any,
    published: Any,
    schema: Schema | None,
    label: str,
    rows: npt.ArrayLike | None = None,
    models: Sequence[str] | None = None,
    folds: int = 3,
    seed: int = 0,
    train_on: Sequence[TrainedOn] = ("original", "release"),
    test_on_release: bool = False,
    intervals: Intervals = "midpoint",
    sample: int | None = SAMPLE,
    progress: Callable[[int, int], None] | None = None,
) -> list[Score]:
    """Say how well a label can be predicted by who learns from the release.

    The original rows are split into folds. For each fold a model learns from the other folds'
    original rows, and one of the same kind from the published rows that stand for them; both
    are tested on the fold's original rows, those included that the release suppressed. What
    is learnt from are the quasi-identifiers.

    Parameters
    ----------
    original
        The original table, any frame.
    published
        A `Release`, or the published table.
    schema
        Roles and hierarchies; ``None`` are those of a release.
    label
        The column to predict. A numeric one of more than 20 values is predicted as a number.
        A quasi-identifier may be one: then models learn from the others. An interval is its
        midpoint and a numeric one always a number; of a category that covers several values,
        one is drawn.
    rows
        For each published row, the original row it comes from; a release brings its own.
        Without it, row i stands for row i.
    models
        Names in `CLASSIFIERS` or, for a number, `REGRESSORS`; ``None`` are all.
    folds
        Into how many parts the rows are split, 2 or more. The rows of a person (the schema's
        ``entity``) stay together.
    seed
        Draws the sample and the folds, what forests draw, and values of a generalized label.
    train_on
        ``"original"`` and ``"release"``, or one of them; the baseline is always there.
    test_on_release
        Also test models of the release on the published rows that stand for the held-out ones,
        as papers do that never see the original.
    intervals
        What becomes of an interval: ``"midpoint"``, or ``"one-hot"``: a feature per interval, which
        says whether it covers a cell. Numbers of the original are then intervals, too.
    sample
        The largest number of original rows to use, drawn at random; ``None`` for all. Each `Score`
        says how many did.
    progress
        Called with the models trained and all of them.

    Returns
    -------
    list of Score
        First the baseline (the most frequent class, or the mean), then each model trained on
        the original and on the release. Of classes ``accuracy``, ``auc`` (of more than two: the
        mean of one against the rest) and ``f1`` (the mean over the classes); of numbers ``r2``
        and ``mae``.

    Notes
    -----
    The release was grouped with all rows, the held-out ones among them: a cell can be wide or
    narrow because of a row that is tested later. Their labels never reach a model that is
    tested on them, unless a requirement on that column shaped the groups.

    Examples
    --------
    >>> import shoal
    >>> adult = shoal.datasets.adult().select("age", "sex", "education-num", "salary-class")
    >>> schema = shoal.Schema({
    ...     "age": shoal.quasi(), "sex": shoal.quasi(), "education-num": shoal.quasi(),
    ...     "salary-class": shoal.sensitive()})
    >>> release = shoal.anonymize(adult.head(900), schema, require=[shoal.KAnonymity(5)],
    ...     method=shoal.GAACP(seed=7))
    >>> scores = utility(adult.head(900), release, schema, "salary-class", models=["naive-bayes"])
    >>> [score.trained_on for score in scores if score.measure == "auc"]
    ['baseline', 'original', 'release']
    """
    require_extra("utility", "sklearn")
    require_whole("folds", folds, 2, "Such as 3.")
    require_whole("seed", seed, 0)
    if not train_on or not {"original", "release"} >= set(train_on):
        raise ParameterError(
            f"train_on must name 'original' or 'release', not {train_on!r}.",
            "Name one of them, or both.",
        )
    if intervals not in INTERVALS:
        raise ParameterError(
            f"intervals must be 'midpoint' or 'one-hot', not {intervals!r}.",
            did_you_mean(str(intervals), INTERVALS),
        )
    if sample is not None:
        require_whole("sample", sample, 2 * folds, "Or None, for all rows.")
    if isinstance(published, Released):
        schema = published.schema if schema is None else schema
        rows = published.rows if rows is None else rows
        published = published.published.held.frame
    if schema is None:
        raise ParameterError("No column roles were given.", "Give a schema.")
    table = Table.encode(original, schema, empty_columns=True)
    frame = to_polars(published)
    recoded = parse(table, frame, None if rows is None else np.asarray(rows))
    require_role(table, label)
    if table.schema[label].role is Role.QUASI:
        target = read_quasi_label(table, recoded, label, folds, seed)
        table, recoded = without_label(table, recoded, label)
    else:
        target = read_label(table, frame, label, folds)
    kinds = REGRESSORS if target.is_number else CLASSIFIERS
    wanted = chosen(models, kinds, "a number" if target.is_number else "classes")
    large = large_columns(table, recoded)
    mine = original_cells(table, intervals, large)
    theirs = published_cells(table, recoded, intervals, large)
    labelled = int(target.known.sum())
    if sample is not None:
        drawn = sample_rows(target, table.people, sample, folds, seed)
        target = replace(target, known=drawn)
    counts = int(target.known.sum()), labelled
    found: dict[tuple[str, TrainedOn], list[Measured]] = {}
    again: dict[str, list[Measured]] = {}
    guess = "mean" if target.is_number else "majority"
    done, total = 0, len(set(train_on)) * folds * len(wanted)
    if progress:
        progress(done, total)
    for train, test in _splits(table, target, folds, seed):
        taken = np.zeros(table.n_rows, dtype=np.bool_)
        taken[train] = True
        held = np.flatnonzero(taken[recoded.rows] & target.published_known)
        _require_learnable(target, held, label)
        taken[:] = False
        taken[test] = True
        apart = np.flatnonzero(taken[recoded.rows] & target.published_known)
        truth = target.values[test]
        found.setdefault((guess, "baseline"), []).append(_baseline(target, train, truth))
        sources: list[tuple[TrainedOn, Any, Rows, npt.NDArray[Any]]] = [
            ("original", mine, train, target.values[train]),
            ("release", theirs, held, target.published[held]),
        ]
        for trained_on, cells, learnt, known in sources:
            if trained_on not in train_on:
                continue
            space = Space.span(cells, learnt)
            features, tested = space.read(cells, learnt), space.read(mine, test)
            for name in wanted:
                with _threads(len(learnt)):
                    made = kinds[name](space.n_numbers, features.shape[1], seed)
                    model = _fit(made, features, known)
                    measured = _judge(target, model, tested, truth)
                    if test_on_release and trained_on == "release":
                        seen = space.read(cells, apart)
                        judged = _judge(target, model, seen, target.published[apart])
                        again.setdefault(name, []).append(judged)
                found.setdefault((name, trained_on), []).append(measured)
                done += 1
                if progress:
                    progress(done, total)
    order = [guess, *wanted]  # the baseline first, and the original before the release
    scores = [
        Score.of(model, trained_on, measure, [each[measure] for each in measured], rows=counts)
        for (model, trained_on), measured in sorted(
            found.items(), key=lambda each: (order.index(each[0][0]), each[0][1])
        )
        for measure in measured[0]
    ]
    return scores + [
        Score.of(model, "release", measure, [each[measure] for each in judged], "release", counts)
        for model, judged in again.items()
        for measure in judged[0]
    ]


def _splits(table: Table, target: Label, folds: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
    """Split the rows that have a label; classes are spread evenly, people stay together."""
    from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

    rows = np.flatnonzero(target.known)
    people = None if table.people is None else table.people[rows]
    if people is not None and len(np.unique(people)) < folds:
        raise InputError(
            f"{len(np.unique(people))} people have a label, fewer than {folds} folds.",
            "Use fewer folds.",
        )
    if target.is_number:
        kind: Any = KFold if people is None else GroupKFold
    else:
        kind = StratifiedKFold if people is None else StratifiedGroupKFold
    cut = kind(n_splits=folds, shuffle=True, random_state=seed)
    for train, test in cut.split(rows, target.values[rows], people):
        yield rows[train], rows[test]


def _require_learnable(target: Label, held: Rows, label: str) -> None:
    seen = len(np.unique(target.published[held]))
    if seen < 2:
        raise InputError(
            f"The published training rows hold {seen} values of '{label}'.",
            "Too many rows were suppressed; there is nothing to learn.",
        )


def _threads(rows: int) -> AbstractContextManager[Any]:
    """Keep small tables to one thread: several would wait for each other most of the time."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1) if rows < SMALL else nullcontext()


def _fit(model: Any, features: npt.NDArray[Any], known: npt.NDArray[Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a model that could be fitted further is still judged
        return model.fit(features, known)


def _baseline(target: Label, train: Rows, truth: npt.NDArray[Any]) -> Measured:
    """Predict the same for every row, whatever its cells."""
    if target.is_number:
        return _of_numbers(truth, np.full(len(truth), target.values[train].mean()))
    n_classes = int(target.values.max()) + 1
    shares = np.bincount(target.values[train], minlength=n_classes) / len(train)
    return _of_classes(truth, np.tile(shares, (len(truth), 1)))


def _judge(
    target: Label, model: Any, tested: npt.NDArray[Any], truth: npt.NDArray[Any]
) -> Measured:
    if target.is_number:
        return _of_numbers(truth, model.predict(tested))
    odds = np.zeros((len(truth), int(target.values.max()) + 1))
    odds[:, model.classes_] = model.predict_proba(tested)  # a class may be suppressed wholly
    return _of_classes(truth, odds)


def _of_numbers(truth: npt.NDArray[Any], guess: npt.NDArray[Any]) -> Measured:
    from sklearn.metrics import mean_absolute_error, r2_score

    return {"r2": float(r2_score(truth, guess)), "mae": float(mean_absolute_error(truth, guess))}


def _of_classes(truth: npt.NDArray[Any], odds: Floats) -> Measured:
    from sklearn.metrics import accuracy_score, f1_score, roc_auc_score

    guess = odds.argmax(axis=1)
    # One against the rest, by hand: a class that a fold of people lacks is left out.
    present = np.unique(truth)
    several = present if odds.shape[1] > 2 else present[present == 1]
    areas = [roc_auc_score(truth == each, odds[:, each]) for each in several if len(present) > 1]
    return {
        "accuracy": float(accuracy_score(truth, guess)),
        "auc": float(np.mean(areas)) if areas else float("nan"),
        "f1": float(f1_score(truth, guess, average="macro", zero_division=0.0)),
    }
