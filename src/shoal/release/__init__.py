"""A release: what is published, with its plan, its measures and its proof."""

from shoal.release.result import (
    FACTS,
    PLAN,
    Release,
    private_folder,
    read_manifest,
    read_released,
    recover,
    release_id,
    require_passed,
    require_same_release,
    require_writable,
)

__all__ = [
    "FACTS",
    "PLAN",
    "Release",
    "private_folder",
    "read_manifest",
    "read_released",
    "recover",
    "release_id",
    "require_passed",
    "require_same_release",
    "require_writable",
]
