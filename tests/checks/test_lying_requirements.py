"""Requirements that lie turn the contract checks red, whichever they are made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from shoal import AlphaK, KAnonymity, LDiversity, TCloseness, checks
from shoal.checks import ContractError
from shoal.models import MODELS, GroupStatistics, HandCase, Outcome, Requirement, written

ALL = [*MODELS.values()]


def failing(model: Requirement) -> set[str]:
    """The checks that a requirement breaks."""
    broken = set()
    for check in checks.MODEL_CHECKS:
        try:
            check(model)
        except ContractError:
            broken.add(check.__name__)
    return broken


def lying(base: type[Requirement], judge: Any) -> type[Requirement]:
    """The same requirement with another verdict."""
    return type(f"Lying{base.__name__}", (base,), {"judge": judge})


def thresholds() -> Iterator[tuple[type[Requirement], str]]:
    """Every number of every requirement."""
    for base in ALL:
        names = {name for case in base.cases() for name in case.requirement.thresholds()}
        for name in sorted(names):
            yield base, name


NUMBERS = [*thresholds()]
WHOLE = [each for each in NUMBERS if each[1].startswith(("k", "l")) and each[1] != "least"]
STRICT = [each for each in NUMBERS if each[1] == "c"]
"""Exactly at it a group fails, so the lie is to let it hold."""


def shifted(base: type[Requirement], name: str, side: int) -> type[Requirement]:
    """A requirement that judges by the next number instead."""

    def judge(self: Requirement, groups: GroupStatistics) -> Outcome:
        found = self.thresholds()
        return base.judge(found[name][side] if name in found else self, groups)

    return lying(base, judge)


def ids(case: Any) -> str:
    return case.__name__ if isinstance(case, type) else str(case)


@pytest.mark.parametrize("base", ALL, ids=ids)
def test_one_that_never_refuses_is_noticed(base: type[Requirement]) -> None:
    def judge(self: Requirement, groups: GroupStatistics) -> Outcome:
        honest = base.judge(self, groups)
        return Outcome(np.ones_like(honest.holds), honest.achieved)

    broken = failing(lying(base, judge).example())
    assert {"agrees_with_its_cases", "has_cases_at_its_thresholds", "refuses_something"} <= broken


@pytest.mark.parametrize("base", ALL, ids=ids)
def test_one_that_never_accepts_is_noticed(base: type[Requirement]) -> None:
    def judge(self: Requirement, groups: GroupStatistics) -> Outcome:
        honest = base.judge(self, groups)
        return Outcome(np.zeros_like(honest.holds), honest.achieved)

    broken = failing(lying(base, judge).example())
    assert {"agrees_with_its_cases", "refuses_something"} <= broken


@pytest.mark.parametrize(("base", "name"), NUMBERS, ids=ids)
def test_one_that_is_off_at_the_threshold_is_noticed(base: type[Requirement], name: str) -> None:
    """As if "at most" were "less than", or the other way round."""
    side = 0 if (base, name) in STRICT else 1
    assert "agrees_with_its_cases" in failing(shifted(base, name, side).example())


@pytest.mark.parametrize(("base", "name"), WHOLE, ids=ids)
def test_one_that_is_content_with_one_fewer_is_noticed(base: type[Requirement], name: str) -> None:
    assert "agrees_with_its_cases" in failing(shifted(base, name, 0).example())


@pytest.mark.parametrize("base", ALL, ids=ids)
def test_one_that_is_upside_down_is_noticed(base: type[Requirement]) -> None:
    """What it calls stricter accepts more."""

    def swapped(self: Requirement) -> dict[str, tuple[Requirement, Requirement]]:
        return {name: (more, less) for name, (less, more) in base.thresholds(self).items()}

    made = type(f"Upside{base.__name__}", (base,), {"thresholds": swapped})
    assert "stricter_never_accepts_more" in failing(made.example())


@pytest.mark.parametrize("base", ALL, ids=ids)
def test_the_honest_ones_pass(base: type[Requirement]) -> None:
    assert failing(base.example()) == set()


@dataclass(frozen=True)
class Content(KAnonymity):
    """Lies consistently: it never refuses, and its cases say so."""

    @classmethod
    def cases(cls) -> list[HandCase]:
        return [HandCase(cls(3), GroupStatistics(np.array([2, 3, 4])), [True, True, True])]

    def judge(self, groups: GroupStatistics) -> Outcome:
        return Outcome(np.ones(len(groups.sizes), dtype=np.bool_), {"k": self.k})


def test_cases_that_lie_along_do_not_help() -> None:
    broken = failing(Content.example())
    assert {"agrees_with_its_cases", "refuses_something", "bounds_mean_it"} <= broken
    assert "has_cases_at_its_thresholds" in broken


@dataclass(frozen=True)
class Roomy(TCloseness):
    """Brings cases, but none at its threshold."""

    @classmethod
    def cases(cls) -> list[HandCase]:
        groups = written(illness=["ill ill", "ill ill fit fit", "fit fit fit fit"])
        return [HandCase(cls("1/2"), groups, [False, True, True])]


def test_cases_beside_the_threshold_do_not_do() -> None:
    assert failing(Roomy.example()) == {"has_cases_at_its_thresholds"}


@dataclass(frozen=True)
class Overstated(MODELS["alpha-k"]):  # type: ignore[name-defined, misc]
    """Bounds smaller shares than it judges by: methods would suppress for nothing."""

    def shares(self, whole: GroupStatistics) -> Any:
        (bounds,) = super().shares(whole)
        return (replace(bounds, largest=tuple(share / 2 for share in bounds.largest)),)


def test_bounds_that_are_not_judged_by_are_noticed() -> None:
    assert failing(Overstated.example()) >= {"bounds_mean_it"}


@dataclass(frozen=True)
class Lenient(MODELS["l-diversity"]):  # type: ignore[name-defined, misc]
    """Says that shares suffice which do not: a method that mixes by them would fail it."""

    def as_shares(self) -> Requirement:
        return AlphaK(1, 2)


def test_shares_that_do_not_suffice_are_noticed() -> None:
    assert failing(Lenient.example()) >= {"bounds_mean_it"}


def test_a_requirement_without_cases_cannot_be_made() -> None:
    class Bare(Requirement):
        name: ClassVar[str] = "bare"
        monotone: ClassVar[bool] = True
        needs: ClassVar[frozenset[str]] = frozenset()

        @classmethod
        def example(cls) -> Self:
            return cls()

        def validate(self) -> None: ...

        def judge(self, groups: GroupStatistics) -> Outcome:
            return Outcome(np.ones(len(groups.sizes), dtype=np.bool_), {"bare": 1})

        def describe(self) -> str:
            return "nothing"

        def nearest_feasible(self, whole: GroupStatistics) -> str:
            return "Anything."

    with pytest.raises(TypeError, match="cases"):
        Bare.example()


def test_values_of_one_person_are_not_called_people() -> None:
    counts_values = type("Values", (LDiversity,), {"least_people": LDiversity.least_size})
    assert "least_size_is_least" in failing(counts_values.example())
    assert "least_size_is_least" not in failing(LDiversity.example())
