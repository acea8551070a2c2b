"""A command that runs out of memory says so and leaves with a code of its own, at every step."""

from __future__ import annotations

import errno
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import shoal
from shoal import io
from shoal.cli import app
from shoal.engines.spark.failing import _ours
from shoal.errors import OutOfMemoryError
from shoal.steward.comparison.processes import work_on_each
from shoal.table import Table
from tests.cli.small_run import listing
from tests.writers import write_csv_by

NO_MEMORY = 6
SAID = "There is not enough memory"

REASONS: dict[str, Callable[[], BaseException]] = {
    "python": MemoryError,
    "arrow": lambda: pa.ArrowMemoryError("malloc of size 64 failed"),
    "system": lambda: OSError(errno.ENOMEM, "Cannot allocate memory"),
    "thread": lambda: RuntimeError("can't start new thread"),
    "library": lambda: ImportError("x.so: failed to map segment from shared object"),
    "polars": lambda: pl.exceptions.ComputeError("memory allocation of 8 bytes failed"),
}


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("step", ["read", "encode", "group", "write"])
def test_each_step_says_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: str, reason: str
) -> None:
    before = listing(folder)

    def fail(*rest: Any, **more: Any) -> Any:
        raise REASONS[reason]()

    if step == "read":
        monkeypatch.setattr("shoal.io.csvfile.read_all", fail)
    elif step == "encode":
        monkeypatch.setattr(Table, "encode", fail)
    elif step == "group":
        monkeypatch.setattr(shoal.GAACP, "group", fail)
    else:
        write_csv_by(monkeypatch, fail)
    result = CliRunner().invoke(app, ["run", str(folder / "plan.toml")])
    assert result.exit_code == NO_MEMORY
    assert SAID in result.stderr
    assert "disk" not in result.stderr
    assert listing(folder) == before


def limited(room: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command that may take so many bytes and no more."""
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)),
    )


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux alone")
@pytest.mark.parametrize("room", [40, 80, 120, 160, 250])
def test_a_limit_of_the_system_is_said_from_the_start(folder: Path, room: int) -> None:
    done = limited(room << 20, sys.executable, "-m", "shoal", "run", str(folder / "plan.toml"))
    assert done.returncode == NO_MEMORY, done.stderr
    assert SAID in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "out").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="there is no other way to hear of it")
@pytest.mark.parametrize("end", ["abort()", "exit(1)"])
def test_a_library_that_ends_the_process_leaves_no_verdict(end: str) -> None:
    """1 would mean that a release does not hold."""
    code = (
        "import ctypes, shoal.cli\n"
        f"shoal.cli.main = lambda: ctypes.CDLL(None).{end}\n"
        "from shoal.__main__ import main\nmain()"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=False, timeout=60, capture_output=True, text=True)
    assert done.returncode == NO_MEMORY
    assert SAID in done.stderr


def _killed(number: int) -> int:
    if multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_worker_that_the_system_kills_is_memory() -> None:
    with pytest.raises(OutOfMemoryError, match="ended one of the processes"):
        list(work_on_each(_killed, [1, 2], workers=2))


def test_spark_without_memory_is_memory() -> None:
    told = _ours("Job aborted: java.lang.OutOfMemoryError: Java heap space", "Py4JJavaError")
    assert isinstance(told, OutOfMemoryError)


def test_a_parquet_file_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet as pq

    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "x.parquet")

    def fail(*rest: Any, **more: Any) -> Any:
        raise pa.ArrowMemoryError("malloc of size 64 failed")

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", fail)
    with pytest.raises(MemoryError):
        io.read(tmp_path / "x.parquet")
