"""`shoal measures`: which measures there are."""

from __future__ import annotations

from shoal.cli import show
from shoal.cli.options import AsJson
from shoal.measures import MEASURES


def measures(json: AsJson = False) -> None:
    """List the measures of utility and protection."""
    rows = [
        (name, f"measures.{name}", each.summary, each.better) for name, each in MEASURES.items()
    ]
    show.listing("Measures", ("name", "in Python", "what it says", "better"), rows, as_json=json)
