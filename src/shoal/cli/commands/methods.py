"""`shoal methods`: which methods there are."""

from __future__ import annotations

from shoal.cli import show
from shoal.cli.options import AsJson
from shoal.methods import METHODS, Method

__all__ = ["methods"]


def methods(json: AsJson = False) -> None:
    """List the methods: how groups are found."""
    rows = [
        (name, each.__name__, show.first_line(each), _carries(each))
        for name, each in METHODS.items()
    ]
    show.listing("Methods", ("name", "in Python", "what it does", "carries"), rows, as_json=json)


def _carries(method: type[Method]) -> str:
    return "any requirement" if method.carries is None else ", ".join(sorted(method.carries))
