"""Differences of means are paired by seed, and have Student's interval."""

from __future__ import annotations

from math import inf, isinf

import pytest

from shoal_papers.samples import Comparison, Sample, above, below, exceeds, student, within, worst


def sample(*values: float) -> Sample:
    return Sample(dict(enumerate(values, start=1)))


@pytest.mark.parametrize(
    ("freedom", "t"), [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (19, 2.093), (120, 1.980)]
)
def test_quantiles_are_those_of_the_tables(freedom: int, t: float) -> None:
    assert student(freedom) == pytest.approx(t, abs=5e-4)


def test_the_interval_is_that_of_the_textbook() -> None:
    """Differences 1, 2, 3, 4, 5: mean 3, standard error √2.5 / √5, t = 2.776."""
    found = above(sample(11, 22, 33, 44, 55), sample(10, 20, 30, 40, 50))
    assert found.margin == 3
    assert (found.low, found.high) == pytest.approx((1.0368, 4.9632), abs=1e-4)
    assert found.holds is True


@pytest.mark.parametrize(
    ("ours", "theirs", "holds"),
    [
        ((2.0, 2.1, 2.2), (1.0, 1.2, 1.1), True),
        ((1.0, 1.2, 1.1), (2.0, 2.1, 2.2), False),
        ((1.0, 2.0, 3.0), (1.1, 1.8, 2.9), None),
        ((2.0, 2.0, 2.0), (1.0, 1.0, 1.0), True),
        ((1.0, 1.0, 1.0), (2.0, 2.0, 2.0), False),
        ((2.0, 2.0, 2.0), (2.0, 2.0, 2.0), False),
        ((2.0,), (1.0,), None),
    ],
)
def test_above(ours: tuple[float, ...], theirs: tuple[float, ...], holds: bool | None) -> None:
    assert above(sample(*ours), sample(*theirs)).holds is holds
    assert below(sample(*theirs), sample(*ours)).holds is holds


def test_equal_is_not_above_unless_it_may_be() -> None:
    same = sample(3.0, 3.0)
    assert above(same, same).holds is False
    assert above(same, same, or_equal=True).holds is True
    assert above(same, 3.0, or_equal=True).holds is True
    assert above(same, same) == Comparison(0, 0, 0, False)


def test_what_is_the_same_in_all_repetitions_has_an_interval_of_no_width() -> None:
    found = above(sample(0.3, 0.3, 0.3), sample(0.1, 0.1, 0.1))
    assert found.low == found.margin == found.high


def test_one_repetition_has_no_interval() -> None:
    found = above(sample(9.0), sample(1.0))
    assert (found.low, found.high) == (-inf, inf)
    assert found.holds is None
    assert not isinf(found.margin)


def test_pairs_are_of_the_same_seed() -> None:
    """Whatever a seed does to both sides cancels out."""
    ours = Sample({1: 101.0, 2: 3.1, 3: 51.2, 4: 0.0})
    theirs = Sample({3: 50.0, 2: 2.0, 1: 100.0})
    assert above(ours, theirs).holds is True
    assert (ours - theirs).mean == pytest.approx(1.1)
    mixed = Sample({1: 50.0, 2: 100.0, 3: 2.0})
    assert above(ours, mixed).holds is None


def test_factors_and_bounds_are_contrasts() -> None:
    slow, fast = sample(3.0, 3.1, 2.9), sample(2.0, 2.05, 1.95)
    assert exceeds(slow, fast, 1.4).holds is True
    assert exceeds(slow, fast, 1.6).holds is False
    assert exceeds(sample(0.0, 0.0), sample(0.0, 0.0), 2).holds is False
    assert within(slow, 2.5, 3.5).holds is True
    assert within(slow, 3.5, 4.0).holds is False
    assert within(slow, 3.05, 4.0).holds is None
    assert within(slow, 1.4 * fast, 1.6 * fast).holds is True


def test_the_worst_comparison_decides() -> None:
    yes, maybe, no = (
        Comparison(2, 1, 3, True),
        Comparison(0, -1, 1, None),
        Comparison(-2, -3, -1, False),
    )
    assert worst(yes, maybe, no) is no
    assert worst(yes, maybe) is maybe
    assert worst(yes, Comparison(1, 0.5, 1.5, True)).low == 0.5
