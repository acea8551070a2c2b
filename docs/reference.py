"""The reference of Python: a page per public room, under public names, from the docstrings.

The source is read, not run, so that a signature shows what it says there.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import griffe

import shoal

SOURCE = Path(__file__).parents[1] / "src"
ROOMS_OF_MEMBERS = ("hierarchies", "methods", "models", "publications")
"""What all members do is told at their base alone."""
HIDDEN = ("PRIVATE_NOTE",)
"""Names without a docstring: texts, which speak for themselves."""
WIDTH = 88


def pages() -> dict[str, str]:
    """Make the pages: their places in the site, and their texts."""
    package = griffe.load(
        "shoal", search_paths=[SOURCE], docstring_parser="numpy", resolve_aliases=True
    )
    rooms = {room: "\n".join(_of_room(package, room)) for room in shoal.ROOMS}
    made = {"shoal": "\n".join(_of_shoal(package))} | rooms
    return {f"reference/{name}.md": f"{text}\n" for name, text in made.items()}


def _of_shoal(package: griffe.Object) -> Iterator[str]:
    members = sorted({*dir(shoal)} - {*shoal.ROOMS, *shoal.HOMES})
    links = ", ".join(f"[`{each}`]({_room_of(each)}.md#shoal.{each})" for each in members)
    yield "# shoal\n\n| room | what it holds |\n|---|---|"
    yield from (f"| [{room}]({room}.md) | {_purpose(room)} |" for room in shoal.ROOMS)
    yield f"\nMethods and requirements are names of `shoal`, too: {links}.\n"
    for name in sorted(shoal.HOMES, key=str.lower):
        yield from _entry(_found(package, f"{shoal.HOMES[name]}.{name}"), name, f"shoal.{name}")


def _of_room(package: griffe.Object, room: str) -> Iterator[str]:
    yield f"# shoal.{room}\n\n{_purpose(room)}\n"
    module = import_module(f"shoal.{room}")
    for name in sorted(module.__all__, key=str.lower):
        if name not in HIDDEN:
            same = getattr(shoal, name, None) is getattr(module, name)
            public = f"shoal.{name}" if same else f"shoal.{room}.{name}"
            found = _found(package, f"{shoal.ROOMS[room]}.{name}")
            alike = room in ROOMS_OF_MEMBERS and found.is_class and bool(found.bases)
            yield from _entry(found, name, public, members=not alike)


def _purpose(room: str) -> str:
    return _line(inspect.getdoc(import_module(f"shoal.{room}")).split("\n\n")[0])


def _room_of(name: str) -> str:
    rooms = ("methods", "models")
    return next(room for room in rooms if name in import_module(f"shoal.{room}").__all__)


def _found(package: griffe.Object, path: str) -> griffe.Object:
    """Find what a public name stands for, not the file of the same name."""
    found = package[path]
    found = found.final_target if found.is_alias else found
    name = path.rpartition(".")[2]
    return _found(found, name) if found.is_module and name in found.members else found


def _entry(
    found: griffe.Object, name: str, public: str, members: bool = True, depth: int = 2
) -> Iterator[str]:
    yield f"{'#' * depth} {name} {{ #{public} }}\n"
    if found.is_function or found.is_class:
        yield f"```python\n{_signature(found, name)}\n```\n"
    for section in found.docstring.parse() if found.docstring else ():
        yield from _section(section)
    if found.is_class and members:
        for each in found.members.values():
            if each.docstring and not each.name.startswith("_") and not each.is_alias:
                yield from _entry(each, each.name, f"{public}.{each.name}", depth=depth + 1)


def _signature(found: griffe.Object, name: str) -> str:
    text = (
        found.signature().removeprefix(found.name).replace("(self, ", "(").replace("(self)", "()")
    )
    if len(name) + len(text) <= WIDTH:
        return f"{name}{text}"
    inside, _, returns = text[1:].rpartition(")")
    parts = re.split(r", (?![^\[(]*[\])])", inside)  # not inside brackets
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){returns}"])


def _section(section: griffe.DocstringSection) -> Iterator[str]:
    value = section.value
    if section.kind.value == "text":
        yield f"{value}\n"
    elif section.kind.value == "examples":
        for kind, text in value:
            yield f"```pycon\n{text}\n```\n" if kind.value == "examples" else f"{text}\n"
    elif section.kind.value == "admonition":
        yield f"**{section.title or value.kind.title()}**\n\n{value.contents}\n"
    else:
        yield f"**{section.kind.value.title()}**\n"
        yield from _table(section.kind.value, value)


def _table(kind: str, items: Iterable[griffe.DocstringElement]) -> Iterator[str]:
    """Make a table of what is described: by name, with its type in the signature, or by type."""
    head = "type" if kind in ("returns", "raises") else "name"
    yield f"| {head} | meaning |\n|---|---|"
    for each in items:
        shown = _line(str(each.annotation if head == "type" else each.name))
        yield f"| `{shown}` | {_line(each.description)} |"
    yield ""


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
