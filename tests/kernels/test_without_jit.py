"""The kernels as plain Python give the twin's labels: nothing depends on the compiler."""

from __future__ import annotations

import numpy as np

from shoal import KAnonymity
from shoal.improve import Refinement, refine
from tests.methods.test_refine import chunks
from tests.tables import adult_table, run_without_jit

SCRIPT = """
import numba, numpy as np, polars as pl
import shoal
from shoal.kernels.clustering.greedy import grow
from shoal.table.hierarchies import Hierarchy
from shoal.table import Table
from tests.methods.test_gaacp_reference import labels, twin
from tests.methods.test_kaim_reference import compare as compare_kaim
from tests.methods.test_kmember_reference import compare, with_trees

assert numba.config.DISABLE_JIT and not hasattr(grow, "signatures")
tree = Hierarchy.from_dict({"P": {"a": [], "Q": ["b", {"R": ["c", "d"]}]}, "e": [], "S": ["f"]})
rng = np.random.default_rng(5)
compared = 0
for turn in range(40):
    n = int(rng.integers(4, 30))
    numbers = [None if rng.random() < 0.15 else int(v) for v in rng.integers(-9, 30, n)]
    words = [None if rng.random() < 0.15 else str(v) for v in rng.choice(tree.leaves, n)]
    numbers[0], words[0] = 3, "a"
    frame = pl.DataFrame(
        {"x": pl.Series(numbers, dtype=pl.Int64), "y": words, "who": rng.integers(0, n, n)}
    )
    columns = {"x": shoal.quasi(weight=0.3), "y": shoal.quasi(hierarchy=tree)}
    schema = shoal.Schema(
        {**columns, "who": shoal.identifier()}, entity="who" if turn % 2 else None
    )
    table = Table.encode(frame, schema)
    most = n if table.people is None else len(set(table.people.tolist()))
    k, first = min(2 + turn % 4, most), int(rng.integers(n))
    for distance in ("paper", "loss"):
        expected = twin(table, exact_loss=distance == "loss").labels(k, first)
        assert labels(table, k, first=first, distance=distance) == expected
        compared += 1
    compare(table, k, first)
    compare(with_trees(table, turn % 7), k, first, "tree")
    compare_kaim(table, k, "entropy-change")
    compare_kaim(table, k, "equation-9")
    compared += 4
print(compared)
"""


def test_labels_equal_the_twin_with_the_jit_off() -> None:
    assert run_without_jit(SCRIPT) == "240"


BUCKETS = """
import numba
import shoal
from shoal import AlphaK, LeveledAlphaK
from shoal.kernels.buckets.classes import grow
from shoal.methods.buckets import _classes as bucketing
from tests.methods.test_dealing_reference import compare_dealt
from tests.methods.test_gca_reference import (
    ALPHAS, LEVELS, SECRET, adult, compare, skewed
)

assert numba.config.DISABLE_JIT and not hasattr(grow, "signatures")
compared = 0
for seed in range(6):
    table, require = skewed(seed)
    for queues in (64, 4):
        bucketing.QUEUES = queues
        for leveled in (True, False):
            compare(table, require, leveled=leveled)
            compared += 1
for leveled in (True, False):
    require = [LeveledAlphaK(LEVELS, ALPHAS, 4, column=SECRET), AlphaK(0.4, 3, column=SECRET)]
    compare(adult(200, 1), require, leveled=leveled, near=True)
    compare_dealt(adult(200, 1), require, leveled)
    compared += 2
for seed in range(3):
    table, require = skewed(seed)
    compare(table, require, leveled=True, passes="largest", farthest_from="record")
    compared += 1
print(compared)
"""


def test_bucket_labels_equal_the_twin_with_the_jit_off() -> None:
    assert run_without_jit(BUCKETS) == "31"


SECRETS = """
import numba
from shoal import MICD, Decomposition, KAnonymity, MultiLDiversity
from shoal.kernels.inverse.cluster import place
from tests.methods.secret_tables import SENSITIVE, adult
from tests.methods.test_decomposition_reference import compare as compare_decomposition
from tests.methods.test_micd_reference import NOISE, compare

assert numba.config.DISABLE_JIT and not hasattr(place, "signatures")
compared = 0
for primary, least, k in (("entropy", 3, 2), ("education", 5, 20)):
    table = adult(150, least, SENSITIVE)
    require = [MultiLDiversity(dict.fromkeys(SENSITIVE, least), lower=True), KAnonymity(k)]
    for leftovers in ("spread", "paper"):
        for noise in NOISE:
            compare(table, require, MICD(primary, leftovers, noise))
            compared += 1
    compare_decomposition(table, require, Decomposition(primary, picks="first"))
    compared += 1
print(compared)
"""


def test_sensitive_groups_equal_the_twin_with_the_jit_off() -> None:
    assert run_without_jit(SECRETS) == "14"


MICROAGGREGATION = """
import numba
from shoal.kernels.clustering.mdav import group
from tests.methods.test_mdav_reference import compare
from tests.tables import adult_table, large_table, repeated_table

assert numba.config.DISABLE_JIT and not hasattr(group, "signatures")
compare(adult_table(80, 1, uneven=True), 3)
for seed in (1, 2):
    compare(repeated_table(seed)[0], 30)
    compare(large_table(seed)[0], 20)
print("equal")
"""


def test_microaggregation_equals_the_twin_with_the_jit_off() -> None:
    assert run_without_jit(MICROAGGREGATION) == "equal"


REFINED = """
import numba, numpy as np
from shoal import KAnonymity
from shoal.kernels.refine.repair import repair_pools
from shoal.improve import Refinement, refine
from tests.methods.test_refine import chunks
from tests.methods.test_repair_reference import compare
from tests.tables import adult_table

assert numba.config.DISABLE_JIT and not hasattr(repair_pools, "signatures")
table = adult_table(40, 3, uneven=True)
for parts, k, measure in ((1, 2, "iloss"), (3, 3, "loss"), (4, 2, "iloss_rate")):
    compare(table, k, parts, measure)
made = refine(
    adult_table(60, 1), chunks(60, 6), [KAnonymity(3)], Refinement(steps=12),
    rng=np.random.default_rng(1), threads=1,
)
print(made.grouping.labels.tolist())
"""


def test_refinement_is_the_same_with_the_jit_off() -> None:
    made = refine(
        adult_table(60, 1),
        chunks(60, 6),
        [KAnonymity(3)],
        Refinement(steps=12),
        rng=np.random.default_rng(1),
        threads=1,
    )
    assert run_without_jit(REFINED) == str(made.grouping.labels.tolist())


BOUNDS = """
import numba, numpy as np, polars as pl
import shoal
from shoal.table.hierarchies import Hierarchy
from shoal.kernels.bounds.lowering import lower
from shoal.table import Table
from tests.measures.test_lower_bound import compare, hold

assert numba.config.DISABLE_JIT and not hasattr(lower, "signatures")
tree = Hierarchy.from_dict({"P": {"a": [], "Q": ["b", {"R": ["c", "d"]}]}, "e": [], "S": ["f"]})
rng = np.random.default_rng(5)
compared = 0
for turn in range(20):
    n = int(rng.integers(4, 8))
    holes = rng.random((3, n)) < 0.15 * (turn % 2)
    words = rng.choice(tree.leaves, n)
    holes[:, 0] = False
    frame = pl.DataFrame(
        {
            "x": [None if hole else int(v) for v, hole in zip(rng.integers(0, 9, n), holes[0])],
            "y": [None if hole else int(v) for v, hole in zip(rng.integers(0, 4, n), holes[1])],
            "z": [None if hole else str(v) for v, hole in zip(words, holes[2])],
        }
    )
    columns = {"x": shoal.quasi(), "y": shoal.quasi(), "z": shoal.quasi(hierarchy=tree)}
    if turn % 3:
        columns["y"] = shoal.other()
    table = Table.encode(frame, shoal.Schema(columns))
    compare(table, 2 + turn % 3, "iloss")
    hold(table, 2 + turn % 3, "loss", 0.5)
    compared += 1
print(compared)
"""


def test_bounds_are_those_of_all_groups_with_the_jit_off() -> None:
    assert run_without_jit(BOUNDS) == "20"


UNIQUES = """
import numba, numpy as np
from shoal.kernels.uniques.split import split
from tests.judging.risk.identity.test_unique_sets import compare

assert numba.config.DISABLE_JIT and not hasattr(split, "signatures")
rng = np.random.default_rng(4)
for turn in range(30):
    rows = rng.choice(["a", "b", "c", "*"], (int(rng.integers(1, 20)), int(rng.integers(1, 5))))
    owners = None if turn % 2 else rng.integers(0, 6, len(rows)).tolist()
    compare(rows.tolist(), owners, 1 + turn % 4)
print("equal")
"""


def test_unique_sets_equal_the_twin_with_the_jit_off() -> None:
    assert run_without_jit(UNIQUES) == "equal"
