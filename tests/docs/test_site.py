"""The site builds, every link in it resolves, and it asks nothing from outside."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import shoal
from shoal.judging.risk import ATTACKS
from shoal.methods import METHODS
from tests.browser import NONE, launched, visit
from tests.docs.built import BuiltPage, broken, outside, read
from tests.docs.site import DOCS, ROOT

TEXT = ("h1", "h2", "h3", "li", "ol", "pre", "td", "th", "ul")
"""Tags that must be the same on a code host and in the site."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, once for all workers; strict, so that a broken link or anchor is an error."""
    fcntl = pytest.importorskip("fcntl")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made = shared / "site"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.is_dir():
            build(made)
    return made


def build(folder: Path) -> None:
    beginning = folder.with_suffix(".tmp")
    done = subprocess.run(
        [sys.executable, "-m", "docs.site", str(beginning)],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    beginning.rename(folder)


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[Path, BuiltPage]:
    return read(folder)


def test_every_page_is_in_it(folder: Path) -> None:
    for page in DOCS.rglob("*.md"):
        name = page.relative_to(DOCS).with_suffix(".html")
        name = name.with_name("index.html") if page.name == "README.md" else name
        assert (folder / name).is_file(), name


def test_every_link_and_anchor_resolves(pages: dict[Path, BuiltPage]) -> None:
    assert sum(len(page.links) for page in pages.values()) > 10_000
    assert list(broken(pages)) == []


def test_nothing_comes_from_outside(folder: Path, pages: dict[Path, BuiltPage]) -> None:
    assert sum(len(page.loaded) for page in pages.values()) > 1_000
    assert list(outside(pages)) == []
    for sheet in folder.rglob("*.css"):
        said = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')]+)", sheet.read_text("utf-8"))
        assert [each for each in said if each.startswith(("http", "//"))] == []


def test_every_page_reads_as_on_a_code_host(folder: Path, pages: dict[Path, BuiltPage]) -> None:
    host = MarkdownIt("commonmark", {"html": True}).enable("table")
    for page in DOCS.rglob("*.md"):
        name = page.relative_to(DOCS).with_suffix(".html")
        name = name.with_name("index.html") if page.name == "README.md" else name
        expected = Counter(
            token.tag for token in host.parse(page.read_text("utf-8")) if token.nesting >= 0
        )
        expected["pre"] = expected.pop("code", 0)
        found = Counter(pages[folder / name].tags)
        assert {tag: found[tag] for tag in TEXT} == {tag: expected[tag] for tag in TEXT}, name


def test_search_works_from_the_disk(folder: Path) -> None:
    script = (folder / "search.js").read_text("utf-8")
    index = json.loads(script.removeprefix("var __index = ").removesuffix(";"))
    found = {each["location"] for each in index["items"] if "Zhang" in each["text"]}
    assert any(place.startswith("methods/micd.html") for place in found)
    home = (folder / "index.html").read_text("utf-8")
    assert "assets/iframe-worker.js" in home
    with launched() as browser:
        if browser is None:
            pytest.skip(NONE)
        with visit(browser, folder / "index.html") as visited:
            visited.page.keyboard.press("/")
            visited.page.get_by_role("combobox").fill("sensitivity attack")
            hits = visited.page.locator("a[href*='risk/sensitivity.html']:visible")
            hits.filter(has_text="Most of the different values").wait_for()
            assert visited.errors == []


def test_every_public_name_is_in_the_reference(folder: Path, pages: dict[Path, BuiltPage]) -> None:
    reference = folder / "reference"
    known = {
        anchor
        for path, page in pages.items()
        if path.parent == reference
        for anchor in page.anchors
    }
    for name in dir(shoal):
        if name in shoal.ROOMS:
            assert (reference / f"{name}.html").is_file(), name
        else:
            assert f"shoal.{name}" in known
    assert {f"shoal.risk.{name}" for name in ATTACKS.files} <= known


def test_members_are_in_the_navigation(pages: dict[Path, BuiltPage], folder: Path) -> None:
    from_page = pages[folder / "methods" / "kaca.html"]
    linked = {link.removeprefix("./") for link in from_page.links}
    assert {f"{name}.html" for name in METHODS.files} <= linked | {"kaca.html"}


def test_the_checker_sees_what_is_broken(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="top"></h1><a href="a.html#top"></a><a href="#none"></a><a href="b.html"></a>'
        '<a href="https://example.org"></a><img src="no.png">'
        '<script src="https://example.org/x.js"></script><link rel="stylesheet" href="//c.org/y">',
        encoding="utf-8",
    )
    pages = read(tmp_path)
    assert [line.split("for ")[1] for line in broken(pages)] == ["#none", "b.html", "no.png"]
    assert [line.split(": ")[1] for line in outside(pages)] == [
        "https://example.org/x.js",
        "//c.org/y",
    ]
