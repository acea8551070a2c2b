"""`shoal warm-up`: compile what is compiled."""

from __future__ import annotations

from shoal.checks.warm_up import warm_up as warm_up_
from shoal.cli.progress import bar

__all__ = ["warm_up"]


def warm_up() -> None:
    """Compile every method's inner loops and keep them, so that no run has to wait for it.

    Without it each method's loops are compiled when a table first needs them, which takes some
    seconds and is said. They are kept beside the package, or where NUMBA_CACHE_DIR says.
    """
    with bar() as report:
        warm_up_(lambda done, total: report("compile", done, total))
    print("All methods are compiled.")
