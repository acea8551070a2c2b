"""How many random examples a test tries."""

from __future__ import annotations

import os

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "same")


def examples(n: int, least: int = 10) -> int:
    """Take all of them in `make fuzz`, which draws others each time; a third where they stay."""
    return n if PROFILE == "random" else max(n // 3, least)
