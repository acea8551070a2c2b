"""Dates, ages, ends and rounding: nothing exact leaves the house, and damage is found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
import shoal.table.preparing as preparing
from shoal.cli import app
from shoal.errors import VerificationError

N = 120
WRITTEN = "%d.%m.%Y"
AT = date(2026, 1, 1)


def people() -> pl.DataFrame:
    """Make people with days of birth of their own, none of them round, and incomes likewise."""
    rng = np.random.default_rng(3)
    days = [date(1930, 1, 1) + timedelta(int(each)) for each in rng.permutation(365 * 70)]
    round_ones = {1, 28, 29, 30, 31}
    births = [d for d in days if d.day not in round_ones and d.weekday() not in (0, 6)][: 2 * N]
    return pl.DataFrame(
        {
            "birth": [day.strftime(WRITTEN) for day in births[:N]],
            "born": [day.strftime(WRITTEN) for day in births[N:]],
            "pay": [str(10_000 + 137 * at + 1) for at in rng.permutation(N)],
            "ill": rng.choice(["flu", "cold", "gout"], N),
        }
    )


SCHEMA = shoal.Schema(
    {
        "birth": shoal.quasi(kind="date"),
        "born": shoal.quasi(age_at=AT, top=80, bottom=30),
        "pay": shoal.other(round_to=1000, top=24_000),
        "ill": shoal.sensitive(),
    }
)


def written(place: Path, **options: Any) -> Path:
    people().write_csv(place / "in.csv")
    plan = {"require": [shoal.KAnonymity(4)], "method": "mondrian", "seed": 5, **options}
    return shoal.anonymize(place / "in.csv", SCHEMA, **plan).write(place / "out")


@pytest.mark.parametrize("method", ["mondrian", "gaa-cp", "full-domain", "local-recoding"])
def test_nobody_s_day_and_income_is_in_a_public_file(method: str, tmp_path: Path) -> None:
    folder = written(tmp_path, method=method, suppression_limit=0.5)
    frame = people()
    public = "\n".join(file.read_text() for file in sorted(folder.iterdir()))
    for name in ("birth", "born"):
        for text in frame[name]:
            day, month, year = text.split(".")
            for other in (text, f"{year}-{month}-{day}"):
                assert other not in public
    table = (folder / "table.csv").read_text()
    for income in frame["pay"]:
        assert not re.search(rf"\b{income}\b", table)
    assert "%d" not in public  # how dates were written stays in the house


def test_public_facts_say_what_was_prepared(tmp_path: Path) -> None:
    folder = written(tmp_path)
    facts = json.loads((folder / "release.json").read_text())
    assert facts["kinds"] == {"birth": "date"}
    assert set(facts["prepared"]) == {"born", "pay"}
    assert facts["prepared"]["born"]["age_at"] == "2026-01-01"
    assert "80 means 80 and above" in facts["prepared"]["born"]["says"]
    report = (folder / "report.html").read_text()
    for told in ("80 means 80 and above", "30 means 30 and below"):
        assert told in report
    assert "rounded to the nearest multiple of 1000" in report
    assert "begin and end with whole weeks, months or years" in report


def failed(place: Path, *more: str) -> set[str]:
    """Verify as a steward does, and say which checks failed but that of the file's bytes."""
    asked = ["verify", str(place / "out"), "--original", str(place / "in.csv"), "--json", *more]
    answer = json.loads(CliRunner().invoke(app, asked).stdout)
    wrong = {each["check"] for each in answer["findings"] if not each["passed"]}
    return {check for check in wrong if not check.startswith("file")}


def later(cell: str) -> str:
    """Move a range of years a hundred years on."""
    return re.sub(r"\b(19|20)(\d\d)\b", lambda found: f"{int(found[1]) + 1}{found[2]}", cell)


def older(cell: str) -> str:
    """Add a hundred to each number of a cell."""
    return re.sub(r"\d+", lambda found: str(int(found[0]) + 100), cell)


DAMAGE: dict[str, tuple[str, Callable[[str], str], str]] = {
    "another date": ("birth", later, "cells cover their originals"),
    "a date as a number": ("birth", lambda _: "[1900, 2020]", "cells cover their originals"),
    "a wrong age": ("born", older, "cells cover their originals"),
    "an unrounded value": ("pay", lambda cell: str(int(cell) + 1), "values of 'pay'"),
    "a value above the top": ("pay", lambda cell: str(int(cell) + 24_000), "values of 'pay'"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_found_in_the_written_files(kind: str, tmp_path: Path) -> None:
    column, change, check = DAMAGE[kind]
    file = written(tmp_path) / "table.csv"
    assert not failed(tmp_path)
    frame = pl.read_csv(file, infer_schema=False)
    cells = frame[column].to_list()
    at = next(row for row, cell in enumerate(cells) if cell != "*" and change(cell) != cell)
    same = [row for row, cell in enumerate(cells) if cell == cells[at]]
    for row in same:  # the whole class, so that its size stays
        cells[row] = change(cells[row])
    frame.with_columns(pl.Series(column, cells)).write_csv(file)
    assert check in failed(tmp_path)


@pytest.mark.parametrize(
    ("broken", "wrong"),
    [
        ("rounded", lambda numbers, _: numbers),
        ("cut_off", lambda numbers, _bottom, _top: numbers),
        ("ages", lambda births, day: ages(births, day) + 1),
        (
            "to_dates",
            lambda values, mask, written: to_dates(values, mask, "%d.%m.%Y").dt.offset_by("1y"),
        ),
    ],
)
def test_a_preparation_that_goes_wrong_is_not_published(
    broken: str, wrong: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = SCHEMA.without(["born"]) if broken == "to_dates" else SCHEMA
    frame = people().select(list(schema))
    monkeypatch.setattr(preparing, broken, wrong)
    with pytest.raises(VerificationError, match="does not verify"):
        shoal.anonymize(frame, schema, require=4, method="mondrian", bounds="observed")


ages, to_dates = preparing.ages, preparing.to_dates


def test_ends_that_move_inward_are_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    import shoal.publications.recoding.rounding as rounding

    outward = rounding.calendar_outward

    def inward(least: Any, largest: Any, step: Any) -> Any:
        low, high = outward(least, largest, step)
        return np.minimum(low + 400, high), high

    monkeypatch.setattr(rounding, "calendar_outward", inward)
    with pytest.raises(VerificationError, match="cells cover their originals"):
        shoal.anonymize(people(), SCHEMA, require=4, method="mondrian")


def test_the_private_plan_repeats_the_release(tmp_path: Path) -> None:
    folder = written(tmp_path)
    text = (tmp_path / "out.private" / "plan.toml").read_text()
    assert 'format = "%d.%m.%Y"' in text
    again = CliRunner().invoke(
        app, ["run", str(tmp_path / "out.private" / "plan.toml"), "--output", str(tmp_path / "two")]
    )
    assert again.exit_code == 0, again.output
    assert (tmp_path / "two" / "table.csv").read_bytes() == (folder / "table.csv").read_bytes()
    plans = [shoal.Plan.read(tmp_path / f"{name}.private" / "plan.toml") for name in ("out", "two")]
    assert plans[0].columns == plans[1].columns


def test_a_release_opened_beside_its_original_is_measured_alike(tmp_path: Path) -> None:
    frame = people()
    made = shoal.anonymize(frame, SCHEMA, require=4, method="mondrian")
    opened = shoal.open_release(made.write(tmp_path / "out"))
    assert opened.verify(original=frame).passed
    both = shoal.measures.pair(frame, opened.published, opened.schema, rows=opened.rows)
    for name in ("iloss_rate", "loss", "marginal_distance"):
        measure = shoal.measures.MEASURES[name]
        assert measure.of(both) == pytest.approx(made.measures[name])
    where = {"birth": ("1955-01-01", "1964-12-31"), "born": (60, 70)}
    assert opened.query(where) == pytest.approx(made.query(where))
    everyone = {"birth": ("1900", "2030")}
    assert made.query(everyone) == pytest.approx(N)
    assert shoal.query.true_count(frame, SCHEMA, everyone) == N
