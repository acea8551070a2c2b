"""The way through the studio: a file for each step, found by being here.

Each has a ``panel``: its name, its place on the way, and the routes that answer for it, all below
its name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules

from fastapi import APIRouter

__all__ = ["Panel", "panels"]


@dataclass(frozen=True)
class Panel:
    """A step of the way."""

    name: str
    """Its address, and the key of its words."""
    place: int
    """Its number on the way, from 1 on."""
    needs_table: bool = True
    """Whether it makes sense only of a table."""
    router: APIRouter = field(default_factory=APIRouter, compare=False)


def panels() -> tuple[Panel, ...]:
    """Find all panels, in their order."""
    names = [each.name for each in iter_modules(__path__) if not each.name.startswith("_")]
    found = [import_module(f"{__name__}.{name}").panel for name in names]
    return tuple(sorted(found, key=lambda panel: panel.place))
