"""Refinement: groups near each other are taken apart and grouped anew, where that loses less.

`refine` itself is imported when it is first used: most runs do without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shoal.methods.refine._refinement import Refinement as Refinement

if TYPE_CHECKING:
    from shoal.methods.refine._run import Refined as Refined, Watch as Watch, refine as refine

__all__ = ["Refined", "Refinement", "Watch", "refine"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from shoal.methods.refine import _run

        return getattr(_run, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
