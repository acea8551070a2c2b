"""The experiment of Gu and Dong (2022), MI loss, on a small sample."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import typer
from typer.testing import CliRunner

import shoal_papers as papers
from shoal import GAACP, FullDomain, KAnonymity, anonymize
from shoal.cli.guard import Guarded
from shoal.errors import ParameterError, VerificationError
from shoal.judging.utility import utility
from shoal.measures import loss, weighed
from shoal.publications.groups.grouping import Grouping
from shoal_papers import Claim, Results, command, page
from shoal_papers.mi_loss import measuring
from shoal_papers.mi_loss.experiment import WEIGHTS, MiLossExperiment
from shoal_papers.mi_loss.grid import (
    CLUSTERED,
    EQUATION_4,
    GAIN_RATIO,
    MODELS,
    OBSERVED,
    OPTIMA,
    UNLIMITED,
)
from shoal_papers.mi_loss.measuring import LEVELS, heights, table_of
from shoal_papers.mi_loss.showing import LEARNERS
from shoal_papers.mi_loss.weights import LABEL, QUASI
from shoal_papers.readings import judge_readings
from shoal_papers.verdicts import DOES_NOT_HOLD, HOLDS, HOLDS_EXCEPT, NOT_MEASURED
from tests.papers.small import draw_fullest, forget, measured, require_whole

ROWS = 300
SMALL = MiLossExperiment(
    quick=True, rows=ROWS, splits=2, intervals=("wide",), limits=(UNLIMITED, 5)
)
FULL = MiLossExperiment()
Formula = Callable[[Mapping[str, Any]], dict[str, float]]

TABLE_2 = """\
| age | 0.2294 | 0.2294 | +0.0000 | 0.0355 | 0.0373 | +0.0018 | 0.1147 | +0.0792 |
| education-num | 0.1183 | 0.1183 | +0.0000 | 0.0683 | 0.0683 | +0.0000 | 0.1082 | +0.0399 |
| capital-gain | 0.0350 | 0.0350 | +0.0000 | 0.2976 | 0.2969 | -0.0007 | 0.1391 | -0.1585 |
| hours-per-week | 0.1405 | 0.1405 | +0.0000 | 0.0375 | 0.0375 | +0.0000 | 0.0705 | +0.0330 |
| race | 0.0322 | 0.0322 | +0.0000 | 0.0225 | 0.0224 | -0.0001 | 0.0097 | -0.0128 |
| relationship | 0.0869 | 0.0870 | +0.0001 | 0.1643 | 0.1641 | -0.0002 | 0.1912 | +0.0269 |
| workclass | 0.0665 | 0.0665 | +0.0000 | 0.0281 | 0.0280 | -0.0001 | 0.0249 | -0.0032 |
| native-country | 0.0381 | 0.0381 | +0.0000 | 0.0197 | 0.0197 | +0.0000 | 0.0101 | -0.0096 |
| marital-status | 0.0740 | 0.0740 | +0.0000 | 0.1828 | 0.1825 | -0.0003 | 0.1810 | -0.0018 |
| occupation | 0.1419 | 0.1420 | +0.0001 | 0.0565 | 0.0565 | +0.0000 | 0.1075 | +0.0510 |
| sex | 0.0370 | 0.0370 | +0.0000 | 0.0870 | 0.0868 | -0.0002 | 0.0430 | -0.0440 |
"""


def test_quick_run_writes_everything(made: papers.Outcome) -> None:
    text = require_whole(made, ("3", "3b", "3c", "A", "B"))
    heads = re.findall(r"^## (.+)$", text, re.M)
    assert heads[1:4] == ["The paper's claims", "How we read it", "Our questions"]
    assert heads[4:6] == ["Remarks", "Tables"]
    assert all(found.verdict != NOT_MEASURED for _, found in made.claims + made.questions)


def test_the_page_has_table_2(made: papers.Outcome) -> None:
    text = made.page.read_text(encoding="utf-8")
    assert TABLE_2 in text


def test_the_page_tells_how_each_search_ended(made: papers.Outcome) -> None:
    text = made.page.read_text(encoding="utf-8")
    for limit, series in (("none", OPTIMA), ("5 %", MODELS)):
        row = rf"^\| wide, {limit} \| (\d+) \| ([^|]+) \| .* \| yes \| .* \|$"
        assert re.findall(row, text, re.M) == [
            (k, shown) for k in ("2", "10") for shown in series.values()
        ]
    assert "All 14 nodes are proven" in text


def test_the_command_shows_claims_and_questions(
    made: papers.Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = papers.experiment("mi-loss", quick=True)
    assert quick == MiLossExperiment(quick=True)
    monkeypatch.setitem(papers.EXPERIMENTS, "mi-loss", lambda quick: SMALL if quick else FULL)
    app = typer.Typer(cls=Guarded)
    app.command(name="paper")(command.paper)
    app.command(name="other")(lambda: None)
    asked = ["paper", "mi-loss", "--quick", "-o", str(made.folder)]
    said = CliRunner().invoke(app, asked, env={"COLUMNS": "200"})
    assert said.exit_code == 0, said.output
    assert f"{len(SMALL.cells())} measurements were found" in said.stdout
    for claim, _ in made.claims + made.questions:
        assert claim.words in said.stdout
    assert "Our questions" in said.stdout


def test_the_same_seed_gives_the_same_numbers(made: papers.Outcome) -> None:
    measuring.optimum.cache_clear()
    measuring.learnt_raw.cache_clear()
    for method in ("raw", "gaa-cp-mutual-information", GAIN_RATIO):
        row = made.results.runs.filter(method=method, seed=2).row(-1, named=True)
        cell = {name: row[name] for name in SMALL.cells()[0]}
        assert SMALL.measure(cell) == pytest.approx(
            {name: row[name] for name in SMALL.numbers}, abs=0, rel=0, nan_ok=True
        )


def test_numbers_belong_together(made: papers.Outcome) -> None:
    runs = made.results.runs
    for name in ("accuracy", "accuracy_original", "suppressed"):
        assert runs[name].is_between(0, 1).all()
    optima = runs.filter(pl.col("method").is_in(list(OPTIMA)))
    others = runs.filter(~pl.col("method").is_in(list(OPTIMA)))
    assert (optima.filter(limit=5)["suppressed"] <= 0.05).all()
    assert (optima.filter(limit=UNLIMITED)["suppressed"] > 0.05).any()
    assert (optima["proven"] == 1).all()
    assert (optima["gap"] == 0).all()
    assert (optima["nodes"] > 1).all()
    for name, top in zip(LEVELS, heights(ROWS, "wide"), strict=True):
        assert optima[name].is_between(0, top).all()
    assert (others["suppressed"] == 0).all()
    assert all(others[name].is_nan().all() for name in SMALL.numbers[6:])
    learnt = runs.filter(~pl.col("method").is_in(["majority", *LEARNERS]))
    assert learnt["accuracy_linear"].is_between(0.5, 1).all()
    assert learnt["auc_linear"].is_between(0.5, 1).all()
    raw, majority = (others.filter(method=name) for name in ("raw", "majority"))
    for ends in (raw, majority):
        assert ends["accuracy"].equals(ends["accuracy_original"])
        assert ends.height == 2
    assert (raw["accuracy"] > majority["accuracy"]).all()


@pytest.mark.parametrize(
    ("method", "kind"),
    [
        ("entropy-loss", "entropy"),
        (GAIN_RATIO, "gain-ratio"),
        (EQUATION_4, "mutual-information"),
        ("gaa-cp", "equal"),
        ("gaa-cp-mutual-information", "mutual-information"),
        ("gaa-cp-gain-ratio", "gain-ratio"),
    ],
)
def test_numbers_are_those_of_a_release(method: str, kind: str) -> None:
    intervals = OBSERVED if method in CLUSTERED else "wide"
    plain = table_of(ROWS, intervals, "equal")
    release = anonymize(
        plain.frame,
        plain.schema,
        require=[KAnonymity(10)],
        method=GAACP(seed=2) if method in CLUSTERED else FullDomain(suppression_limit=0.05),
        weights=kind,
        bounds="observed",
        label=LABEL if kind in ("mutual-information", "gain-ratio") else None,
    )
    scores = utility(
        plain.frame,
        release,
        None,
        LABEL,
        models=["logistic-regression"],
        seed=2,
        test_on_release=True,
    )
    theirs = {
        score.tested_on: score.mean
        for score in scores
        if (score.trained_on, score.measure) == ("release", "accuracy")
    }
    cell = {"method": method, "intervals": intervals, "limit": 5, "k": 10, "seed": 2}
    measured = SMALL.measure(cell)
    assert measured["accuracy"] == pytest.approx(theirs["release"])
    assert measured["accuracy_original"] == pytest.approx(theirs["original"])
    assert measured["suppressed"] == release.grouping.n_suppressed / ROWS
    if method not in CLUSTERED:
        label = LABEL if kind in ("mutual-information", "gain-ratio") else None
        schema = weighed(plain.frame, plain.schema, kind, label)  # by all rows, as the paper does
        assert measured["loss"] == pytest.approx(
            loss(plain.frame, release.table, schema, rows=release.rows)
        )
        assert [measured[name] for name in LEVELS] == list(release.grouping.levels.values())


def test_rows_of_stars_are_learnt_from_and_tested() -> None:
    table = table_of(ROWS, "wide", "equal")
    labels = np.zeros(ROWS, dtype=np.int32)
    whole = Grouping(labels, levels=dict(zip(QUASI, heights(ROWS, "wide"), strict=True)))
    found = measuring.starred(table, whole, 1)["accuracy_starred"]
    assert found == pytest.approx(measuring.learnt(table, whole, 1)["accuracy"])
    labels = np.where(np.arange(ROWS) < ROWS // 2, -1, 0).astype(np.int32)
    half = Grouping(labels, levels=whole.levels)
    assert measuring.starred(table, half, 1)["accuracy_starred"] == pytest.approx(found)


def test_one_class_of_all_rows_is_the_majority() -> None:
    blind = Grouping(np.zeros(ROWS, dtype=np.int32))
    found = measuring.learnt(table_of(ROWS, "wide", "equal"), blind, 1)
    base = SMALL.measure({"method": "majority", "intervals": "none", "limit": 0, "k": 0, "seed": 1})
    assert found["accuracy"] == pytest.approx(base["accuracy"])


def test_full_settings_are_those_of_the_paper() -> None:
    cells = FULL.cells()
    assert len(cells) == len({tuple(cell.values()) for cell in cells})
    assert len(cells) == 5 * (2 + 4 * 3 + 2 * 4 * 4) + 3 * (2 * 2 * 4 * 3) + len(LEARNERS)
    optima = [cell for cell in cells if cell["method"] in OPTIMA]
    assert {cell["k"] for cell in optima} == {2, 3, 5, 10}
    assert {(cell["intervals"], cell["limit"]) for cell in optima} == {
        (intervals, limit) for intervals in ("wide", "narrow") for limit in (0, 5, 100)
    }
    assert FULL.n_rows == 32_561
    table = table_of(ROWS, "narrow", "equal")
    assert [column.name for column in table.quasi] == list(QUASI)
    assert len(QUASI) == 11
    assert heights(ROWS, "narrow")[:4] == [3, 3, 3, 3]
    assert heights(ROWS, "wide")[:4] == [2, 2, 2, 2]


def test_weights_reach_the_columns() -> None:
    kinds = set(WEIGHTS.values())
    weighed = {kind: [c.weight for c in table_of(ROWS, "wide", kind).quasi] for kind in kinds}
    assert len({tuple(each) for each in weighed.values()}) == 4
    assert all(np.mean(each) == pytest.approx(1, abs=1e-4) for each in weighed.values())


def test_absent_methods_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch, "full-domain")
    with pytest.raises(ParameterError, match="needs the method 'full-domain'"):
        papers.run(SMALL, tmp_path / "run")


def test_groups_that_fail_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def group(self: GAACP, table: Any, require: Any, **_: Any) -> Grouping:
        return Grouping(np.arange(table.n_rows, dtype=np.int32))

    monkeypatch.setattr(GAACP, "group", group)
    with pytest.raises(VerificationError, match="'gaa-cp' made no group, or one that fails"):
        SMALL.measure({"method": "gaa-cp", "intervals": OBSERVED, "limit": 0, "k": 2, "seed": 1})


def made_up(formula: Formula, experiment: MiLossExperiment = FULL) -> Results:
    """Fill every cell from a formula."""
    rest = dict.fromkeys(experiment.numbers, 1.0) | {"gap": 0.0, "suppressed": 0.0}
    rows = [{**cell, **rest, **formula(cell)} for cell in experiment.cells()]
    return Results(pl.DataFrame(rows), experiment.numbers)


ACCURACIES = ("accuracy", "accuracy_original", "accuracy_linear", "accuracy_starred")

ABOVE = {
    "majority": -0.1,
    "loss": 0.0,
    "entropy-loss": 0.002,
    GAIN_RATIO: 0.012,
    EQUATION_4: 0.011,
    "gaa-cp": 0.03,
    "gaa-cp-mutual-information": 0.032,
    "gaa-cp-gain-ratio": 0.031,
}


def as_in_the_paper(cell: Mapping[str, Any]) -> dict[str, float]:
    method, k = cell["method"], cell["k"]
    if method == "raw" or method in LEARNERS:
        return dict.fromkeys(ACCURACIES, 0.8923)
    slope = 0.002 if method in (GAIN_RATIO, EQUATION_4) else 0.003
    return dict.fromkeys(ACCURACIES, 0.85 + ABOVE[method] - slope * k)


def changed(change: Formula) -> Results:
    return made_up(lambda cell: {**as_in_the_paper(cell), **change(cell)})


def sentences(results: Results, listed: Callable[[], Any] = FULL.claims) -> list[str]:
    return [claim.judge(results).sentence for claim in listed()]


def the_claim(words: str) -> Claim:
    (claim,) = (c for c in FULL.claims() if c.words.startswith(words))
    return claim


def test_claims_hold_where_numbers_are_the_papers() -> None:
    found = sentences(made_up(as_in_the_paper))
    assert found == [HOLDS] * 8
    assert sentences(made_up(as_in_the_paper), FULL.questions) == [HOLDS] * 10


def lower(*methods: str, by: float = 0.02) -> Formula:
    def change(cell: Mapping[str, Any]) -> dict[str, float]:
        mine = as_in_the_paper(cell)
        return {name: value - by for name, value in mine.items() if cell["method"] in methods}

    return change


def flat(*methods: str) -> Formula:
    return lambda cell: (
        {"accuracy": 0.8 + ABOVE[cell["method"]]} if cell["method"] in methods else {}
    )


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("The raw table's accuracy is 89.23", lower("raw", by=0.006)),
        ("The raw table's accuracy is the upper", lower("raw", by=0.5)),
        ("MI Loss has the best", lower(GAIN_RATIO)),
        ("It is 0.73 to 3.00", lower(GAIN_RATIO, by=0.008)),
        ("It is 0.73 to 3.00", lower(GAIN_RATIO, by=-0.03)),
        ("Its advantage", flat(GAIN_RATIO, "loss", "entropy-loss")),
        ("Accuracy falls", lambda cell: {"accuracy": 0.7 + cell["k"] / 100}),
    ],
)
def test_each_claim_can_fail(words: str, change: Formula) -> None:
    claim = the_claim(words)
    assert claim.judge(made_up(as_in_the_paper)).verdict == HOLDS
    assert claim.judge(changed(change)).verdict == DOES_NOT_HOLD


def verdicts(results: Results) -> dict[str, list[str]]:
    """Judge the claims under every reading."""
    read = judge_readings(FULL.readings(), FULL.claims(), results)
    return {
        reading.name: [found.verdict for found in findings]
        for each in read
        for reading, findings in zip(each.point.readings, each.findings, strict=True)
    }


def test_a_fall_is_judged_by_the_sentence_and_step_by_step() -> None:
    """One rise between neighbouring k breaks the stricter rule alone, and only claim 8 has two."""

    def one_rise(cell: Mapping[str, Any]) -> dict[str, float]:
        mine = as_in_the_paper(cell)["accuracy"]
        return {"accuracy": mine + 0.004 * (cell["method"] in MODELS and cell["k"] == 3)}

    found = verdicts(changed(one_rise))
    assert found["the largest k has less than the smallest"][:8] == [HOLDS] * 8
    assert found["no step of k raises accuracy"] == [HOLDS] * 7 + [DOES_NOT_HOLD]


BEST_AT = 4
"""The place of the claim that MI Loss is best."""


def test_readings_are_judged_by_their_own_numbers() -> None:
    def bad(cell: Mapping[str, Any]) -> dict[str, float]:
        mine = cell["method"] == GAIN_RATIO
        found = {"accuracy": 0.5} if mine and cell["limit"] == 0 else {}
        return found | ({"accuracy_linear": 0.5, "accuracy_starred": 0.5} if mine else {})

    found = verdicts(changed(bad))
    assert {name: each[BEST_AT] for name, each in found.items()} == {
        "rows are suppressed without a limit": HOLDS,
        "at most 5 % of the rows are suppressed": HOLDS,
        "at most 0 % of the rows are suppressed": DOES_NOT_HOLD,
        "suppressed rows are left out": HOLDS,
        "suppressed rows stay, as rows of *": DOES_NOT_HOLD,
        "MI Loss has the weights of table 2, which are gain ratios": HOLDS,
        "MI Loss has the weights of equation 4": HOLDS,
        "logistic regression is learnt": HOLDS,
        "linear regression is learnt, and cut at one half": DOES_NOT_HOLD,
        "the largest k has less than the smallest": HOLDS,
        "no step of k raises accuracy": HOLDS,
    }


def test_equation_4_is_judged_by_its_optimum_and_its_weights() -> None:
    found = verdicts(changed(lower(EQUATION_4)))
    by_equation = found["MI Loss has the weights of equation 4"]
    assert by_equation[:2] == [HOLDS, DOES_NOT_HOLD]
    assert by_equation[BEST_AT] == DOES_NOT_HOLD
    assert found["rows are suppressed without a limit"] == [HOLDS] * 8


def test_the_page_tells_when_the_default_was_found(made: papers.Outcome) -> None:
    text = made.page.read_text(encoding="utf-8")
    assert "found after 0 % and 5 % had not reproduced figure 3" in text
    assert "no learner (table B" in text


def test_verdicts_are_by_published_rows_and_tell_of_original_ones() -> None:
    bad = changed(lambda cell: {"accuracy_original": 0.8 - ABOVE.get(cell["method"], 0.2)})
    found = the_claim("MI Loss has the best").judge(bad)
    assert found.verdict == HOLDS
    assert "On original rows it does not hold: above Loss: 0 of 8" in found.measured


def test_exceptions_name_their_place() -> None:
    def odd(cell: Mapping[str, Any]) -> dict[str, float]:
        place = (cell["method"], cell["intervals"], cell["limit"], cell["k"])
        return {"accuracy": 0.5} if place == (GAIN_RATIO, "narrow", UNLIMITED, 3) else {}

    found = the_claim("MI Loss has the best").judge(changed(odd))
    place = "at intervals = narrow, k = 3"
    assert found.sentence == f"{HOLDS_EXCEPT}: above Loss {place}; above Entropy Loss {place}"


def test_each_question_can_be_answered_with_no() -> None:
    no = sentences(changed(lower("gaa-cp-mutual-information", by=0.05)), FULL.questions)
    assert [place for place, said in enumerate(no) if said != HOLDS] == [0, 1, 6, 7]
    no = sentences(changed(lower("gaa-cp-gain-ratio", by=0.05)), FULL.questions)
    assert [place for place, said in enumerate(no) if said != HOLDS] == [2, 3, 8, 9]
    no = sentences(changed(lower("gaa-cp", by=0.05)), FULL.questions)
    assert [place for place, said in enumerate(no) if said != HOLDS] == [4, 5]


def test_one_better_optimum_is_enough_for_a_no() -> None:
    no = sentences(changed(lower("entropy-loss", by=-0.05)), FULL.questions)
    assert [said == HOLDS for said in no] == [True] * 4 + [False] * 6


def test_questions_know_the_two_kinds_of_rows_apart() -> None:
    def worse(cell: Mapping[str, Any]) -> dict[str, float]:
        return {"accuracy_original": 0.1} if cell["method"] == "gaa-cp-mutual-information" else {}

    no = sentences(changed(worse), FULL.questions)
    assert [place for place, said in enumerate(no) if said != HOLDS] == [1, 7]


def test_single_runs_are_compared_in_pairs() -> None:
    def once(cell: Mapping[str, Any]) -> dict[str, float]:
        place = (cell["method"], cell["k"], cell["seed"])
        return {"accuracy": 0.8} if place == ("gaa-cp-mutual-information", 5, 4) else {}

    found = FULL.questions()[0].judge(changed(once))
    assert "it is above in 19 of 20 pairs" in found.measured


def test_nodes_that_are_not_proven_are_told() -> None:
    def stopped(cell: Mapping[str, Any]) -> dict[str, float]:
        place = (cell["method"], cell["intervals"], cell["limit"], cell["k"])
        return {"proven": 0.0, "gap": 0.0123} if place == ("loss", "narrow", 0, 3) else {}

    results = changed(stopped)
    assert FULL.remarks(results)[0].startswith("1 of 80 nodes are not proven")
    assert "at most 0.0123 in loss" in FULL.remarks(results)[0]
    searches = FULL.tables(results)[1]
    (row,) = (row for row in searches.rows if row[4] != "yes")
    assert row[:5] == ["narrow, 0 %", "3", "Loss", "1.0000", "no, gap 0.0123"]
    assert row[-1] == " ".join("*" if top == 1 else "1" for top in heights(32_561, "narrow"))


def test_figures_show_all_settings() -> None:
    best = {"wide": "loss", "narrow": GAIN_RATIO}

    def odd(cell: Mapping[str, Any]) -> dict[str, float]:
        wins = cell["limit"] == UNLIMITED and best[cell["intervals"]] == cell["method"]
        return {"accuracy": 0.875 if cell["intervals"] == "wide" else 0.90625} if wins else {}

    figures = {figure.name: figure for figure in FULL.figures(changed(odd))}
    assert list(figures) == ["figure-3", "figure-3b", "figure-3c", "figure-A", "figure-B"]
    for name, figure in figures.items():
        letters = ["(a)", "(b)", "(c)", "(d)"] if name == "figure-3c" else ["(a)", "(b)"]
        assert [panel.title[:3] for panel in figure.panels] == letters
        for panel in figure.panels:
            assert len(panel.points) == len(figure.series) * 4
            assert {point.x for point in panel.points} == {2, 3, 5, 10}
    assert figures["figure-3"].series == ("raw", *OPTIMA.values(), "majority")
    assert figures["figure-3c"].series == ("raw", *MODELS.values(), "majority")
    assert figures["figure-A"].series == ("raw", *CLUSTERED.values(), "best of the optima")
    tops = [
        {point.mean for point in panel.points if point.series.startswith("best")}
        for panel in figures["figure-A"].panels
    ]
    assert tops == [{0.875}, {0.90625}]


def test_full_page_tells_all_series() -> None:
    written = page.texts(FULL, measured(made_up(as_in_the_paper)))
    text = written.files["README.md"]
    assert "quick" not in text
    assert f"| k | raw | {' | '.join(OPTIMA.values())} | majority |" in text
    assert f"| k | raw | {' | '.join(CLUSTERED.values())} | best of the optima |" in text
    assert text.count("![Figure") == 5
    draw_fullest(written)
    assert "age 10 and 20, education-num 2 and 4, capital-gain 5,000 and 10,000" in text
