"""What all of it needs: a PostgreSQL, a database of each kind, and moments at random."""

from __future__ import annotations

import random
import secrets

import pytest

from tests.conftest import database as database, postgres as postgres
from torture.commands import say


@pytest.fixture(scope="session")
def rng() -> random.Random:
    """Draw moments from a seed that is shown."""
    seed = secrets.randbelow(10**9)
    say(f"from seed {seed}")
    return random.Random(seed)


@pytest.fixture(autouse=True)
def progress(request: pytest.FixtureRequest) -> None:
    """Show which test runs."""
    say(f"{request.node.name} …")
