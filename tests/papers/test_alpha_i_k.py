"""The experiment of the paper on (αᵢ, k)-anonymity, on a small sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal_papers as papers
from shoal import GCA, anonymize
from shoal.errors import ParameterError, VerificationError
from shoal.judging.risk import similarity
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal_papers import Results, page
from shoal_papers.alpha_i_k.data import QUASI, decades_of, table_of
from shoal_papers.alpha_i_k.experiment import AlphaIKExperiment
from shoal_papers.alpha_i_k.series import (
    EXACT,
    LEVEL_ALPHAS,
    LEVELS,
    OTHER,
    PAPER,
    QUASI_ONLY,
    READ_SO,
    SERIES,
)
from shoal_papers.readings import judge_readings, turned
from shoal_papers.verdicts import DOES_NOT_HOLD, HOLDS, HOLDS_EXCEPT, NOT_MEASURED
from tests.papers.small import draw_fullest, forget, measured, require_whole

SMALL = AlphaIKExperiment(quick=True, rows=600, repetitions=1)
FULL = AlphaIKExperiment(repetitions=2)
POINTS = FULL.readings()[:-1]
Formula = Callable[[Mapping[str, Any]], dict[str, float]]


def test_quick_run_writes_everything(made: papers.Outcome) -> None:
    text = require_whole(made, (*"12345ABCDEFGH", "5b", "5c"))
    assert all(found.verdict != NOT_MEASURED for _, found in made.claims)
    assert "What the form is worth: Top-Down, two tables ÷ Top-Down is" in text


def test_the_same_seed_gives_the_same_numbers(made: papers.Outcome, tmp_path: Path) -> None:
    again = papers.measure(SMALL, tmp_path / "again")
    kept = [name for name in again.results.runs.columns if not name.endswith("_seconds")]
    assert again.results.runs.select(kept).equals(made.results.runs.select(kept))


def test_numbers_belong_together(made: papers.Outcome) -> None:
    runs = made.results.runs
    four = runs["sensitivity_distance_raw"] / runs["sensitivity_distance"]
    assert np.allclose(four.drop_nans().to_numpy(), 4)  # none where nothing is published
    leveled = runs.filter(method="leveled-gca", quasi=6, k=4)
    assert leveled.height == 4
    assert leveled["reconstruction_distance"].n_unique() == 1  # it does not know α
    assert (runs["least_sensitivity_distance"] <= runs["sensitivity_distance"] + 1e-9).all()
    assert (runs["grouping_seconds"] <= runs["cpu_seconds"]).all()
    assert (runs["one_level"] <= 1).all()
    one, two = (
        runs.filter(method=name, quasi=6, alpha=0.5).filter(pl.col("k").is_in([2, 4, 10]))
        for name in ("top-down", "top-down-two")
    )
    # The same groups; those that show the same cells are one class in one table.
    assert (one["classes"] <= two["classes"]).all()
    assert one["suppressed"].equals(two["suppressed"])


def test_bounds_on_levels_suppress(made: papers.Outcome) -> None:
    """(α,k)-GCA completes no class at α = 0.2: two of its first three values are of level 2."""
    runs = made.results.runs.filter(quasi=6, k=4, alpha=0.2)
    (gca,) = runs.filter(method="gca-levels").to_dicts()
    assert gca["suppressed"] == gca["reconstruction_distance"] == 1
    assert gca["classes"] == gca["one_level"] == 0
    assert 0 < runs.filter(method="top-down-levels")["suppressed"].item() < 1
    assert runs.filter(~pl.col("method").is_in(list(LEVELS)))["suppressed"].sum() == 0


@pytest.mark.parametrize(
    "name", [name for name, each in SERIES.items() if each.form == "two-table" or each.exact_ages]
)
@pytest.mark.parametrize("alpha", [0.2, 0.5])
def test_numbers_are_those_of_a_release(name: str, alpha: float) -> None:
    series, data = SERIES[name], (600, 6, 2)
    table = decades_of(*data) if series.by_decades else table_of(*data)
    measured = SMALL.measure({"method": name, "quasi": 6, "k": 4, "alpha": alpha, "seed": 2})
    if measured["suppressed"] == 1:
        return
    release = anonymize(
        table.frame,
        table.schema,
        require=[series.require(table, 4, alpha)],
        method=series.build(2),
        publication=series.form,
        suppression_limit=1.0,
        **({"bounds": "observed"} if series.form == "generalized" else {}),
    )
    if release.n_removed:  # a release leaves surplus rows out first, and knows published rows alone
        return
    for number in ("reconstruction_distance", "sensitivity_distance", "count_query_error"):
        if number != "count_query_error" or not series.by_decades:  # which asks for other ages
            assert measured[number] == pytest.approx(release.measures[number])
    assert measured["one_level"] == pytest.approx(similarity(release).share)
    assert measured["suppressed"] == release.grouping.n_suppressed / 600


def test_ages_in_decades() -> None:
    """Intervals become the smallest unions of table 9's decades, and years are counted."""
    table = table_of(600, 6, 2)
    labels = np.zeros(table.n_rows, dtype=np.int32)
    ages = table.frame["age"].to_numpy()
    for label, (low, high) in enumerate(((20, 29), (31, 45), (70, 90)), start=1):
        labels[(ages >= low) & (ages <= high)] = label
    labels[ages < 20] = 4
    grouping, method = Grouping(labels), SERIES["top-down"].build(2)
    recoded = SERIES["top-down"].publish(table, grouping, method)
    cells = recoded.columns[0]
    shown = np.array(cells.texts())[cells.index]
    for label, words in ((1, "[20, 29]"), (2, "[30, 49]"), (4, "[17, 19]")):
        assert set(shown[labels == label]) == {words}
    assert set(shown[labels == 3]) == {f"[70, {ages.max()}]"}
    assert set(decades_of(600, 6, 2).frame["age"].to_list()) == {10, 20, 30, 40, 50, 60, 70}
    # With Age alone a record of [20, 29] costs 0.9, and nobody's age is narrower but the ends.
    alone = SMALL.measure({"method": "top-down", "quasi": 1, "k": 2, "alpha": 0.5, "seed": 2})
    old = ages.max() - 69
    costs = np.select([ages < 20, ages >= 70], [1 - 1 / 3, 1 - 1 / old], 0.9)
    assert alone["reconstruction_distance"] == pytest.approx(costs.mean())


def test_full_settings_are_those_of_the_paper() -> None:
    full = AlphaIKExperiment()
    alphas = (0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7)
    for method in SERIES:
        settings = set(full.settings(method))
        if method in QUASI_ONLY:
            assert settings == {(6, 5, alpha) for alpha in alphas[:5]}
            continue
        assert {(6, k, 0.5) for k in (2, 4, 6, 8, 10)} <= settings
        if method in OTHER:
            assert len(settings) == 5
            continue
        assert {(6, 4, alpha) for alpha in alphas} <= settings
        assert {(6, 5, alpha) for alpha in alphas[:5]} <= settings
        wide = {(q, k, 0.5) for q in range(3, 10) for k in (4, 10)}
        assert (wide <= settings) == (method in PAPER | EXACT)
        strict = {(6, 10, alpha) for alpha in alphas}
        assert (strict <= settings) == (method in PAPER | EXACT | LEVELS)
    cells = full.cells()
    assert len(cells) == len({tuple(cell.values()) for cell in cells})
    assert len(cells) == 10 * sum(len(full.settings(method)) for method in SERIES)


def test_tables_are_the_papers() -> None:
    every = table_of(30_162, 9, 1)
    assert every.n_rows == table_of(40_000, 9, 1).n_rows == 30_162
    assert [column.name for column in every.quasi] == list(QUASI)
    levels = every.schema["occupation"].levels
    assert levels is not None
    assert sorted(set(levels.values())) == [*range(1, len(LEVEL_ALPHAS) + 1)]
    first, second = (table_of(10_000, 6, seed) for seed in (1, 2))
    assert first.n_rows == second.n_rows == 10_000
    assert not first.frame.equals(second.frame)
    assert not first.missing.any()


def test_absent_methods_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch, "leveled-gca")
    with pytest.raises(ParameterError, match="needs the method 'leveled-gca'"):
        papers.run(SMALL, tmp_path / "run")


@pytest.mark.parametrize("label", [SUPPRESSED, 0])
def test_groups_that_fail_are_not_measured(label: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def group(self: GCA, table: Any, require: Any, **_: Any) -> Grouping:
        labels = np.full(table.n_rows, label, dtype=np.int32)
        if label == 0:
            labels[0] = 1  # a group of one
        return Grouping(labels)

    monkeypatch.setattr(GCA, "group", group)
    with pytest.raises(VerificationError, match="'gca' made no group, or one that fails"):
        SMALL.prepare()


def made_up(formula: Formula, experiment: AlphaIKExperiment = FULL) -> Results:
    """Fill every cell from a formula."""
    rest = dict.fromkeys(experiment.numbers, 1.0)
    rows = [{**cell, **rest, **formula(cell)} for cell in experiment.cells()]
    return Results(pl.DataFrame(rows), experiment.numbers)


def as_in_the_paper(cell: Mapping[str, Any]) -> dict[str, float]:
    method, q, k, alpha = cell["method"], cell["quasi"], cell["k"], cell["alpha"]
    strict = max(0.5 - alpha, 0)
    if method.startswith("leveled-gca"):
        return {
            "reconstruction_distance": 0.4 + k / 100 if k > 2 else 0.35,
            "cpu_seconds": 0.012 - k / 10_000,
            "sensitivity_distance": 0.5,
            "same_high_level": 0.1,
            "one_level": 0.0,
            "suppressed": 0.0,
        }
    top = method.startswith("top-down")
    loss = 0.4 + k / 100 if k > 2 else 0.3
    return {
        "reconstruction_distance": loss + 0.1 * top + strict / 10,
        "cpu_seconds": (1 - 2 * strict) * q if top else 0.01 - strict / 1000,
        "sensitivity_distance": 0.3,
        "same_high_level": 0.6,
        "one_level": 0.2,
        "suppressed": strict,
    }


def sentences(results: Results, experiment: AlphaIKExperiment = FULL) -> dict[tuple[str, str], str]:
    judged = ((c, c.judge(results)) for c in experiment.claims())
    return {(claim.where, claim.words): found.sentence for claim, found in judged}


def test_all_claims_hold_where_numbers_are_the_papers() -> None:
    found = sentences(made_up(as_in_the_paper))
    assert len(found) == 19
    assert set(found.values()) == {HOLDS}


def test_no_claim_holds_where_numbers_are_the_opposite() -> None:
    def opposite(cell: Mapping[str, Any]) -> dict[str, float]:
        numbers = as_in_the_paper(cell)
        turned = {name: 1 / (value + 1e-3) ** 3 for name, value in numbers.items()}
        turned["one_level"] = 0.2 - numbers["one_level"]
        turned["same_high_level"] = 0.6 - numbers["same_high_level"]
        if not cell["method"].startswith("leveled-gca"):
            turned["cpu_seconds"] /= cell["quasi"] * max(cell["alpha"], 0.5)
            turned["reconstruction_distance"] *= max(cell["alpha"], 0.5)
        else:
            turned["reconstruction_distance"] *= 1.5 if cell["k"] > 2 else 0.1
            turned["cpu_seconds"] *= cell["quasi"] * cell["k"]
        return turned

    results = made_up(opposite)
    assert {claim.judge(results).verdict for claim in FULL.claims()} == {DOES_NOT_HOLD}


def test_exceptions_name_their_place() -> None:
    def odd(cell: Mapping[str, Any]) -> dict[str, float]:
        numbers = as_in_the_paper(cell)
        if (cell["method"], cell["k"], cell["alpha"], cell["quasi"]) == ("gca", 4, 0.3, 6):
            numbers["reconstruction_distance"] = 2.0
            numbers["cpu_seconds"] = 50.0
        return numbers

    found = sentences(made_up(odd))
    words = "However α changes, GCA's distance is always below Top-Down's."
    assert found["figure 2", words] == f"{HOLDS_EXCEPT}: (α,k)-GCA < Top-Down at α = 0.3"
    words = "GCA is clearly faster than Top-Down."
    place = "(α,k)-GCA at |QI| = 6, k = 4, α = 0.3"
    assert found["figures 3, 4", words] == f"{HOLDS_EXCEPT}: {place}"


def verdicts(question: str, formula: Formula) -> dict[int, str]:
    """Which claims, counted from 1, have another verdict with the second reading of a point."""
    (point,) = (point for point in POINTS if question in point.question)
    claims, results = FULL.claims(), made_up(formula)
    (read,) = judge_readings([point], claims, results)
    name = point.readings[1].name
    found = {at + 1: turned(read, at) for at in range(len(claims))}
    return {at: each[name] for at, each in found.items() if name in each}


@pytest.mark.parametrize(
    ("question", "series"),
    [
        ("several passes", "leveled-gca-largest"),
        ("left-over", "leveled-gca-record"),
        ("no further class", "leveled-gca-stop"),
    ],
)
def test_other_readings_of_the_algorithm_are_judged(question: str, series: str) -> None:
    def differs(cell: Mapping[str, Any]) -> dict[str, float]:
        numbers = as_in_the_paper(cell)
        if cell["method"] == series:
            numbers |= {"one_level": 0.1, "cpu_seconds": 99.0}
        return numbers

    # Times are the default's: only the claim on the homogeneity attack turns.
    assert verdicts(question, differs) == {19: DOES_NOT_HOLD}
    assert verdicts(question, as_in_the_paper) == {}


def test_other_readings_of_measures_are_judged() -> None:
    def differs(cell: Mapping[str, Any]) -> dict[str, float]:
        numbers = as_in_the_paper(cell)
        if cell["method"] in (*EXACT, "top-down-levels"):
            numbers["reconstruction_distance"] = 0.1
        numbers["sensitivity_distance_and"] = numbers["sensitivity_distance"]
        numbers["grouping_seconds"] = numbers["cpu_seconds"]
        return numbers

    turned_so = dict.fromkeys((1, 2, 6, 8), DOES_NOT_HOLD)
    assert verdicts("finest values of Age", differs) == turned_so
    assert set(verdicts("of a value or of a level", differs)) == {1, 2, 6, 8}
    assert verdicts("Which classes count", differs) == {}
    assert verdicts("What does the time", differs) == {}
    assert verdicts("often the same", differs) == {18: DOES_NOT_HOLD}


def test_figure_5_is_also_judged_against_methods_by_quasi_identifiers() -> None:
    """Section 5.3 says that the model compared with groups by the quasi-identifiers only."""

    def near_k_member(cell: Mapping[str, Any]) -> dict[str, float]:
        numbers = as_in_the_paper(cell)
        if cell["method"] == "k-member":
            numbers["sensitivity_distance"] = 0.48
        return numbers

    def verdicts_of_17_and_18(formula: Formula) -> dict[str, list[str]]:
        (point,) = (each for each in FULL.readings() if "figure 5 about" in each.question)
        (read,) = judge_readings([point], FULL.claims(), made_up(formula))
        return {
            reading.name: [finding.verdict for finding in found[16:18]]
            for reading, found in zip(point.readings, read.findings, strict=True)
        }

    both = [HOLDS, HOLDS]
    gca, any_method, top_down = verdicts_of_17_and_18(as_in_the_paper)
    assert verdicts_of_17_and_18(as_in_the_paper) == {gca: both, any_method: both, top_down: both}
    assert verdicts_of_17_and_18(near_k_member) == {
        gca: both,
        any_method: [DOES_NOT_HOLD, HOLDS],
        top_down: both,
    }
    (remark,) = (each for each in FULL.remarks(made_up(near_k_member)) if "Beside methods" in each)
    assert "clearly above k-member, (α,k): 0 of 5. It is larger in 20 of 20." in remark


def test_the_committed_run_is_above_methods_by_quasi_identifiers() -> None:
    """The figures of the page, from the runs beside it: recounted without the rules of claims."""
    runs = pl.read_csv("docs/papers/alpha-i-k/runs.csv").filter(quasi=6, k=5)
    means = runs.group_by("method", "alpha").agg(pl.col("sensitivity_distance").mean())
    found = {(method, alpha): mean for method, alpha, mean in means.iter_rows()}
    alphas = (0.2, 0.3, 0.35, 0.4, 0.5)
    factors = {
        method: [found["leveled-gca", alpha] / found[method, alpha] for alpha in alphas]
        for method in (*EXACT, *QUASI_ONLY)
    }
    assert sum(factor > 1 for each in factors.values() for factor in each) == 20
    assert sum(factor >= 1.1 for factor in factors["top-down-exact"]) == 4


def test_every_reading_is_supported_and_measured() -> None:
    assert {name for each in (READ_SO, EXACT, LEVELS) for name in each} <= set(SERIES)
    for point in POINTS:
        first, *others = point.readings
        assert first.view is None
        assert all(other.view for other in others)
        assert all(reading.support for reading in point.readings)
        assert point.why


def test_even_is_asked_about() -> None:
    def better(cell: Mapping[str, Any]) -> dict[str, float]:
        even = cell["method"] == "leveled-gca-even"
        numbers = as_in_the_paper(cell)
        numbers["sensitivity_distance"] += 0.1 * even
        numbers["least_sensitivity_distance"] = 0.1 + 0.1 * even
        return numbers | {"largest_class": cell["k"] + 1}

    results = made_up(better)
    assert [claim.judge(results).verdict for claim in FULL.questions()] == [HOLDS] * 5


def test_claims_about_absent_methods_are_not_measured() -> None:
    alone = AlphaIKExperiment(repetitions=2, methods=("gca",))
    results = made_up(as_in_the_paper, alone)
    found = [claim.judge(results).verdict for claim in alone.claims()]
    assert found.count(NOT_MEASURED) == 12
    assert len(alone.figures(results)) == 15
    assert not any("What the form" in said for said in alone.remarks(results))


def test_full_page_tells_all_series() -> None:
    written = page.texts(FULL, measured(made_up(as_in_the_paper)))
    text = written.files["README.md"]
    assert "quick" not in text
    assert f"| k | {' | '.join(series.shown for series in (PAPER | OTHER).values())} |" in text
    assert "held by 13.4% of the 30,162 rows" in text
    assert text.count("![Figure") == 15
    draw_fullest(written)
    assert "## How we read it" in text
    assert "Table C (ours)" in text
