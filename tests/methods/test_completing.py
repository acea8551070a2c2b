"""Merging on until a requirement holds: the same groups, however values are counted."""

from __future__ import annotations

import pytest

import shoal
from shoal import AlphaK, KAnonymity
from shoal.publications.groups import completing
from shoal.publications.groups.completing import least_size


@pytest.mark.parametrize("method", [shoal.KACA(seed=2), shoal.EBKC(seed=2)])
@pytest.mark.parametrize("seed", [1, 2])
def test_kept_counts_and_new_counts_agree(
    method: shoal.methods.Method, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml").schema_()
    table = shoal.datasets.adult().sample(250, seed=seed)
    require = [AlphaK(0.35, 3), KAnonymity(4)]
    kept = shoal.anonymize(table, schema, require=require, method=method)
    monkeypatch.setattr(completing, "MOST_COUNTS", -1)
    anew = shoal.anonymize(table, schema, require=require, method=method)
    assert kept.grouping.labels.tolist() == anew.grouping.labels.tolist()


def test_least_size_is_that_of_the_strictest() -> None:
    assert least_size([KAnonymity(4), AlphaK(0.2, 3)]) == 5
    assert least_size([KAnonymity(7), AlphaK(0.2, 3)]) == 7
    assert least_size([]) == 1
