"""The processes below one: who they are, so that tests can end them."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["descendants", "executors", "workers"]


def descendants(pid: int) -> dict[int, str]:
    """List the processes below one, with their command lines."""
    above: dict[int, int] = {}
    said: dict[int, str] = {}
    for each in Path("/proc").glob("[0-9]*"):
        try:
            above[int(each.name)] = int((each / "stat").read_text().rsplit(")", 1)[1].split()[1])
            said[int(each.name)] = (each / "cmdline").read_text(errors="replace").replace("\0", " ")
        except OSError:
            continue  # it ended just now

    def below(own: int) -> bool:
        while own in above and own != pid:
            own = above[own]
        return own == pid

    return {own: said[own] for own in said if own != pid and below(own)}


def workers(pid: int | None = None) -> list[int]:
    """List Spark's Python workers below a process, which are the children of its daemons."""
    daemons = {
        own for own, said in descendants(pid or os.getpid()).items() if "pyspark.daemon" in said
    }
    return sorted(own for daemon in daemons for own in descendants(daemon) if own in daemons)


def executors(pid: int) -> list[int]:
    """List the executors of a Spark cluster below a process: a Java each."""
    return sorted(
        own for own, said in descendants(pid).items() if "CoarseGrainedExecutorBackend" in said
    )
