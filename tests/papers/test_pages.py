"""The committed pages say what the committed runs give, by the rules as they are."""

from __future__ import annotations

import pytest

import shoal_papers as papers
from shoal_papers import page
from tests.docs.site import DOCS


@pytest.mark.parametrize("name", papers.EXPERIMENTS)
def test_the_committed_page_is_that_of_the_committed_runs(name: str) -> None:
    folder, wanted = DOCS / "papers" / name, papers.experiment(name)
    made = page.texts(wanted, papers.recall(wanted, folder))
    for file, text in made.files.items():
        stale = f"{file} is stale: shoal paper {name} --from docs/papers/{name}"
        assert (folder / file).read_text(encoding="utf-8") == text, stale
    shown = {f"{figure.name}.svg" for figure in made.figures}
    assert {path.name for path in folder.glob("*.svg")} == shown
