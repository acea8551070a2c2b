"""Files as they come, on the command line: every format, standard input and output."""

from __future__ import annotations

import io as streams
import random
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest
from typer.testing import CliRunner, Result

import shoal
from shoal.cli import app
from shoal.io.excel_writing import write_excel

random.seed(5)
PEOPLE = pl.DataFrame(
    {
        "name": [f"Person {n}" for n in range(60)],
        "age": [random.randint(20, 60) for _ in range(60)],
        "zip": [random.choice(["01067", "01069", "04109"]) for _ in range(60)],
        "disease": [random.choice(["flu", "HIV", "ülcer"]) for _ in range(60)],
    }
)


def call(*words: object, data: bytes | None = None) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], input=data)


def write(path: Path) -> Path:
    by_suffix: dict[str, Any] = {
        ".csv": PEOPLE.write_csv,
        ".parquet": PEOPLE.write_parquet,
        ".xlsx": lambda file: write_excel(PEOPLE, file),
        ".sav": lambda file: pyreadstat.write_sav(PEOPLE, str(file)),
        ".dta": lambda file: pyreadstat.write_dta(PEOPLE, str(file)),
        ".xpt": lambda file: pyreadstat.write_xport(PEOPLE, str(file)),
    }
    by_suffix[path.suffix](path)
    return path


@pytest.mark.parametrize("suffix", [".xlsx", ".sav", ".dta", ".xpt"])
def test_from_a_file_to_a_verified_release(suffix: str, tmp_path: Path) -> None:
    table, plan = write(tmp_path / f"people{suffix}"), tmp_path / "plan.toml"
    assert call("plan", table, "--output", plan).exit_code == 0
    loaded = shoal.Plan.read(plan)
    roles = {name: column.role.value for name, column in loaded.columns.items()}
    assert roles == {"name": "identifier", "age": "quasi", "zip": "quasi", "disease": "sensitive"}
    assert loaded.columns["zip"].kind == "categorical"
    tables = []
    for name in ("one", "two"):
        said = ("--set", "output.format=xlsx", "--set", "publication.seed=4")
        made = call("run", plan, "--output", tmp_path / name, *said)
        assert made.exit_code == 0, made.output
        tables.append((tmp_path / name / "table.xlsx").read_bytes())
    assert tables[0] == tables[1]
    assert call("verify", tmp_path / "one").exit_code == 0
    assert call("verify", tmp_path / "one", "--original", table).exit_code == 0
    published = shoal.open_release(tmp_path / "one").table
    assert set(published["disease"]) == set(PEOPLE["disease"])
    assert all(cell.startswith("0") or cell == "*" for cell in published["zip"])


def test_a_sheet_can_be_named(tmp_path: Path) -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(tmp_path / "x.xlsx") as book:
        for name in ("2024", "2025"):
            sheet = book.add_worksheet(name)
            for row, line in enumerate([PEOPLE.columns, *PEOPLE.rows()]):
                sheet.write_row(row, 0, line)
    plan = tmp_path / "plan.toml"
    refused = call("plan", tmp_path / "x.xlsx", "--output", plan)
    assert refused.exit_code == 2
    assert "'2024', '2025'" in refused.stderr
    assert not plan.exists()
    assert call("plan", tmp_path / "x.xlsx", "--output", plan, "--sheet", "2025").exit_code == 0
    assert shoal.Plan.read(plan).input.sheet == "2025"
    assert call("run", plan).exit_code == 0


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet"])
def test_a_table_instead_of_a_plan(suffix: str, tmp_path: Path) -> None:
    table = write(tmp_path / f"people{suffix}")
    found = call("run", table)
    assert found.exit_code == 2
    assert f"`shoal plan {table}` writes one" in found.stderr.replace("\n", "")


def test_standard_input_and_output(tmp_path: Path) -> None:
    plan, data = tmp_path / "plan.toml", write(tmp_path / "people.csv").read_bytes()
    made = call("plan", "-", "--output", plan, data=data)
    assert made.exit_code == 0, made.output
    assert "--input TABLE" in " ".join(made.stdout.split())
    assert shoal.Plan.read(plan).input.path is None
    assert "names no input" in call("run", plan).stderr
    before = sorted(tmp_path.rglob("*"))
    found = call("run", plan, "--input", "-", "--output", "-", data=data)
    assert found.exit_code == 0, found.stderr
    table = pl.read_csv(streams.BytesIO(found.stdout_bytes), infer_schema=False)
    assert (table.columns, table.height) == (["age", "zip", "disease"], 60)
    assert "60 rows written and verified. Nothing else is kept" in found.stderr
    assert sorted(tmp_path.rglob("*")) == before
    checked = call("verify", "-", "--plan", plan, data=found.stdout_bytes)
    assert checked.exit_code == 0, checked.output
    damaged = found.stdout_bytes + b"99,00000,flu\n"
    assert call("verify", "-", "--plan", plan, data=damaged).exit_code == 1


def test_a_release_from_standard_input_names_no_place(tmp_path: Path) -> None:
    plan, data = tmp_path / "plan.toml", write(tmp_path / "people.csv").read_bytes()
    assert call("plan", "-", "--output", plan, data=data).exit_code == 0
    made = call("run", plan, "--input", "-", "--output", tmp_path / "out", data=data)
    assert made.exit_code == 0, made.output
    private = (tmp_path / "out.private" / "plan.toml").read_text()
    assert "path" not in private.partition("[input]")[2].partition("[")[0]
    assert call("verify", tmp_path / "out", "--original", tmp_path / "people.csv").exit_code == 0


def test_other_formats_come_in_on_standard_input_too(tmp_path: Path) -> None:
    data = write(tmp_path / "people.xlsx").read_bytes()
    found = call("plan", "-", "--output", tmp_path / "plan.toml", data=data)
    assert "Read as Excel, sheet 'table'" in found.stdout


def test_another_input_than_the_plans(tmp_path: Path) -> None:
    table, plan = write(tmp_path / "people.csv"), tmp_path / "plan.toml"
    assert call("plan", table, "--output", plan).exit_code == 0
    table.rename(tmp_path / "moved.csv")
    assert call("run", plan).exit_code == 2
    assert call("run", plan, "--input", tmp_path / "moved.csv").exit_code == 0
    assert call("run", plan, "--input", tmp_path / "moved.csv", "--dry-run").exit_code == 0


def test_what_standard_output_cannot_hold(tmp_path: Path) -> None:
    table, plan = write(tmp_path / "people.csv"), tmp_path / "plan.toml"
    assert call("plan", table, "--output", plan).exit_code == 0
    out = ("run", plan, "--output", "-")
    assert "cannot both go" in call(*out, "--json").stderr
    assert "standard output takes only CSV" in call(*out, "--set", "output.format=parquet").stderr
    two = call(*out, "--set", "publication.form=two-table", "--set", "publication.bounds=observed")
    assert two.exit_code == 2
    assert two.stdout == ""
    nothing = call(*out, "--set", "require.0.k=1000")
    assert (nothing.exit_code, nothing.stdout) == (2, "")


def test_nothing_on_standard_input(tmp_path: Path) -> None:
    found = call("plan", "-", "--output", tmp_path / "plan.toml", data=b"")
    assert found.exit_code == 2
    assert "The file" in found.stderr
    assert "is empty" in found.stderr
    asked = call("plan", "-", "--ask", "--output", tmp_path / "plan.toml", data=b"a\n1\n")
    assert "it holds the table" in asked.stderr


def test_a_plan_for_decimal_commas(tmp_path: Path) -> None:
    rows = "".join(f"{150 + n % 30},{n % 10};{1 + n % 3}.{100 + n},50;{n % 2}\n" for n in range(60))
    (tmp_path / "x.csv").write_text(f"height;income;sex\n{rows}")
    plan = tmp_path / "plan.toml"
    said = ("--decimal", ",", "--thousands", ".", "--sensitive", "income")
    made = call("plan", tmp_path / "x.csv", "--output", plan, *said)
    assert made.exit_code == 0, made.output
    loaded = shoal.Plan.read(plan)
    assert (loaded.input.decimal, loaded.input.thousands) == (",", ".")
    assert loaded.columns["height"].kind == "numeric"
    assert call("run", plan).exit_code == 0
    assert b"1100,50" in (tmp_path / "release" / "table.csv").read_bytes()
