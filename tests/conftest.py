"""How the random tests run: without a clock, and the same every time unless told otherwise."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.browser import NONE, launched
from tests.databases import KINDS, Database, fresh
from tests.examples import PROFILE, examples
from tests.postgres import Server, server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

settings.register_profile("same", deadline=None, derandomize=True, max_examples=examples(100))
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile(PROFILE)

collect_ignore = ["typed"]  # programs for type checkers, one of them full of mistakes

LONG = (
    *("base/test_adding_members.py", "base/test_plugin.py", "checks", "cli", "docs", "engines"),
    *("fuzz", "judging", "kernels", "measures/test_against_reference.py"),
    *("measures/test_loss_bound.py", "measures/test_lower_bound.py", "methods", "papers"),
    *("release", "report/test_browser.py", "steward", "studio", "trust", "witness"),
)
"""What ``--quick`` leaves out: whole releases, twins, browsers, processes, Spark, contracts."""

MANY_RELEASES = (
    *("checks", "engines", "fuzz", "io", "methods", "models", "plan", "publications"),
    *("steward", "trust"),
)
"""Folders of tests that make thousands of releases and do not look at COUNT queries."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of ``make quick``."""
    parser.addoption("--quick", action="store_true", help="one case of each test that is not long")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what is long."""
    long = collection_path in [Path(__file__).parent / name for name in LONG]
    return True if long and config.getoption("quick") else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the first case of each test."""
    if config.getoption("quick"):
        first = {item.nodeid.partition("[")[0]: item for item in reversed(items)}
        items[:] = [item for item in items if item in set(first.values())]


@pytest.fixture(autouse=True)
def few_queries(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask 3 queries there instead of 100: they take half of the time, and are tested elsewhere."""
    here = Path(__file__).parent
    path = request.path
    many = path.is_relative_to(here) and path.relative_to(here).parts[0] in MANY_RELEASES
    if many:
        queries = importlib.import_module("shoal.measures.utility.count_query_error")
        few = partial(queries.average_query_error, queries=3)
        monkeypatch.setattr(queries, "average_query_error", few)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Start a PostgreSQL of this run's own, which is gone when it ends."""
    with server() as running:
        yield running


@pytest.fixture(params=KINDS)
def database(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Database:
    """Give an empty database of each kind."""
    running = None
    if request.param == "postgresql":
        running = request.getfixturevalue("postgres")
        monkeypatch.setenv("PGPASSWORD", running.password)
    return fresh(request.param, tmp_path, running)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give a headless Chromium, one per worker; without one, say so loudly and skip."""
    with launched() as found:
        if found is None:
            pytest.skip(NONE)
        yield found
