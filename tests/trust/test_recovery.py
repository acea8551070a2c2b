"""23. A kill leaves one whole release; both folders carry one id; private stays private."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.cli import app
from shoal.errors import OutputError
from shoal.release import recover, require_writable
from shoal.release.public_facts import release_id
from tests.kill import Killed, kill_at


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> list[shoal.Release]:
    """Make three releases of two tables, each read from a file so that it can be compared."""
    made = []
    for seed, rows in ((1, 60), (2, 48), (3, 60)):
        table = tmp_path_factory.mktemp("input") / "table.parquet"
        mixed(rows, missing=0.1).write_parquet(table)
        method = shoal.GAACP(seed=seed)
        made.append(shoal.anonymize(table, SCHEMA, require=[shoal.KAnonymity(3)], method=method))
    return made


def ids(folder: Path) -> tuple[str, str]:
    facts = json.loads((folder / "release.json").read_text())
    manifest = json.loads(
        (folder.with_name(f"{folder.name}.private") / "manifest.json").read_text()
    )
    return facts["id"], manifest["id"]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def verify(folder: Path, original: Path | None = None) -> tuple[int, str]:
    command = ["verify", str(folder)]
    if original is not None:
        command += ["--original", str(original)]
    done = CliRunner().invoke(app, command)
    return done.exit_code, " ".join(done.output.split())


def write_until(
    release: shoal.Release, folder: Path, renames: int, patch: pytest.MonkeyPatch
) -> bool:
    """Write, and be killed after so many renames; say whether it came to an end."""
    with patch.context() as inner:
        kill_at(renames, inner, "rename")
        try:
            release.write(folder)
        except Killed:
            return False
    return True


def test_both_folders_carry_one_id_that_anyone_can_compute(
    tmp_path: Path, releases: list[shoal.Release]
) -> None:
    seen = set()
    for number, release in enumerate(releases):
        folder = release.write(tmp_path / str(number))
        public, private = ids(folder)
        facts = json.loads((folder / "release.json").read_text())
        assert public == private == release_id(facts)
        assert set(facts["files"]) == {"table.csv"}  # whose hashes the id covers
        seen.add(public)
    assert len(seen) == len(releases)
    again = releases[0].write(tmp_path / "again")
    assert ids(again)[0] in seen


@pytest.mark.parametrize("start", ["verify", "run", "write"])
def test_a_kill_at_any_rename_is_mended_by_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, releases: list[shoal.Release], start: str
) -> None:
    old, new, other = releases
    expected = {ids(each.write(tmp_path / "x"))[0]: each for each in (old, new, other)}
    ends, renames = [], 0
    while True:
        home = tmp_path / str(renames)
        folder = home / "out"
        old.write(folder)
        finished = write_until(new, folder, renames, monkeypatch)
        starts: dict[str, Callable[[], Any]] = {
            "verify": lambda folder=folder: verify(folder),
            "run": lambda folder=folder: require_writable(folder),
            "write": lambda folder=folder: other.write(folder),
        }
        starts[start]()
        assert names(home) == {"out", "out.private"}
        public, private = ids(folder)
        assert public == private
        held = expected[public]
        assert held is other if start == "write" else held in (old, new)
        assert verify(folder, held.original)[0] == 0
        ends.append(held)
        if finished:
            break
        renames += 1
    assert renames >= 4
    if start != "write":
        assert new in ends[:-1]


def test_the_private_folder_of_another_release_is_refused(
    tmp_path: Path, releases: list[shoal.Release]
) -> None:
    releases[0].write(tmp_path / "a")
    releases[2].write(tmp_path / "b")
    (tmp_path / "a.private").rename(tmp_path / "away")
    (tmp_path / "b.private").rename(tmp_path / "a.private")
    code, said = verify(tmp_path / "a")
    assert code == 2
    assert "belongs to another release" in said
    done = CliRunner().invoke(app, ["verify", str(tmp_path / "b"), "--manifest", "away"])
    assert done.exit_code == 2
    (tmp_path / "a.private").rename(tmp_path / "b.private")
    assert verify(tmp_path / "a")[0] == 0  # alone
    assert verify(tmp_path / "b")[0] == 0


@pytest.mark.parametrize("name", ["out", "out.private"])
def test_a_planted_link_is_not_followed(
    tmp_path: Path, releases: list[shoal.Release], name: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="is a link"):
        releases[0].write(tmp_path / "out")
    with pytest.raises(OutputError, match="is a link"):
        require_writable(tmp_path / "out")
    assert names(tmp_path / "elsewhere") == set()
    assert names(tmp_path) == {"elsewhere", name}


def test_a_private_folder_that_is_a_link_is_not_read(
    tmp_path: Path, releases: list[shoal.Release]
) -> None:
    releases[0].write(tmp_path / "out")
    (tmp_path / "out.private").rename(tmp_path / "moved")
    (tmp_path / "out.private").symlink_to(tmp_path / "moved")
    code, said = verify(tmp_path / "out")
    assert code == 2
    assert "is a link" in said


def test_a_private_folder_is_never_taken_for_a_release(
    tmp_path: Path, releases: list[shoal.Release]
) -> None:
    releases[0].write(tmp_path / "out")
    with pytest.raises(OutputError, match="holds other files"):
        releases[1].write(tmp_path / "out.private")
    assert verify(tmp_path / "out")[0] == 0


KILLED = """
import os, signal, sys, shoal
from shoal.checks.tables import SCHEMA, mixed
made = shoal.anonymize(mixed(60), SCHEMA, require=[shoal.KAnonymity(3)])
write = shoal.release.writing.write_private
def die(*given):
    write(*given)
    os.kill(os.getpid(), signal.SIGKILL)
shoal.release.writing.write_private = die
os.umask(0)
made.write(sys.argv[1])
"""


def test_a_killed_process_leaves_nothing_open_and_nothing_for_ever(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "out")], check=False)
    assert done.returncode == -9
    [left] = tmp_path.glob(".out.tmp-*")
    private = left / "new" / "out.private"
    assert names(private) == {"hierarchies", "manifest.json", "plan.toml", "rows.parquet"}
    for path in (left, private, *private.rglob("*")):
        expected = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == expected, path
    for path in left.rglob("*"):
        assert not path.is_file() or b"person-" not in path.read_bytes()
    recover(tmp_path / "out")
    assert names(tmp_path) == set()


def test_a_written_private_folder_is_closed_whatever_the_umask(
    tmp_path: Path, releases: list[shoal.Release]
) -> None:
    before = os.umask(0)
    try:
        releases[0].write(tmp_path / "out")
    finally:
        os.umask(before)
    private = tmp_path / "out.private"
    assert (private / "hierarchies").is_dir()
    for path in (private, *private.rglob("*")):
        expected = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == expected, path
    assert stat.S_IMODE((tmp_path / "out" / "table.csv").stat().st_mode) == 0o666


WRITER = """
import sys, shoal
from shoal.checks.tables import SCHEMA, mixed
made = shoal.anonymize(mixed(60), SCHEMA, require=[shoal.KAnonymity(3)])
print("ready", flush=True)
sys.stdin.readline()
wins = 0
for _ in range(30):
    try:
        made.write(sys.argv[1])
        wins += 1
    except shoal.errors.OutputError as error:
        assert "Another process is writing" in str(error), error
print(wins)
"""


def test_two_writers_never_mix_their_folders(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path / "out")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    writers: list[Any] = [subprocess.Popen(command, **pipes) for _ in range(2)]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    wins = [int(writer.communicate(timeout=120)[0]) for writer in writers]
    assert all(writer.returncode == 0 for writer in writers)
    assert sum(wins) > 0
    assert names(tmp_path) == {"out", "out.private"}
    public, private = ids(tmp_path / "out")
    assert public == private
    assert verify(tmp_path / "out")[0] == 0
