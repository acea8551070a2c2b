"""What a random case may not do, and the faults that are known for now."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

__all__ = ["KNOWN", "Fault", "known"]


class Fault(AssertionError):
    """A random case that ended neither in a verified release nor in a proper refusal."""

    def __init__(
        self, seed: int, what: str, case: Any = None, cause: BaseException | None = None
    ) -> None:
        self.trace = "" if cause is None else "".join(traceback.format_exception(cause))
        super().__init__(f"seed {seed}: {what}\n{case}\n{self.trace}")
        self.seed = seed
        self.what = what
        self.case = case


def _names_missing(fault: Fault) -> bool:
    require = getattr(fault.case, "settings", {}).get("require", [])
    return fault.what.startswith("does not verify") and any(
        isinstance(each, dict) and each.get("value") == "" for each in require
    )


KNOWN: dict[str, Callable[[Fault], bool]] = {
    'AlphaK(value="") is not enforced by TopDown and GCA': _names_missing,
}
"""Faults that are passed over for now, each with why. Empty is how it should be."""


def known(fault: Fault) -> bool:
    """Say whether somebody is mending this one already."""
    return any(matches(fault) for matches in KNOWN.values())
