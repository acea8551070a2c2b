"""Random orders: nobody can try all of them."""

from __future__ import annotations

import os

import numpy as np
import pytest

from shoal.base.shuffling import CLASS_IDS, ROW_ORDER, SENSITIVE_ORDER, permutation


@pytest.mark.parametrize("use", [ROW_ORDER, CLASS_IDS, SENSITIVE_ORDER])
def test_orders_without_a_seed_do_not_come_from_a_few(use: int) -> None:
    # 20! orders: a repeat by chance has odds of 1 in 10¹¹. Among 1,000 orders it is certain,
    # among 2²⁰ the odds against one are 1 in 70.
    seen = {tuple(permutation(20, None, use).tolist()) for _ in range(3000)}
    assert len(seen) == 3000


def test_orders_without_a_seed_use_enough_of_the_systems_randomness(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    real = os.urandom

    def urandom(size: int) -> bytes:
        asked.append(size)
        return real(size)

    monkeypatch.setattr(os, "urandom", urandom)
    for n in (5, 1000):
        asked.clear()
        assert sorted(permutation(n, None, ROW_ORDER).tolist()) == list(range(n))
        assert sum(asked) >= 8 * n  # 64 bits for each place: no small seed in between


def test_orders_without_a_seed_change_with_every_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever replaced the generator by one with few states would not read these bytes."""
    noise = np.arange(50, dtype=np.uint64)[::-1]
    monkeypatch.setattr(os, "urandom", lambda size: noise.tobytes()[:size])
    assert permutation(50, None, ROW_ORDER).tolist() == list(range(49, -1, -1))


def test_every_place_is_as_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(12)
    monkeypatch.setattr(os, "urandom", rng.bytes)
    counts = np.zeros((4, 4))
    for _ in range(4000):
        counts[np.arange(4), permutation(4, None, ROW_ORDER)] += 1
    assert np.abs(counts - 1000).max() < 150  # over five standard deviations


def test_a_seed_gives_one_order_per_use() -> None:
    assert permutation(30, 7, ROW_ORDER).tolist() == permutation(30, 7, ROW_ORDER).tolist()
    assert permutation(30, 7, ROW_ORDER).tolist() != permutation(30, 7, CLASS_IDS).tolist()
