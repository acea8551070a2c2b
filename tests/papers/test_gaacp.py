"""The experiment of Jiang, Zeng and Ma (2017), GAA-CP, on a small sample."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shoal_papers as papers
from shoal import GAACP, KAnonymity, anonymize
from shoal.errors import ParameterError, VerificationError
from shoal.methods import METHODS
from shoal.publications.groups.grouping import Grouping
from shoal.table import NumericColumn
from shoal_papers import page
from shoal_papers.gaa_cp.experiment import QUASI, SERIES, GaaCpExperiment, _table
from tests.papers.small import draw_fullest, forget, made_up, measured, require_whole

SMALL = GaaCpExperiment(quick=True, rows=800, repetitions=2, methods=("gaa-cp",))


def test_quick_run_writes_everything(made: papers.Outcome) -> None:
    text = require_whole(made, (2, 3, 4, 5, 6, "A"))
    assert all(f"{found.verdict}**" in text for _, found in made.claims)
    assert all(claim.words.replace("|", "\\|") in text for claim, _ in made.claims)


@pytest.mark.parametrize("method", SERIES)
def test_losses_are_those_of_a_release(method: str) -> None:
    table = _table(800, 5)
    how = METHODS[method](seed=2)
    require = [KAnonymity(10)]
    release = anonymize(table.frame, table.schema, require=require, method=how, bounds="observed")
    full = GaaCpExperiment(rows=800)
    measured = full.measure({"method": method, "rows": 800, "quasi": 5, "k": 10, "seed": 2})
    assert measured["iloss"] == pytest.approx(release.measures["iloss"])
    assert measured["classes"] == release.grouping.n_groups
    if how.numbers == "intervals":
        assert measured["iloss"] == measured["iloss_age_interval"]
    else:
        assert measured["iloss"] > measured["iloss_age_interval"]


def test_the_same_seed_gives_the_same_losses(made: papers.Outcome, tmp_path: Path) -> None:
    again = papers.measure(SMALL, tmp_path / "again")
    kept = [*again.results.settings, "seed", "iloss", "classes"]
    assert again.results.runs.select(kept).equals(made.results.runs.select(kept))


def test_full_settings_are_those_of_the_issue() -> None:
    full = GaaCpExperiment()
    settings = set(full.settings())
    assert {(45_222, q, k) for q in range(2, 9) for k in (5, 10)} <= settings
    assert {(45_222, q, k) for q in (2, 5, 8) for k in full.ks} <= settings
    assert {(n, q, 8) for q in (3, 6) for n in (5_652, 11_305, 22_611, 45_222)} <= settings
    cells = full.cells()
    assert len(cells) == len({tuple(cell.values()) for cell in cells}) == 34 * 6 * 10
    assert {cell["seed"] for cell in cells} == set(range(1, 11))


def test_tables_are_nested_and_in_the_papers_order() -> None:
    small, large = _table(100, 8), _table(200, 8)
    assert [column.name for column in small.quasi] == list(QUASI)
    assert set(small.frame.rows()) <= set(large.frame.rows())
    assert [column.name for column in _table(100, 3).quasi] == list(QUASI[:3])


def test_age_is_a_number_with_a_tree() -> None:
    table = _table(100, 2)
    assert isinstance(table.quasi[0], NumericColumn)
    assert table.trees[0].hierarchy.height == 4


def test_absent_methods_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch, "kaca")
    with pytest.raises(ParameterError, match="needs the method 'kaca'"):
        papers.run(GaaCpExperiment(quick=True, rows=200), tmp_path / "run")


def test_groups_that_are_too_small_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def group(self: GAACP, table: Any, require: Any, **_: Any) -> Grouping:
        return Grouping(np.arange(table.n_rows, dtype=np.int32))

    monkeypatch.setattr(GAACP, "group", group)
    with pytest.raises(VerificationError, match="fewer than 5"):
        SMALL.prepare()


def test_full_page_tells_all_methods() -> None:
    full = GaaCpExperiment(repetitions=2)
    results = made_up(lambda c: c["quasi"] * c["k"], lambda c: c["rows"] * c["quasi"], full)
    written = page.texts(full, measured(results))
    text = written.files["README.md"]
    assert "quick" not in text
    assert "| \\|QI\\| | KACA | EBKC | GAA-CP |\n" in text
    assert "| \\|QI\\| | KACA | EBKC | GAA-CP | EBKC, δ on the mean |" in text
    assert text.count("![Figure") == 6
    draw_fullest(written)
    cells = written.files["numbers.csv"].splitlines()
    assert len(cells) == 1 + 34 * 6 * len(full.numbers)


def test_all_methods_are_measured_on_a_small_sample(tmp_path: Path) -> None:
    made = papers.run(GaaCpExperiment(quick=True, rows=400, repetitions=1), tmp_path / "run")
    assert all(found.verdict != "not measured" for _, found in made.claims)
