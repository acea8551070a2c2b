"""What a reader of the page must know: what each choice is worth, and where the text slips."""

from __future__ import annotations

from collections.abc import Sequence

from shoal_papers.kaim.rules import WIDTH, Grid, K, ratios
from shoal_papers.kaim.series import SERIES
from shoal_papers.results import Results

__all__ = ["write_ratios"]

_LOSS, _SHOWN_AS_INTERVALS = "iloss_rate", "iloss_rate_interval"

_COMPARED = (
    ("The paper's comparison", "kaim", "k-member-drop", _LOSS),
    ("The same with equation 9", "kaim-equation-9", "k-member-drop", _LOSS),
    ("Age by decades for both", "kaim-decades", "k-member-drop-decades", _LOSS),
    (
        "Categories below one root for both, which no text speaks for",
        "kaim-flat",
        "k-member-drop-flat",
        _LOSS,
    ),
    (
        "Age as the least interval of the same classes for both",
        "kaim",
        "k-member-drop",
        _SHOWN_AS_INTERVALS,
    ),
    (
        "Age as least intervals for both, which k-member then looks at",
        "kaim",
        "k-member-drop-interval",
        _SHOWN_AS_INTERVALS,
    ),
    ("Age by the tree for KAIM alone", "kaim", "k-member-drop-interval", _LOSS),
    ("What keeping rows is worth", "k-member", "k-member-drop", _LOSS),
    ("What the entropy distance is worth", "kaim", "k-member", _LOSS),
    ("What the entropy distance is worth", "kaim-equation-9", "k-member", _LOSS),
    (
        "The same with Age as least intervals for both",
        "kaim",
        "k-member-interval",
        _SHOWN_AS_INTERVALS,
    ),
    ("What Shoal has besides", "k-member-interval", "kaim", _LOSS),
    ("What Shoal has besides", "gaa-cp", "kaim", _LOSS),
)
"""Why, which series over which, and by which number."""


def write_ratios(grid: Grid, methods: Sequence[str], results: Results) -> list[str]:
    """Say what one series loses in terms of another, over the missing rates."""
    texts = [
        f"Ratios of mean losses at k = {K}, |QI| = {WIDTH}, by VMR; below 1 the first loses less."
    ]
    for why, ours, theirs, column in _COMPARED:
        if {ours, theirs} <= set(methods):
            found = ratios(grid, results, ours, theirs, column)
            course = ", ".join(f"{ratio:.3f} at {rate:g} %" for rate, ratio in found.items())
            texts.append(f"{why}: {SERIES[ours].shown} ÷ {SERIES[theirs].shown} is {course}.")
    return texts
