"""Every shared rule on numbers worked out by hand, and what data files make of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest

import shoal_papers as papers
from shoal_papers import Results
from shoal_papers.lines import Settings
from shoal_papers.paperfile import PaperFile, fill
from shoal_papers.rules import LINE_RULES, PAIR_RULES, POINT_RULES, judge_line, judge_pair
from shoal_papers.samples import Comparison, Sample


def line(*means: float) -> dict[int, Sample]:
    """Make a line over k = 1, 2, …, the same in both repetitions."""
    return {k: Sample({1: mean, 2: mean}) for k, mean in enumerate(means, start=1)}


def outcomes(found: Any) -> list[bool | None]:
    return [each.holds if isinstance(each, Comparison) else each for _, each in found]


LINES: list[tuple[str, dict[str, Any], dict[int, Sample], list[bool]]] = [
    ("rises", {}, line(1, 3, 2), [True, False]),
    ("falls", {}, line(1, 3, 2), [False, True]),
    ("each step multiplies", {"low": 1.5, "high": 2.5}, line(1, 2, 6), [True, False]),
    ("rises in all", {}, line(1, 5, 2), [True]),
    ("rises in all", {}, line(2, 5, 1), [False]),
    ("rises in all", {"to": 2}, line(2, 5, 1), [True]),
    ("falls in all", {}, line(2, 5, 1), [True]),
    ("falls in all", {}, line(1, 5, 2), [False]),
    ("is multiplied", {"by": 2}, line(1, 9, 2), [True]),
    ("is multiplied", {"by": 2}, line(1, 9, 1.9), [False]),
    ("is multiplied", {"by": 2, "to": 9}, line(1, 9, 2), []),
    ("more at", {"at": [1, 2], "than_at": 3}, line(1, 3, 2), [False, True]),
    ("stays", {"after": 1, "off": 0.1}, line(1, 1.1, 1.2), [True, False]),
    ("flat", {"by": 0.25}, line(1, 1.25, 1.1), [True]),
    ("flat", {"by": 0.25}, line(1, 1.3, 1.1), [False]),
    ("flat", {"by": 0.25}, line(1), []),
    ("turns", {}, line(1, 3, 2), [True]),
    ("turns", {"by": 2}, line(1, 3, 2), [False]),
    ("slows", {"at": [1, 2, 4]}, line(1, 3, 4, 5), [True]),
    ("slows", {"at": [1, 2, 3]}, line(1, 2, 4), [False]),
    ("slows", {"at": [1, 2, 9]}, line(1, 2, 4), []),
    ("ever more slowly", {}, line(0, 4, 6, 9), [True, False]),
    ("at most", {"limit": 2}, line(1, 2, 3), [True, True, False]),
    ("at least", {"limit": 2}, line(1, 2, 3), [False, True, True]),
    ("less than", {"limit": 2}, line(1, 2, 3), [True, False, False]),
    ("is", {"exactly": 2}, line(1, 2, 3), [False, True, False]),
    ("spreads at most", {"share": 0.1}, {1: Sample({1: 1.0, 2: 1.1})}, [True]),
    ("spreads at most", {"share": 0.1}, {1: Sample({1: 1.0, 2: 1.2})}, [False]),
]

PAIRS: list[tuple[str, dict[str, Any], list[bool]]] = [
    ("above", {}, [False, False, True]),
    ("below", {}, [True, False, False]),
    ("not above", {}, [True, True, False]),
    ("times", {"by": 2}, [False, False, True]),
    ("less than times", {"by": 2}, [True, True, False]),
    ("about", {"off": 0.5}, [True, True, False]),
]
"""By 1, 2 and 4, beside a line that is always 2."""


@pytest.mark.parametrize(("rule", "given", "points", "holds"), LINES)
def test_rules_of_lines(
    rule: str, given: dict[str, Any], points: Mapping[int, Sample], holds: list[bool]
) -> None:
    assert outcomes(judge_line(rule, points, ["k"], **given).found) == holds


@pytest.mark.parametrize(("rule", "given", "holds"), PAIRS)
def test_rules_of_pairs(rule: str, given: dict[str, Any], holds: list[bool]) -> None:
    found = judge_pair(rule, line(1, 2, 4), line(2, 2, 2), ["k"], **given)
    assert outcomes(found.found) == holds
    assert found.figures["ratio"] == [0.5, 1, 2]


def test_every_rule_is_tested_and_used() -> None:
    shared = {*LINE_RULES, *PAIR_RULES, *POINT_RULES}
    assert {rule for rule, *_ in (*LINES, *PAIRS)} == shared
    used = set()
    for name in papers.EXPERIMENTS:
        file = papers.experiment(name).file
        readings = [each for point in file.tables["points"] for each in point["readings"]]
        changed = [claim for each in readings for claim in each.get("claims", {}).values()]
        listed = [*file.tables["claims"], *file.tables.get("questions", ()), *changed]
        named = {rule["rule"] for claim in listed for rule in claim.get("rules", ())}
        assert named <= shared | set(file.rules)
        assert set(file.rules) <= named
        used |= named
    assert shared <= used


def test_a_claim_is_judged_as_its_file_says() -> None:
    file = PaperFile(
        {
            "claims": [
                {
                    "where": "figure 1",
                    "words": "A loses less than B.",
                    "judged_by": "at every k, B has {by:g} times the loss of A or more",
                    "lines": {"number": "loss", "over": "k", "pairs": [["b", "a"]]},
                    "rules": [{"rule": "times", "by": 2, "part": "{first} over {second}"}],
                    "say_each": "{first} loses {ratio} times what {second} loses.",
                    "say_all": "{shown} has {course}.",
                }
            ]
        }
    )
    settings = Settings({"a": "A", "b": "B"}, {"k": (2, 5)}, {})
    runs = [
        {"method": method, "k": k, "seed": seed, "loss": k * (2.0 if method == "b" else 1.0)}
        for method in "ab"
        for k in (2, 5)
        for seed in (1, 2)
    ]
    (claim,) = file.claims(settings)
    assert claim.rule == "at every k, B has 2 times the loss of A or more"
    found = claim.judge(Results(pl.DataFrame(runs), ("loss",)))
    assert found.verdict == "holds"
    assert found.measured == (
        "B over A: 2 of 2. B loses 2 times what A loses. "
        "A has 2, 5 at k = 2, 5. B has 4, 10 at k = 2, 5."
    )


def test_a_figure_that_nobody_gives_is_an_error() -> None:
    with pytest.raises(KeyError):
        fill("{by:g} times", {})
