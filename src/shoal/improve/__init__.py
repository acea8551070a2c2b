"""Refinement: groups near each other are taken apart and grouped anew, where that loses less.

`refine` itself is imported when it is first used: most runs do without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shoal.improve.refinement import Refinement as Refinement

if TYPE_CHECKING:
    from shoal.improve.running import Refined as Refined, Watch as Watch, refine as refine

__all__ = ["Refined", "Refinement", "Watch", "refine"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from shoal.improve import running

        return getattr(running, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
