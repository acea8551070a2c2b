"""The experiment of Zhang et al. (2014), MICD, on a small sample."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal import MICD, anonymize, papers
from shoal.errors import ParameterError, VerificationError
from shoal.grouping import Grouping
from shoal.methods.inverse._sensitive import order_attributes
from shoal.papers import Results, page
from shoal.papers.micd import claims as micd_claims
from shoal.papers.micd.claims import PRINTED, SECRETS, TABLE_5
from shoal.papers.micd.experiment import (
    OTHER,
    PAPER,
    QUASI,
    SERIES,
    MicdExperiment,
    _require as require_of,
    _table as table_of,
)
from shoal.papers.verdicts import DOES_NOT_HOLD, HOLDS, HOLDS_EXCEPT, NOT_MEASURED
from tests.papers.small import forget, measured

SMALL = MicdExperiment(quick=True, rows=600, repetitions=1)
FULL = MicdExperiment(repetitions=2)
Formula = Callable[[Mapping[str, Any]], dict[str, float]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> papers.Outcome:
    return papers.run(SMALL, tmp_path_factory.mktemp("paper") / "run")


def test_quick_run_writes_everything(made: papers.Outcome) -> None:
    names = {path.name for path in made.folder.iterdir()}
    figures = {f"figure-{number}.svg" for number in "123456ABCDEF"}
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


def test_the_same_seed_gives_the_same_numbers(made: papers.Outcome, tmp_path: Path) -> None:
    again = papers.measure(SMALL, tmp_path / "again")
    kept = [name for name in again.results.runs.columns if name != "cpu_seconds"]
    assert again.results.runs.select(kept).equals(made.results.runs.select(kept))


def test_numbers_belong_together(made: papers.Outcome) -> None:
    runs = made.results.runs
    assert (runs["noise_ratio"] <= runs["noise_bound"]).all()
    assert (runs["vulnerability"] <= runs["vulnerability_half"]).all()
    assert (runs["groups"] * runs["l"] <= 600).all()
    assert not (runs["suppressed"] > 0).any()
    assert not (runs.filter(method="micd-never")["noise_ratio"] > 0).any()
    plain, plus = (runs.filter(method=f"decomposition{end}") for end in ("", "-plus"))
    for same in ("groups", "noise_ratio"):
        assert plain[same].equals(plus[same])


@pytest.mark.parametrize("name", list(SERIES))
@pytest.mark.parametrize("least", [3, 7])
def test_numbers_are_those_of_a_release(name: str, least: int) -> None:
    series, table = SERIES[name], table_of(600, 4)
    release = anonymize(
        table.frame,
        table.schema,
        require=[require_of(table, least)],
        method=replace(series, options={**series.options, "primary": PRINTED}).build(2),
    )
    cell = {"primary": PRINTED, "secrets": 4, "l": least, "seed": 2}
    measured = SMALL.measure({"method": name, **cell})
    said = ("vulnerability", "noise_ratio", "degree_spread", "largest_group", "count_query_error")
    for number in said:
        assert measured[number] == pytest.approx(release.measures[number])
    assert measured["groups"] == release.grouping.n_groups


def test_full_settings_are_those_of_the_paper() -> None:
    full = MicdExperiment()
    settings = full.settings()
    assert {(3, least) for least in range(2, 11)} <= set(settings)
    assert {(count, 3) for count in (2, 3, 4, 5)} <= set(settings)
    cells = full.cells()
    assert len(cells) == len({tuple(cell.values()) for cell in cells})
    assert len(cells) == 10 * 2 * len(settings) * len(SERIES)


def test_tables_are_the_papers() -> None:
    table = table_of(30_162, 5)
    assert table.n_rows == table_of(40_000, 5).n_rows == 30_162
    assert [column.name for column in table.quasi] == list(QUASI)
    assert tuple(table.sensitive) == SECRETS
    assert not table.missing.any()
    first, *_ = order_attributes(table, [require_of(table, 3)], method="micd")
    assert first.name == "occupation"
    for name, values in TABLE_5.items():
        assert set(values) <= set(table.sensitive[name].labels)


def test_no_group_is_open_to_an_attack_beyond_the_limit() -> None:
    limits = micd_claims.out_of_reach()
    assert list(limits.values()) == [8, 6, 3, 3, 3]


def test_absent_methods_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch, "micd")
    with pytest.raises(ParameterError, match="needs the method 'micd'"):
        papers.run(SMALL, tmp_path / "run")


def test_groups_that_fail_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def group(self: MICD, table: Any, require: Any, **_: Any) -> Grouping:
        return Grouping(np.arange(table.n_rows, dtype=np.int32))

    monkeypatch.setattr(MICD, "group", group)
    with pytest.raises(VerificationError, match="'micd' made no group, or one that fails"):
        SMALL.prepare()


def made_up(formula: Formula, experiment: MicdExperiment = FULL) -> Results:
    """Fill every cell from a formula."""
    rest = dict.fromkeys(experiment.numbers, 1.0)
    rows = [{**cell, **rest, **formula(cell)} for cell in experiment.cells()]
    return Results(pl.DataFrame(rows), experiment.numbers)


def as_in_the_paper(cell: Mapping[str, Any]) -> dict[str, float]:
    method, count, least = cell["method"], cell["secrets"], cell["l"]
    micd, plus = method.startswith("micd"), method == "decomposition-plus"
    rises = (least if least < 6 else 11 - least) / 100
    attacked = (rises + count / 50) * (0.5 if micd else 1)
    by_count = {2: 0.004, 3: 0.01 * (1 - 0.6 / (least - 1)), 4: 0.4, 5: 0.8}
    if micd:
        by_count = {2: 0.001, 3: 0.05 * rises, 4: 0.1, 5: 0.2}
    return {
        "vulnerability": attacked,
        "vulnerability_table_5": attacked,
        "vulnerability_half": attacked,
        "noise_ratio": by_count[count],
        "noise_bound": 2.0,
        "groups": (2 if cell["primary"] == PRINTED else 3) * 1000 / least,
        "cpu_seconds": (1 + count - least / 20) * (1.2 if micd else 0.9 if plus else 1),
    }


def sentences(results: Results, experiment: MicdExperiment = FULL) -> dict[tuple[str, str], str]:
    judged = ((c, c.judge(results)) for c in experiment.claims())
    return {(claim.where, claim.words): found.sentence for claim, found in judged}


OF_THE_DATA = {"section 5.1", "table 5"}
"""Claims that no measurement changes."""


def test_claims_hold_where_numbers_are_the_papers() -> None:
    found = sentences(made_up(as_in_the_paper))
    assert len(found) == 24
    # No line is near 0 below |S| = 4 and straight over all of |S|.
    linear = ("figure 4", "With each further attribute the noise grows linearly.")
    rest = {at: said for at, said in found.items() if at[0] not in OF_THE_DATA and at != linear}
    assert {at: said for at, said in rest.items() if said != HOLDS} == {}


def test_claims_about_the_data() -> None:
    found = {where: said for (where, _), said in sentences(made_up(as_in_the_paper)).items()}
    assert found["section 5.1"] == DOES_NOT_HOLD
    assert found["table 5"] == f"{HOLDS_EXCEPT}: same values at column = occupation"


def test_noise_may_grow_linearly() -> None:
    results = made_up(lambda cell: {"noise_ratio": cell["secrets"] / 10})
    words = "With each further attribute the noise grows linearly."
    assert sentences(results)["figure 4", words] == HOLDS
    flat = made_up(lambda cell: {"noise_ratio": 0.0})
    assert sentences(flat)["figure 4", words] == DOES_NOT_HOLD


def test_nothing_is_below_zero() -> None:
    results = made_up(lambda cell: {"vulnerability": 0.0})
    judged = [c.judge(results) for c in FULL.claims() if "probabilit" in c.words]
    assert len(judged) == 6
    assert {found.verdict for found in judged} == {DOES_NOT_HOLD}
    assert any("Both it and Decomposition+ have 0 at l = 2" in f.measured for f in judged)


def test_exceptions_name_their_place() -> None:
    def odd(cell: Mapping[str, Any]) -> dict[str, float]:
        numbers = as_in_the_paper(cell)
        if (cell["method"], cell["secrets"], cell["l"]) == ("micd", 3, 5):
            numbers["noise_ratio"] = 0.9
        return numbers

    found = sentences(made_up(odd))
    words = "MICD's noise ratio is below that of the other two."
    place = "MICD < Decomposition at l = 5; MICD < Decomposition+ at l = 5"
    assert found["figures 3, 4", words] == f"{HOLDS_EXCEPT}: {place}"


def test_other_readings_are_told() -> None:
    def differs(cell: Mapping[str, Any]) -> dict[str, float]:
        numbers = as_in_the_paper(cell)
        if cell["primary"] == "occupation":
            numbers["noise_bound"] = 1e-6
        return numbers

    remarks = FULL.remarks(made_up(differs))
    bound = f"claim 2: {DOES_NOT_HOLD} (instead of: {HOLDS})"
    assert f"With occupation as primary attribute: {bound}." in remarks
    same = "all verdicts are the same"
    assert f"With the values of table 5 as highly sensitive: {same}." in remarks
    assert f"With MICD's left-over records placed as printed: {same}." in remarks


def test_claims_about_absent_methods_are_not_measured() -> None:
    alone = MicdExperiment(repetitions=2, methods=("decomposition",))
    results = made_up(as_in_the_paper, alone)
    found = [claim.judge(results).verdict for claim in alone.claims()]
    assert found.count(NOT_MEASURED) == 9
    assert len(alone.figures(results)) == 12
    assert not any("MICD's" in said for said in alone.remarks(results))


def test_full_page_tells_all_series(tmp_path: Path) -> None:
    page.write(FULL, measured(made_up(as_in_the_paper)), tmp_path)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "quick" not in text
    assert f"| l | {' | '.join(s.shown for s in (PAPER | OTHER).values())} |" in text
    assert text.count("![Figure") == 12
