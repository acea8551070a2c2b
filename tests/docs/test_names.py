"""Every name that a page calls `shoal.something` is there."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec

import pytest

import shoal
from tests.docs.site import DOCS, PAGES, name_of

NAME = re.compile(r"(?<![\w/.-])shoal((?:\.[A-Za-z_]\w*)+)(?![\w/-])")
FILES = (".csv", ".html", ".json", ".md", ".parquet", ".py", ".toml")
NAMES = sorted(
    {
        (name_of(page), found)
        for page in PAGES
        if page.name not in ("CHANGELOG.md", "CONTRIBUTING.md")
        and DOCS / "papers" not in page.parents
        for found in NAME.findall(page.read_text(encoding="utf-8"))
        if not found.endswith(FILES)
    }
)


@pytest.mark.parametrize(("page", "name"), NAMES, ids=lambda each: each.removeprefix("docs/"))
def test_a_name_in_a_page_resolves(page: str, name: str) -> None:
    found: object = shoal
    for part in name.removeprefix(".").split("."):
        if not hasattr(found, part) and hasattr(found, "__path__"):
            import_module(f"{found.__name__}.{part}")  # type: ignore[attr-defined]
        found = getattr(found, part)


def test_the_usual_names_are_among_them() -> None:
    told = {name for _, name in NAMES}
    assert {".anonymize", ".verify", ".propose", ".utility", ".Plan.read"} <= told


@pytest.mark.parametrize("name", [*shoal.HOMES, *shoal.ROOMS])
def test_a_public_name_is_in_the_page_of_names(name: str) -> None:
    assert ("docs/api.md", f".{name}") in NAMES


@pytest.mark.parametrize("name", shoal.HOMES)
def test_no_room_hides_a_public_name(name: str) -> None:
    """A room of the same name would take its place as soon as somebody imports it."""
    found = find_spec(f"shoal.{name}")
    assert found is None or found.origin is None  # an old folder of caches is no room
    assert callable(getattr(shoal, name))
