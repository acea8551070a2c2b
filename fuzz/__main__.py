"""`python -m fuzz`: try many random plans, command lines and kills, and count how they end."""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from fuzz import kills
from fuzz.command_line import try_command
from fuzz.faults import Fault
from fuzz.trial import try_plan

Count = Callable[[int, Path], Iterable[str]]


def main() -> int:
    """Run what is asked for; the exit code is 1 if a fault was found."""
    options = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    options.add_argument("--plans", type=int, default=0, help="how many random plans")
    options.add_argument("--commands", type=int, default=0, help="how many random command lines")
    options.add_argument("--kills", type=int, default=0, help="how many runs to kill")
    options.add_argument(
        "--seed", type=int, default=None, help="of the first case; random if left out"
    )
    given = options.parse_args()
    seed = secrets.randbelow(10**9) if given.seed is None else given.seed
    print(f"from seed {seed} on")
    faults = _many("plans", _plan, given.plans, seed) + _many(
        "commands", _command, given.commands, seed
    )
    if given.kills:
        counted, *broken = kills.run(given.kills, seed).splitlines()
        print("\n".join([f"kills: {counted}", *broken]))
        faults += len(broken)
    return 1 if faults else 0


def _plan(seed: int, folder: Path) -> Iterable[str]:
    found = try_plan(seed, folder)
    return [found.error or ("written and verified" if found.written else "verified")]


def _command(seed: int, folder: Path) -> Iterable[str]:
    return [f"exit {call.code}" for call in try_command(seed, folder)]


def _many(what: str, each: Count, number: int, first: int) -> int:
    """Try cases one after the other; print the faults as they come, and the counts at the end."""
    counts: Counter[str] = Counter()
    faults = 0
    for done in range(number):
        folder = Path(tempfile.mkdtemp(prefix="shoal-fuzz-"))
        try:
            counts.update(each(first + done, folder / "case"))
        except Fault as fault:
            counts["FAULTS"] += 1
            faults += 1
            print(f"\n{fault}\n")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if sys.stderr.isatty():
            print(f"\r{what}: {done + 1:,} of {number:,}", end="", file=sys.stderr)
    if number:
        listed = ", ".join(f"{count:,} {end}" for end, count in counts.most_common())
        print(f"{what}: {number:,} tried: {listed}")
    return faults


if __name__ == "__main__":
    sys.exit(main())
