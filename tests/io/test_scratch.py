"""Private folders for work: removed in the end, and after a kill by the next start."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from shoal.io.scratch import remove_remains, scratch_folder


def test_what_a_killed_process_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    ended = subprocess.Popen(["true"])
    ended.wait()
    for pid in (ended.pid, os.getpid()):
        (tmp_path / f"shoal-x-{pid}-x" / "rows").mkdir(parents=True)
    (tmp_path / f"shoal-y-{ended.pid}-x").mkdir()
    remove_remains("shoal-x-")
    left = sorted(each.name for each in tmp_path.iterdir())
    assert left == [f"shoal-x-{os.getpid()}-x", f"shoal-y-{ended.pid}-x"]


def test_a_folder_goes_even_where_the_work_fails() -> None:
    made: list[Path] = []

    def work() -> None:
        with scratch_folder("shoal-x-") as folder:
            (folder / "rows").write_text("1")
            made.append(folder)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert not made[0].exists()
