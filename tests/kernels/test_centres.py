"""The index over centres finds what a scan over all groups finds."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.kernels.inverse import centres
from shoal.methods.inverse._sensitive import SensitiveAttribute, make_groups
from tests.examples import examples

ANY = -1


def random_groups(
    rng: np.random.Generator, count: int, widths: list[int], coarse: bool
) -> tuple[centres.Groups, list[list[set[int]]]]:
    """Groups of a few values each, and the values as sets; coarse degrees make ties."""
    most = 3 if coarse else 2**22
    secrets = [
        SensitiveAttribute(f"s{j}", np.zeros(1, dtype=np.int64), rng.integers(0, most, width), 2)
        for j, width in enumerate(widths)
    ]
    groups = make_groups(secrets, count)
    held: list[list[set[int]]] = []
    for group in range(count):
        held.append([])
        for j, secret in enumerate(secrets):
            some = rng.integers(0, widths[j], rng.integers(1, 5)).tolist()
            for value in some:
                centres.add_value(groups, group, j, value, int(secret.degrees[value]))
            held[group].append(set(some))
        groups.size[group] = rng.integers(1, 6)
    return groups, held


def far(groups: centres.Groups, mine: np.ndarray, group: int, skip: int = ANY) -> int:
    parts = np.abs(mine - groups.centre[group])
    return int(sum(part for j, part in enumerate(parts.tolist()) if j != skip))


@pytest.mark.parametrize("seed", range(examples(12, 4)))
@pytest.mark.parametrize("widths", [[5], [5, 3, 8], [70, 200, 3], [4, 64, 65, 130, 9]])
def test_searches_equal_a_scan(seed: int, widths: list[int]) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.choice([1, 2, 9, 65, 400]))
    groups, held = random_groups(rng, count, widths, coarse=seed % 2 == 0)
    chosen = np.flatnonzero(rng.random(count) < 0.9)
    if not len(chosen):
        chosen = np.array([0])
    j = int(rng.integers(len(widths)))
    index = centres.lay(groups, chosen)
    centres.build(groups, index, j)
    small = centres.empty_like(index)
    live = set(chosen.tolist())
    for _ in range(60):
        mine = groups.centre[rng.integers(count)] + rng.integers(-1, 2, len(widths))
        value, skip = int(rng.integers(widths[j])), int(rng.integers(-1, len(widths)))

        def distance(g: int, mine: np.ndarray = mine, skip: int = skip) -> int:
            return far(groups, mine, g, skip)

        free = [g for g in live if value not in held[g][j]]
        expected = max(free, key=lambda g: (distance(g), -groups.size[g], -g), default=ANY)
        assert centres.far_without(groups, index, j, mine, skip, value) == expected
        expected = max(live, key=lambda g: (distance(g), -g), default=ANY)
        assert centres.far_without(groups, index, j, mine, skip, ANY) == expected

        if centres.living(small) == 0 and live:
            assert centres.least_size(index) == min(groups.size[g] for g in live)
            centres.let_live(groups, small, j, centres.least_size(index))
            for group in set(range(count)) - live:
                centres.leave(groups, small, j, group)
        least = min((groups.size[g] for g in live), default=0)
        few = [g for g in live if groups.size[g] == least]
        expected = max(few, key=lambda g: (distance(g), -g), default=ANY)
        assert centres.far_without(groups, small, j, mine, skip, ANY) == expected

        if not live:
            break
        gone = int(rng.choice(sorted(live)))
        if rng.random() < 0.4:  # it leaves
            live.remove(gone)
            centres.leave(groups, index, j, gone)
        else:  # it grows, and gets a value
            value = int(rng.integers(widths[j]))
            centres.add_value(groups, gone, j, value, int(rng.integers(0, 3)))
            held[gone][j].add(value)
            groups.size[gone] += 1
            centres.touch(groups, index, j, gone)
        centres.leave(groups, small, j, gone)


@pytest.mark.parametrize("seed", range(examples(12, 4)))
@pytest.mark.parametrize("widths", [[5], [5, 3, 8], [70, 200, 3], [4, 64, 65, 130, 9], [2] * 8])
def test_partners_equal_a_scan(seed: int, widths: list[int]) -> None:
    """Groups that are alike stand at one place; each leaves before it looks for a partner."""
    rng = np.random.default_rng(seed)
    count = int(rng.choice([1, 2, 9, 65, 400, 2000]))
    groups, held = random_groups(rng, count, widths, coarse=seed % 2 == 0)
    chosen = np.flatnonzero(rng.random(count) < 0.9)
    if not len(chosen):
        chosen = np.array([0])
    j = int(rng.integers(len(widths)))
    index = centres.lay(groups, chosen, alike=j)
    centres.build(groups, index, j)
    live = set(chosen.tolist())
    for _ in range(min(3 * count, 150)):
        one, wanted = int(rng.integers(count)), int(rng.integers(0, 9))
        live.discard(one)
        centres.leave(groups, index, j, one)
        if rng.random() < 0.5:  # who has left may change
            value = int(rng.integers(widths[j]))
            centres.add_value(groups, one, j, value, int(rng.integers(0, 3)))
            held[one][j].add(value)
        fit = [g for g in live if len(held[one][j] | held[g][j]) >= wanted]
        expected = max(fit, key=lambda g: (far(groups, groups.centre[one], g), -g), default=ANY)
        assert centres.partner(groups, index, j, one, wanted) == expected
        if expected != ANY and rng.random() < 0.7:
            live.remove(expected)
            centres.leave(groups, index, j, expected)


def test_groups_that_are_alike_share_a_place() -> None:
    groups, _ = random_groups(np.random.default_rng(0), 400, [2, 2], coarse=True)
    chosen = np.arange(400)
    assert len(centres.lay(groups, chosen).order) == 400
    assert len(centres.lay(groups, chosen, alike=1).order) < 20


def test_the_largest_buckets_come_first() -> None:
    from shoal.kernels.inverse.largest import draw, heap_up

    rng = np.random.default_rng(3)
    for _ in range(50):
        left = rng.integers(0, 12, rng.integers(1, 9))
        wanted = int(rng.integers(1, len(left) + 1))
        drawn = np.zeros(int(left.sum()) + 1, dtype=np.int64)
        largest = heap_up(left)
        count = 0
        while (more := draw(largest, wanted, drawn, count, 3)) > count:
            count = more
        expected: list[int] = []
        rest = left.tolist()
        while sum(n > 0 for n in rest) >= wanted:
            for bucket in sorted(range(len(rest)), key=lambda b: (-rest[b], b))[:wanted]:
                expected.append(bucket)
                rest[bucket] -= 1
        assert drawn[: count * wanted].tolist() == expected
        assert (-largest.key).tolist() == rest
