"""Kernels judge classes as the requirements do, and no more rows must go than do."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal import AlphaK, LDiversity, TCloseness
from shoal.kernels.lattice.verdicts import Classes
from shoal.methods.lattice._checks import Close, check_of, close_of
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.models.exact.conditions import Closeness
from tests.examples import examples
from tests.reference.spread import apart, moved
from tests.reference.verdicts import fewest_lost, in_turns
from tests.tables import run_without_jit

LABELS = ("1", "2", "3", "4", "5")

Some = list[list[int]]

classes = st.lists(
    st.lists(st.integers(0, len(LABELS) - 1), min_size=1, max_size=9), min_size=1, max_size=5
)

REQUIREMENTS: list[Requirement] = [
    LDiversity(2),
    LDiversity(3, "entropy"),
    LDiversity("5/2", "entropy"),
    LDiversity("1.000001", "entropy"),
    LDiversity(2, "recursive", c=1),
    LDiversity(3, "recursive", c="3/2"),
    LDiversity(2, "recursive", c="1/3"),
    AlphaK(0.5, 2),
    AlphaK("2/3", 2, value="1"),
]


def histogram(some: Some) -> Histogram:
    group = np.repeat(np.arange(len(some)), [len(each) for each in some])
    return Histogram.count(group, np.concatenate([np.array(each) for each in some]), LABELS)


def statistics(some: Some) -> GroupStatistics:
    sizes = np.array([len(each) for each in some], dtype=np.int64)
    return GroupStatistics(sizes, None, {"s": histogram(some)})


def as_classes(some: Some) -> Classes:
    found = histogram(some)
    begin = np.searchsorted(found.group, np.arange(len(some) + 1)).astype(np.int64)
    sizes = np.array([len(each) for each in some], dtype=np.int64)
    return Classes(sizes, begin, found.value.astype(np.int32), found.counts)


def holds(requirement: Requirement, values: list[int]) -> bool:
    # A kernel judges what is asked of values; of sizes only k speaks.
    enough = len(values) >= 2 or not isinstance(requirement, AlphaK)
    return enough and bool(requirement.judge(statistics([values])).holds[0])


def compare(requirement: Requirement, some: Some) -> None:
    """Compare a check with the requirement, and with every part of every class."""
    everything = statistics([[value for each in some for value in each]])
    asks = requirement.conditions(everything)
    assert asks is not None
    n = sum(map(len, some))
    fails, must = np.zeros(len(some), dtype=np.bool_), np.zeros(len(some), dtype=np.int64)
    lost = 0
    for ask in asks:
        check = check_of(ask, n)
        assert check is not None
        lost = check(as_classes(some), n, fails, must)
    assert lost == must.sum()
    for each, failed, gone in zip(some, fails.tolist(), must.tolist(), strict=True):
        if len(each) >= 2 or not isinstance(requirement, AlphaK):
            assert failed is not holds(requirement, each)
        fewest = fewest_lost(each, lambda part: holds(requirement, part))
        assert gone <= fewest
        if isinstance(requirement, LDiversity):  # as many, but for a row of each value
            slack = len(LABELS) if requirement.kind == "entropy" else 1
            assert fewest - gone < slack


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=str)
@settings(max_examples=examples(60), deadline=None)
@given(classes)
def test_classes_hold_as_the_requirement_says(requirement: Requirement, some: Some) -> None:
    compare(requirement, some)


def test_numbers_that_do_not_fit_are_left_to_the_requirement() -> None:
    everything = statistics([[0, 1, 2]])
    for requirement in (
        LDiversity(2, "recursive", c="1/9223372036854775807"),
        LDiversity(2, "recursive", c="9223372036854775807/2"),
    ):
        (ask,) = requirement.conditions(everything)
        assert check_of(ask, 3) is None
    asks = TCloseness("1/9223372036854775807").conditions(everything)
    assert asks is not None
    assert close_of(asks[0], 3, {"s": np.ones(5, dtype=np.int64)}, {}) is None


def close_to(t: Fraction, some: Some, ordered: bool, most: int | None = None) -> list[bool]:
    """Judge classes beside each other by the kernel, until more than so many rows fail."""
    places = np.arange(len(LABELS)) if ordered else None
    whole = np.bincount([value for each in some for value in each], minlength=len(LABELS))
    judge = Close(Closeness("s", t, places), whole, np.arange(len(LABELS)))
    fails = np.zeros(len(some), dtype=np.bool_)
    judge(as_classes(some), sum(map(len, some)) if most is None else most, fails)
    return (~fails).tolist()


def compare_close(t: Fraction, some: Some) -> None:
    sizes = np.array([len(each) for each in some])
    for ordered, distance in ((False, apart), (True, moved)):
        expected = in_turns(some, t, distance)
        assert close_to(t, some, ordered) == expected
        gone = int(sizes[~np.array(expected)].sum())
        for most in range(gone + 2):
            found = close_to(t, some, ordered, most)
            if gone <= most:
                assert found == expected
                continue
            # Some that fail were found, and they have too many rows.
            assert all(holds or not stays for stays, holds in zip(expected, found, strict=True))
            assert int(sizes[~np.array(found)].sum()) > most


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(
        st.lists(st.integers(0, len(LABELS) - 1), min_size=1, max_size=9), min_size=1, max_size=12
    ),
    st.fractions(0, 1, max_denominator=12),
)
def test_those_too_far_go_in_turns(some: Some, t: Fraction) -> None:
    compare_close(t, some)


def test_some_tables_take_several_turns() -> None:
    """Here each turn moves what is published, so that others are too far."""
    some = [[0] * 6 + [1] * 4, [0] * 5 + [1] * 5, [0] * 4 + [1] * 6, [0] * 9 + [1], [1] * 9]
    for number in range(1, 12):
        compare_close(Fraction(number, 24), some)


@settings(max_examples=examples(150), deadline=None)
@given(classes, st.fractions(0, Fraction(4, 5), max_denominator=8), st.integers(0, 6), st.data())
def test_what_must_go_is_gone_from_every_release(
    some: Some, t: Fraction, most: int, data: st.DataObject
) -> None:
    """However few rows are suppressed, parts of classes that are close leave so many out."""
    n = sum(map(len, some))
    whole = np.bincount([value for each in some for value in each], minlength=len(LABELS))
    judge = Close(Closeness("s", t), whole, None)
    must = np.zeros(len(some), dtype=np.int64)
    judge.must(as_classes(some), n, most, must)
    # Any finer classes: those that hold beside each other, once some are gone for another reason,
    # are a release.
    finer, whose, gone = [], [], np.zeros(len(some), dtype=np.int64)
    for c, each in enumerate(some):
        parts: dict[int, list[int]] = {}
        for value in each:
            parts.setdefault(data.draw(st.integers(0, 2)), []).append(value)
        for part in parts.values():
            if data.draw(st.booleans()):
                gone[c] += len(part)
            else:
                finer.append(part)
                whose.append(c)
    kept = in_turns(finer, t, apart)
    for c, part, stays in zip(whose, finer, kept, strict=True):
        gone[c] += 0 if stays else len(part)
    if gone.sum() <= most and must.sum() <= most:
        assert (must <= gone).all()
    elif must.sum() > most:
        assert gone.sum() > most


def test_what_is_published_moves_with_what_is_suppressed() -> None:
    """Of all rows half hold a, of those that are published 5 of 9: a class of 3 in 4 is close."""
    some = [[0, 0, 0, 1], [0, 0, 1, 1, 1], [1]]
    whole = np.array([5, 5, 0, 0, 0])
    judge, must = Close(Closeness("s", Fraction(1, 5)), whole, None), np.zeros(3, dtype=np.int64)
    assert judge.must(as_classes(some), 10, 1, must) == 1
    assert must.tolist() == [0, 0, 1]
    fails = np.array([False, False, True])
    judge(as_classes(some), 10, fails)
    assert fails.tolist() == [False, False, True]


def test_verdicts_without_the_compiler() -> None:
    script = """
import numba, numpy as np
from fractions import Fraction
from shoal.kernels.lattice.verdicts import even
from tests.kernels.test_verdicts import REQUIREMENTS, compare, compare_close
assert numba.config.DISABLE_JIT and not hasattr(even, "signatures")
rng = np.random.default_rng(3)
for turn in range(30):
    some = [rng.integers(0, 5, rng.integers(1, 8)).tolist() for _ in range(rng.integers(1, 6))]
    for requirement in REQUIREMENTS:
        compare(requirement, some)
    compare_close(Fraction(int(rng.integers(0, 9)), 9), some)
print("same")
"""
    assert run_without_jit(script) == "same"
