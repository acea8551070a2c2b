"""The experiment of Zhang et al. (2014), MICD, on a small sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal_papers as papers
from shoal import MICD, anonymize
from shoal.errors import ParameterError, VerificationError
from shoal.methods.inverse._sensitive import order_attributes
from shoal.publications.groups.grouping import Grouping
from shoal_papers import Results, page
from shoal_papers.micd.experiment import MicdExperiment
from shoal_papers.micd.grid import (
    HIGHEST,
    PRINTED,
    SECRETS,
    TABLE_5,
    columns,
    least_noise,
    out_of_reach,
)
from shoal_papers.micd.series import (
    OURS,
    PAPER,
    QUASI,
    SERIES,
    SHUFFLED,
    require_of,
    table_of,
)
from shoal_papers.readings import judge_readings, turned
from shoal_papers.verdicts import (
    DOES_NOT_HOLD,
    HOLDS,
    HOLDS_EXCEPT,
    NOT_MEASURED,
    TOO_FEW,
)
from tests.papers.small import draw_fullest, forget, measured, require_whole

SMALL = MicdExperiment(quick=True, rows=600, repetitions=1)
FULL = MicdExperiment(repetitions=2)
Formula = Callable[[Mapping[str, Any]], dict[str, float]]


def test_quick_run_writes_everything(made: papers.Outcome) -> None:
    require_whole(made, "123456ABCDEF")
    assert all(found.verdict != NOT_MEASURED for _, found in made.claims)


def test_the_same_seed_gives_the_same_numbers(made: papers.Outcome, tmp_path: Path) -> None:
    again = papers.measure(SMALL, tmp_path / "again")
    kept = [name for name in again.results.runs.columns if name != "cpu_seconds"]
    assert again.results.runs.select(kept).equals(made.results.runs.select(kept))


def test_numbers_belong_together(made: papers.Outcome) -> None:
    runs = made.results.runs
    assert (runs["noise_ratio"] <= runs["noise_bound"]).all()
    assert (runs["vulnerability"] <= runs["vulnerability_half"]).all()
    assert (runs["vulnerability_last"] <= runs["vulnerability"]).all()
    assert (runs["groups"] * runs["l"] <= 600).all()
    assert not (runs["suppressed"] > 0).any()
    assert not (runs.filter(method="micd-never")["noise_ratio"] > 0).any()
    plain, plus = (runs.filter(method=f"decomposition{end}") for end in ("", "-plus"))
    for same in ("groups", "noise_ratio"):
        assert plain[same].equals(plus[same])


@pytest.mark.parametrize("name", list(SERIES))
@pytest.mark.parametrize("least", [3, 7])
def test_numbers_are_those_of_a_release(name: str, least: int) -> None:
    series = SERIES[name]
    table = table_of(600, 4, 2 if name in SHUFFLED.values() else None)
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
    assert len(cells) == 10 * len(settings) * (2 * len(SERIES) - len(SHUFFLED))
    assert full.judged.values["l"] == tuple(range(2, columns()["marital-status"].size + 1))


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
    assert list(out_of_reach().values()) == [8, 6, 3, 3, 3]


def test_noise_alone_is_not_near_zero() -> None:
    """14,065 rows are married, 4,011 more than there are groups of three."""
    assert least_noise("marital-status") == 4_011
    assert least_noise("occupation") == 0
    [claim] = [claim for claim in FULL.claims() if "near 0" in claim.words]
    assert "4,011 / 30,162 = 0.133" in claim.why_not
    table = table_of(30_162, 3)
    for name in ("decomposition", "decomposition-plus"):
        method = replace(PAPER[name], options={"primary": HIGHEST}).build(1)
        made = method.group(table, [require_of(table, 3)], rng=np.random.default_rng(1))
        assert len(made.padding["marital-status"].value) >= 4_011


def test_rows_are_shuffled_and_kept() -> None:
    plain, shuffled = table_of(600, 3).frame, table_of(600, 3, 1).frame
    assert not plain.equals(shuffled)
    assert plain.sort(pl.all()).equals(shuffled.sort(pl.all()))


def test_noise_one_by_one_is_safer() -> None:
    """What the page and the method's page say of l = 7."""
    cell = {"primary": HIGHEST, "secrets": 3, "l": 7, "seed": 1}
    printed, ours = (FULL.measure({"method": name, **cell}) for name in ("micd", "micd-one-by-one"))
    assert printed["noise_ratio"] == ours["noise_ratio"] == 11_629 / 30_162
    assert printed["groups"] == ours["groups"] == 2_469
    assert printed["vulnerability"] == 246 / 2_469
    assert ours["vulnerability"] == 0


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
    micd, plus = (method.startswith(name) for name in ("micd", "decomposition-plus"))
    rises = (least if least < 6 else 11 - least) / 100
    attacked = (rises + count / 100) * (0.5 if micd else 1)
    by_count = {2: 0.004, 3: 0.01 * (1 - 0.6 / (least - 1)), 4: 0.4, 5: 0.8}
    if micd:
        by_count = {2: 0.001, 3: 0.05 * rises, 4: 0.1, 5: 0.2}
    return {
        "vulnerability": attacked,
        "vulnerability_last": attacked,
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


def test_a_few_open_groups_tell_nothing() -> None:
    """One open group of a thousand beside four is no verdict; a hundred beside four hundred is."""

    def judged(open_groups: float) -> list[str]:
        def formula(cell: Mapping[str, Any]) -> dict[str, float]:
            share = open_groups / 1000 / (4 if cell["method"] == "micd" else 1)
            return {**as_in_the_paper(cell), "vulnerability": share, "groups": 1000.0}

        words = "MICD's probability of attack is below that of the other two."
        results = made_up(formula)
        return [c.judge(results).verdict for c in FULL.claims() if c.words == words]

    assert judged(4) == [TOO_FEW, TOO_FEW]
    assert judged(400) == [HOLDS, HOLDS]


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
    # Where no group is open, that MICD has fewer open ones cannot be told.
    told = [DOES_NOT_HOLD] * 3 + [TOO_FEW, DOES_NOT_HOLD, TOO_FEW]
    assert [found.verdict for found in judged] == told
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


def other_verdicts(formula: Formula) -> dict[str, dict[int, str]]:
    """Give the claims, from 1, that readings give another verdict, by reading."""
    found: dict[str, dict[int, str]] = {}
    for read in judge_readings(FULL.readings(), FULL.claims(), made_up(formula)):
        for reading in read.point.readings[1:]:
            found[reading.name] = {
                at + 1: said[reading.name]
                for at in range(len(FULL.claims()))
                if reading.name in (said := turned(read, at))
            }
    return found


def test_readings_show_their_own_runs() -> None:
    def differs(cell: Mapping[str, Any]) -> dict[str, float]:
        numbers = as_in_the_paper(cell)
        if cell["primary"] == PRINTED or cell["method"].endswith("-shuffled") or cell["l"] > 7:
            numbers["noise_bound"] = 1e-6
        if cell["method"] == "micd-paper":
            numbers["cpu_seconds"] = 100.0
        return {**numbers, "vulnerability_table_5": 1.0}

    found = other_verdicts(differs)
    assert list(found) == [
        "education, as named",
        "l up to 10",
        "to the farthest group, as printed",
        "the values of table 5",
        "any: rows in random order",
    ]
    assert found["education, as named"] == found["any: rows in random order"] == {2: DOES_NOT_HOLD}
    assert found["l up to 10"] == {2: HOLDS_EXCEPT}
    assert {22, 24} <= set(found["to the farthest group, as printed"]) <= set(range(19, 25))
    assert set(found["the values of table 5"]) == set(range(5, 11))


def test_readings_agree_where_numbers_do() -> None:
    assert set(map(len, other_verdicts(as_in_the_paper).values())) == {0}


def test_noise_one_by_one_is_asked_about() -> None:
    found = [asked.judge(made_up(as_in_the_paper)).verdict for asked in FULL.questions()]
    assert found == [HOLDS] * 3

    def worse(cell: Mapping[str, Any]) -> dict[str, float]:
        return {"vulnerability": 1.0 if cell["method"] == "micd-one-by-one" else 0.5}

    first, *rest = (asked.judge(made_up(worse)).verdict for asked in FULL.questions())
    assert (first, set(rest)) == (DOES_NOT_HOLD, {HOLDS})


def test_claims_about_absent_methods_are_not_measured() -> None:
    alone = MicdExperiment(repetitions=2, methods=("decomposition",))
    results = made_up(as_in_the_paper, alone)
    found = [claim.judge(results).verdict for claim in alone.claims()]
    assert found.count(NOT_MEASURED) == 9
    assert len(alone.figures(results)) == 12
    assert not any("What " in said for said in alone.remarks(results))


def test_full_page_tells_all_series() -> None:
    written = page.texts(FULL, measured(made_up(as_in_the_paper)))
    text = written.files["README.md"]
    assert "quick" not in text
    assert f"| l | {' | '.join(s.shown for s in (PAPER | OURS).values())} |" in text
    assert text.count("![Figure") == 12
    draw_fullest(written)
