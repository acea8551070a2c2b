"""How the small experiments run: by the compiled loops, as full ones do, and with few queries."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import partial

import pytest

from shoal.methods.clustering import _greedy
from shoal_papers import Outcome, run


@pytest.fixture(scope="module", autouse=True)
def as_at_full_size() -> Iterator[None]:
    """Group small tables as large ones, and ask 3 queries instead of 100: both are slow here."""
    queries = importlib.import_module("shoal.measures.utility.count_query_error")
    few = partial(queries.average_query_error, queries=3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_greedy, "SCANNED_CELLS", 0)
        patch.setattr(_greedy, "SCANNED_COSTS", 0)
        patch.setattr(queries, "average_query_error", few)
        yield


@pytest.fixture(scope="module")
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Run a file's small experiment once."""
    return run(request.module.SMALL, tmp_path_factory.mktemp("paper") / "run")
