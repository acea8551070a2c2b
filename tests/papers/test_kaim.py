"""The experiment of Gong, Yang and Luo (2013), KAIM, on a small sample."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal import KAIM, KAnonymity, anonymize, papers
from shoal.errors import ParameterError, VerificationError
from shoal.grouping import Grouping
from shoal.papers import Results, page
from shoal.papers.kaim.experiment import FAR, QUASI, SERIES, KaimExperiment, _table
from shoal.papers.verdicts import DOES_NOT_HOLD, HOLDS, HOLDS_EXCEPT, NOT_MEASURED
from tests.papers.small import forget, measured

N = 48_842
SMALL = KaimExperiment(quick=True, rows=600, repetitions=1, many=3)
Formula = Callable[[Mapping[str, Any]], float]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> papers.Outcome:
    return papers.run(SMALL, tmp_path_factory.mktemp("paper") / "run")


def test_quick_run_writes_everything(made: papers.Outcome) -> None:
    names = {path.name for path in made.folder.iterdir()}
    figures = {f"figure-{number}.svg" for number in ("4", "5", "6", "7a", "7b", "8")}
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
    assert "The paper's comparison: KAIM ÷ k-member (rows dropped) is" in text


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
    kept = runs.filter(pl.col("method") != "k-member-drop")
    assert set(kept["suppression"]) == {0.0}
    assert runs["iloss_rate_interval"].le(runs["iloss_rate"] + 1e-12).all()


def test_the_same_seed_gives_the_same_losses(made: papers.Outcome, tmp_path: Path) -> None:
    again = papers.measure(SMALL, tmp_path / "again")
    kept = [name for name in again.results.runs.columns if name != "cpu_seconds"]
    assert again.results.runs.select(kept).equals(made.results.runs.select(kept))


@pytest.mark.parametrize("name", list(SERIES))
@pytest.mark.parametrize("rate", [0, 10])
def test_losses_are_those_of_a_release(name: str, rate: int) -> None:
    series, table = SERIES[name], _table(600, 8, rate, 2)
    release = anonymize(
        table.frame,
        table.schema,
        require=[KAnonymity(5)],
        method=series.build(2),
        missing=series.missing,
        suppression_limit=1.0,
        bounds="observed",
    )
    cell = {"rows": 600, "vmr_target": rate, "quasi": 8, "k": 5, "seed": 2}
    measured = SMALL.measure({"method": name, **cell})
    assert measured["iloss_rate"] == pytest.approx(release.measures["iloss_rate"])
    assert measured["suppression"] == release.grouping.n_suppressed / 600
    assert measured["classes"] == release.grouping.n_groups
    assert measured["vmr"] == pytest.approx(table.missing.mean())


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
    assert len(full.grid.sizes) == 10
    assert {(n, 0, 8, k) for n in full.grid.sizes for k in (2, 5, 10)} <= settings
    cells = full.cells()
    assert len(cells) == len({tuple(cell.values()) for cell in cells})
    assert len(cells) == len(settings) * 5 * 5 + 9 * 15 * 2
    assert {c["seed"] for c in cells if c["method"] == "kaim"} == set(range(1, 21))
    assert {c["seed"] for c in cells if c["method"] == "k-member"} == set(range(1, 6))


def test_tables_are_the_papers() -> None:
    table = _table(N, 8, 0, 1)
    assert [column.name for column in table.quasi] == list(QUASI)
    assert table.missing.mean() == pytest.approx(0.016546, abs=5e-7)
    assert table.missing.any(axis=1).sum() == 3620
    assert not _table(N, 5, 0, 1).missing.any()
    more = _table(N, 8, 20, 1)
    assert more.missing.sum() == round(0.2 * more.missing.size)
    assert (more.missing >= table.missing).all()


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
        drops = cell["method"] == "k-member-drop"
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


def sentences(results: Results, experiment: KaimExperiment) -> dict[tuple[str, str], str]:
    judged = ((c, c.judge(results)) for c in experiment.claims())
    return {(claim.where, claim.words): found.sentence for claim, found in judged}


FULL = KaimExperiment(repetitions=2, many=3)


def test_all_claims_hold_where_numbers_are_the_papers() -> None:
    found = sentences(made_up(as_in_the_paper, FULL), FULL)
    assert len(found) == 24
    assert set(found.values()) == {HOLDS}


def test_no_claim_holds_where_numbers_are_the_opposite() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        return (2 if cell["seed"] == 1 else 1) / as_in_the_paper(cell) ** 3

    found = sentences(made_up(loss, FULL), FULL)
    held = {words for (_, words), said in found.items() if said == HOLDS}
    # The made-up share of dropped rows stays; a loss that falls is no slow rise, nor a sharp one.
    assert held <= {
        "As the missing rate grows further, k-member loses everything.",
        "As the missing rate grows, the generalization part of k-member's loss falls.",
    }


def test_falling_fast_is_not_falling_slowly() -> None:
    """Every step falls, but no line keeps half of its loss: the second part decides."""

    def loss(cell: Mapping[str, Any]) -> float:
        return as_in_the_paper(cell) * (N / cell["rows"]) ** 0.4

    results = made_up(loss, FULL)
    falling = [claim.judge(results) for claim in FULL.claims() if "falls slowly" in claim.words]
    assert {found.verdict for found in falling} == {DOES_NOT_HOLD}
    assert "step by step: 27 of 27; KAIM slowly: 0 of 3" in falling[0].measured


def test_readings_are_judged_apart() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        return as_in_the_paper(cell) * (9 if cell["method"] == "kaim-equation-9" else 1)

    found = sentences(made_up(loss, FULL), FULL)
    words = "KAIM's loss is about 43.8 % of k-member's."
    assert found["abstract, figure 7(b); entropy change", words] == HOLDS
    assert found["abstract, figure 7(b); equation 9", words] == DOES_NOT_HOLD


def test_exceptions_name_their_place() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        odd = cell["method"] == "kaim" and (cell["rows"], cell["k"]) == (4_884, 10)
        odd |= cell["method"] == "kaim" and cell["vmr_target"] == 30
        return as_in_the_paper(cell) * (30 if odd else 1)

    found = sentences(made_up(loss, FULL), FULL)
    said = found[
        "figures 4–7; entropy change",
        "Under the same conditions, KAIM always loses less than k-member.",
    ]
    assert said == (
        f"{HOLDS_EXCEPT}: KAIM < k-member at n = 4,884, |QI| = 8, k = 10; "
        "VMR = 30 %, |QI| = 8, k = 5"
    )


def test_claims_about_absent_methods_are_not_measured() -> None:
    alone = KaimExperiment(repetitions=2, many=3, methods=("kaim",))
    results = made_up(as_in_the_paper, alone)
    found = {claim.words: claim.judge(results).verdict for claim in alone.claims()}
    unknown = [words for words, verdict in found.items() if verdict == NOT_MEASURED]
    assert all("k-member" in words or "43.8" in words for words in unknown)
    assert len(unknown) == 9
    assert [figure.name for figure in alone.figures(results)] == [
        "figure-4",
        "figure-5",
        "figure-6",
        "figure-7b",
        "figure-8",
    ]


def test_full_page_tells_all_series(tmp_path: Path) -> None:
    results = made_up(as_in_the_paper, FULL)
    page.write(FULL, measured(results), tmp_path)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "quick" not in text
    assert f"| k | {' | '.join(series.shown for series in SERIES.values())} |" in text
    assert "is 0.438 at 1.65 %" in text
    assert text.count("![Figure") == 6
