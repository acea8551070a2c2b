"""`shoal warm-up`: compile what is compiled."""

from __future__ import annotations

from shoal.checks.warm_up import warm_up as warm_up_
from shoal.cli.progress import bar


def warm_up() -> None:
    """Compile the inner loops of all methods now, so that no run has to wait.

    Otherwise, the first run that needs a loop compiles it, which takes some seconds. Compiled loops
    are kept beside the package, or in NUMBA_CACHE_DIR.
    """
    with bar() as report:
        warm_up_(lambda done, total: report("compile", done, total))
    print("All methods are compiled.")
