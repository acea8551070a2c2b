"""What a reader of the page must know: what each choice is worth, and where the text slips."""

from __future__ import annotations

from collections.abc import Sequence

from shoal_papers.kaim.claims import WIDTH, Grid, K, ratios
from shoal_papers.kaim.series import SERIES
from shoal_papers.results import Results

__all__ = ["ABOUT", "ratios_said"]

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

ABOUT = (
    "The ratio depends on hierarchies, which the paper does not print, and it does not print its "
    "figures' numbers. Ours are the bundled ones, so the size of a loss cannot be compared with "
    "the paper's figures, only its course, order and ratio.",
    "A cell that was missing costs nothing, whatever is published, so a loss cannot exceed 1 − "
    "VMR unless rows are deleted; this alone makes losses of methods that keep rows level off, "
    "and fall in the end, as VMR grows.",
    "k-member and GAA-CP choose one row at random, KAIM every seed and the order of left-over "
    "rows.",
    "Slips of the text, read as they must be meant: Adult without incomplete rows has 45,222 "
    "rows, 3,620 fewer (printed: 45 522 and 3 320); RMR/VMR lies between 1 and m, and nᵥ between "
    "nᵣ and nᵣm (printed: at most 1, and between nᵣm and nm); Table 4's 90 ages and 15 "
    "occupations are 74 and 14; the last disease of Table 2 is Gastritis; equation 8 lacks its "
    "minus sign; the D in equation 12 is the rate of definition 10; step 2 of algorithm 1 makes "
    "K groups, not K + 1, and step 4 ends when no record is left; figure 8(c) has no |QI| = 10.",
)


def ratios_said(grid: Grid, methods: Sequence[str], results: Results) -> list[str]:
    """Say what one series loses in terms of another, over the missing rates."""
    said = [
        f"Ratios of mean losses at k = {K}, |QI| = {WIDTH}, by VMR; below 1 the first loses less."
    ]
    for why, ours, theirs, column in _COMPARED:
        if {ours, theirs} <= set(methods):
            found = ratios(grid, results, ours, theirs, column)
            course = ", ".join(f"{ratio:.3f} at {rate:g} %" for rate, ratio in found.items())
            said.append(f"{why}: {SERIES[ours].shown} ÷ {SERIES[theirs].shown} is {course}.")
    return said
