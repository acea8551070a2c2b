"""Generated pages are what the generator makes now."""

from __future__ import annotations

import pytest

from tests.docs.site import ROOT, generator


@pytest.mark.parametrize("name", generator().makers())
def test_page_is_current(name: str) -> None:
    made = generator().makers()[name]()
    written = (ROOT / name).read_text(encoding="utf-8")
    assert written == made, f"{name} is stale: run `make docs`"


def test_generator_is_deterministic() -> None:
    assert generator().pages() == generator().pages()
