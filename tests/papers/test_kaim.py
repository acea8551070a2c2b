"""The experiment of Gong, Yang and Luo (2013), KAIM, on a small sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal_papers as papers
from shoal import KAIM, KAnonymity, anonymize
from shoal.errors import ParameterError, VerificationError
from shoal.publications.groups.grouping import Grouping
from shoal_papers import Results, page
from shoal_papers.kaim.experiment import FAR, KaimExperiment
from shoal_papers.kaim.series import DRAWN, QUASI, SERIES, table_of
from shoal_papers.readings import judge_readings, turned
from shoal_papers.verdicts import DOES_NOT_HOLD, HOLDS, HOLDS_EXCEPT, NOT_MEASURED, number
from tests.docs.site import DOCS
from tests.papers.small import draw_fullest, forget, measured, require_whole

N = 48_842
SMALL = KaimExperiment(quick=True, rows=600, repetitions=1, many=3)
Formula = Callable[[Mapping[str, Any]], float]


def test_quick_run_writes_everything(made: papers.Outcome) -> None:
    text = require_whole(made, ("4", "5", "6", "7a", "7b", "8"))
    assert all(found.verdict != NOT_MEASURED for _, found in made.claims)
    assert "The paper's comparison: KAIM ÷ k-member (rows deleted) is" in text
    assert text.count("(default)") == len(SMALL.readings())


def test_the_own_missing_rate_stands_on_the_axis(made: papers.Outcome) -> None:
    own = made.results.of("vmr", method="kaim", quasi=8, k=5, rows=600, vmr_target=0)["mean"].item()
    shown = f"{round(100 * own, 2):g}"
    assert f">{shown}<" in (made.folder / "figure-7b.svg").read_text()
    assert f"| {shown} | " in made.page.read_text(encoding="utf-8")


def test_the_parts_make_up_the_loss(made: papers.Outcome) -> None:
    runs = made.results.runs
    whole = runs["generalization"] + runs["suppression"]
    assert np.allclose(whole.to_numpy(), runs["iloss_rate"].to_numpy())
    assert runs["iloss_rate"].is_between(0, 1).all()
    assert (runs["generalization"] >= -1e-12).all()
    kept = runs.filter(~pl.col("method").str.starts_with("k-member-drop"))
    assert set(kept["suppression"]) == {0.0}
    assert runs["iloss_rate_interval"].le(runs["iloss_rate"] + 1e-12).all()


def test_the_same_seed_gives_the_same_losses(made: papers.Outcome, tmp_path: Path) -> None:
    again = papers.measure(SMALL, tmp_path / "again")
    kept = [name for name in again.results.runs.columns if name != "cpu_seconds"]
    assert again.results.runs.select(kept).equals(made.results.runs.select(kept))


@pytest.mark.parametrize("name", [name for name in SERIES if SERIES[name].settings != "pairs"])
@pytest.mark.parametrize("rate", [0, 10])
def test_losses_are_those_of_a_release(name: str, rate: int) -> None:
    series = SERIES[name]
    table = table_of(600, QUASI, rate, 2, series.trees)
    release = anonymize(
        table.frame,
        table.schema,
        require=[KAnonymity(5)],
        method=series.build(2),
        missing="keep" if series.deleted == "none" else "drop",
        suppression_limit=1.0,
        bounds="observed",
    )
    cell = {"rows": 600, "vmr_target": rate, "quasi": 8, "k": 5, "seed": 2}
    measured = SMALL.measure({"method": name, **cell})
    assert measured["iloss_rate"] == pytest.approx(release.measures["iloss_rate"])
    assert measured["suppression"] == release.grouping.n_suppressed / 600
    assert measured["classes"] == release.grouping.n_groups
    assert measured["vmr"] == pytest.approx(table.missing.mean())


def test_rows_are_deleted_by_all_columns_or_by_those_in_use() -> None:
    cell = {"rows": 600, "vmr_target": 0, "quasi": 5, "k": 5, "seed": 1}
    every = table_of(600, QUASI, 0, 0).missing.any(axis=1).mean()
    lost = {
        name: SMALL.measure({"method": name, **cell})["suppression"]
        for name in ("k-member-drop", "k-member-drop-used", "k-member")
    }
    assert lost == {"k-member-drop": every, "k-member-drop-used": 0, "k-member": 0}


def test_trees_of_age() -> None:
    found = {
        trees: [tree.hierarchy for tree in table_of(600, QUASI, 0, 0, trees).trees]
        for trees in ("bundled", "decades", "flat")
    }
    assert {trees: tree[0].height for trees, tree in found.items()} == {
        "bundled": 4,
        "decades": 2,
        "flat": 4,
    }
    assert "[20, 30)" in found["decades"][0].labels
    assert {tree.height for tree in found["flat"][1:]} == {1}
    assert [tree.height for tree in found["decades"][1:]] == [
        tree.height for tree in found["bundled"][1:]
    ]


def test_the_dearest_pair_loses_at_least_what_the_first_does() -> None:
    cell = {"rows": 600, "vmr_target": 0, "quasi": 2, "k": 5, "seed": 1}
    costliest = SMALL.measure({"method": "k-member-drop-pairs", **cell})
    first = SMALL.measure({"method": "k-member-drop", **cell})
    assert costliest["iloss_rate"] > first["iloss_rate"]
    assert costliest["suppression"] == first["suppression"]


def test_dropping_may_leave_nothing() -> None:
    cell = {"rows": 600, "vmr_target": FAR, "quasi": 8, "k": 5, "seed": 1}
    measured = SMALL.measure({"method": "k-member-drop", **cell})
    assert (measured["iloss_rate"], measured["suppression"], measured["classes"]) == (1, 1, 0)
    assert measured["generalization"] == 0


def test_full_settings_are_those_of_the_paper() -> None:
    full = KaimExperiment()
    settings = set(full.settings())
    assert {(N, 0, q, k) for q in (2, 5, 8) for k in (2, 5, 10, 25, 50)} <= settings
    assert {(N, 0, q, k) for q in range(2, 9) for k in (2, 5, 10)} <= settings
    assert {(N, rate, 8, 5) for rate in (0, 5, 10, 15, 20, 30, FAR)} <= settings
    assert full.judged.values["rows"] == (*range(5_000, 50_000, 5_000), N)
    assert {(n, 0, 8, k) for n in full.judged.values["rows"] for k in (2, 5, 10)} <= settings
    assert len(settings) == 60  # 59 without the far rate
    cells = full.cells()
    assert len(cells) == len({tuple(cell.values()) for cell in cells})
    assert len(cells) == 5 * (60 * 6 + 22 + 3 * 6 + 2 * 1 + 3) + 9 * 15 * 2
    assert {c["seed"] for c in cells if c["method"] == "kaim"} == set(range(1, 21))
    assert {c["seed"] for c in cells if c["method"] == "k-member"} == set(range(1, 6))


def test_tables_are_the_papers() -> None:
    table = table_of(N, QUASI, 0, 1)
    assert [column.name for column in table.quasi] == list(QUASI)
    assert table.missing.mean() == pytest.approx(0.016546, abs=5e-7)
    assert table.missing.any(axis=1).sum() == 3620
    assert not table_of(N, QUASI[:5], 0, 1).missing.any()
    more = table_of(N, QUASI, 20, 1)
    assert more.missing.sum() == round(0.2 * more.missing.size)
    assert (more.missing >= table.missing).all()
    sizes = {column.name: len(np.unique(column.codes)) for column in table.quasi}
    assert (sizes["age"], sizes["occupation"]) == (74, 14 + 1)  # and what is missing


def test_absent_methods_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch, "kaim")
    with pytest.raises(ParameterError, match="needs the method 'kaim'"):
        papers.run(SMALL, tmp_path / "run")


def test_groups_that_are_too_small_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def group(self: KAIM, table: Any, require: Any, **_: Any) -> Grouping:
        return Grouping(np.arange(table.n_rows, dtype=np.int32))

    monkeypatch.setattr(KAIM, "group", group)
    with pytest.raises(VerificationError, match="fewer than 5"):
        SMALL.prepare()


def made_up(loss: Formula, experiment: KaimExperiment) -> Results:
    """Fill every cell from a formula; k-member drops what a rate makes incomplete."""
    rows = []
    for cell in experiment.cells():
        rate = cell["vmr_target"] or 1.65
        drops = cell["method"].startswith("k-member-drop")
        dropped = 1.0 if rate == FAR else float(rate) / 40
        numbers = {
            "iloss_rate": loss(cell),
            "generalization": loss(cell) / float(rate),
            "suppression": dropped if drops else 0.0,
            "iloss_rate_interval": loss(cell),
            "vmr": float(rate) / 100,
            "classes": 1.0,
            "cpu_seconds": 1.0,
        }
        rows.append({**cell, **numbers})
    return Results(pl.DataFrame(rows), experiment.numbers)


def as_in_the_paper(cell: Mapping[str, Any]) -> float:
    n, q, k = cell["rows"], cell["quasi"], cell["k"]
    rate = cell["vmr_target"] or 1.65
    if cell["method"].startswith("kaim"):
        return (
            0.438 * 0.1 * (q / 8) ** 0.1 * k**0.1 / 5**0.1 * (N / n) ** 0.1 * (rate / 1.65) ** 0.1
        )
    return 0.1 * (8 / q) ** 0.1 * (k / 5) ** 0.1 * (N / n) ** 0.1 * (rate / 1.65) ** 0.7


def sentences(results: Results, experiment: KaimExperiment) -> dict[str, str]:
    return {claim.words: claim.judge(results).sentence for claim in experiment.claims()}


def elsewhere(results: Results, words: str) -> dict[str, str]:
    """The verdicts of readings that differ from the default's."""
    claims = FULL.claims()
    at = next(i for i, claim in enumerate(claims) if words in claim.words)
    read = judge_readings(FULL.readings(), claims, results)
    return {name: verdict for each in read for name, verdict in turned(each, at).items()}


FULL = KaimExperiment(repetitions=2, many=3)


def test_all_claims_hold_where_numbers_are_the_papers() -> None:
    found = sentences(made_up(as_in_the_paper, FULL), FULL)
    assert len(found) == 15
    assert set(found.values()) == {HOLDS}


def test_no_claim_holds_where_numbers_are_the_opposite() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        return (2 if cell["seed"] == 1 else 1) / as_in_the_paper(cell) ** 3

    found = sentences(made_up(loss, FULL), FULL)
    held = {words for words, said in found.items() if said == HOLDS}
    # The made-up share of dropped rows stays; a loss that falls is no slow rise, nor a sharp one.
    assert held <= {
        "As the missing rate grows further, k-member loses everything.",
        "As the missing rate grows, the generalization part of k-member's loss falls.",
    }


def test_falling_fast_is_not_falling_slowly() -> None:
    """Every step falls, but by more than half of what the panel shows: the second part decides."""

    def loss(cell: Mapping[str, Any]) -> float:
        level = 0.2 if cell["method"].startswith("kaim") else 0.1
        return level * (N / cell["rows"]) ** 0.4

    results = made_up(loss, FULL)
    fallen = [claim.judge(results) for claim in FULL.claims() if "falls slowly" in claim.words]
    assert [found.verdict for found in fallen] == [DOES_NOT_HOLD, HOLDS]
    assert "step by step: 27 of 27; KAIM slowly: 0 of 3" in fallen[0].measured


def test_both_falls_are_judged_on_the_scale_of_the_panel() -> None:
    """A low line that loses most of itself falls slowly beside a high one; not by its own start."""

    def loss(cell: Mapping[str, Any]) -> float:
        fall = (N / cell["rows"]) ** 0.4
        return 0.02 * fall if cell["method"].startswith("kaim") else 0.3 * fall**0.2

    results = made_up(loss, FULL)
    fallen = [claim.judge(results) for claim in FULL.claims() if "falls slowly" in claim.words]
    assert [found.verdict for found in fallen] == [HOLDS, HOLDS]
    assert elsewhere(results, "KAIM's loss falls slowly") == {
        "slowly, by where the loss began": DOES_NOT_HOLD
    }


@pytest.mark.parametrize(
    ("series", "reading"),
    [
        (("kaim-equation-9",), "equation 9 as printed"),
        (("k-member-drop-interval",), "k-member by least intervals"),
        (("kaim-decades",), "Age by decades"),
    ],
)
def test_readings_show_their_own_runs(series: tuple[str, ...], reading: str) -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        return as_in_the_paper(cell) * (9 if cell["method"] in series else 1)

    results = made_up(loss, FULL)
    assert sentences(results, FULL)["KAIM's loss is about 43.8 % of k-member's."] == HOLDS
    assert elsewhere(results, "43.8 % of") == {reading: DOES_NOT_HOLD}


def test_decades_are_judged_where_they_were_measured() -> None:
    results = made_up(as_in_the_paper, FULL)
    [read] = [
        each
        for each in judge_readings(FULL.readings(), FULL.claims(), results)
        if "tree of Age?" in each.point.question
    ]
    verdicts = [found.verdict for found in read.findings[1]]
    assert verdicts.count(NOT_MEASURED) == 9
    assert set(verdicts) == {HOLDS, NOT_MEASURED}


def test_deleting_by_the_columns_in_use_changes_narrow_tables_alone() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        return as_in_the_paper(cell) / (99 if cell["method"] == "k-member-drop-used" else 1)

    results = made_up(loss, FULL)
    assert elsewhere(results, "always") == {
        "rows that miss one of the first |QI| columns": DOES_NOT_HOLD
    }
    assert elsewhere(results, "43.8 % of") == {}


def test_a_rise_is_slow_beside_a_sharp_one() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        """KAIM's loss doubles: not slowly, but for a tenth of k-member's rise."""
        rate = cell["vmr_target"] or 1.65
        twice = 1 + (rate - 1.65) / 28.35 if cell["method"] == "kaim" else 1
        return as_in_the_paper(cell) * twice * (0.5 if cell["method"] == "kaim" else 1)

    results = made_up(loss, FULL)
    assert sentences(results, FULL)["KAIM's loss rises slowly with the missing rate."] == HOLDS
    assert elsewhere(results, "rises slowly") == {"slowly, by where the loss began": DOES_NOT_HOLD}


def test_repetitions_are_stable_on_the_scale_of_a_panel() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        """At |QI| = 2 repetitions spread widely, over little of what |QI| = 8 loses."""
        if cell["method"] != "kaim" or cell["quasi"] != 2:
            return as_in_the_paper(cell)
        return as_in_the_paper(cell) * (0.01 + 0.002 * cell["seed"])

    results = made_up(loss, FULL)
    assert sentences(results, FULL)["Over 20 repetitions KAIM's results are rather stable."] == (
        HOLDS
    )
    assert elsewhere(results, "stable") == {
        "a panel for each |QI|": DOES_NOT_HOLD,
        "each setting by its own mean": DOES_NOT_HOLD,
    }


def test_exceptions_name_their_place() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        odd = cell["method"] == "kaim" and (cell["rows"], cell["k"]) == (5_000, 10)
        odd |= cell["method"] == "kaim" and cell["vmr_target"] == 30
        return as_in_the_paper(cell) * (30 if odd else 1)

    found = sentences(made_up(loss, FULL), FULL)
    said = found["Under the same conditions, KAIM always loses less than k-member."]
    assert said == (
        f"{HOLDS_EXCEPT}: KAIM < k-member at n = 5,000, |QI| = 8, k = 10; "
        "VMR = 30 %, |QI| = 8, k = 5"
    )


def test_claims_about_absent_methods_are_not_measured() -> None:
    alone = KaimExperiment(repetitions=2, many=3, methods=("kaim",))
    results = made_up(as_in_the_paper, alone)
    found = {claim.words: claim.judge(results).verdict for claim in alone.claims()}
    unknown = [words for words, verdict in found.items() if verdict == NOT_MEASURED]
    beside = ("k-member", "43.8", "The suppression part", "rises slowly")
    assert all(any(part in words for part in beside) for words in unknown)
    assert len(unknown) == 10
    assert [figure.name for figure in alone.figures(results)] == [
        "figure-4",
        "figure-5",
        "figure-6",
        "figure-7b",
        "figure-8",
    ]


def test_full_page_tells_all_series() -> None:
    results = made_up(as_in_the_paper, FULL)
    written = page.texts(FULL, measured(results))
    text = written.files["README.md"]
    assert "quick" not in text
    assert f"| k | {' | '.join(SERIES[name].shown for name in DRAWN)} |" in text
    assert "is 0.438 at 1.65 %" in text
    assert text.count("![Figure") == 6
    draw_fullest(written)


def test_the_figures_of_the_proof_are_those_of_the_committed_run() -> None:
    full = KaimExperiment()
    runs = papers.recall(full, DOCS / "papers" / full.name).results
    [claim] = [each for each in full.claims() if each.why_not]
    for method, quasi in (("k-member-drop-pairs", 2), ("k-member-drop", 8)):
        at = {"method": method, "quasi": quasi, "rows": N, "vmr_target": 0}
        means = [runs.of("iloss_rate", k=k, **at)["mean"].item() for k in (2, 5, 10)]
        two, five, ten = map(number, means)
        assert f"{two}, {five} and {ten}" in claim.why_not.replace(" at k = 2, 5 and 10", "")
