"""Every member has its picture, its page shows it, and nothing in it comes from outside."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from docs.pictures import DOCS, KINDS, SHARED, drawers, names
from docs.pictures.draw import Picture
from tests.docs.site import PAGES, ROOT

SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 40_000
"""Bytes of a picture: it shows one idea."""
DRAWN = drawers()
WANTED = [(kind, name) for kind in KINDS for name in names(kind)]
ALLOWED = {"svg", "title", "desc", "style", "rect", "circle", "path", "text"}


def shown_in(kind: str, name: str) -> tuple[str, str]:
    """Find the part of a page that must show a picture, and the picture's path from there."""
    own = DOCS / kind / f"{name}.md"
    if own.is_file() or kind not in SHARED:
        page = own.read_text(encoding="utf-8")
        return page.split("\n## ")[0], f"../figures/{kind}/{name}.svg"
    page = (DOCS / f"{SHARED[kind]}.md").read_text(encoding="utf-8")
    if kind == "hierarchies":
        page = page.split(f"\n## {name}:")[1].split("\n## ")[0]
    return page, f"figures/{kind}/{name}.svg"


@pytest.mark.parametrize(("kind", "name"), WANTED)
def test_a_member_has_its_picture(kind: str, name: str) -> None:
    file = f"docs/pictures/{kind}/{name.replace('-', '_')}.py"
    assert f"docs/figures/{kind}/{name}.svg" in DRAWN, f"draw it in {file}"


@pytest.mark.parametrize(("kind", "name"), WANTED)
def test_its_page_shows_it_with_its_idea(kind: str, name: str) -> None:
    part, path = shown_in(kind, name)
    drawn = (ROOT / f"docs/figures/{kind}/{name}.svg").read_text(encoding="utf-8")
    idea = ElementTree.fromstring(drawn).findtext(f"{SVG}desc")
    assert f"![{idea}]({path})" in part, f"near its top, show ![{idea}]({path})"


def test_every_picture_is_of_a_member() -> None:
    wanted = {f"docs/figures/{kind}/{name}.svg" for kind, name in WANTED}
    assert {*DRAWN} == wanted, "a picture is named like its member"


def test_every_screenshot_that_lies_there_is_shown() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    there = [path.name for path in (DOCS / "figures").rglob("*") if path.suffix not in ("", ".svg")]
    assert there
    assert [name for name in there if f"figures/{name})" not in pages] == []


def test_every_picture_that_lies_there_is_drawn() -> None:
    there = {path.relative_to(ROOT).as_posix() for path in (DOCS / "figures").rglob("*.svg")}
    assert there == {*DRAWN}, "remove what nothing draws, and run `make docs`"


@pytest.mark.parametrize("path", DRAWN)
def test_a_picture_is_small_and_stands_alone(path: str) -> None:
    written = (ROOT / path).read_text(encoding="utf-8")
    root = ElementTree.fromstring(written)
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title")
    idea = root.findtext(f"{SVG}desc") or ""
    assert idea.endswith(".")
    assert not set("[]\n") & set(idea), "a page shows it as the words of an image"
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= ALLOWED
    links = [name for each in root.iter() for name in each.attrib if "href" in name]
    handlers = [name for each in root.iter() for name in each.attrib if name.startswith("on")]
    assert not links + handlers
    assert not re.search(r"url\(|@import|javascript:|data:", written)
    assert re.findall(r"https?://[^\"' ]+", written) == ["http://www.w3.org/2000/svg"]
    assert "@media (prefers-color-scheme:dark)" in written
    assert len(written.encode()) <= LARGEST


@pytest.mark.parametrize("path", DRAWN)
def test_words_are_large_enough(path: str) -> None:
    root = ElementTree.parse(ROOT / path).getroot()
    assert float(root.attrib["viewBox"].split()[2]) == 640
    sizes = [float(each.attrib["font-size"]) for each in root.iter(f"{SVG}text")]
    assert sizes, "a picture without words says little"
    assert min(sizes) >= 11


def test_words_that_overlap_or_leave_the_picture_are_refused() -> None:
    picture = Picture("Words", "Words in a picture.", 100)
    picture.text(20, 50, "here")
    with pytest.raises(ValueError, match="lies over 'here'"):
        picture.text(30, 50, "there")
    with pytest.raises(ValueError, match="leaves the picture"):
        picture.text(600, 80, "much too long")
    with pytest.raises(ValueError, match="too small"):
        picture.text(20, 80, "tiny", size=9)


def test_words_are_escaped() -> None:
    picture = Picture("a < b & c", 'Fewer <than> "k".', 100)
    picture.text(20, 50, "<script>&")
    root = ElementTree.fromstring(picture.svg())
    assert root.findtext(f"{SVG}title") == "a < b & c"
    assert root.findtext(f"{SVG}text") == "<script>&"
