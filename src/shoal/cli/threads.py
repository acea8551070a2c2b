"""Threads for the size of a table."""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

SMALL = 1_000_000
"""Bytes: for a smaller file, starting threads takes longer than they save."""


def spare_threads(plan: Path) -> None:
    """Have a plan's input read by one thread if it is small; call it before anything is imported.

    What cannot be read here is left to whoever reads it in earnest, and says what is wrong.
    """
    if "polars" in sys.modules:
        return  # its threads are there already
    try:
        with plan.open("rb") as file:
            size = (plan.parent / tomllib.load(file)["input"]["path"]).stat().st_size
    except (OSError, ValueError, KeyError, TypeError):
        return
    if size < SMALL:
        os.environ.setdefault("POLARS_MAX_THREADS", "1")
