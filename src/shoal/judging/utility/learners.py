"""The models that are trained, with scikit-learn's settings except where said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from shoal.base.arrays import Floats, Ints
from shoal.errors import ParameterError, did_you_mean

Make = Callable[[int, int, int], Any]
"""Makes a model from the number of scaled features, the number of all features, and the seed."""

NARROW = 200
"""Up to so many features, logistic regression takes Newton steps: the same optimum, sooner."""


def _logistic(n_numbers: int, n_features: int, seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    solver = "newton-cholesky" if n_features <= NARROW else "lbfgs"
    return LogisticRegression(solver=solver, max_iter=2000)


def _maker(module: str, kind: str, **options: Any) -> Make:
    """Make a model of scikit-learn that asks for nothing but the seed."""

    def make(n_numbers: int, n_features: int, seed: int) -> Any:
        return getattr(import_module(f"sklearn.{module}"), kind)(random_state=seed, **options)

    return make


class _MixedBayes:
    """Naive Bayes for numbers (normal) and marks (Bernoulli) together."""

    def __init__(self, n_numbers: int, n_features: int, seed: int) -> None:
        from sklearn.naive_bayes import BernoulliNB, GaussianNB

        self.n_numbers = n_numbers
        self.numbers, self.marks = GaussianNB(), BernoulliNB()

    def fit(self, features: Floats, label: Ints) -> _MixedBayes:
        self.classes_, counts = np.unique(label, return_counts=True)
        self.prior = np.log(counts / len(label))
        self.has_marks = features.shape[1] > self.n_numbers
        if self.n_numbers:
            self.numbers.fit(features[:, : self.n_numbers], label)
        if self.has_marks:
            self.marks.fit(features[:, self.n_numbers :], label)
        return self

    def predict_proba(self, features: Floats) -> Floats:
        # Both models count the prior once, together they must too.
        joint = np.tile(self.prior, (len(features), 1))
        numbers, marks = features[:, : self.n_numbers], features[:, self.n_numbers :]
        if self.n_numbers:
            joint += self.numbers.predict_joint_log_proba(numbers) - self.prior
        if self.has_marks:
            joint += self.marks.predict_joint_log_proba(marks) - self.prior
        odds = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


CLASSIFIERS: dict[str, Make] = {
    "logistic-regression": _logistic,
    "naive-bayes": _MixedBayes,
    "random-forest": _maker("ensemble", "RandomForestClassifier", n_jobs=-1),
    "gradient-boosting": _maker("ensemble", "HistGradientBoostingClassifier"),
}
"""The models of a label of classes, by name."""

REGRESSORS: dict[str, Make] = {
    "ridge": _maker("linear_model", "Ridge"),
    "random-forest": _maker("ensemble", "RandomForestRegressor", n_jobs=-1),
    "gradient-boosting": _maker("ensemble", "HistGradientBoostingRegressor"),
}
"""The models of a numeric label, by name."""


def chosen(models: Sequence[str] | None, known: dict[str, Make], label: str) -> list[str]:
    """Check the names of models; ``None`` are all."""
    if isinstance(models, str):
        models = [models]
    wanted = list(known) if models is None else list(dict.fromkeys(models))
    if not wanted:
        raise ParameterError("No model is named.", f"Known: {', '.join(known)}.")
    for name in wanted:
        if name not in known:
            raise ParameterError(
                f"There is no model '{name}' of {label}.", did_you_mean(str(name), known)
            )
    return wanted
