"""The page of a comparison, for a board: a picture, a table, and the plan of each point."""

from __future__ import annotations

from pathlib import Path

from shoal.comparison.plot import plot
from shoal.comparison.result import Comparison

__all__ = ["page"]

PRIVATE = "Private: these figures are exact. Keep the page in the house."


def page(found: Comparison) -> str:
    """Write a comparison as one HTML page without scripts and outside requests; it is private.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1)
    >>> plan = shoal.propose(patients, k=2).plan
    >>> made = page(shoal.compare(plan, patients, k=[2, 3], method="mondrian", workers=1))
    >>> made.startswith("<!doctype html>"), "Begin with k = 2 by mondrian" in made
    (True, True)
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,  # column names are anyone's text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("comparison.html").render(
        found=found,
        plot=plot(found),
        methods=list(dict.fromkeys(point.setting.method for point in found.made)),
        plans={point.setting: point.setting.plan(found.plan).to_toml() for point in found.made},
        private=PRIVATE,
    )
