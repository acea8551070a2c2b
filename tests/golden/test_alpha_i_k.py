"""Worked examples of the paper on (αᵢ, k)-anonymity: classes by sensitivity, by size."""

from __future__ import annotations

import numpy as np
import pytest

import shoal
from shoal.kernels.buckets import classes as buckets
from shoal.methods.buckets._classes import bucket_classes
from shoal.methods.buckets._terms import terms_of
from shoal.table import Table

# Table 4.
LEVELS = {
    "HIV": 1,
    "Cancer": 1,
    "Heart Disease": 3,
    "Flu": 4,
    "Viral Infection": 4,
    "Fever": 5,
}
SCHEMA = shoal.Schema(
    {
        "no": shoal.identifier(),
        "name": shoal.identifier(),
        "job": shoal.quasi(),
        "age": shoal.quasi(),
        "sex": shoal.quasi(),
        "zipcode": shoal.quasi(),
        "disease": shoal.sensitive(levels=LEVELS),
    }
)


def classes(method: shoal.methods.Method, need: shoal.models.Requirement) -> list[list[int]]:
    """The classes in their order, rows counted from 1."""
    made = shoal.anonymize(shoal.datasets.patients(3), SCHEMA, require=[need], method=method)
    assert made.verification.passed
    labels = made.grouping.labels
    return [(np.flatnonzero(labels == c) + 1).tolist() for c in range(labels.max() + 1)]


def test_table_8() -> None:
    need = shoal.LeveledAlphaK(None, ["1/3", 0.35, 0.4, 0.45, 0.5], 3)
    assert classes(shoal.LeveledGCA(), need) == [[1, 2, 7], [3, 5, 8], [4, 9, 10], [6, 11, 12]]


def test_table_8_in_the_order_of_picking(monkeypatch: pytest.MonkeyPatch) -> None:
    picked: list[int] = []
    grow = buckets.grow

    def one_by_one(b: buckets.Buckets, rule: int, k: int, budget: int) -> int:
        before = set(np.flatnonzero(b.labels >= 0).tolist())
        state = grow(b, rule, k, 1)
        picked.extend(set(np.flatnonzero(b.labels >= 0).tolist()) - before)
        return state

    monkeypatch.setattr(buckets, "grow", one_by_one)
    table = Table.encode(shoal.datasets.patients(3), SCHEMA)
    need = shoal.LeveledAlphaK(LEVELS, ["1/3", 0.35, 0.4, 0.45, 0.5], 3)
    bucket_classes(
        table, terms_of(table, [need], leveled=True), rule=buckets.BY_LEVEL, order=np.arange(12)
    )
    assert [row + 1 for row in picked] == [7, 1, 2, 8, 5, 3, 9, 10, 4, 11, 6, 12]


STRICT = shoal.LeveledAlphaK(None, [0.3, 0.35, 0.4, 0.45, 0.5], 3)
"""1/3 is above 0.3: a class of three with one grave value does not hold it."""


def test_the_printed_share_of_level_1_forces_classes_of_four() -> None:
    first, second = classes(shoal.LeveledGCA(), STRICT)
    # No value twice while there is another: 4 has the flu, 10 would be a second fever.
    assert {1, 2, 7, 12} <= set(first)
    assert {3, 4, 5, 8} <= set(second)
    # Then the records of level 1 are left with 6 and 10: too few, so all are left over.
    assert sorted({*first, *second} - {1, 2, 7, 12, 3, 4, 5, 8}) == [6, 9, 10, 11]


def test_the_largest_group_again_repeats_a_value() -> None:
    first, second = classes(shoal.LeveledGCA(passes="largest", farthest_from="record"), STRICT)
    assert sorted({1, 2, 7, 12, 4, 9}) == first
    assert sorted({3, 5, 8, 10, 6, 11}) == second


def test_dealt_like_cards() -> None:
    """Ours: HIV and cancer first, then level by level, to four classes in turn."""
    need = shoal.LeveledAlphaK(None, ["1/3", 0.35, 0.4, 0.45, 0.5], 3)
    made = classes(shoal.LeveledGCA(spend="even"), need)
    assert made == [[6, 7, 12], [1, 2, 11], [4, 5, 8], [3, 9, 10]]


def test_table_5() -> None:
    found = classes(shoal.GCA(), shoal.AlphaK(0.4, 3))
    assert found == [[1, 2, 3], [5, 7, 8], [4, 6, 9], [10, 11, 12]]


def test_table_5_puts_two_grave_values_together() -> None:
    """What the paper improves on: the second class holds HIV and cancer."""
    need = shoal.AlphaK(0.4, 3)
    made = shoal.anonymize(
        shoal.datasets.patients(3),
        SCHEMA,
        require=[need],
        method=shoal.GCA(),
        publication="generalized",
        bounds="observed",
    )
    secrets = made.frame["disease"].to_numpy()[made.grouping.labels == 1]
    assert sorted(LEVELS[secret] for secret in secrets) == [1, 1, 5]
