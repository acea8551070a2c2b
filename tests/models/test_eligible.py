"""Which records can be dealt into classes of m different values, beside trying all ways."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from shoal.models.exact.eligible import dealt, most_of_one, must_take
from tests.examples import examples
from tests.reference.invariance import best_quotas, can_be_dealt, eligible

few = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=4)


@settings(max_examples=examples(150), deadline=None)
@given(few, st.integers(2, 3))
def test_as_many_as_can_be_are_placed_and_of_these_as_many_in_holes(
    case: list[tuple[int, int]], m: int
) -> None:
    counts, holes = np.array(case).T
    taken, own = dealt(counts, holes, m)
    assert (taken <= holes).all()
    assert (taken + own <= counts).all()
    assert eligible(dict(enumerate(own.tolist())), m)
    assert (int(taken.sum() + own.sum()), int(taken.sum())) == best_quotas(counts, holes, m)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(2, 4))
def test_eligible_records_are_just_those_that_can_be_dealt(counts: list[int], m: int) -> None:
    values = [str(value) for value, count in enumerate(counts) for _ in range(count)][:8]
    found = np.bincount(np.array(values, dtype=np.int64), minlength=1)
    fits = most_of_one(found, m) == found.max()
    assert fits == can_be_dealt(values, m)
    assert fits == eligible(dict(enumerate(found.tolist())), m)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.integers(0, 9), min_size=2, max_size=7), st.integers(2, 4), st.randoms())
def test_whatever_else_a_class_takes_the_rest_can_be_dealt(
    counts: list[int], m: int, random: object
) -> None:
    _, left = dealt(np.array(counts), np.zeros(len(counts), dtype=np.int64), m)
    while left.any():
        needed, size = must_take(left, m)
        assert m <= size
        free = np.flatnonzero((left > 0) & ~needed).tolist()
        chosen = random.sample(free, size - int(needed.sum()))  # type: ignore[attr-defined]
        left[needed] -= 1
        left[chosen] -= 1
        assert eligible(dict(enumerate(left.tolist())), m)


def test_of_five_alike_among_eleven_three_can_be_dealt() -> None:
    assert most_of_one(np.array([5, 3, 3]), 3) == 3
    assert most_of_one(np.array([9, 1]), 2) == 1
    assert most_of_one(np.array([], dtype=np.int64), 2) == 0
