"""What a release tells by having been chosen: posteriors of people in tables of eight rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

import shoal
from benchmarks.timing import Figures
from shoal.errors import InfeasibleError

__all__ = ["METHODS", "Posterior", "Run", "arrangements", "figures_of", "minimality", "posterior"]

ROWS, TABLES, SEEDS = 8, 6, 4
"""Rows of a table, how many tables are drawn, and how often each is published."""

ALPHA = Fraction(1, 2)
REQUIRED = shoal.AlphaK(ALPHA, 2)
DRAWN = 2007
"""What the tables are drawn with."""

Values = tuple[str, ...]

SCHEMA = shoal.Schema(
    {"age": shoal.quasi(kind="numeric"), "sex": shoal.quasi(), "disease": shoal.sensitive()}
)


@dataclass(frozen=True)
class Run:
    """A table that was published: its values, the seed, what readers see and what was lost.

    ``seen`` is ``None`` where nothing is published.
    """

    values: Values
    seed: int
    seen: Hashable
    loss: float = 0.0


@dataclass(frozen=True)
class Posterior:
    """People of whom releases tell more than a limit, and all people, once per run."""

    above: int = 0
    people: int = 0

    def __add__(self, other: Posterior) -> Posterior:
        """Add what another table tells."""
        return Posterior(self.above + other.above, self.people + other.people)

    @property
    def share(self) -> float:
        """The share of people."""
        return self.above / self.people if self.people else 0.0


def arrangements(values: Sequence[str]) -> Iterator[Values]:
    """List the different orders of some values.

    Examples
    --------
    >>> ["".join(each) for each in arrangements("aab")]
    ['aab', 'aba', 'baa']
    """
    if not values:
        yield ()
    for first in sorted(set(values)):
        rest = list(values)
        rest.remove(first)
        for others in arrangements(rest):
            yield (first, *others)


def posterior(
    runs: Iterable[Run], *, knows_seed: bool = False, limit: Fraction = ALPHA
) -> Posterior:
    """Count the people of whom a release tells more than its requirement seems to allow.

    The attacker knows everybody's quasi-identifiers, the method, the requirement and how often
    each value occurs, and takes all arrangements of the values for equally likely. Those that
    would have led to just this release remain. A person's posterior of a value is the share of
    them in which the person has it, an arrangement counting as often as its seeds lead there.

    Parameters
    ----------
    runs
        Every arrangement of the values, with every seed.
    """
    behind: dict[Hashable, list[Values]] = {}
    for run in runs:
        if run.seen is not None:
            behind.setdefault((run.seed if knows_seed else None, run.seen), []).append(run.values)
    found = Posterior()
    for possible in behind.values():
        likeliest = (max(Counter(held).values()) for held in zip(*possible, strict=True))
        # Each of these may be the true one, and the release tells the same of the same people.
        above = sum(Fraction(times, len(possible)) > limit for times in likeliest)
        found += Posterior(len(possible) * above, len(possible) * len(possible[0]))
    return found


def _draw(rng: np.random.Generator) -> tuple[pl.DataFrame, list[str]]:
    """Draw people, and values of which none is held by more than half of them."""
    ages, sexes = rng.integers(20, 80, ROWS), rng.choice(["f", "m"], ROWS)
    while True:
        values = rng.choice(["flu", "HIV", "TB"], ROWS).tolist()
        if max(Counter(values).values()) <= ALPHA * ROWS:
            return pl.DataFrame({"age": ages, "sex": sexes}), values


def _release(people: pl.DataFrame, values: Values, seed: int, options: dict[str, Any]) -> Any:
    """Publish a table with these values; ``None`` if that is refused."""
    table = people.with_columns(disease=pl.Series(values))
    try:
        return shoal.anonymize(
            table, SCHEMA, require=REQUIRED, suppression_limit=1.0, seed=seed, **options
        )
    except InfeasibleError:
        return None


def _published(
    people: pl.DataFrame, values: Sequence[str], seeds: int, options: dict[str, Any]
) -> Iterator[Run]:
    """Publish every arrangement with every seed."""
    for each in arrangements(values):
        for seed in range(seeds):
            made = _release(people, each, seed, options)
            if made is None:
                yield Run(each, seed, None)
            else:
                yield Run(each, seed, tuple(sorted(made.table.rows())), made.measures["iloss"])


def _blindly(values: Sequence[str], groups: Sequence[int]) -> Iterator[Run]:
    """Publish groups that do not depend on the values, wherever they hold: the control."""
    for each in arrangements(values):
        held: dict[int, list[str]] = {}
        for group, value in zip(groups, each, strict=True):
            held.setdefault(group, []).append(value)
        if all(max(Counter(some).values()) <= ALPHA * len(some) for some in held.values()):
            yield Run(each, 0, tuple((group, tuple(sorted(held[group]))) for group in held))


METHODS: dict[str, dict[str, Any]] = {
    "gaa-cp": {"method": "gaa-cp"},
    "auto": {"method": "auto"},
    "auto, 1 step": {"method": "auto", "refine": {"steps": 1}},
    "mondrian": {"method": "mondrian"},
}
"""What is measured: the default and what it starts from, less refinement, and cuts from the top."""


def figures_of(
    name: str, options: dict[str, Any], tables: int = TABLES, seeds: int = SEEDS
) -> Figures:
    """Publish all arrangements of some tables by a method, and say what that tells and costs."""
    rng = np.random.default_rng(DRAWN)
    unknown = known = control = Posterior()
    losses: list[float] = []
    refused = 0
    for _ in range(tables):
        people, values = _draw(rng)
        runs = list(_published(people, values, seeds, options))
        unknown += posterior(runs)
        known += posterior(runs, knows_seed=True)
        losses += [run.loss for run in runs if run.seen is not None]
        refused += sum(run.seen is None for run in runs)
        first = _release(people, tuple(values), 0, options)
        if first is not None:
            control += posterior(_blindly(values, first.grouping.labels.tolist()))
    return {
        f"{name}: people with a posterior above 1/2": unknown.share,
        f"{name}: to an attacker who knows the seed, too": known.share,
        f"{name}: control, groups that do not depend on the values": control.share,
        f"{name}: iloss, mean": sum(losses) / len(losses),
        f"{name}: runs": len(losses) + refused,
        f"{name}: runs that were refused": refused,
    }


def minimality() -> Figures:
    """Posteriors above 1/2 in tables of 8 rows, (1/2, 2): every arrangement of the values."""
    figures: Figures = {}
    for name, options in METHODS.items():
        figures |= figures_of(name, options)
    return figures
