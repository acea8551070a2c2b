"""The reports of a release: a public page, made from public facts alone, and a private one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.release.report.page import page

if TYPE_CHECKING:
    from shoal.release.report.private import private_page

__all__ = ["page", "private_page"]


def __getattr__(name: str) -> object:
    """Import the private page when it is written: who opens a release does not need it."""
    if name != "private_page":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from shoal.release.report.private import private_page

    return private_page
