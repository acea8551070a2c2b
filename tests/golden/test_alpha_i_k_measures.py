"""Printed numbers of the paper on (αᵢ, k)-anonymity: two distances."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import ParameterError
from shoal.measures import (
    class_sensitivity_distance,
    mean_sensitivity_distance,
    pair,
    reconstruction_distance,
    sensitivity_distance,
)
from shoal.table.hierarchies import Hierarchy, Prefixes

PATIENTS = shoal.datasets.patients(3)
# Table 4.
LEVELS = {"HIV": 1, "Cancer": 1, "Heart Disease": 3, "Flu": 4, "Viral Infection": 4, "Fever": 5}
SCHEMA = shoal.Schema(
    {
        "no": shoal.identifier(),
        "name": shoal.identifier(),
        "job": shoal.quasi(hierarchy=Hierarchy.flat(PATIENTS["job"].unique().to_list())),
        "age": shoal.quasi(kind="numeric"),
        "sex": shoal.quasi(hierarchy=Hierarchy.flat(["F", "M"])),
        "zipcode": shoal.quasi(hierarchy=Prefixes()),
        "disease": shoal.sensitive(levels=LEVELS),
    }
)
QUASI = ["job", "age", "sex", "zipcode"]
TABLE_5 = [[1, 2, 3], [5, 7, 8], [4, 6, 9], [10, 11, 12]]
TABLE_8 = [[7, 1, 2], [8, 5, 3], [9, 10, 4], [11, 6, 12]]


def labels(groups: list[list[int]]) -> np.ndarray:
    made = np.zeros(PATIENTS.height, dtype=np.int64)
    for label, members in enumerate(groups):
        made[np.array(members) - 1] = label
    return made


@pytest.mark.parametrize(
    ("levels", "raw", "normalised"),
    [((1, 2, 3, 3), 1.0417, 0.2604), ((3, 4, 5, 5), 1.1583, 0.2896)],
)
def test_the_classes_of_definition_6(
    levels: tuple[int, ...], raw: float, normalised: float
) -> None:
    own = class_sensitivity_distance(levels, n_levels=5, normalised=False)
    assert round(own, 4) == raw
    assert round(class_sensitivity_distance(levels, n_levels=5), 4) == normalised
    paper = [0.85, 0.9, 0.95, 1]
    assert class_sensitivity_distance(levels, n_levels=5, weights=paper) == pytest.approx(own / 4)


def test_the_printed_class_is_a_slip() -> None:
    """The text calls the second class (2, 3, 5, 5); its number is that of (3, 4, 5, 5)."""
    assert round(class_sensitivity_distance((2, 3, 5, 5), n_levels=5, normalised=False), 3) != 1.158


def test_levels_in_any_order_and_one_record() -> None:
    mixed = class_sensitivity_distance([3, 1, 3, 2], n_levels=5)
    assert mixed == class_sensitivity_distance([1, 2, 3, 3], n_levels=5)
    assert class_sensitivity_distance([2], n_levels=5) == 0
    assert class_sensitivity_distance([1, 1], n_levels=1) == 0
    # With many levels no weight vanishes.
    assert class_sensitivity_distance([1, 2], n_levels=40, normalised=False) == 0.05


@pytest.mark.parametrize("levels", [[], [0, 1], [1, 6], [1.5], [[1, 2]]])
def test_levels_that_are_none_are_refused(levels: list[object]) -> None:
    with pytest.raises(ParameterError, match="levels must list"):
        class_sensitivity_distance(levels, n_levels=5)


def test_weights_of_another_length_are_refused() -> None:
    with pytest.raises(ParameterError, match="weights must list 4"):
        class_sensitivity_distance([1, 2], n_levels=5, weights=[1, 1])


def test_table_8_keeps_levels_apart_better_than_table_5() -> None:
    """Definition 6 over classes with a value of level 1: three of Table 5, all of Table 8."""
    original = PATIENTS.select(QUASI)
    five, eight = (
        pair(PATIENTS, original, SCHEMA, groups=labels(groups)) for groups in (TABLE_5, TABLE_8)
    )
    # Levels of Table 5: (5, 1, 1), (4, 4, 1), (5, 1, 3); of Table 8: (1, 5, 4), (1, 5, 4),
    # (1, 5, 4), (1, 4, 3).
    by_hand_5 = [(4 + 4) / 3, 0.95 * 6 / 3, (4 + 2 + 0.9 * 2) / 3]
    by_hand_8 = [(4 + 0.95 * 3 + 1) / 3] * 3 + [(0.95 * 3 + 0.9 * 2 + 0.95) / 3]
    assert mean_sensitivity_distance(five, normalised=False) == pytest.approx(np.mean(by_hand_5))
    assert mean_sensitivity_distance(eight, normalised=False) == pytest.approx(np.mean(by_hand_8))
    assert sensitivity_distance.of(eight) == pytest.approx(np.mean(by_hand_8) / 4)
    assert sensitivity_distance.of(five) < sensitivity_distance.of(eight)


@pytest.mark.parametrize("groups", [TABLE_5, TABLE_8])
def test_a_class_of_three_values_costs_two_thirds(groups: list[list[int]]) -> None:
    original = PATIENTS.select(QUASI)
    lost = reconstruction_distance(PATIENTS, original, SCHEMA, groups=labels(groups))
    assert lost == pytest.approx(2 / 3)


def test_a_two_table_record_by_equation_5() -> None:
    """Four records, shares 1/2, 1/4, 1/4: (1 − p)² + the others' squares."""
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "ill": ["a", "a", "b", "c"]})
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    twice = (1 - 1 / 2) ** 2 + 2 / 16
    once = (1 - 1 / 4) ** 2 + 1 / 4 + 1 / 16
    lost = reconstruction_distance(frame, frame.select("age"), schema, groups=[0] * 4)
    assert lost == pytest.approx((2 * twice + 2 * once) / 4)


# Table 3: the generalized publication of the same records.
TABLE_3 = (
    [("*", "[20, 39]", "*", "130**")] * 3
    + [("*", "[30, 39]", "*", "13***")] * 3
    + [("*", "[40, 69]", "*", "1****")] * 6
)


def test_a_generalized_record_by_equation_4() -> None:
    published = pl.DataFrame(TABLE_3, schema=QUASI, orient="row")
    # Jobs: 10 of them; ages [20, 39] cover 20; sexes 2; zip codes under 130**, 13***, 1****.
    spread = [10 * 20 * 2 * 4] * 3 + [10 * 10 * 2 * 8] * 3 + [10 * 30 * 2 * 12] * 6
    lost = reconstruction_distance(PATIENTS, published, SCHEMA)
    assert lost == pytest.approx(np.mean([1 - 1 / each for each in spread]))


def test_a_record_that_is_not_published_costs_one() -> None:
    published = PATIENTS.select(QUASI)[:9]
    lost = reconstruction_distance(PATIENTS, published, SCHEMA, rows=np.arange(9))
    assert lost == pytest.approx(3 / 12)


def test_more_points_than_a_float_can_count() -> None:
    names = [f"c{j}" for j in range(40)]
    original = pl.DataFrame({name: [-(2**62), 2**62] for name in names})
    published = pl.DataFrame({name: ["*", "*"] for name in names})
    schema = shoal.Schema({name: shoal.quasi() for name in names})
    assert reconstruction_distance(original, published, schema) == 1.0


def test_classes_of_either_level_or_of_both() -> None:
    """Equation 7 says "L1 or L2", the sentence before it "L1 and L2"."""
    ages, levels = [20] * 4 + [30] * 4 + [40] * 2, [1, 2, 3, 3, 2, 4, 5, 5, 4, 5]
    frame = pl.DataFrame({"age": ages, "ill": [f"v{level}" for level in levels]})
    graded = {f"v{level}": level for level in range(1, 6)}
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive(levels=graded)})
    both = pair(frame, frame, schema)
    first, second = (class_sensitivity_distance(levels[i : i + 4], n_levels=5) for i in (0, 4))
    assert mean_sensitivity_distance(both) == pytest.approx((first + second) / 2)
    assert mean_sensitivity_distance(both, holding="all") == pytest.approx(first)
    apart = frame[4:]
    with pytest.raises(ParameterError, match="No class holds values of both"):
        mean_sensitivity_distance(pair(apart, apart, schema), holding="all")
    with pytest.raises(ParameterError, match="holding must be one of"):
        mean_sensitivity_distance(both, holding="both")  # type: ignore[arg-type]
