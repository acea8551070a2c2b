"""A release: what is published, with its plan, its measures and its proof."""

from shoal.release.opened import OpenedRelease, open_published, open_release
from shoal.release.result import Release
from shoal.release.writing import recover, require_passed, require_writable

__all__ = [
    "OpenedRelease",
    "Release",
    "open_published",
    "open_release",
    "recover",
    "require_passed",
    "require_writable",
]
