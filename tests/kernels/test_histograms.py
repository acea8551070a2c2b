"""Values are counted in the classes they come to be in, however many values there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal.kernels.lattice.histograms import regroup
from tests.examples import examples
from tests.reference.histograms import regrouped
from tests.tables import run_without_jit


def compare(seed: int, values: int, dense: bool) -> int:
    """Compare with the twin; gives how many entries there are."""
    rng = np.random.default_rng(seed)
    old = int(rng.integers(1, 30))
    label = rng.integers(0, int(rng.integers(1, old + 1)), old)
    label = np.unique(label, return_inverse=True)[1].astype(np.int32)
    found = [
        {int(v): int(rng.integers(1, 9)) for v in rng.integers(0, values, int(rng.integers(1, 40)))}
        for _ in range(old)
    ]
    begin = np.cumsum([0, *map(len, found)])
    value = np.array([v for each in found for v in sorted(each)], dtype=np.int32)
    counts = np.array([each[v] for each in found for v in sorted(each)])
    groups = int(label.max()) + 1
    first, after = np.empty(groups, dtype=np.int32), np.empty(old, dtype=np.int32)
    sums = np.zeros(values, dtype=np.int64)
    room = np.zeros(groups * values if dense else 0, dtype=np.int32)
    new_begin = np.empty(groups + 1, dtype=np.int64)
    new_value = np.empty(len(value) + 1, dtype=np.int32)
    new_counts = np.empty(len(value) + 1, dtype=np.int64)
    made = regroup(
        begin,
        value,
        counts,
        label,
        first,
        after,
        sums,
        room,
        new_begin,
        new_value,
        new_counts,
    )
    expected = regrouped(found, label.tolist())
    assert new_begin.tolist() == [0, *np.cumsum([len(each) for each in expected]).tolist()]
    assert new_value[:made].tolist() == [v for each in expected for v, _ in each]
    assert new_counts[:made].tolist() == [count for each in expected for _, count in each]
    assert not sums.any()
    assert not room.any()
    return int(made)


@pytest.mark.parametrize("dense", [False, True])
@settings(max_examples=examples(100), deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 2, 5, 30, 1000]))
def test_values_are_counted_by_new_group(dense: bool, seed: int, values: int) -> None:
    compare(seed, values, dense)


def test_values_are_counted_without_the_compiler() -> None:
    script = """
import numba
from shoal.kernels.lattice.histograms import regroup
from tests.kernels.test_histograms import compare
assert numba.config.DISABLE_JIT and not hasattr(regroup, "signatures")
print(sum(compare(seed, (2, 30, 1000)[seed % 3], seed % 2 == 1) > 0 for seed in range(30)))
"""
    assert run_without_jit(script) == "30"
