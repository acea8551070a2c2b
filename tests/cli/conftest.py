"""A folder with a small table and its plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.small_run import PLAN, TABLE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.csv").write_text(TABLE)
    (tmp_path / "plan.toml").write_text(PLAN)
    (tmp_path / "sex.csv").write_text("m;*\nf;*\n")
    return tmp_path
