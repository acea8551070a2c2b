"""What paper 5 says with Table 2 and figure 3, claim by claim, and how each is judged.

The paper defines the weights of MI Loss by equation 4, but prints others (the gain ratio). What
it says of MI Loss is therefore judged twice, once for each reading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from shoal.papers.claims import Claim, line, steps
from shoal.papers.mi_loss.weights import NEAR, QUASI, judge_weights
from shoal.papers.results import Results
from shoal.papers.samples import Comparison, Sample, above, below, within
from shoal.papers.verdicts import WITHIN_NOISE, Case, Finding, judge

__all__ = [
    "OBSERVED",
    "OPTIMA",
    "ORIGINAL",
    "PUBLISHED",
    "RAW",
    "Grid",
    "Setting",
    "claims",
    "place_of",
    "points",
]

PUBLISHED, ORIGINAL = "accuracy", "accuracy_original"
"""The accuracy on held-out published rows, which the paper measures, and on original rows."""

RAW, OBSERVED = "none", "observed"
"""What stands for the intervals of the raw table, and of GAA-CP."""

OPTIMA = {
    "loss": "Loss",
    "entropy-loss": "Entropy Loss",
    "mi-loss": "MI Loss (equation 4)",
    "mi-loss-gain-ratio": "MI Loss (gain ratio)",
}
"""The optima of full-domain searches, with their names."""

READINGS = {"mi-loss": "equation 4", "mi-loss-gain-ratio": "gain ratio, as table 2"}
"""The optima that are MI Loss, with a word for each reading of its weights."""

RIVALS = {name: shown for name, shown in OPTIMA.items() if name not in READINGS}

PRINTED, POINT = 0.8923, 0.005
"""The printed accuracy without anonymization, and how far ours may lie from it."""

LEAST, LARGEST = 0.73, 3.0
"""The printed lead of MI Loss, in points."""

Setting = tuple[str, int]
"""The intervals, and the suppression limit in per cent."""

Leads = dict[tuple[Setting, str], dict[int, Sample]]


@dataclass(frozen=True)
class Grid:
    """The values of k, and the settings, that were measured."""

    ks: Sequence[int]
    settings: Sequence[Setting]

    def line(
        self, results: Results, column: str, method: str, setting: Setting = (OBSERVED, 0)
    ) -> dict[int, Sample]:
        """Give the line of a series over k."""
        intervals, limit = setting
        fixed: dict[str, int | str] = {"method": method, "intervals": intervals, "limit": limit}
        return line(results, column, "k", self.ks, **fixed)


def place_of(setting: Setting) -> dict[str, int | float | str]:
    """Write a setting for a case."""
    return {"intervals": setting[0], "limit": f"{setting[1]} %"}


def points(values: Sequence[float]) -> str:
    """Write the least and the largest of some differences.

    Examples
    --------
    >>> points([-0.004, 2.5])
    '-0.004 to 2.500 points'
    """
    return f"{min(values):.3f} to {max(values):.3f} points" if values else "nothing"


def claims(grid: Grid) -> list[Claim]:
    """List the claims; those about MI Loss once for each reading of its weights."""
    near = f"each of the {len(QUASI)} weights differs by at most {NEAR:g}"
    return [
        Claim("table 2", "The entropy weights.", near, lambda _: judge_weights("entropy")),
        Claim(
            "table 2; equation 4",
            "The mutual information weights.",
            near,
            lambda _: judge_weights("mutual-information"),
        ),
        Claim(
            "table 2; gain ratio",
            "The mutual information weights.",
            near,
            lambda _: judge_weights("gain-ratio"),
        ),
        Claim(
            "section 4.2",
            "The raw table's accuracy is 89.23 %.",
            f"the mean accuracy of the splits is at most {100 * POINT:g} points away",
            _raw,
        ),
        Claim(
            "section 4.2",
            "The raw table's accuracy is the upper bound of all.",
            "no mean accuracy of an optimum is above the raw table's",
            _on_both(lambda results, column: _bounded(grid, results, column)),
        ),
        *_of_mi_loss(
            grid,
            "figure 3",
            "MI Loss has the best accuracy at every k.",
            "at each setting and k its mean accuracy is above those of Loss and Entropy Loss",
            _best,
        ),
        *_of_mi_loss(
            grid,
            "abstract, figure 3",
            "It is 0.73 to 3.00 % above the other two.",
            "at each setting and k the mean accuracy is above each of theirs by "
            f"{LEAST:g} to {LARGEST:g} points",
            _gain,
        ),
        *_of_mi_loss(
            grid,
            "figure 3",
            "Its advantage becomes clearer as k grows.",
            "at each setting its lead over each of the two is larger at the largest k than at "
            "the smallest",
            _growing,
        ),
        Claim(
            "figure 3",
            "Accuracy falls as k grows.",
            "no step of k raises a mean accuracy (no rise), and the largest k has less than the "
            "smallest (falls in all)",
            _on_both(lambda results, column: _falls(grid, results, column)),
        ),
    ]


def _of_mi_loss(
    grid: Grid, where: str, words: str, rule: str, judged: Callable[[Leads], Finding]
) -> list[Claim]:
    """Make a claim about the leads of MI Loss, for each reading of its weights."""

    def bound(method: str) -> Callable[[Results], Finding]:
        return _on_both(lambda results, column: judged(_leads(grid, results, column, method)))

    return [
        Claim(f"{where}; {said}", words, rule, bound(method)) for method, said in READINGS.items()
    ]


def _on_both(judged: Callable[[Results, str], Finding]) -> Callable[[Results], Finding]:
    """Judge by published rows, as the paper does, and say how it stands on original ones."""

    def judge_both(results: Results) -> Finding:
        found, other = (judged(results, column) for column in (PUBLISHED, ORIGINAL))
        return replace(
            found,
            figures=f"{found.figures} On original rows it {_is(other.verdict)}: {other.measured}",
        )

    return judge_both


def _is(verdict: str) -> str:
    return f"is {verdict}" if verdict == WITHIN_NOISE else verdict


def _accuracy_of_raw(results: Results, column: str) -> Sample:
    (found,) = results.samples(column, ("k",), method="raw").values()
    return found


def _raw(results: Results) -> Finding:
    raw = _accuracy_of_raw(results, PUBLISHED)
    near = within(raw, PRINTED - POINT, PRINTED + POINT)
    ends = [f"{end(raw.values.values()):.2%}" for end in (min, max)]
    case = Case("near", {"accuracy": f"{raw.mean:.2%}"}, near)
    return judge([case], f"{raw.mean:.2%} ({' to '.join(ends)}).")


def _bounded(grid: Grid, results: Results, column: str) -> Finding:
    raw = _accuracy_of_raw(results, column)
    cases, less = [], []
    for method, shown in OPTIMA.items():
        for setting in grid.settings:
            for k, accuracy in grid.line(results, column, method, setting).items():
                less.append(100 * (raw - accuracy).mean)
                place = {**place_of(setting), "optimum": shown, "k": k}
                cases.append(Case("not above", place, below(accuracy, raw, or_equal=True)))
    return judge(cases, f"They are below it by {points(less)}.")


def _leads(grid: Grid, results: Results, column: str, method: str) -> Leads:
    """Give, per setting and rival, by how many points the accuracy is above at each k."""
    made = {}
    for setting in grid.settings:
        mine = grid.line(results, column, method, setting)
        for rival, shown in RIVALS.items():
            theirs = grid.line(results, column, rival, setting)
            made[setting, shown] = {k: 100 * (mine[k] - theirs[k]) for k in mine}
    return made


def _best(leads: Leads) -> Finding:
    return _each(leads, "above", lambda lead: above(lead, 0))


def _gain(leads: Leads) -> Finding:
    return _each(leads, "over", lambda lead: within(lead, LEAST, LARGEST))


def _each(leads: Leads, part: str, compare: Callable[[Sample], Comparison]) -> Finding:
    cases = [
        Case(f"{part} {rival}", {**place_of(setting), "k": k}, compare(lead))
        for (setting, rival), over_k in leads.items()
        for k, lead in over_k.items()
    ]
    every = [lead.mean for over_k in leads.values() for lead in over_k.values()]
    return judge(cases, f"Leads are {points(every)}.")


def _growing(leads: Leads) -> Finding:
    cases, said = [], []
    for (setting, rival), over_k in leads.items():
        first, last = over_k[min(over_k)], over_k[max(over_k)]
        cases.append(Case(f"over {rival}", place_of(setting), above(last, first)))
        ends = f"{first.mean:.3f} to {last.mean:.3f}"
        said.append(f"{setting[0]}, {setting[1]} %, over {rival} {ends}")
    return judge(cases, f"In points, from the smallest k to the largest: {'; '.join(said)}.")


def _falls(grid: Grid, results: Results, column: str) -> Finding:
    cases, less = [], []
    for setting in grid.settings:
        for method, shown in OPTIMA.items():
            over_k = grid.line(results, column, method, setting)
            place = {**place_of(setting), "optimum": shown}
            cases += steps(over_k, "no rise", place, "k", _no_rise)
            first, last = over_k[min(over_k)], over_k[max(over_k)]
            cases.append(Case("falls in all", place, below(last, first)))
            less.append(100 * (first - last).mean)
    return judge(cases, f"From the smallest k to the largest they fall by {points(less)}.")


def _no_rise(before: Sample, after: Sample) -> Comparison:
    return below(after, before, or_equal=True)
