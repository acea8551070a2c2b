"""Large tables are sampled: how many rows, which ones, and that it is said."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import ParameterError
from shoal.judging.utility import utility
from shoal.judging.utility.label import SAMPLE, Label, sample_rows
from tests.judging.utility.test_utility import PLAN, SCHEMA, make, published


def label(values: npt.NDArray[np.int64], *, is_number: bool = False) -> Label:
    known = values >= 0
    return Label(is_number, known, values, known, values)


def test_a_million_rows_are_sampled() -> None:
    n = 1_000_000
    frame = make(n)
    began = time.process_time()
    scores = utility(frame, published(frame), SCHEMA, "ill", models=["naive-bayes"])
    assert time.process_time() - began < 60
    assert {(s.rows, s.rows_with_label, s.sampled) for s in scores} == {(SAMPLE, n, True)}
    assert next(s.mean for s in scores if s.model == "naive-bayes") > 0.85


def test_the_seed_draws_the_sample() -> None:
    frame = make(2000)
    call = {"models": ["naive-bayes"], "sample": 500}
    first = utility(frame, published(frame), SCHEMA, "ill", **call)
    assert first == utility(frame, published(frame), SCHEMA, "ill", **call)
    assert first != utility(frame, published(frame), SCHEMA, "ill", seed=1, **call)
    assert first[0].rows == 500


def test_smaller_tables_are_taken_whole() -> None:
    frame = make(200)
    call = {"models": ["naive-bayes"]}
    whole = utility(frame, published(frame), SCHEMA, "ill", **call)
    assert whole == utility(frame, published(frame), SCHEMA, "ill", sample=None, **call)
    assert (whole[0].rows, whole[0].rows_with_label, whole[0].sampled) == (200, 200, False)


def test_rare_classes_stay() -> None:
    values = np.zeros(10_000, dtype=np.int64)
    values[[7, 4000, 9999]] = 1
    values[:5] = -1
    chosen = sample_rows(label(values), None, 100, 3, seed=0)
    assert chosen.sum() == 100
    assert chosen[[7, 4000, 9999]].all()
    assert not chosen[:5].any()
    numbers = sample_rows(label(values, is_number=True), None, 100, 3, seed=0)
    assert numbers.sum() == 100


def test_people_come_with_all_their_rows() -> None:
    people = np.random.default_rng(0).integers(0, 400, 3000)
    values = np.random.default_rng(1).integers(0, 2, 3000)
    values[::50] = -1
    chosen = sample_rows(label(values), people, 500, 3, seed=0)
    labelled = values >= 0
    assert not (chosen & ~labelled).any()
    inside = np.unique(people[chosen])
    assert np.array_equal(chosen, labelled & np.isin(people, inside))
    assert 500 <= chosen.sum() < 530


def test_wrong_samples_are_refused() -> None:
    frame = make(200)
    for wrong in (0, 5, -1, 2.5, "all"):
        with pytest.raises(ParameterError, match="sample must be"):
            utility(frame, published(frame), SCHEMA, "ill", sample=wrong)  # type: ignore[arg-type]


def test_progress_begins_at_nothing() -> None:
    frame = make(200)
    told: list[tuple[int, int]] = []
    utility(
        frame,
        published(frame),
        SCHEMA,
        "ill",
        models=["naive-bayes"],
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(done, 6) for done in range(7)]


def test_the_command_says_that_it_sampled(tmp_path: Path) -> None:
    make().write_csv(tmp_path / "table.csv")
    (tmp_path / "plan.toml").write_text(PLAN)
    plan, folder = str(tmp_path / "plan.toml"), str(tmp_path / "release")
    assert CliRunner().invoke(app, ["run", plan]).exit_code == 0
    call = ["utility", folder, "--plan", plan, "--label", "ill", "--model", "naive-bayes"]
    some = CliRunner().invoke(app, [*call, "--sample", "100"])
    assert "A sample of 100 of 240 rows took part, drawn with seed 0" in " ".join(
        some.output.split()
    )
    for more in ([], ["--sample", "0"]):
        assert "sample" not in CliRunner().invoke(app, [*call, *more]).output
    told = CliRunner().invoke(app, [*call, "--sample", "100", "--json"])
    frame = pl.read_json(told.stdout.encode())
    assert frame["rows"].unique().to_list() == [100]
    assert frame["rows_with_label"].unique().to_list() == [240]
    bad = CliRunner().invoke(app, [*call, "--sample", "3"])
    assert bad.exit_code == 2
    assert shoal.errors.ParameterError.__name__ not in bad.output
