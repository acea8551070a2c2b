"""What Gu and Dong (2022) say with table 2 and figure 3, claim by claim, and how it is judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from shoal.measures._weighing import WeightKind
from shoal_papers.claims import Claim, line, steps
from shoal_papers.mi_loss.weights import NEAR, QUASI, judge_weights
from shoal_papers.results import Results
from shoal_papers.samples import Comparison, Sample, above, below, within
from shoal_papers.verdicts import WITHIN_NOISE, Case, Finding, Place, judge

__all__ = [
    "EQUATION_4",
    "GAIN_RATIO",
    "LINEAR",
    "MODELS",
    "OBSERVED",
    "OPTIMA",
    "ORIGINAL",
    "PUBLISHED",
    "RAW",
    "STARRED",
    "UNLIMITED",
    "Grid",
    "claims",
    "points",
]

PUBLISHED, ORIGINAL, LINEAR = "accuracy", "accuracy_original", "accuracy_linear"
STARRED = "accuracy_starred"
"""The accuracy on held-out published rows, which the paper measures; on original rows; on published
ones by linear instead of logistic regression; and with suppressed rows as rows of ``*``."""

RAW, OBSERVED = "none", "observed"
"""What stands for the intervals of the raw table, and of GAA-CP."""

UNLIMITED = 100
"""The limit in per cent that every row is below."""

GAIN_RATIO, EQUATION_4 = "gain-ratio-loss", "mutual-information-loss"
"""The two losses that the paper calls MI Loss: with the weights of table 2, and of equation 4."""

RIVALS = {"loss": "Loss", "entropy-loss": "Entropy Loss"}

MODELS = {**RIVALS, GAIN_RATIO: "MI Loss by table 2 (gain ratio)"}
"""The optima of the paper's three models, with their names."""

OPTIMA = {**MODELS, EQUATION_4: "MI Loss by equation 4 (mutual information)"}
"""All optima, with their names."""

Falling: TypeAlias = Literal["ends", "steps"]
"""An accuracy falls if the largest k has less than the smallest; or if no step rises, as well."""

PRINTED, POINT = 0.8923, 0.005
"""The printed accuracy without anonymization, and how far ours may lie from it."""

LEAST, LARGEST = 0.73, 3.0
"""The printed lead of MI Loss, in points."""

Leads = dict[tuple[str, str], dict[int, Sample]]


@dataclass(frozen=True)
class Grid:
    """The values of k, and the sets of intervals, that were measured."""

    ks: Sequence[int]
    intervals: Sequence[str]

    def line(
        self, results: Results, column: str, method: str, intervals: str = OBSERVED
    ) -> dict[int, Sample]:
        """Give the line of a series over k; of optima, without a limit."""
        limit = 0 if intervals == OBSERVED else UNLIMITED
        return line(results, column, "k", self.ks, method=method, intervals=intervals, limit=limit)


def points(values: Sequence[float]) -> str:
    """Write the least and the largest of some differences.

    Examples
    --------
    >>> points([-0.004, 2.5])
    '-0.004 to 2.500 points'
    """
    return f"{min(values):.3f} to {max(values):.3f} points" if values else "nothing"


def claims(
    grid: Grid, weights: WeightKind = "gain-ratio", falling: Falling = "ends"
) -> list[Claim]:
    """List the claims, with the weights that MI Loss is taken to have, and what a fall is."""
    near = f"each of the {len(QUASI)} weights differs by at most {NEAR:g}"

    def led(judged: Callable[[Leads], Finding]) -> Callable[[Results], Finding]:
        return _on_both(lambda results, column: judged(_leads(grid, results, column)))

    return [
        Claim("table 2", "The entropy weights.", near, lambda _: judge_weights("entropy")),
        Claim("table 2", "The weights of MI Loss.", near, lambda _: judge_weights(weights)),
        Claim(
            "section 4.2",
            "The raw table's accuracy is 89.23 %.",
            f"the mean accuracy of the splits is at most {100 * POINT:g} points away",
            _raw,
            why_not="No learner that we tried has it: logistic regression 85.0 %, linear "
            "regression 83.8 %, gradient boosting 86.5 % (table B). The area under the curve of "
            "linear regression is 89.1 %.",
        ),
        Claim(
            "section 4.2",
            "The raw table's accuracy is the upper bound of all.",
            "no mean accuracy of an optimum is above the raw table's",
            _on_both(lambda results, column: _bounded(grid, results, column)),
        ),
        Claim(
            "figure 3",
            "MI Loss has the best accuracy at every k.",
            "with each set of intervals and k the mean accuracy of the gain-ratio loss, MI Loss by "
            "table 2, is above those of Loss and Entropy Loss",
            led(_best),
        ),
        Claim(
            "abstract, figure 3",
            "It is 0.73 to 3.00 % above the other two.",
            "with each set of intervals and k the mean accuracy of the gain-ratio loss is above "
            f"each of theirs by {LEAST:g} to {LARGEST:g} points",
            led(_gain),
        ),
        Claim(
            "figure 3",
            "Its advantage becomes clearer as k grows.",
            "with each set of intervals the gain-ratio loss's lead over each of the two is larger "
            "at the largest k than at the smallest",
            led(_growing),
        ),
        Claim(
            "figure 3",
            "Accuracy falls as k grows.",
            "the mean accuracy at the largest k is below that at the smallest (falls in all)"
            + (", and no step of k raises it (no rise)" if falling == "steps" else ""),
            _on_both(lambda results, column: _falls(grid, results, column, falling)),
        ),
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
    for method, shown in MODELS.items():
        for intervals in grid.intervals:
            for k, accuracy in grid.line(results, column, method, intervals).items():
                less.append(100 * (raw - accuracy).mean)
                place: Place = {"intervals": intervals, "optimum": shown, "k": k}
                cases.append(Case("not above", place, below(accuracy, raw, or_equal=True)))
    return judge(cases, f"They are below it by {points(less)}.")


def _leads(grid: Grid, results: Results, column: str) -> Leads:
    """Give, per intervals and rival, by how many points the accuracy is above at each k."""
    made = {}
    for intervals in grid.intervals:
        mine = grid.line(results, column, GAIN_RATIO, intervals)
        for rival, shown in RIVALS.items():
            theirs = grid.line(results, column, rival, intervals)
            made[intervals, shown] = {k: 100 * (mine[k] - theirs[k]) for k in mine}
    return made


def _best(leads: Leads) -> Finding:
    return _each(leads, "above", lambda lead: above(lead, 0))


def _gain(leads: Leads) -> Finding:
    return _each(leads, "over", lambda lead: within(lead, LEAST, LARGEST))


def _each(leads: Leads, part: str, compare: Callable[[Sample], Comparison]) -> Finding:
    cases = [
        Case(f"{part} {rival}", {"intervals": intervals, "k": k}, compare(lead))
        for (intervals, rival), over_k in leads.items()
        for k, lead in over_k.items()
    ]
    every = [lead.mean for over_k in leads.values() for lead in over_k.values()]
    return judge(cases, f"Leads are {points(every)}.")


def _growing(leads: Leads) -> Finding:
    cases, said = [], []
    for (intervals, rival), over_k in leads.items():
        first, last = over_k[min(over_k)], over_k[max(over_k)]
        cases.append(Case(f"over {rival}", {"intervals": intervals}, above(last, first)))
        said.append(f"{intervals}, over {rival} {first.mean:.3f} to {last.mean:.3f}")
    return judge(cases, f"In points, from the smallest k to the largest: {'; '.join(said)}.")


def _falls(grid: Grid, results: Results, column: str, falling: Falling) -> Finding:
    cases, less = [], []
    for intervals in grid.intervals:
        for method, shown in MODELS.items():
            over_k = grid.line(results, column, method, intervals)
            place = {"intervals": intervals, "optimum": shown}
            if falling == "steps":
                cases += steps(over_k, "no rise", place, "k", _no_rise)
            first, last = over_k[min(over_k)], over_k[max(over_k)]
            cases.append(Case("falls in all", place, below(last, first)))
            less.append(100 * (first - last).mean)
    return judge(cases, f"From the smallest k to the largest they fall by {points(less)}.")


def _no_rise(before: Sample, after: Sample) -> Comparison:
    return below(after, before, or_equal=True)
