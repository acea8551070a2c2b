"""Kill a process that replaces a release, again and again, and look at what the next start makes.

A child writes one release after another to the same folder until it is killed. The next start
(`shoal verify`, `shoal run`'s first check, or another write) must leave one whole release whose
two folders belong together, and nothing else. Half of the kills strike at any moment of a write,
half while folders take each other's place.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import stat
import tempfile
import time
from collections import Counter
from multiprocessing.context import ForkServerProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, NamedTuple

from typer.testing import CliRunner

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.cli import app
from shoal.release import require_writable

__all__ = ["run"]

_SIZES = (40, 64)
"""Rows of the two tables that take each other's place."""


def run(count: int, seed: int) -> str:
    """Kill so many times, and give the counts in one line.

    Parameters
    ----------
    count
        How often.
    seed
        Of the moments: when to kill, and which start comes next.
    """
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        inputs = _inputs(home)
        spare = _release(inputs[0], seed=3)
        spare.write(home / "releases" / "out")
        child = _spawn(home)
        for number in range(count):
            current, child = child, None if number + 1 == count else _spawn(home)
            _kill(current, rng)
            _count_what_is_left(home / "releases", seen)
            start = rng.choice(["verify", "run", "write"])
            fault = _start_and_check(home / "releases", inputs, spare, start)
            if fault is not None:
                faults.append(f"kill {number} ({start}): {fault}")
    line = ", ".join(
        [
            f"{count} kills",
            f"{seen['writing']} while writing",
            f"{seen['finished']} pairs finished",
            f"{seen['undone']} undone",
            f"{seen['remains']} remains removed",
            f"{len(faults)} faults",
        ]
    )
    return "\n".join([line, *faults])


def _inputs(home: Path) -> list[Path]:
    made = []
    for size in _SIZES:
        made.append(home / f"{size}.parquet")
        mixed(size, missing=0.1).write_parquet(made[-1])
    return made


def _release(table: Path, seed: int) -> shoal.Release:
    method = shoal.GAACP(seed=seed)
    return shoal.anonymize(table, SCHEMA, require=[shoal.KAnonymity(3)], method=method)


class _Child(NamedTuple):
    process: ForkServerProcess
    ready: Event
    go: Event
    moving: Event
    """Set when folders begin to take each other's place."""


def _spawn(home: Path) -> _Child:
    """Start a child that is ready to write; the imports are done once, by the server."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["fuzz.kills"])
    events = [context.Event() for _ in range(3)]
    child = context.Process(target=_write_for_ever, args=(home, *events), daemon=True)
    child.start()
    return _Child(child, *events)


def _write_for_ever(home: Path, ready: Event, go: Event, moving: Event) -> None:
    os.umask(0)
    releases = [_release(home / f"{size}.parquet", seed=size) for size in _SIZES]
    releases[0].write(home / f"warm-{os.getpid()}")  # what is imported late is there now
    _slow_down(moving)
    ready.set()
    go.wait()
    while True:
        for release in releases:
            release.write(home / "releases" / "out")


def _slow_down(moving: Event) -> None:
    """Let the steps that matter take longer, so that more kills strike between them."""
    for name in ("rename", "fsync", "unlink"):
        real = getattr(os, name)

        def slow(*args: Any, real: Any = real, name: str = name, **named: Any) -> Any:
            if name == "rename":
                moving.set()
            time.sleep(0.005)
            return real(*args, **named)

        setattr(os, name, slow)


def _kill(child: _Child, rng: random.Random) -> None:
    if not child.ready.wait(300):
        raise RuntimeError("The child did not start.")
    child.go.set()
    if rng.random() < 0.5:
        time.sleep(rng.uniform(0.0, 0.5))
    else:
        child.moving.wait(60)
        time.sleep(rng.uniform(0.0, 0.1))
    if not child.process.is_alive():
        raise RuntimeError("The child ended by itself.")
    child.process.kill()
    child.process.join()


def _count_what_is_left(place: Path, seen: Counter[str]) -> None:
    left = [path for path in place.iterdir() if path.name.startswith(".")]
    seen["remains"] += len(left)
    work = [path for path in left if ".tmp-" in path.name]
    seen["writing"] += bool(work)
    decided = any((path / "commit").exists() for path in work)
    seen["finished"] += decided
    seen["undone"] += bool(work) and not decided


def _start_and_check(
    place: Path, inputs: list[Path], spare: shoal.Release, start: str
) -> str | None:
    """Start anew, and say what is wrong with what stands there then."""
    out = place / "out"
    if start == "run":
        require_writable(out)
    elif start == "write":
        spare.write(out)
    done = CliRunner().invoke(app, ["verify", str(out)])
    if done.exit_code:
        return f"`shoal verify` exits with {done.exit_code}"
    names = sorted(path.name for path in place.iterdir())
    if names != ["out", "out.private"]:
        return f"{len(names)} names beside each other instead of two"
    private = place / "out.private"
    for path in (private, *private.rglob("*")):
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            return "others may read a private file"
    facts = json.loads((out / "release.json").read_text())
    manifest = json.loads((private / "manifest.json").read_text())
    if facts.get("id") != manifest.get("id"):
        return "the folders belong to different releases"
    original = inputs[_SIZES.index(manifest["rows"]["input"])]
    done = CliRunner().invoke(app, ["verify", str(out), "--original", str(original)])
    return f"the original does not fit ({done.exit_code})" if done.exit_code else None
