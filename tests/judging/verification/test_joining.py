"""Parts of whole classes, verified apart, say together what the whole table says."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.judging.verification import verify
from shoal.judging.verification.result import join

FRAME = pl.DataFrame(
    {
        "age": ["[1, 9]"] * 4 + ["[10, 19]"] * 3 + ["*"] * 5,
        "ill": ["a", "b", "b", "c", "a", "a", "b", "c", "c", "c", "a", "b"],
    }
)
ROLES = {"age": "quasi", "ill": "sensitive"}
PARTS = [FRAME.filter(pl.col("age") == age) for age in FRAME["age"].unique(maintain_order=True)]


@pytest.mark.parametrize("k", [3, 4])
def test_levels_and_failures_are_those_of_the_whole(k: int) -> None:
    need = [shoal.KAnonymity(k), shoal.LDiversity(2), shoal.AlphaK(alpha=0.7, k=2)]
    whole = verify(FRAME, ROLES, need)
    joined = join([verify(part, ROLES, need) for part in PARTS])
    assert joined.rows == whole.rows
    assert joined.classes == whole.classes
    assert joined.passed == whole.passed == (k == 3)
    for one, other in zip(joined.judgements, whole.judgements, strict=True):
        assert one.passed == other.passed
        assert (one.failing_classes, one.failing_rows) == (
            other.failing_classes,
            other.failing_rows,
        )
        assert one.achieved == {n: v for n, v in other.achieved.items() if n in one.achieved}
    assert joined.achieved["k"] == whole.achieved["k"]


def test_a_finding_of_one_part_is_one_of_the_whole() -> None:
    original = FRAME.with_columns(age=pl.Series([5] * 4 + [12] * 3 + [None] * 5))
    parts = [
        verify(
            part,
            ROLES,
            2,
            original=original[start : start + part.height].with_columns(
                pl.col("age") + (100 if start == 4 else 0)
            ),
        )
        for part, start in zip(PARTS, (0, 4, 7), strict=True)
    ]
    assert [part.passed for part in parts] == [True, False, True]
    assert join(parts).reasons() == parts[1].reasons()
