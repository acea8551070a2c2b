"""What all of it needs: a PostgreSQL, a database of each kind, and moments at random."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator

import pytest

from tests.conftest import database as database, postgres as postgres
from torture.commands import Command, say


@pytest.fixture(scope="session")
def rng() -> random.Random:
    """Draw moments from a seed that is shown."""
    seed = secrets.randbelow(10**9)
    say(f"from seed {seed}")
    return random.Random(seed)


@pytest.fixture(autouse=True)
def watched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Show which test runs; let nothing that it started run on."""
    say(f"{request.node.name} …")
    yield
    for command in Command.begun:
        if command.process.poll() is None:
            command.kill()
    Command.begun.clear()
