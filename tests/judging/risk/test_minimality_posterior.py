"""Minimality as a posterior: counted as its definition says, and 0 where values decide nothing."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cache
from random import Random

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from benchmarks.minimality import Posterior, Run, _blindly, arrangements, posterior
from tests.examples import examples
from tests.reference.minimality import people_above

HALF = Fraction(1, 2)
Publish = Callable[[tuple[str, ...], int], Hashable]


def runs_of(publish: Publish, values: str, seeds: int) -> list[Run]:
    return [
        Run(each, seed, publish(each, seed))
        for each in arrangements(values)
        for seed in range(seeds)
    ]


@given(
    values=st.text("abc", min_size=1, max_size=4),
    seeds=st.integers(1, 3),
    outcomes=st.integers(1, 4),
    drawn=st.integers(0, 2**32),
    limit=st.sampled_from([HALF, Fraction(1, 3), Fraction(2, 3)]),
    knows_seed=st.booleans(),
)
@settings(max_examples=examples(60), deadline=None)
def test_posteriors_are_those_of_their_definition(
    values: str, seeds: int, outcomes: int, drawn: int, limit: Fraction, knows_seed: bool
) -> None:
    """Of a publisher that shows anything at all, or nothing."""

    @cache
    def publish(world: tuple[str, ...], seed: int) -> Hashable:
        return Random(f"{world} {seed} {drawn}").choice([None, *range(outcomes)])

    found = posterior(runs_of(publish, values, seeds), knows_seed=knows_seed, limit=limit)
    assert (found.above, found.people) == people_above(
        publish, values, seeds, limit, knows_seed=knows_seed
    )


def test_one_that_shows_all_tells_all_and_one_that_shows_nothing_tells_nothing() -> None:
    everything = posterior(runs_of(lambda world, seed: world, "aabb", 1))
    assert everything == Posterior(24, 24)
    nothing = posterior(runs_of(lambda world, seed: "a table", "aabb", 1))
    assert nothing == Posterior(0, 24)
    assert posterior(runs_of(lambda world, seed: None, "aabb", 1)).share == 0.0


def test_who_does_not_know_the_seed_learns_less_here() -> None:
    """With seed 1 the order of the values is turned round: two worlds for one release."""
    publish = lambda world, seed: world if seed == 0 else world[::-1]  # noqa: E731
    runs = runs_of(publish, "aab", 2)
    assert posterior(runs, knows_seed=True).share == 1.0
    assert posterior(runs).share < 1.0


@pytest.mark.parametrize("groups", [[0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0]])
def test_groups_that_do_not_depend_on_the_values_tell_no_more_than_their_shares(
    groups: list[int],
) -> None:
    found = posterior(_blindly("aabb", groups))
    assert found.people > 0
    assert found.above == 0


@pytest.mark.parametrize("method", ["gaa-cp", "auto"])
def test_releases_of_a_real_method(method: str) -> None:
    people = pl.DataFrame({"age": [20, 21, 40, 41]})
    schema = shoal.Schema({"age": shoal.quasi(kind="numeric"), "ill": shoal.sensitive()})

    @cache
    def publish(world: tuple[str, ...], seed: int) -> Hashable:
        made = shoal.anonymize(
            people.with_columns(ill=pl.Series(world)),
            schema,
            require=shoal.AlphaK(HALF, 2),
            method=method,
            suppression_limit=1.0,
            seed=seed,
        )
        return tuple(sorted(made.table.rows()))

    found = posterior(runs_of(publish, "aabb", 2))
    assert (found.above, found.people) == people_above(publish, "aabb", 2, HALF)
    assert found.people == 6 * 2 * 4
