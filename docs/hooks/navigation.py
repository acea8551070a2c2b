"""Patterns in the navigation: ``methods/*.md`` stands for all pages there that nothing else names.

So a new member, a new how-to page or a new decision needs no line in ``mkdocs.yml``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files


@event_priority(-50)  # after the hooks that add pages
def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace each pattern by the pages that it stands for."""
    named = set(_named(config.nav))
    free = sorted(file.src_uri for file in files.documentation_pages() if file.src_uri not in named)
    config.nav = _filled(config.nav, free)
    return files


def _named(item: Any) -> Iterator[str]:
    """Walk the navigation; give each page that is named in full."""
    if isinstance(item, str):
        if "*" not in item:
            yield item
        return
    for inner in item.values() if isinstance(item, dict) else item:
        yield from _named(inner)


def _filled(item: Any, free: list[str]) -> Any:
    if isinstance(item, list):
        return [each for inner in item for each in _entries(inner, free)]
    if isinstance(item, str):
        return _matching(item, free) if "*" in item else item
    return {title: _filled(inner, free) for title, inner in item.items()}


def _entries(item: Any, free: list[str]) -> list[Any]:
    """Give the entries that stand for one; none for a section without pages."""
    if isinstance(item, str) and "*" in item:
        return _matching(item, free)
    made = _filled(item, free)
    return [] if isinstance(made, dict) and not all(made.values()) else [made]


def _matching(pattern: str, free: list[str]) -> list[str]:
    depth = pattern.count("/")  # a star stands for a part of a path, never for several
    return [page for page in free if page.count("/") == depth and fnmatchcase(page, pattern)]
