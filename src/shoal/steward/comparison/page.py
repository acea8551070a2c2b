"""The page of a comparison, for a board: a picture, a table, and the plan of each point."""

from __future__ import annotations

from pathlib import Path

from shoal.base.rounding import percent
from shoal.release.report.rendering import render
from shoal.steward.comparison.plot import plot
from shoal.steward.comparison.result import Comparison

PRIVATE = "Private: these figures are exact. Keep this page private."


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
    methods = list(dict.fromkeys(point.setting.method for point in found.made))
    texts = [
        f"k = {point.setting.k} by {point.setting.method}: {percent(point.loss)} lost, risk "
        f"{point.highest:.1%}"
        for point in found.made
    ]
    shapes = [methods.index(point.setting.method) for point in found.made]
    return render(
        "comparison.html",
        Path(__file__).with_name("templates"),
        found=found,
        plot=plot(found.made, texts, shapes),
        methods=methods,
        plans={point.setting: point.setting.plan(found.plan).to_toml() for point in found.made},
        private=PRIVATE,
    )
