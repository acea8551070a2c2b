"""Merging of classes that are too small, each with the class of least cost (KACA's loop).

A class stands at one node per attribute. With S(C) the sum over attributes of depth · step
cost, and Λ the same sum at the lowest common ancestors, two classes merge at the cost
|A|·(S(A) − Λ) + |B|·(S(B) − Λ). So a merge needs one table over all nodes (the depth at
which each meets the chosen class), and then one look-up per class and attribute.

Classes lie in buckets that had the same nodes in the first few attributes at the start. A
class only ever climbs, so what a bucket's nodes share with the chosen class stays an upper
bound for all in it, and a bucket whose bound is above the least cost so far is left out.
Buckets that agree in fewer attributes are left out together: they lie below one branch of a
trie, whose branches at depth j are the different nodes of attribute j below the branch before.

Everything is an integer, so that equal costs are equal and ties go to the earliest class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.base.arrays import Floats, Ints, Small
from shoal.kernels.compiled import compiled_with_arrays
from shoal.kernels.merging.members import Members, join

DONE, PAUSED = 0, 1
FARTHEST = np.iinfo(np.int64).max

LIVE, SMALL, MERGES, COMPLETE, WORK = range(5)
"""Places in `MergingState.counters`."""


class Forest(NamedTuple):
    """The trees of all attributes, their nodes laid end to end, each tree depth first."""

    parent: Ints
    """Per node: its parent, −1 at a root."""
    end: Ints
    """Per node: the first node that is not below it."""
    height: Ints
    """Per node: its depth times the scaled cost of one step up in its tree."""


class Trie(NamedTuple):
    """The branches above buckets; each is followed by what lies below it, then by the next."""

    node: Small
    """Per branch: the node that its classes had at the start, in the attribute of its depth."""
    depth: Ints
    """Per branch: how many branches it lies below."""
    after: Ints
    """Per branch: the first one that does not lie below it."""
    bucket: Ints
    """Per branch: the bucket at its end; −1 if it goes on."""
    low: Ints
    """Per branch: at most the least sum of heights in the attributes up to its own."""
    least: Ints
    """Per branch: at most the least size."""
    held: Ints
    """Per branch: how many live classes lie below."""
    common: Ints
    """Room for the heights at which a way down the trie meets the chosen class, added up."""
    mine: Ints
    """Room for the heights of the chosen class, added up."""


class MergingState(NamedTuple):
    """What `merge` keeps between calls; `shoal.methods.merging.kaca` makes it.

    Classes are numbered by their lowest row, and a merged class keeps the lower number. The
    live ones of a bucket lie side by side in memory, in no particular order.
    """

    nodes: Small
    """Per place and attribute: the node of the class."""
    size: Ints
    """Per place: how many rows."""
    own: Ints
    """Per place: the sum of its nodes' heights."""
    name: Ints
    """Per place: the number of the class."""
    home: Ints
    """Per place: its bucket."""
    place: Ints
    """Per class: its place."""
    begin: Ints
    """Per bucket: its first place."""
    length: Ints
    """Per bucket: how many live classes it holds."""
    branches: Ints
    """Per bucket, per attribute of the first few: the branch that it lies below."""
    trie: Trie
    into: Ints
    """Per class: the class it was merged into, or itself."""
    small: Ints
    """A Fenwick tree over the classes that hold too few people."""
    people: Members
    meet: Ints
    """Per node: the height at which it meets the chosen class."""
    draws: Floats
    """Per merge: which of the small classes is taken, from 0 (the first) to below 1."""
    counters: Ints
    """Live classes, small classes, merges done, rows in complete classes, work."""


@compiled_with_arrays
def ranks(flags: Ints) -> Ints:
    """Build a Fenwick tree, to find the r-th flag and to lower one."""
    n = flags.shape[0]
    tree = np.zeros(n + 1, dtype=np.int64)
    for i in range(1, n + 1):
        tree[i] += flags[i - 1]
        above = i + (i & -i)
        if above <= n:
            tree[above] += tree[i]
    return tree


@compiled_with_arrays
def _find(tree: Ints, rank: int) -> int:
    """Find the flag before which there are ``rank`` others."""
    n = tree.shape[0] - 1
    step = 1
    while 2 * step <= n:
        step *= 2
    at = 0
    while step > 0:
        if at + step <= n and tree[at + step] <= rank:
            at += step
            rank -= tree[at]
        step //= 2
    return at


@compiled_with_arrays
def _lower(tree: Ints, flag: int) -> None:
    i = flag + 1
    while i < tree.shape[0]:
        tree[i] -= 1
        i += i & -i


@compiled_with_arrays
def _meet(forest: Forest, node: int, meet: Ints) -> None:
    """Write, for every node of a tree, the height at which it meets ``node``."""
    lo, hi = node, forest.end[node]
    meet[lo:hi] = forest.height[node]
    above = forest.parent[node]
    while above >= 0:  # climb: what a parent adds lies beside its child
        meet[above:lo] = forest.height[above]
        meet[hi : forest.end[above]] = forest.height[above]
        lo, hi = above, forest.end[above]
        above = forest.parent[above]


@compiled_with_arrays
def _search(
    state: MergingState, bucket: int, chosen: int, best: int, found: int
) -> tuple[int, int]:
    """Look for a cheaper merge in one bucket; equal ones go to the earliest class."""
    d = state.nodes.shape[1]
    mine, rows = state.own[chosen], state.size[chosen]
    begin = state.begin[bucket]
    for i in range(begin, begin + state.length[bucket]):
        common = 0
        for j in range(d):
            common += state.meet[state.nodes[i, j]]
        cost = rows * (mine - common) + state.size[i] * (state.own[i] - common)
        if cost <= best and i != chosen and (cost < best or state.name[i] < state.name[found]):
            best, found = cost, i
    state.counters[WORK] += state.length[bucket]
    return best, found


@compiled_with_arrays
def _nearest(forest: Forest, state: MergingState, chosen: int) -> int:
    """Find the place that merges with the chosen one at the least cost."""
    trie = state.trie
    rows, home = state.size[chosen], state.home[chosen]
    for j in range(state.branches.shape[1]):
        trie.mine[j + 1] = trie.mine[j] + forest.height[state.nodes[chosen, j]]
    best, found = _search(state, home, chosen, FARTHEST, -1)
    branch, work = 0, 0
    while branch < trie.node.shape[0]:
        work += 1
        depth = trie.depth[branch]
        common = trie.common[depth] + state.meet[trie.node[branch]]
        trie.common[depth + 1] = common
        bound = rows * (trie.mine[depth + 1] - common)
        bound += trie.least[branch] * max(trie.low[branch] - common, 0)
        if bound > best or trie.held[branch] == 0:
            branch = trie.after[branch]
            continue
        bucket = trie.bucket[branch]
        if bucket >= 0 and bucket != home:
            best, found = _search(state, bucket, chosen, best, found)
        branch += 1
    state.counters[WORK] += work
    return found


@compiled_with_arrays
def _unite(forest: Forest, state: MergingState, keep: int, gone: int, met: int) -> None:
    """Lift a class to where it meets another, which leaves its bucket.

    ``met`` is the one of the two that was not chosen.
    """
    trie, shared = state.trie, state.branches.shape[1]
    bucket = state.home[keep]
    own = 0
    for j in range(state.nodes.shape[1]):
        node = state.nodes[met, j]
        height = state.meet[node]
        while forest.height[node] > height:
            node = forest.parent[node]
        state.nodes[keep, j] = node
        own += height
        if j < shared:
            branch = state.branches[bucket, j]
            trie.low[branch] = min(trie.low[branch], own)
    state.own[keep] = own
    state.size[keep] += state.size[gone]
    # The last of the bucket fills the hole.
    bucket = state.home[gone]
    for j in range(shared):
        trie.held[state.branches[bucket, j]] -= 1
    state.length[bucket] -= 1
    tail = state.begin[bucket] + state.length[bucket]
    state.nodes[gone] = state.nodes[tail]
    state.size[gone] = state.size[tail]
    state.own[gone] = state.own[tail]
    state.name[gone] = state.name[tail]
    state.place[state.name[gone]] = gone


@compiled_with_arrays
def merge(forest: Forest, state: MergingState, k: int, budget: int) -> int:
    """Merge small classes until the budget (visited classes) is spent or none is left.

    Returns DONE or PAUSED. A class is small while it holds fewer than k people.
    """
    counters, people = state.counters, state.people
    counters[WORK] = 0
    while counters[SMALL] > 0 and counters[LIVE] > 1:
        if counters[WORK] >= budget:
            return PAUSED
        rank = int(state.draws[counters[MERGES]] * counters[SMALL])
        one = state.place[_find(state.small, rank)]
        for j in range(state.nodes.shape[1]):
            _meet(forest, state.nodes[one, j], state.meet)
        counters[WORK] += state.meet.shape[0]
        other = _nearest(forest, state, one)
        keep, gone = (one, other) if state.name[one] < state.name[other] else (other, one)
        kept, lost = state.name[keep], state.name[gone]
        counters[LIVE] -= 1
        counters[MERGES] += 1
        was_kept = people.held[kept] < k
        was_lost = people.held[lost] < k
        join(people, kept, lost, counters[MERGES], k)
        is_small = people.held[kept] < k
        if was_lost:
            _lower(state.small, lost)
            counters[SMALL] -= 1
        if was_kept and not is_small:
            _lower(state.small, kept)
            counters[SMALL] -= 1
        if not is_small:
            counters[COMPLETE] += state.size[keep] if was_kept else 0
            counters[COMPLETE] += state.size[gone] if was_lost else 0
        state.into[lost] = kept
        _unite(forest, state, keep, gone, other)
    return DONE
