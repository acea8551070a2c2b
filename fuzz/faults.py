"""What a random case may not do."""

from __future__ import annotations

import traceback
from typing import Any

__all__ = ["Fault"]


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
