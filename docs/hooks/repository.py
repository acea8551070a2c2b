"""Pages of the repository outside ``docs/``, and links to them, in the site.

On a code host, links between pages lead through the repository: ``../CONTRIBUTING.md``. In the
site, such a page gets a place of its own, and links are turned to it. A linked file that is no page
is shown as one.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
PLACES = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "README.md": "index.md",
    "benchmarks/RESULTS.md": "project/results.md",
}
"""Where pages outside ``docs/`` stand in the site; nobody needs the README beside the home page."""

NESTED = re.compile(r"^   (?=[-*] )", re.MULTILINE)
"""An item of a list below a numbered one: three spaces on a code host, four in the site."""
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages outside ``docs/``, and the files that any page links to."""
    for source, place in PLACES.items():
        if files.get_file_from_path(place) is None:
            files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    for file in list(files.documentation_pages()):
        for target in _linked(file):
            place = _place(target)
            if files.get_file_from_path(place) is None and (ROOT / target).is_file():
                files.append(File.generated(config, place, content=_shown(target)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links through the repository into links of the site."""
    if page.file.src_uri.startswith("project/"):
        page.meta["search"] = {"boost": 0.3}  # long tables, after the pages that explain
    parts = FENCE.split(markdown)
    turn = partial(_turned, source=_source(page.file), place=page.file.src_uri)
    parts[::2] = [NESTED.sub("    ", LINK.sub(turn, part)) for part in parts[::2]]
    return "".join(parts)


def _source(file: File) -> str:
    """Say where in the repository a page of the site is written."""
    found = [source for source, place in PLACES.items() if place == file.src_uri]
    return found[0] if found and file.src_uri != "index.md" else f"docs/{file.src_uri}"


def _linked(file: File) -> Iterator[str]:
    """Give the files outside ``docs/`` that a page links to."""
    source = _source(file)
    prose = "".join(FENCE.split(file.content_string)[::2])
    for link in LINK.finditer(prose):
        if "://" not in link[2]:
            target = _target(link[2], source)
            if not target.startswith("docs/"):
                yield target


def _turned(link: re.Match[str], source: str, place: str) -> str:
    if "://" in link[2]:
        return link[0]
    target = _target(link[2], source)
    if source.startswith("docs/") and target.startswith("docs/"):
        return link[0]  # the same path in both
    to = posixpath.relpath(_place(target), posixpath.dirname(place) or ".")
    return f"{link[1]}{to}{link[3]}"


def _target(link: str, source: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), link))


def _place(target: str) -> str:
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    return PLACES.get(target) or f"project/files/{target.replace('/', '-')}.md"


def _shown(target: str) -> str:
    """Make a page of a file that is none."""
    text = (ROOT / target).read_text(encoding="utf-8")
    language = "python" if target.endswith(".py") else "text"
    return f"# {target}\n\n````{language}\n{text}````\n"
