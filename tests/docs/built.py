"""The built site: its pages, with their anchors, links, and what a browser would load for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "input": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "track": "src",
    "use": "href",
    "video": "src",
}
"""What a browser loads by itself: the tag, and where it names the address."""


@dataclass
class BuiltPage:
    """What a page names: anchors that can be linked to, links, and what is loaded with it."""

    path: Path
    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    """The tags of the text itself, without navigation."""


class _Reader(HTMLParser):
    def __init__(self, page: BuiltPage) -> None:
        super().__init__()
        self.page = page
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "article":
            self.inside = True
        if self.inside:
            self.page.tags.append(tag)
        self.page.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.page.links.append(given["href"])
        address = given.get(LOADED.get(tag, ""), "")
        if address and given.get("rel") not in ("next", "prev", "canonical"):
            self.page.loaded.append(address)
        self.page.loaded += [part.split()[0] for part in given.get("srcset", "").split(",") if part]

    def handle_endtag(self, tag: str) -> None:
        if tag == "article":
            self.inside = False


def read(folder: Path) -> dict[Path, BuiltPage]:
    """Read every page of a built site."""
    pages = {}
    for path in sorted(folder.rglob("*.html")):
        pages[path] = page = BuiltPage(path)
        _Reader(page).feed(path.read_text(encoding="utf-8"))
    return pages


def broken(pages: dict[Path, BuiltPage]) -> Iterator[str]:
    """Name every address inside the site that leads nowhere."""
    for page in pages.values():
        for address in (*page.links, *page.loaded):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            if not target.is_file():
                yield f"{page.path.name}: no file for {address}"
            elif parts.fragment and not _anchored(pages.get(target), unquote(parts.fragment)):
                yield f"{page.path.name}: no anchor for {address}"


def _anchored(page: BuiltPage | None, anchor: str) -> bool:
    return page is None or anchor in page.anchors  # of what is no page, nothing is known


def outside(pages: dict[Path, BuiltPage]) -> Iterator[str]:
    """Name everything that a browser would ask from elsewhere without a click."""
    for page in pages.values():
        for address in page.loaded:
            parts = urlsplit(address)
            if parts.netloc or parts.scheme in ("http", "https"):
                yield f"{page.path.name}: {address}"
