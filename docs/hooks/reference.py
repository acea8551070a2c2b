"""The reference of Python: a page per public room, made from the public names and docstrings."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import shoal

ROOMS_OF_MEMBERS = (
    "shoal.table.hierarchies",
    "shoal.methods",
    "shoal.models",
    "shoal.publications",
)
HIDDEN = ("PRIVATE_NOTE",)
"""Names without a docstring: texts, which speak for themselves."""


LAST = "---\nsearch:\n  boost: 0.3\n---\n\n"
"""Pages that explain come first in search."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    pages = {"shoal": _of_shoal()} | {room: _of_room(room) for room in shoal.ROOMS}
    for name, text in pages.items():
        files.append(File.generated(config, f"reference/{name}.md", content=f"{LAST}{text}"))
    return files


def _of_shoal() -> str:
    members = sorted({*dir(shoal)} - {*shoal.ROOMS, *shoal.HOMES})
    rooms = "\n".join(f"| [{room}]({room}.md) | {_said(room)} |" for room in shoal.ROOMS)
    others = ", ".join(
        f"[`{name}`]({_home(name)}.md#shoal.{_home(name)}.{name})" for name in members
    )
    return "\n".join(
        [
            "# shoal\n",
            f"Rooms:\n\n| room | what it holds |\n|---|---|\n{rooms}\n",
            f"Methods and requirements are under `shoal`, too: {others}.\n",
            *_entries("shoal", shoal.HOMES),
        ]
    )


def _of_room(room: str) -> str:
    names = [name for name in import_module(f"shoal.{room}").__all__ if name not in HIDDEN]
    home = f"shoal.{shoal.ROOMS[room]}"
    return "\n".join([f"# shoal.{room}\n", f"{_said(room)}\n", *_entries(home, names)])


def _said(room: str) -> str:
    return (
        (import_module(f"shoal.{room}").__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
    )


def _home(name: str) -> str:
    return next(
        room for room in ("methods", "models") if name in import_module(f"shoal.{room}").__all__
    )


def _entries(room: str, names: Iterable[str]) -> list[str]:
    return [_entry(room, name) for name in sorted(names, key=str.lower)]


def _entry(room: str, name: str) -> str:
    """Ask for the docstring of a name; what all members do is told of their base alone."""
    found = getattr(import_module(room), name)
    base = isinstance(found, type) and found.__mro__[1:-1] and room in ROOMS_OF_MEMBERS
    options = "    options:\n      members: false\n" if base else ""
    return f"::: {room}.{name}\n{options}"
