"""A run that fails half-way: one clear message, the right exit status, nothing half written."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from tests.cli.small_run import SECRET, listing
from tests.writers import write_csv_by


def test_a_method_that_leaves_all_rows_out_is_not_the_last_word(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(self: shoal.GAACP, table: object, *rest: object, **more: object) -> shoal.Grouping:
        return shoal.Grouping(pl.Series([-1] * 20, dtype=pl.Int32).to_numpy())

    monkeypatch.setattr(shoal.GAACP, "group", nothing)
    result = CliRunner().invoke(app, ["run", str(folder / "plan.toml")])
    assert result.exit_code == 0
    assert "20 rows published" in result.output


def test_rows_left_out_beyond_the_limit_come_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def some(self: shoal.GAACP, table: object, *rest: object, **more: object) -> shoal.Grouping:
        return shoal.Grouping(pl.Series([-1] * 3 + [0] * 17, dtype=pl.Int32).to_numpy())

    monkeypatch.setattr(shoal.GAACP, "group", some)
    result = CliRunner().invoke(app, ["run", str(folder / "plan.toml")])
    assert result.exit_code == 0
    assert "20 rows published" in result.output


def test_full_disk_leaves_the_old_release_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert CliRunner().invoke(app, ["run", str(folder / "plan.toml")]).exit_code == 0
    before = listing(folder)

    def full(table: object, path: Path, **options: object) -> None:
        Path(path).write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    write_csv_by(monkeypatch, full)
    result = CliRunner().invoke(app, ["run", str(folder / "plan.toml")])
    assert result.exit_code == 2
    assert "No space left" in result.stderr
    assert listing(folder) == before


def test_ctrl_c_stops_with_nothing_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*rest: object, **more: object) -> shoal.Grouping:
        raise KeyboardInterrupt

    monkeypatch.setattr(shoal.GAACP, "group", stop)
    before = listing(folder)
    result = CliRunner().invoke(app, ["run", str(folder / "plan.toml")])
    assert result.exit_code == 130
    assert listing(folder) == before


def test_a_defect_shows_no_traceback_and_no_cell(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*rest: object, **more: object) -> shoal.Grouping:
        raise RuntimeError(SECRET)

    monkeypatch.setattr(shoal.GAACP, "group", fail)
    result = CliRunner().invoke(app, ["run", str(folder / "plan.toml")])
    assert result.exit_code == 3
    assert "RuntimeError" in result.stderr
    assert SECRET not in result.stderr


def test_a_reader_that_stops_reading_is_no_defect() -> None:
    """As in `shoal methods | head -1`: quiet, with the shell's own exit code."""
    script = "import sys; from shoal.cli import main; sys.argv = ['shoal', 'methods']; main()"
    done = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert done.stdout is not None
    assert done.stderr is not None
    done.stdout.close()
    said = done.stderr.read().decode()
    done.stderr.close()
    assert done.wait() in (0, 141)
    assert said == ""
