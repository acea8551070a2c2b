"""The experiment of the paper on (αᵢ, k)-anonymity, on a small sample."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal import GCA, anonymize, papers
from shoal.errors import ParameterError, VerificationError
from shoal.grouping import SUPPRESSED, Grouping
from shoal.papers import Results, page
from shoal.papers.alpha_i_k.experiment import (
    LEVEL_ALPHAS,
    OTHER,
    PAPER,
    QUASI,
    SERIES,
    STAND_INS,
    AlphaIKExperiment,
    _table as table_of,
)
from shoal.papers.verdicts import DOES_NOT_HOLD, HOLDS, HOLDS_EXCEPT, NOT_MEASURED
from shoal.risk import similarity
from tests.papers.small import forget, measured

SMALL = AlphaIKExperiment(quick=True, rows=600, repetitions=1)
FULL = AlphaIKExperiment(repetitions=2)
Formula = Callable[[Mapping[str, Any]], dict[str, float]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> papers.Outcome:
    return papers.run(SMALL, tmp_path_factory.mktemp("paper") / "run")


def test_quick_run_writes_everything(made: papers.Outcome) -> None:
    names = {path.name for path in made.folder.iterdir()}
    figures = {f"figure-{number}.svg" for number in "12345ABCDEF"}
    assert names == {
        "README.md",
        "comparisons.csv",
        "numbers.csv",
        "run.json",
        "runs.csv",
        *figures,
    }
    text = made.page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)]+\.\w+)\)", text):
        assert (made.folder / link).is_file()
    assert "quick run" in text
    assert all(found.verdict != NOT_MEASURED for _, found in made.claims)
    assert "What the form is worth: Top-Down, two tables ÷ Top-Down is" in text


def test_the_same_seed_gives_the_same_numbers(made: papers.Outcome, tmp_path: Path) -> None:
    again = papers.measure(SMALL, tmp_path / "again")
    kept = [name for name in again.results.runs.columns if name != "cpu_seconds"]
    assert again.results.runs.select(kept).equals(made.results.runs.select(kept))


def test_numbers_belong_together(made: papers.Outcome) -> None:
    runs = made.results.runs
    four = runs["sensitivity_distance_raw"] / runs["sensitivity_distance"]
    assert np.allclose(four.to_numpy(), 4)
    leveled = runs.filter(method="leveled-gca", quasi=6, k=4)
    assert leveled.height == 4
    assert leveled["reconstruction_distance"].n_unique() == 1  # it does not know α
    one, two = (
        runs.filter(method=name, quasi=6, alpha=0.5).filter(pl.col("k").is_in([2, 4, 10]))
        for name in ("top-down", "top-down-two")
    )
    # The same groups; those that show the same cells are one class in one table.
    assert (one["classes"] <= two["classes"]).all()
    assert one["suppressed"].equals(two["suppressed"])


@pytest.mark.parametrize("name", list(SERIES))
@pytest.mark.parametrize("alpha", [0.2, 0.5])
def test_numbers_are_those_of_a_release(name: str, alpha: float) -> None:
    series, table = SERIES[name], table_of(600, 6, 2)
    release = anonymize(
        table.frame,
        table.schema,
        require=[series.require(table, 4, alpha)],
        method=series.build(2),
        publication=series.form,
        suppression_limit=1.0,
        **({"bounds": "observed"} if series.form == "generalized" else {}),
    )
    cell = {"quasi": 6, "k": 4, "alpha": alpha, "seed": 2}
    measured = SMALL.measure({"method": name, **cell})
    for number in ("reconstruction_distance", "sensitivity_distance", "count_query_error"):
        assert measured[number] == pytest.approx(release.measures[number])
    assert measured["one_level"] == pytest.approx(similarity(release).share)
    assert measured["suppressed"] == release.grouping.n_suppressed / 600


def test_full_settings_are_those_of_the_paper() -> None:
    full = AlphaIKExperiment()
    for method in (*PAPER, *STAND_INS.values()):
        settings = set(full.settings(method))
        assert {(6, k, 0.5) for k in (2, 4, 6, 8, 10)} <= settings
        alphas = (0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7)
        assert {(6, k, alpha) for k in (4, 10) for alpha in alphas} <= settings
        assert {(q, k, 0.5) for q in range(3, 10) for k in (4, 10)} <= settings
        assert {(6, 5, alpha) for alpha in alphas[:5]} <= settings
    assert all(full.settings(method) == [(6, k, 0.5) for k in full.grid.ks] for method in OTHER)
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
    if method in ("leveled-gca", "leveled-gca-stop"):
        return {
            "reconstruction_distance": 0.4 + k / 100 if k > 2 else 0.35,
            "cpu_seconds": 0.012 - k / 10_000,
            "sensitivity_distance": 0.5,
            "one_level": 0.0,
            "suppressed": 0.0,
        }
    top = method.startswith("top-down")
    loss = 0.4 + k / 100 if k > 2 else 0.3
    return {
        "reconstruction_distance": loss + 0.1 * top + strict / 10,
        "cpu_seconds": (1 - 2 * strict) * q if top else 0.01 - strict / 1000,
        "sensitivity_distance": 0.3,
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


def test_stopping_as_printed_is_judged_beside_going_on() -> None:
    def differs(cell: Mapping[str, Any]) -> dict[str, float]:
        numbers = as_in_the_paper(cell)
        if cell["method"] == "leveled-gca-stop":
            numbers |= {"one_level": 0.1, "suppressed": 0.45, "largest_class": 99.0}
        return numbers

    said = [each for each in FULL.remarks(made_up(differs)) if "as printed" in each]
    assert "(αᵢ,k)-GCA, rows in the largest: 99 at k = 2, 99 at k = 4" in said[0]
    assert said[0].endswith("At most 45.00% of rows were suppressed.")
    assert said[1] == (
        f"With both GCA stopping as printed: claim 19: {DOES_NOT_HOLD} (instead of: {HOLDS})."
    )


def test_claims_about_absent_methods_are_not_measured() -> None:
    alone = AlphaIKExperiment(repetitions=2, methods=("gca",))
    results = made_up(as_in_the_paper, alone)
    found = [claim.judge(results).verdict for claim in alone.claims()]
    assert found.count(NOT_MEASURED) == 12
    assert len(alone.figures(results)) == 11
    assert not any("What the form" in said for said in alone.remarks(results))


def test_full_page_tells_all_series(tmp_path: Path) -> None:
    page.write(FULL, measured(made_up(as_in_the_paper)), tmp_path)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "quick" not in text
    assert f"| k | {' | '.join(series.shown for series in (PAPER | OTHER).values())} |" in text
    assert "held by 13.4% of the 30,162 rows" in text
    assert text.count("![Figure") == 11
