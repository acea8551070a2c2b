"""Tables that do not fit: whichever library wants memory first, it is said.

Libraries can also wait for ever for memory that nobody gives back, so `make test` leaves it out.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

NO_MEMORY = 6

FULL = """
import resource, sys
import shoal.cli, shoal.engines.pipeline, shoal.release
from pathlib import Path
from shoal.__main__ import main

shoal.anonymize(shoal.datasets.patients(1), k=2, drop="name", sensitive="disease",
    quasi=["age", "sex", "zip"])
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (int(sys.argv.pop(1)) << 20),) * 2)
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux alone")
@pytest.mark.parametrize("room", [8, 32, 64])
def test_a_table_that_does_not_fit_is_said(tmp_path: Path, room: int) -> None:
    """Whichever library wants memory first: some raise, and some end the process."""
    wide = pl.int_range(400_000, eager=True).cast(pl.String).str.zfill(60)
    pl.DataFrame({"zip": wide, "name": wide}).write_csv(tmp_path / "table.csv")
    (tmp_path / "plan.toml").write_text(
        'input = {path = "table.csv"}\noutput = {path = "release"}\n'
        'require = [{model = "k-anonymity", k = 2}]\n'
        '[columns]\nzip = {role = "quasi"}\nname = {role = "other"}\n'
    )
    quiet = {**os.environ, "_RJEM_MALLOC_CONF": "background_thread:false"}  # as the command does
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(room), "run", str(tmp_path / "plan.toml")],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=quiet,
    )
    assert done.returncode == NO_MEMORY, done.stderr
    assert "memory" in done.stderr.lower()
    assert not (tmp_path / "release").exists()
