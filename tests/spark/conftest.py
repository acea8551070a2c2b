"""A Spark of the tests' own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import shoal


@pytest.fixture(scope="session")
def session() -> Iterator[Any]:
    """Start it once for all tests of a process."""
    with shoal.spark.start("local[2,4]") as made:  # a task is tried four times
        made.conf.set("spark.sql.shuffle.partitions", "2")
        yield made
