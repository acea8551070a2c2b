"""The pictures on the pages: what each member does, drawn from a tiny table that Shoal works on.

A picture is a file in the folder of its kind, named like the member with underscores:
`methods/gaa_cp.py` draws the method ``gaa-cp``. It holds one function, ``draw() -> str``, which
gives the text of an SVG. A file whose name begins with an underscore is a helper. ``make docs``
writes each to `docs/figures/KIND/NAME.svg`. What a picture shows is computed when it is drawn, by
Shoal itself, so that a picture cannot lie.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from shoal.publications import FORMS
from shoal.table.hierarchies import BUILDERS

__all__ = ["KINDS", "SHARED", "drawers", "names"]

FOLDER = Path(__file__).parent
DOCS = FOLDER.parent

KINDS = ("methods", "models", "measures", "risk", "hierarchies", "publications")
"""The folders of pictures, called like those of Shoal."""


SHARED = {"hierarchies": "hierarchies", "publications": "publication", "formats": "files"}
"""Pages that speak of several members of a kind; any member may have a page of its own instead."""


def names(kind: str) -> list[str]:
    """Name what a kind has pictures of: its pages, or the sections of its one page."""
    if kind == "hierarchies":
        return sorted(BUILDERS.files)
    if kind == "publications":
        return sorted(FORMS.files)
    return sorted(page.stem for page in (DOCS / kind).glob("*.md"))


def drawers() -> dict[str, Callable[[], str]]:
    """Find every picture: the path of its SVG from the project's root, and what draws it."""
    found: dict[str, Callable[[], str]] = {}
    for kind in KINDS:
        of_file = {name.replace("-", "_"): name for name in names(kind)}
        for each in pkgutil.iter_modules([str(FOLDER / kind)]):
            if not each.name.startswith("_"):
                name = of_file.get(each.name, each.name)
                found[f"docs/figures/{kind}/{name}.svg"] = _drawer(kind, each.name)
    return found


def _drawer(kind: str, name: str) -> Callable[[], str]:
    def draw() -> str:
        drawn: str = import_module(f"{__name__}.{kind}.{name}").draw()
        return drawn

    return draw
