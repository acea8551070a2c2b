"""What was found: which lever helps which column, what it costs the others, and which to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from shoal.base.plural import counted
from shoal.base.rounding import percent
from shoal.plan import Plan
from shoal.steward.advice.levers import Lever
from shoal.steward.advice.trial import Trial

NOTABLE = 0.05
"""A column that gains less than this share of its information is not helped."""

SLIGHT = 0.01
"""A table that loses less by less than this share of its information is not helped."""

ENOUGH = 1 / 3
"""A lever that gives a column this share of the best gain is enough; then the others decide."""


@dataclass(frozen=True)
class Effect:
    """What a lever does, beside the release as it is: changes of losses, of which fewer are better.

    A column that is left out counts as lost.
    """

    trial: Trial
    """The run with the lever."""
    column: float | None
    """The change of the column's loss; ``None`` if no column is asked about."""
    others: float
    """The change of the mean loss of the other columns."""
    whole: float
    """The change of the loss of the table."""

    @property
    def lever(self) -> Lever:
        """What was changed."""
        return self.trial.lever


@dataclass(frozen=True)
class Advice:
    """Levers of a plan, tried; all of it is private.

    Parameters
    ----------
    plan
        The plan that was varied, with the seed of all runs.
    now
        The release as it is.
    trials
        A run for each lever.
    columns
        The columns in question, the one that lost most first.
    notes
        What could not be tried, and what only a person can do.
    rows, of
        How many rows took part, and how many there are.

    Examples
    --------
    >>> from shoal.steward.advice import ColumnFigures
    >>> def figures(loss: float) -> ColumnFigures:
    ...     return ColumnFigures("*", loss, 0.0, loss)
    >>> plan = Plan.from_dict({"columns": {"age": {"role": "quasi"}, "zip": {"role": "quasi"}},
    ...     "require": [{"model": "k-anonymity", "k": 5}]})
    >>> now = Trial(Lever("as it is", ()), {"age": figures(0.1), "zip": figures(0.9)}, loss=0.5)
    >>> tried = Trial(Lever("weight 5", ()), {"age": figures(0.2), "zip": figures(0.3)}, loss=0.25)
    >>> found = Advice(plan, now, (tried,), ("zip",))
    >>> found
    Advice(1 lever tried; zip: weight 5)
    >>> effect = found.effects("zip")[0]
    >>> round(effect.column, 2), round(effect.others, 2), round(effect.whole, 2)
    (-0.6, 0.1, -0.25)
    """

    plan: Plan
    now: Trial
    trials: tuple[Trial, ...] = ()
    columns: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rows: int = 0
    of: int = 0

    @property
    def made(self) -> list[Trial]:
        """The trials of which there is a release."""
        return [trial for trial in self.trials if not trial.failed]

    @cached_property
    def failed(self) -> list[Trial]:
        """The trials that could not be made; they say why."""
        return [trial for trial in self.trials if trial.failed]

    def effects(self, column: str) -> list[Effect]:
        """Rank the levers that help a column, the one to take first.

        Those that give it at least a third of the best gain come first, by what they cost the other
        columns; then those that leave out another column; then the rest, by what they gain.
        """
        found = [
            self._effect(trial, column)
            for trial in self.made
            if trial.lever.column in (None, column) and column in trial.columns
        ]
        helpful = [each for each in found if _gain(each) >= NOTABLE]
        best = max((_gain(e) for e in helpful if e.lever.keeps_all), default=0.0)

        def rank(effect: Effect) -> tuple[int, float]:
            if effect.lever.weakens or _gain(effect) < ENOUGH * best:
                return 2, -_gain(effect)
            return int(not effect.lever.keeps_all), effect.others

        return sorted(helpful, key=rank)

    def recommended(self, column: str) -> Effect | None:
        """The first of `effects` that protects people as well; ``None`` if nothing helps."""
        return _first(self.effects(column))

    @cached_property
    def for_table(self) -> list[Effect]:
        """Rank the levers with which the table as a whole loses less."""
        found = [self._effect(trial, None) for trial in self.made]
        return sorted((each for each in found if each.whole <= -SLIGHT), key=lambda e: e.whole)

    @property
    def recommended_for_table(self) -> Effect | None:
        """The first of `for_table` that protects people as well; ``None`` if nothing helps."""
        return _first(self.for_table)

    def reason(self, column: str) -> str:
        """Say in a sentence what to do for a column, and why."""
        best, now = self.recommended(column), self.now.columns[column]
        if best is None:
            return self._hopeless(column)
        then = best.trial.columns[column]
        changed = f"{then.typical} instead of {now.typical}"
        why = (
            "Among those that help at least a third as much as the best, it costs the other "
            "columns least."
        )
        if not best.lever.keeps_all:
            why = "No change that keeps all columns helps it."
        return (
            f"For '{column}' try {best.lever.name}: its typical cell is then "
            + (f"{now.typical}, as now" if then.typical == now.typical else changed)
            + f", and {then.starred:.0%} are * instead of {now.starred:.0%}"
            * (f"{then.starred:.0%}" != f"{now.starred:.0%}")
            + f"; {_about_others(best)}. {why}"
        )

    @property
    def reason_for_table(self) -> str:
        """Say in a sentence what to do for the table as a whole, and why."""
        best, lost = self.recommended_for_table, percent(self.now.loss)
        if best is None:
            return f"None of the changes reduces the loss of {lost} noticeably."
        return (
            f"For the table as a whole try {best.lever.title}: it then loses "
            f"{percent(self.now.loss + best.whole)} of the information instead of {lost}"
            + ", counting the left-out column as lost" * (best.lever.leaves_out is not None)
            + "."
        )

    def to_dict(self) -> dict[str, Any]:
        """Give it to a program."""
        return {
            "rows": self.rows,
            "of": self.of,
            "seed": self.plan.publication.seed,
            "now": _without_lever(self.now),
            "columns": {
                name: {
                    "levers": [_described(each) for each in self.effects(name)],
                    "recommended": _name(self.recommended(name)),
                    "reason": self.reason(name),
                }
                for name in self.columns
            },
            "table": {
                "levers": [_described(each) for each in self.for_table],
                "recommended": _name(self.recommended_for_table),
                "reason": self.reason_for_table,
            },
            "trials": [
                {"lever": _lever(trial.lever), **_without_lever(trial)} for trial in self.trials
            ],
            "notes": list(self.notes),
        }

    def _effect(self, trial: Trial, column: str | None) -> Effect:
        """Compare a trial with the release as it is; a column that is left out is lost."""
        changes = {
            name: (trial.columns[name].loss if name in trial.columns else 1.0) - before.loss
            for name, before in self.now.columns.items()
        }
        others = [change for name, change in changes.items() if name != column]
        return Effect(
            trial,
            None if column is None else changes[column],
            sum(others) / max(len(others), 1),
            sum(changes.values()) / len(changes),
        )

    def _hopeless(self, column: str) -> str:
        tried = [self._effect(t, column) for t in self.made if column in t.columns]
        text = f"None of the changes makes '{column}' noticeably finer"
        best = min((e for e in tried if not e.lever.weakens), key=_lost, default=None)
        if best is not None and _gain(best) > 0:
            text += f": the best, {best.lever.name}, gains {100 * _gain(best):.1f} points"
        without = [t for t in self.made if t.lever.leaves_out == column]
        if without:
            finer = -self._effect(without[0], column).others
            text += (
                f". Without it the others lose {100 * finer:.1f} points less on average"
                if finer > 0
                else ". Leaving it out makes the others no finer"
            )
        return text + "."

    def __repr__(self) -> str:
        best = [f"{name}: {_name(self.recommended(name)) or 'nothing'}" for name in self.columns]
        text = f"{counted(len(self.trials), 'lever')} tried"
        return f"Advice({'; '.join([text, *best])})"


def _gain(effect: Effect) -> float:
    return -_lost(effect)


def _lost(effect: Effect) -> float:
    assert effect.column is not None, "it is about a column"
    return effect.column


def _first(effects: Sequence[Effect]) -> Effect | None:
    return next((each for each in effects if not each.lever.weakens), None)


def _about_others(effect: Effect) -> str:
    points = 100 * abs(effect.others)
    more = "more" if effect.others > 0 else "less"
    return f"the others lose {points:.1f} points {more} on average, the whole " + (
        f"{100 * abs(effect.whole):.1f} {'more' if effect.whole > 0 else 'less'}"
    )


def _name(effect: Effect | None) -> str | None:
    return None if effect is None else effect.lever.title


def _lever(lever: Lever) -> dict[str, Any]:
    return {**asdict(lever), "name": lever.title, "options": lever.options, "edit": lever.edit}


def _described(effect: Effect) -> dict[str, Any]:
    changes = {"column": effect.column, "others": effect.others, "whole": effect.whole}
    return {"lever": effect.lever.title, **changes, "highest": effect.trial.highest}


def _without_lever(trial: Trial) -> dict[str, Any]:
    text = asdict(trial)
    del text["lever"]
    return text
