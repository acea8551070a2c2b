"""A release: what is published, with its plan, its measures and its proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.release.result import Release
from shoal.release.writing import recover, require_passed, require_writable

if TYPE_CHECKING:
    from shoal.release.opened import OpenedRelease, open_published, open_release

__all__ = [
    "OpenedRelease",
    "Release",
    "open_published",
    "open_release",
    "recover",
    "require_passed",
    "require_writable",
]


def __getattr__(name: str) -> object:
    """Import what opens releases when it is used: who makes one does not need it."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from shoal.release import opened

    return getattr(opened, name)
