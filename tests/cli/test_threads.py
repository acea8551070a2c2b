"""A small table is read by one thread; whatever is wrong with a plan is said later."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from shoal.cli import threads

NAME = "POLARS_MAX_THREADS"


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a plan of a small table, in a process that has not imported polars."""
    monkeypatch.delitem(sys.modules, "polars", raising=False)
    monkeypatch.setenv(NAME, "x")  # so that it is taken back afterwards
    monkeypatch.delenv(NAME)
    (tmp_path / "small.csv").write_text("age\n20\n")
    path = tmp_path / "plan.toml"
    path.write_text('[input]\npath = "small.csv"\n')
    return path


def found() -> str | None:
    return os.environ.get(NAME)


def test_a_small_table_needs_one_thread(plan: Path) -> None:
    threads.spare_threads(plan)
    assert found() == "1"


def test_a_large_table_has_all_threads(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "SMALL", 3)
    threads.spare_threads(plan)
    assert found() is None


def test_what_the_user_set_stays(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "4")
    threads.spare_threads(plan)
    assert found() == "4"


@pytest.mark.parametrize("text", ["", "[input", "[input]\npath = 3\n", '[input]\npath = "no.csv"'])
def test_a_broken_plan_is_left_to_its_reader(plan: Path, text: str) -> None:
    plan.write_text(text)
    threads.spare_threads(plan)
    threads.spare_threads(plan.parent / "absent.toml")
    assert found() is None


def test_threads_that_are_there_are_left_alone(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", object())
    threads.spare_threads(plan)
    assert found() is None
