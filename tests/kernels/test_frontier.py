"""Every node comes once, in the order of its bound, then of its levels."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from shoal.kernels.lattice.above import NodeBounds
from shoal.kernels.lattice.frontier import DONE, FULL, OPEN, Steps, advance, expand, frontier
from tests.tables import run_without_jit

Levels = tuple[int, ...]


def bounds_of(seed: int) -> tuple[Steps, dict[Levels, float]]:
    """Draw what levels add, in quarters: there are ties, and sums are exact."""
    rng = np.random.default_rng(seed)
    heights = rng.integers(0, 4, int(rng.integers(1, 5)))
    part = np.cumsum(rng.integers(0, 4, (len(heights), 5)), axis=1) / 4
    nodes = product(*(range(height + 1) for height in heights.tolist()))
    bounds = {node: float(sum(part[j, level] for j, level in enumerate(node))) for node in nodes}
    return Steps(part, heights.astype(np.int16)), bounds


def visited(
    seed: int, known: list[tuple[Levels, float]], limit: float, room: int
) -> tuple[list[tuple[float, Levels]], dict[Levels, float]]:
    steps, bounds = bounds_of(seed)
    d = len(steps.height)
    nodes = frontier(room, steps.height)
    nodes.bound[0] = bounds[(0,) * d]
    levels = np.array([node[:d] for node, _ in known], dtype=np.int16).reshape(-1, d)
    extra = np.array([value for _, value in known])
    # Of what a node adds, a part may belong to the levels of the one below.
    part = np.zeros((len(known), d, 5))
    part[:, 0], extra = extra[:, None] / 2, extra / 2
    told = NodeBounds(levels, extra, part)
    at, top, found = np.zeros(d, dtype=np.int16), np.zeros(d, dtype=np.int16), np.zeros(2)
    seen = []
    while (status := advance(nodes, steps, told, limit, 3, at, top, found)) != DONE:
        if status == FULL:
            nodes = frontier(2 * len(nodes.heap), steps.height, nodes)
        elif status == OPEN:
            seen.append((float(found[0]), tuple(at.tolist())))
            # A hint may be of a node that does not lie above, or of none.
            hint = len(seen) % (len(known) + 2) - 1
            expand(nodes, steps, told, at, top, float(found[0]), hint, 0.0, limit)
    return seen, bounds


def compare(seed: int) -> int:
    """Compare with a sorted list of all nodes; gives how many came."""
    seen, bounds = visited(seed, [], np.inf, 5)
    assert seen == sorted((bound, node) for node, bound in bounds.items())
    middle = sorted(bounds.values())[len(bounds) // 2]
    some = sorted(bounds)[len(bounds) // 3]
    known = [(some, 0.5), (some, 0.25)]
    few, _ = visited(seed, known, middle, 5)
    above = {node for node in bounds if all(x <= y for x, y in zip(node, some, strict=True))}
    assert few == sorted(
        (bound, node) for node, bound in bounds.items() if bound + 0.5 * (node in above) <= middle
    )
    rng = np.random.default_rng(seed)
    every = sorted(bounds)
    settling = [every[i] for i in rng.integers(0, len(every), int(rng.integers(1, 4)))]
    left, _ = visited(seed, [(node, np.inf) for node in settling], middle, 5)
    assert left == sorted(
        (bound, node)
        for node, bound in bounds.items()
        if bound <= middle
        and not any(all(x <= y for x, y in zip(node, one, strict=True)) for one in settling)
    )
    return len(seen)


@pytest.mark.parametrize("seed", range(60))
def test_nodes_come_once_and_in_order(seed: int) -> None:
    compare(seed)


def test_order_without_the_compiler() -> None:
    script = """
import numba
from shoal.kernels.lattice.frontier import advance
from tests.kernels.test_frontier import compare
assert numba.config.DISABLE_JIT and not hasattr(advance, "signatures")
print(sum(compare(seed) > 0 for seed in range(30)))
"""
    assert run_without_jit(script) == "30"
