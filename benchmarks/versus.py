"""Two versions of Shoal in turns: what a change made faster, and whether it changed a byte.

`python -m benchmarks versus --base REV` checks REV out into a folder of its own, runs each case
with both versions in turns, each in a process of its own, and prints the CPU seconds of whole
processes, the least of some rounds. Loops are compiled before anything is timed. What both
published with the same seed is compared byte for byte: `yes`, or `rows` if only their order
differs, as it does where a method draws nothing and so has no seed.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.versus_cases import CASES, Case

__all__ = ["main"]

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "RESULTS.md"
COMPILING = 300
"""Seconds that a first run may take longer."""


@dataclass
class Side:
    """A version of Shoal, and the folders that it works in."""

    source: Path
    place: Path
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def folder(self, name: str) -> Path:
        """Give the folder of a case."""
        return self.place / (CASES[name].after or name)

    def run(self, name: str, most: int) -> float | None:
        """Run a case; gives the CPU seconds of the process, ``None`` if it fails or takes more."""
        kept = {key: value for key, value in os.environ.items() if key not in _UNUSUAL}
        child = subprocess.Popen(
            [sys.executable, "-m", "shoal", *CASES[name].words.split()],
            cwd=self.folder(name),
            env={**kept, "PYTHONPATH": str(self.source)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1)),
        )
        ended = False
        try:
            _, status, used = os.wait4(child.pid, 0)
            ended = True
        finally:
            if not ended:
                with suppress(ProcessLookupError):  # Ctrl-C ended it, too
                    os.kill(child.pid, signal.SIGKILL)
                child.wait()
        code = child.returncode = os.waitstatus_to_exitcode(status)
        if code < 0:
            raise TimeoutError
        return used.ru_utime + used.ru_stime if code == 0 else None

    def published(self, name: str) -> dict[str, list[bytes]]:
        """Read the tables that were published."""
        public = self.folder(name) / "release"
        return {path.name: path.read_bytes().splitlines() for path in public.glob("*.csv")}


_UNUSUAL = ("PYTHONDONTWRITEBYTECODE", "PYTHONDEVMODE", "PYTHONPATH")


def main(arguments: Sequence[str]) -> None:
    """Compare two versions."""
    wanted = _read(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was made is removed
    commit = _git("rev-parse", "--short", f"{wanted.base}^{{commit}}")
    with tempfile.TemporaryDirectory(prefix="versus") as made, _worktree(wanted.base, made) as tree:
        sides = [Side(tree / "src", Path(made) / "before"), Side(ROOT / "src", Path(made) / "now")]
        lines = [
            "| case | rows | before (CPU s) | after (CPU s) | times | same |",
            "| --- | ---: | ---: | ---: | ---: | --- |",
        ]
        print("\n".join(lines), flush=True)
        for name in wanted.cases or CASES:
            lines.append(_row(name, sides, wanted))
            print(lines[-1], flush=True)
    if wanted.write:
        printed = " ".join(["python -m benchmarks versus", *arguments])
        head = f"\n## versus {commit}\n\n{_about(commit, wanted.rounds)} Made by `{printed}`.\n"
        with RESULTS.open("a", encoding="utf-8") as results:
            results.write("\n".join([head, *lines]) + "\n")


def _about(commit: str, rounds: int) -> str:
    now = _git("rev-parse", "--short", "HEAD")
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    busy = f" The machine was busy: {load:.1f} processes waited for each core." if load > 1 else ""
    return (
        f"Commit {commit} (before) and {now} (after) in turns, CPU seconds of whole processes, the "
        f"least of {rounds}. `same`: the published tables are equal byte for byte, with the same "
        f"seed; `rows`: without one, equal but for the order of rows.{busy}"
    )


def _read(arguments: Sequence[str]) -> Any:
    parser = argparse.ArgumentParser(prog="python -m benchmarks versus", description=__doc__)
    parser.add_argument("--base", required=True, help="the version to compare with")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is timed")
    parser.add_argument("--quick", action="store_true", help="a fiftieth of the rows")
    parser.add_argument("--seconds", type=int, default=300, help="what a process may take")
    parser.add_argument("--write", action="store_true", help="append the table to RESULTS.md")
    parser.add_argument("cases", nargs="*", choices=[*CASES, []], metavar="case")
    return parser.parse_args(arguments)


def _row(name: str, sides: Sequence[Side], wanted: Any) -> str:
    """Time a case with both versions, and write its line."""
    case = CASES[name]
    rows = max(min(case.rows, 1000), case.rows // 50) if wanted.quick else case.rows
    for side in sides:
        _prepare(name, case, side, rows, wanted.seconds)
    first = [_warm(name, side, wanted.seconds) for side in sides]
    if first[1] is None:
        raise SystemExit(f"The case '{name}' fails with this version.")
    same = ""
    if case.words.startswith("run") and first[0] == "":
        same = _same(*(side.published(name) for side in sides))
    for turn in range(wanted.rounds):
        for side, printed in list(zip(sides, first, strict=True))[:: 1 if turn % 2 else -1]:
            if printed == "":
                spent = side.run(name, wanted.seconds)
                if spent is None:
                    raise SystemExit(f"The case '{name}' failed where it had not before.")
                side.seconds.setdefault(name, []).append(spent)
    best = [min(side.seconds.get(name, [0.0])) for side in sides]
    shown = [
        "not there before" if printed is None else printed or f"{spent:.3g}"
        for printed, spent in zip(first, best, strict=True)
    ]
    times = f"{best[0] / best[1]:.3g}" if all(best) else ""
    return f"| {name}: {case.what} | {rows:,} | {shown[0]} | {shown[1]} | {times} | {same} |"


def _same(one: dict[str, list[bytes]], other: dict[str, list[bytes]]) -> str:
    """Compare what was published; where nothing gives a seed, rows come in a random order."""
    if one == other:
        return "yes"
    rows = [{name: sorted(lines) for name, lines in each.items()} for each in (one, other)]
    return "rows" if rows[0] == rows[1] else "no"


def _prepare(name: str, case: Case, side: Side, rows: int, seconds: int) -> None:
    """Write the table and the plan, or run what goes before."""
    if side.folder(name).exists():
        return
    before = CASES[case.after] if case.after else case
    side.folder(name).mkdir(parents=True)
    assert before.prepare is not None, "a case works after one that has a table"
    before.prepare(side.folder(name), rows)
    if case.after:
        _warm(case.after, side, seconds)


def _warm(name: str, side: Side, seconds: int) -> str | None:
    """Run a case once, which compiles its loops; says why it is not timed: nothing, or too long."""
    try:
        return None if side.run(name, seconds + COMPILING) is None else ""
    except TimeoutError:
        return f"more than {seconds}"


@contextmanager
def _worktree(base: str, made: str) -> Iterator[Path]:
    """Check a version out; nothing of it stays."""
    place = Path(made) / "base"
    _git("worktree", "add", "--detach", "--force", str(place), base)
    try:
        yield place
    finally:
        _git("worktree", "remove", "--force", str(place))


def _git(*words: str) -> str:
    answer = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise SystemExit(f"git {' '.join(words)} failed: {answer.stderr.strip()}")
    return answer.stdout.strip()
