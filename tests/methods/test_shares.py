"""A requirement says itself which shares it bounds; every method reads it from there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import AlphaK, LeveledAlphaK, Release
from shoal.errors import InfeasibleError, ParameterError
from shoal.methods import METHODS, Method
from shoal.models import GroupStatistics, HandCase, Outcome, Requirement, ShareBounds, written
from shoal.models.exact.shares import nudged
from shoal.plan.compatibility import Combination, refusals, require_compatible
from shoal.publications import Generalized
from shoal.table import Table
from tests.tables import seeded

REFUSING = ["anatomy", "decomposition", "decomposition-plus", "micd"]
LEVELS = {"a": 1, "b": 2, "c": 3, "": 1}

METHODS_OF_SHARES = [
    seeded(kind, 3)
    for kind in METHODS.values()
    if kind.carries is None or "alpha-k" in kind.carries
]


def incomplete(seed: int, *, people: bool = False) -> tuple[pl.DataFrame, shoal.Schema]:
    """A table of which many sensitive values are missing."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 60))
    secrets = rng.choice(["a", "b", "c", None], n, p=[0.2, 0.2, 0.2, 0.4])
    frame = pl.DataFrame(
        {
            "x": rng.integers(0, 30, n),
            "y": rng.choice(["u", "v", "w"], n),
            "who": rng.integers(0, n, n),
            "secret": pl.Series(secrets.tolist(), dtype=pl.String),
        }
    )
    columns = {
        "who": shoal.identifier(),
        "x": shoal.quasi(),
        "y": shoal.quasi(),
        "secret": shoal.sensitive(levels=LEVELS),
    }
    return frame, shoal.Schema(columns, entity="who" if people else None)


def publish(
    seed: int, method: Method, need: Any, *, limit: float = 0.4, people: bool = False
) -> Release | None:
    frame, schema = incomplete(seed, people=people)
    try:
        return shoal.anonymize(
            frame, schema, require=[need], method=method, suppression_limit=limit
        )
    except InfeasibleError:
        return None


@pytest.mark.parametrize("people", [False, True], ids=["rows", "people"])
@pytest.mark.parametrize("method", METHODS_OF_SHARES, ids=lambda method: method.name)
def test_the_missing_value_is_bounded_like_any_other(method: Method, people: bool) -> None:
    published = []
    for seed in range(12):
        need = AlphaK([0.3, 0.45, 0.5][seed % 3], 2, value="")
        published.append(publish(seed, method, need, limit=1, people=people))
    made = [release for release in published if release is not None]
    assert len(made) >= 2  # methods that leave out whole classes only refuse many
    assert all(release.verification.passed for release in made)


@pytest.mark.parametrize("people", [False, True], ids=["rows", "people"])
@pytest.mark.parametrize("name", ["kaca", "ebkc", "top-down"])
def test_whoever_merges_publishes_where_gaa_cp_does(name: str, people: bool) -> None:
    for seed in range(20):
        need = AlphaK([0.25, 0.3, 0.4][seed % 3], 2 + seed % 2, value="")
        if publish(seed, shoal.GAACP(seed=seed), need, people=people) is None:
            continue
        made = publish(seed, seeded(METHODS[name], seed), need, people=people)
        assert made is not None
        assert made.verification.passed


@dataclass(frozen=True)
class Capped(Requirement):
    """What somebody else may write: no known value in more than a share of a group of k."""

    share: Fraction
    k: int

    name: ClassVar[str] = "capped"
    monotone: ClassVar[bool] = True
    monotone_in_people: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"people", "histograms"})
    complete: ClassVar[bool] = True

    @classmethod
    def example(cls) -> Self:
        return cls(Fraction(1, 2), 3)

    @classmethod
    def cases(cls) -> list[HandCase]:
        groups = written(illness=["flu cold HIV", "flu flu cold cold", "flu flu cold"])
        return [HandCase(cls(Fraction(1, 2), 3), groups, [True, True, False])]

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        larger, smaller = nudged(self.share)
        return {
            "share": (replace(self, share=larger), replace(self, share=smaller)),
            "k": (replace(self, k=self.k - 1), replace(self, k=self.k + 1)),
        }

    @property
    def least_size(self) -> int:
        return self.k

    def validate(self) -> None:
        pass

    def shares(self, whole: GroupStatistics) -> list[ShareBounds]:
        name, found = whole.histogram(None)
        largest = [Fraction(1) if label is None else self.share for label in found.labels]
        return [ShareBounds(name, np.arange(len(largest)), tuple(largest))]

    def judge(self, groups: GroupStatistics) -> Outcome:
        _, found = groups.histogram(None)
        (bounds,) = self.shares(groups)
        fails = bounds.exceeded(found, groups.counts) | (groups.counts < self.k)
        return Outcome(~fails, {"k": int(groups.counts.min(initial=self.k))})

    def least_suppression(self, whole: GroupStatistics) -> int | None:
        return 0

    def describe(self) -> str:
        return "capped"

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        return "Ask for less."


@pytest.mark.parametrize("people", [False, True], ids=["rows", "people"])
@pytest.mark.parametrize("name", [name for name in METHODS if name not in REFUSING])
def test_what_somebody_else_bounds_is_held_like_ours(name: str, people: bool) -> None:
    """Known values in at most a third of a group: as an (αᵢ, k) whose last level is free."""
    levels = {"a": 1, "b": 1, "c": 1, "": 2}
    ours = LeveledAlphaK(levels, ["1/3", 1], 2)
    theirs = Capped(Fraction(1, 3), 2)
    for seed in range(6):
        frame, schema = incomplete(seed, people=people)
        schema = schema.with_column("secret", levels=levels)
        labels = []
        for need in (ours, theirs):
            method = seeded(METHODS[name], seed)
            table = Table.encode(frame, schema)
            assert not refusals(Combination(method, (need,), Generalized()), schema)
            try:
                found = method.group(table, [need], rng=np.random.default_rng(seed))
            except InfeasibleError:
                labels.append(None)
            else:
                labels.append(found.labels.tolist())
        assert labels[0] == labels[1]
        assert labels[0] is None or max(labels[0]) >= 0


@pytest.mark.parametrize("name", REFUSING)
def test_methods_that_need_more_than_shares_refuse_strangers(name: str) -> None:
    asked = Combination(METHODS[name](), (Capped.example(),), Generalized())
    with pytest.raises(ParameterError, match="cannot carry 'capped'"):
        require_compatible(asked)


def test_no_method_reads_the_options_of_a_requirement_on_shares() -> None:
    folder = Path(shoal.methods.__file__).parent
    for file in folder.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"(isinstance|type)\([^)]*\)?.*\b(AlphaK|KAnonymity)\b", text), file
