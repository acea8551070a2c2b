"""A Spark of the tests' own, quick to start: on small tables, it would mostly compile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import shoal

MODE = "spark.sql.codegen.factoryMode"
INTERPRETED = ("test_levels", "test_report")
"""Many small tables, whose plans Spark need not compile; the other tests compile, as users do."""


@pytest.fixture(scope="session")
def one_session() -> Iterator[Any]:
    """Start it once for all tests of a process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1")
        with shoal.spark.start("local[2,4]") as made:  # a task is tried four times
            made.conf.set("spark.sql.shuffle.partitions", "2")
            yield made


@pytest.fixture(scope="module")
def session(one_session: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Give it to the tests of a file."""
    before = one_session.conf.get(MODE)
    if request.path.stem in INTERPRETED:
        one_session.conf.set(MODE, "NO_CODEGEN")
    yield one_session
    one_session.conf.set(MODE, before)
