"""What people write by their own lights: a path for a frame, None for "not", a proposal for a plan,
a file for a folder."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import OutputError, ParameterError

ROLES = {"age": {"role": "quasi", "kind": "numeric"}, "sex": "quasi", "ill": "sensitive"}


def people(rows: int = 60) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [20 + 7 * i % 50 for i in range(rows)],
            "sex": ["f" if i % 3 else "m" for i in range(rows)],
            "ill": ["flu" if i % 2 else "cold" for i in range(rows)],
        }
    )


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_original_may_be_named_by_its_path(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"people.{ending}"
    getattr(people(), f"write_{ending}")(file)
    opened = shoal.open_release(shoal.anonymize(file, ROLES, require=3).write(tmp_path / "out"))
    for original in (file, str(file)):
        found = opened.verify(original=original)
        assert found.passed, found
    other = tmp_path / f"other.{ending}"
    getattr(people().with_columns(pl.col("ill").reverse()), f"write_{ending}")(other)
    assert not opened.verify(original=other).passed


def test_a_population_may_be_named_by_its_path(tmp_path: Path) -> None:
    everybody = tmp_path / "everybody.csv"
    pl.concat([people(), people(120)]).write_csv(everybody)
    release = shoal.anonymize(
        people(), ROLES, require=shoal.KMap(5), method="datafly", population=everybody
    )
    opened = shoal.open_release(release.write(tmp_path / "out"))
    assert opened.verify(population=everybody).passed
    assert opened.verify(population=str(everybody)).passed


def test_none_switches_the_bound_off() -> None:
    usual = shoal.anonymize(people(), ROLES, require=3, seed=1)
    assert usual.bound is not None
    assert shoal.anonymize(people(), ROLES, require=3, seed=1, bound="auto").bound is not None
    without = shoal.anonymize(people(), ROLES, require=3, seed=1, bound=None)
    assert without.bound is None
    assert shoal.anonymize(people(), without.plan).bound is None  # the plan says it, too
    with pytest.raises(ParameterError, match="plan already says"):
        shoal.anonymize(people(), without.plan, bound=None)


def test_a_proposal_stands_where_its_plan_can() -> None:
    proposal = shoal.propose(people(), quasi=["age", "sex"], sensitive=["ill"], k=3)
    release = shoal.anonymize(people(), proposal)
    assert release.verification.passed
    assert release.verification.achieved["k"] >= 3
    with pytest.raises(ParameterError, match="plan already says"):
        shoal.anonymize(people(), proposal, k=3)


@pytest.mark.parametrize("name", ["out.xlsx", "out.csv", "out.parquet", "out.CSV.gz"])
def test_a_release_is_a_folder_and_no_file(tmp_path: Path, name: str) -> None:
    people().write_csv(tmp_path / "people.csv")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[input]\npath = "people.csv"\n[[require]]\nmodel = "k-anonymity"\nk = 3\n'
        '[columns]\nage = {role = "quasi", kind = "numeric"}\nsex = {role = "quasi"}\n'
        'ill = {role = "sensitive"}\n'
    )
    place = tmp_path / name
    commands = [
        ["run", str(plan), "-o", str(place)],
        ["demo", "--folder", str(place)],
        ["compare", str(plan), "-o", str(place)],
        ["plan", str(tmp_path / "people.csv"), "-o", str(place)],
        ["paper", "kaim", "--quick", "-o", str(place)],
    ]
    for command in commands:
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 2, command
        assert "is the name of a table file" in result.stderr
        assert not place.exists()
    with pytest.raises(OutputError, match="A release is a folder"):
        shoal.anonymize(people(), ROLES, require=3).write(place)


def test_the_refusal_says_how_to_get_such_a_file(tmp_path: Path) -> None:
    with pytest.raises(
        OutputError, match=r'Name a folder, such as "out", and write format = "xlsx"'
    ):
        shoal.anonymize(people(), ROLES, require=3).write(tmp_path / "out.xlsx")


def test_a_hierarchy_is_written_as_csv_alone(tmp_path: Path) -> None:
    people().write_csv(tmp_path / "people.csv")
    start = ["hierarchy", "build", str(tmp_path / "people.csv"), "sex", "--builder", "flat"]
    result = CliRunner().invoke(app, [*start, "-o", str(tmp_path / "sex.xlsx")])
    assert result.exit_code == 2
    assert "A hierarchy is a CSV file" in result.stderr
