"""k-member's labels equal the slow twin's, row for row."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from shoal import KAnonymity, KMember
from shoal.table import Table
from tests.methods.test_gaacp_reference import twin
from tests.reference.kmember import KMemberReference
from tests.tables import adult_table, by_scan_and_by_index, large_table, repeated_table, tables


class Fixed:
    def __init__(self, first: int) -> None:
        self.first = first

    def integers(self, n: int) -> int:
        return self.first


def compare(table: Table, k: int, first: int) -> None:
    other = twin(table)
    expected = KMemberReference(other.attributes, other.n, other.people).labels(k, first)
    found = by_scan_and_by_index(lambda: KMember().group(table, [KAnonymity(k)], rng=Fixed(first)))
    assert found == expected


@pytest.mark.parametrize(("k", "uneven"), [(2, True), (5, False), (10, True)])
def test_labels_equal_the_twin_on_adult(k: int, uneven: bool) -> None:
    compare(adult_table(600, k, uneven=uneven), k, 3)


@pytest.mark.parametrize("make", [large_table, repeated_table])
@pytest.mark.parametrize("seed", range(100, 116))
def test_labels_equal_the_twin_on_larger_tables(make: Any, seed: int) -> None:
    compare(*make(seed))


@settings(max_examples=150, deadline=None)
@given(tables())
def test_labels_equal_the_twin_on_random_tables(case: tuple[Table, int, int]) -> None:
    compare(*case)
