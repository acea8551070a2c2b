"""Trust 10: no published CSV cell runs as a formula (docs/trust.md)."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import ParameterError

EVIL = ['=HYPERLINK("x")', "+1+cmd", "-2+3", "@SUM(1)", "\tx", "\rx", "'=quoted", "''-deep", "-5"]
SIGNS = "=+-@\t\r"


def hostile() -> tuple[pl.DataFrame, shoal.Schema]:
    frame = pl.DataFrame(
        {
            "=city": ["=A1", "+B", "-C", "'=A1"] * 9,
            "age": [-30, -29, 41, 42] * 9,
            "@ill": EVIL * 4,
            "note": EVIL[::-1] * 4,
        }
    )
    roles = {
        "=city": shoal.quasi(),
        "age": shoal.quasi(kind="numeric"),
        "@ill": shoal.sensitive(),
        "note": shoal.other(),
    }
    return frame, shoal.Schema(roles)


FORMS: list[dict[str, str]] = [
    {},
    {"publication": "two-table"},
    {"publication": "two-table", "sensitive_cells": "counts"},
    {"publication": "sensitive-groups"},
]


def written(folder: Path) -> list[list[str]]:
    rows = []
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            rows += list(csv.reader(file))
    return rows


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("options", FORMS)
def test_no_cell_and_no_name_begins_like_a_formula(options: dict[str, str], tmp_path: Path) -> None:
    frame, schema = hostile()
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3)], **options)  # type: ignore[arg-type]
    made.write(tmp_path / "out")
    cells = [cell for row in written(tmp_path / "out") for cell in row]
    assert not [cell for cell in cells if cell[:1] in SIGNS and cell and not is_number(cell)]
    assert '\'=HYPERLINK("x")' in cells
    assert "-5" in cells  # a number stays a number
    assert json.loads((tmp_path / "out" / "release.json").read_text())["formulas"] == "escape"


@pytest.mark.parametrize("options", FORMS)
@pytest.mark.parametrize("formulas", ["escape", "keep"])
def test_what_reads_a_release_sees_the_cells_themselves(
    options: dict[str, str], formulas: str, tmp_path: Path
) -> None:
    frame, schema = hostile()
    frame.write_parquet(tmp_path / "people.parquet")
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3)], **options)  # type: ignore[arg-type]
    folder = made.write(tmp_path / "out", formulas=formulas)
    run = CliRunner().invoke
    found = run(app, ["verify", str(folder), "--original", str(tmp_path / "people.parquet")])
    assert found.exit_code == 0, found.output
    assert run(app, ["risk", str(folder)]).exit_code == 0
    asked = run(app, ["query", str(folder), "--where", '@ill==HYPERLINK("x")', "--json"])
    assert asked.exit_code == 0, asked.output
    assert json.loads(asked.output)["expected"] > 0
    plan = str(tmp_path / "out.private" / "plan.toml")
    measured = run(
        app,
        [
            "measure",
            str(folder),
            "--plan",
            plan,
            "--original",
            str(tmp_path / "people.parquet"),
            "--json",
        ],
    )
    assert measured.exit_code == 0, measured.output
    assert json.loads(measured.output)["iloss"] == pytest.approx(made.measures["iloss"])


def test_keep_writes_them_as_they_are(tmp_path: Path) -> None:
    frame, schema = hostile()
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3)])
    made.write(tmp_path / "out", formulas="keep")
    cells = [cell for row in written(tmp_path / "out") for cell in row]
    assert '=HYPERLINK("x")' in cells
    assert json.loads((tmp_path / "out" / "release.json").read_text())["formulas"] == "keep"


def test_the_plan_says_it(tmp_path: Path) -> None:
    frame, _ = hostile()
    frame.write_parquet(tmp_path / "people.parquet")
    roles = {"=city": "quasi", "age": "quasi", "@ill": "sensitive", "note": "other"}
    plan = shoal.Plan.from_dict(
        {
            "input": {"path": "people.parquet"},
            "columns": {name: {"role": role} for name, role in roles.items()},
            "require": [{"model": "k-anonymity", "k": 3}],
            "output": {"path": "out", "formulas": "keep"},
        },
        folder=tmp_path,
    )
    shoal.run(plan)
    assert json.loads((tmp_path / "out" / "release.json").read_text())["formulas"] == "keep"


def test_parquet_needs_no_escaping(tmp_path: Path) -> None:
    frame, schema = hostile()
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3)])
    made.write(tmp_path / "out", format="parquet")
    table = pl.read_parquet(tmp_path / "out" / "table.parquet")
    assert set(table["@ill"]) == set(EVIL)
    assert "formulas" not in json.loads((tmp_path / "out" / "release.json").read_text())


def test_another_word_is_refused(tmp_path: Path) -> None:
    frame, schema = hostile()
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3)])
    with pytest.raises(ParameterError, match="escape"):
        made.write(tmp_path / "out", formulas="remove")
    assert not (tmp_path / "out").exists()
