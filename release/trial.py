"""Try what was built as a newcomer would: in an empty environment, with nothing kept anywhere."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

from release.environments import Environment

__all__ = ["check_lowest", "check_wheel"]

COMPILES = "Compiling"
TRIAL = """
import shutil, sys
from pathlib import Path
import shoal
shutil.copytree(shoal.datasets.folder("adult"), sys.argv[1])
shoal.datasets.adult().head(int(sys.argv[2])).write_csv(Path(sys.argv[1]) / "adult.csv")
"""
ROWS = (1_000, 48_842)
MOST = 1.3
"""How much of the CPU of the second run the first may take."""


def check_wheel(wheel: Path, version: str, base: str, folder: Path) -> tuple[Environment, bytes]:
    """Install a wheel alone and publish with it, without a home.

    A wheel with kernels must compile nothing, and its first run must cost what others cost. Give
    the environment, and the table it published, which is the same whoever compiled the kernels.
    """
    shutil.rmtree(folder, ignore_errors=True)
    environment = Environment(folder / "environment", base)
    environment.install(str(wheel))
    if environment.answer("-m", "shoal", "--version").split() != ["shoal", version]:
        sys.exit(f"{wheel.name} does not say that it is {version}.")
    packed = not wheel.name.endswith("-none-any.whl")
    for rows in ROWS:
        place = folder / str(rows)
        environment.run("-B", "-c", TRIAL, str(place), str(rows))
        runs = [_publish(environment, place, f"out{turn}") for turn in range(3 if packed else 1)]
        seconds = ", ".join(f"{cpu:.2f}" for cpu, _ in runs)
        print(f"{wheel.name}: {rows:,} rows take {seconds} s of CPU, one run after another.")
        if packed and any(COMPILES in said for _, said in runs):
            sys.exit(f"{wheel.name}: a kernel that a first run needs is not in it.")
        if packed and runs[0][0] > MOST * min(cpu for cpu, _ in runs[1:]):
            sys.exit(f"{wheel.name}: the first run costs more than {MOST} times another one.")
    return environment, (place / "out0" / "table.csv").read_bytes()


def check_lowest(source: Path, tools: Environment, folder: Path) -> None:
    """Keep the contract of every member with the lowest versions that pyproject.toml allows."""
    environment = Environment(folder, tools.base)
    install = ("-m", "uv", "pip", "install", "--quiet", "--python", environment.python)
    tools.run(*install, "--resolution", "lowest-direct", f"{source}[arrow]")
    environment.run("-m", "shoal.checks")
    environment.run("-m", "shoal", "demo", cwd=folder)


def _publish(environment: Environment, place: Path, out: str) -> tuple[float, str]:
    """Run the default method; give its CPU seconds, and what it said."""
    run = ["-B", "-m", "shoal", "run", str(place / "adult.toml"), "--output", str(place / out)]
    least = {"PATH": os.environ["PATH"]}  # no HOME
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(
        [environment.python, *run], check=True, env=least, stdout=-1, stderr=subprocess.STDOUT
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, said.stdout.decode()
