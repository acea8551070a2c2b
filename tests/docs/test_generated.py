"""Generated pages are what the generator makes now."""

from __future__ import annotations

import pytest

from tests.docs.site import DOCS, generator


@pytest.mark.parametrize("name", ["cli.md", "plan.schema.json"])
def test_page_is_current(name: str) -> None:
    made = generator().pages()[name]
    written = (DOCS / name).read_text(encoding="utf-8")
    assert written == made, f"docs/{name} is stale: run `make docs`"


def test_generator_is_deterministic() -> None:
    assert generator().pages() == generator().pages()
