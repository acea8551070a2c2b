"""`shoal models`: which requirements there are."""

from __future__ import annotations

from shoal.base.members import first_line
from shoal.cli import show
from shoal.cli.options import AsJson
from shoal.models import MODELS


def models(json: AsJson = False) -> None:
    """List the requirements that a release can meet."""
    rows = [
        (name, each.__name__, first_line(each), "yes" if each.example().monotone else "no")
        for name, each in MODELS.items()
    ]
    show.listing(
        "Requirements", ("name", "in Python", "what it asks", "monotone"), rows, as_json=json
    )
