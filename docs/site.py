"""Build the site: ``python -m docs.site [FOLDER]`` writes it, to be read from the disk.

Zensical knows neither generated pages nor patterns in its navigation, so this collects all pages in
``build/site/``, with a copy of ``zensical.toml`` that names each one, and builds them there.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

from docs import reference

ROOT = Path(__file__).parents[1]
STAGE = ROOT / "build" / "site"
PLACES = {
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "README.md": "index.md",
    "benchmarks/RESULTS.md": "project/results.md",
}
"""Where pages outside ``docs/`` stand in the site; the home page takes the place of the README."""

NESTED = re.compile(r"^   (?=[-*] )", re.MULTILINE)
"""An item of a list below a numbered one: three spaces on a code host, four in the site."""
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")

ONLY_SERVED = ("404.html", "sitemap.xml")
"""Files that only a server uses."""


def main(folder: Path = ROOT / "site") -> None:
    """Collect the pages, build them strictly, and put the site where it belongs."""
    stage = STAGE.with_name(f"{STAGE.name}-{os.getpid()}")
    shutil.copytree(ROOT / "docs", stage / "docs", ignore=shutil.ignore_patterns("*.py", "__*"))
    try:
        pages = _collected()
        for place, text in pages.items():
            path = stage / "docs" / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (stage / "zensical.toml").write_text(_settings(sorted(pages)), encoding="utf-8")
        command = [sys.executable, "-m", "zensical", "build", "--strict"]
        if code := subprocess.run(command, cwd=stage).returncode:
            sys.exit(code)
        for name in ONLY_SERVED:
            (stage / "site" / name).unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(stage / "site", folder)
    finally:
        shutil.rmtree(stage)


def _collected() -> dict[str, str]:
    """Give every page of the site: its place, and its text with links of the site."""
    written = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    sources = [*written, *(source for source in PLACES if source != "README.md")]
    pages = {}
    for source in sources:
        text = (ROOT / source).read_text(encoding="utf-8")
        pages[_place(source)] = _with_links(text, source)
        for target in _linked(text, source):
            if target not in sources and (ROOT / target).is_file():
                pages.setdefault(_place(target), _shown(target))
    return pages | reference.pages()


def _with_links(text: str, source: str) -> str:
    parts = FENCE.split(text)
    turn = partial(_turned, source=source)
    parts[::2] = [NESTED.sub("    ", LINK.sub(turn, part)) for part in parts[::2]]
    return "".join(parts)


def _linked(text: str, source: str) -> Iterator[str]:
    """Give the files outside ``docs/`` that a page links to."""
    for link in LINK.finditer("".join(FENCE.split(text)[::2])):
        target = _target(link[2], source)
        if "://" not in link[2] and not target.startswith("docs/"):
            yield target


def _turned(link: re.Match[str], source: str) -> str:
    """Turn a link through the repository into a link of the site."""
    if "://" in link[2]:
        return link[0]
    target = _place(_target(link[2], source))
    to = posixpath.relpath(target, posixpath.dirname(_place(source)) or ".")
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


def _settings(pages: list[str]) -> str:
    """Fill the patterns of the navigation: ``methods/*.md`` is all pages there not named in full.

    So a new member, a new how-to page or a new decision needs no line in ``zensical.toml``.
    """
    text = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    nav = tomllib.loads(text)["project"]["nav"]
    named = set(_named(nav))
    filled = _filled(nav, [page for page in pages if page not in named])
    if lost := {*pages} - {*_named(filled)}:
        sys.exit(f"Not in the navigation of zensical.toml: {', '.join(sorted(lost))}")
    begin, end = text.index("nav = ["), text.index("\n]\n") + 3
    return f"{text[:begin]}nav = {_toml(filled)}\n{text[end:]}"


def _named(item: Any) -> Iterator[str]:
    if isinstance(item, str):
        if "*" not in item:
            yield item
        return
    for inner in item.values() if isinstance(item, dict) else item:
        yield from _named(inner)


def _filled(items: list[Any], free: list[str]) -> list[Any]:
    made: list[Any] = []
    for item in items:
        if isinstance(item, str):
            depth = item.count("/")  # a star stands for a part of a path, never for several
            found = [p for p in free if p.count("/") == depth and fnmatchcase(p, item)]
            made += found if "*" in item else [item]
            continue
        ((title, inner),) = item.items()
        made.append({title: _filled(inner, free) if isinstance(inner, list) else inner})
    return made


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        ((title, inner),) = value.items()
        return f"{{ {json.dumps(title)} = {_toml(inner)} }}"
    if isinstance(value, list):
        return f"[{', '.join(_toml(each) for each in value)}]"
    return json.dumps(value)


if __name__ == "__main__":
    main(*(Path(argument).absolute() for argument in sys.argv[1:]))
