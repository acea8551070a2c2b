"""A name, a path or a cell is data: never markup, never an escape sequence, never a crash."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
import tomlkit
from typer.testing import CliRunner

from shoal.cli import app, show

ESCAPE = "\x1b[31mred\x1b]0;title\x07"
NAMES = ("[/x]", "[bold]b", ESCAPE, "a\rb\nc", "\u202eabc", "*", "\x9b2J", ":smile:")


def plan_of(folder: Path, name: str, table: Path, **more: object) -> Path:
    """Write a plan over a table of the columns ``name`` and ``disease``."""
    settings = {
        "input": {"path": table.name},
        "columns": {name: {"role": "quasi"}, "disease": {"role": "sensitive"}},
        "require": [{"model": "k-anonymity", "k": 2}],
        "method": {"name": "gaa-cp", "seed": 1},
        "output": {"path": "out"},
        **more,
    }
    plan = folder / "plan.toml"
    plan.write_text(tomlkit.dumps(settings), encoding="utf-8", newline="\n")
    return plan


def table_of(folder: Path, name: str, cells: list[str | None] | None = None) -> Path:
    path = folder / "table.parquet"
    values = cells or ["a", "b", "a", "b", None, None]
    pl.DataFrame({name: values, "disease": ["x", "y"] * 3}).write_parquet(path)
    return path


def safe(text: str) -> bool:
    return not set(text) & {"\x1b", "\x9b", "\x07", "\r", "\u202e"}


@pytest.mark.parametrize("name", NAMES)
def test_column_names_are_shown_as_they_are(tmp_path: Path, name: str) -> None:
    plan = plan_of(tmp_path, name, table_of(tmp_path, name), weights={"kind": "entropy"})
    for arguments in (
        ["run", plan],
        ["verify", tmp_path / "out"],
        ["measure", tmp_path / "out", "--plan", plan],
        ["risk", tmp_path / "out"],
        ["plan", tmp_path / "table.parquet", "-o", tmp_path / "new.toml"],
        ["query", tmp_path / "out", "--where", f"{name}=a"],
        ["hierarchy", "build", tmp_path / "table.parquet", name, "-o", tmp_path / "h.csv"],
        ["hierarchy", "check", tmp_path / "h.csv", "--table", tmp_path / "table.parquet"],
        ["hierarchy", "show", tmp_path / "h.csv"],
        ["utility", tmp_path / "out", "--plan", plan, "--label", name],
    ):
        found = CliRunner().invoke(app, [str(each) for each in arguments])
        assert found.exit_code in (0, 2), (arguments, found.output)
        assert safe(found.output), arguments
    assert (tmp_path / "new.toml").exists()


def test_lattice_shows_names_as_they_are(tmp_path: Path) -> None:
    name = "[/x]" + ESCAPE
    plan = plan_of(tmp_path, name, table_of(tmp_path, name), method={"name": "full-domain"})
    found = CliRunner().invoke(app, ["lattice", str(plan)])
    assert found.exit_code == 0
    assert safe(found.output)
    assert "[/x]" in found.output


@pytest.mark.parametrize("place", ["[/x]", "[bold]", "a\x1b[2J"])
def test_paths_are_shown_as_they_are(tmp_path: Path, place: str) -> None:
    plan = plan_of(tmp_path, "age", table_of(tmp_path, "age"), output={"path": place})
    found = CliRunner().invoke(app, ["run", str(plan)])
    assert found.exit_code == 0, found.output
    assert safe(found.output)
    assert (tmp_path / place / "release.json").exists()
    drafted = tmp_path / place / "new.toml"
    found = CliRunner().invoke(app, ["plan", str(tmp_path / "table.parquet"), "-o", str(drafted)])
    assert found.exit_code == 0, found.output
    assert drafted.exists()


@pytest.mark.parametrize("where", ["name", "cell"])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_nul_is_refused_before_any_work(tmp_path: Path, where: str, form: str) -> None:
    name, cells = ("a\0b", ["x"] * 4) if where == "name" else ("age", ["x\0y"] * 4)
    path = tmp_path / f"table.{form}"
    frame = pl.DataFrame({name: cells, "disease": ["x", "y"] * 2})
    frame.write_parquet(path) if form == "parquet" else frame.write_csv(path)
    plan = plan_of(tmp_path, "age", path)
    for arguments in (["run", plan], ["plan", path, "-o", tmp_path / "new.toml"]):
        found = CliRunner().invoke(app, [str(each) for each in arguments])
        assert found.exit_code == 2, found.output
        assert "NUL" in found.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("path", ["/", "//", "/..", "a\0b", "x" * 300, ""])
def test_an_output_that_is_no_folder_of_its_own_is_refused(tmp_path: Path, path: str) -> None:
    plan = plan_of(tmp_path, "age", table_of(tmp_path, "age"), output={"path": path})
    found = CliRunner().invoke(app, ["run", str(plan)])
    assert found.exit_code == 2, found.output
    assert "failed" not in found.output


@pytest.mark.parametrize("path", ["a\0b.csv", "x" * 300 + ".csv"])
def test_an_input_that_cannot_be_opened_is_refused(tmp_path: Path, path: str) -> None:
    plan = plan_of(tmp_path, "age", table_of(tmp_path, "age"), input={"path": path})
    found = CliRunner().invoke(app, ["run", str(plan)])
    assert found.exit_code == 2, found.output
    assert "failed" not in found.output


@pytest.mark.parametrize("wrong", ["x", [1], True, {"a": 1}])
def test_time_limit_must_be_a_number(tmp_path: Path, wrong: object) -> None:
    method = {"name": "full-domain", "time_limit": wrong}
    plan = plan_of(tmp_path, "age", table_of(tmp_path, "age"), method=method)
    found = CliRunner().invoke(app, ["run", str(plan)])
    assert found.exit_code == 2, found.output
    assert "time_limit must be a number of seconds above 0" in " ".join(found.output.split())


LARGE = {"exact": [10**19, 10**19 + 10**17, 7, 7] * 2, "rounded": [2**63 + 1, 2**63 + 2, 7, 8] * 2}


@pytest.mark.parametrize("method", ["gaa-cp", "full-domain", "top-down"])
@pytest.mark.parametrize("role", ["quasi", "categorical", "sensitive", "other", "identifier"])
@pytest.mark.parametrize("numbers", LARGE)
def test_whole_numbers_past_two_to_the_63(
    tmp_path: Path, role: str, numbers: str, method: str
) -> None:
    """They are kept exactly, or refused: never rounded without a word."""
    path = tmp_path / "table.parquet"
    large = pl.Series("n", LARGE[numbers], dtype=pl.UInt64)
    pl.DataFrame({"n": large, "q": ["a", "b"] * 4, "disease": ["x", "y"] * 4}).write_parquet(path)
    kinds = {"quasi": {"role": "quasi", "kind": "numeric"}, "categorical": {"role": "quasi"}}
    columns = {
        "n": kinds.get(role, {"role": role}),
        "q": {"role": "quasi"},
        "disease": {"role": "other"},
    }
    plan = plan_of(tmp_path, "q", path, columns=columns, method={"name": method})
    found = CliRunner().invoke(app, ["run", str(plan), "--json"])
    if role == "quasi" and numbers == "rounded":
        assert found.exit_code == 2, found.output
        assert "cannot be kept exactly" in " ".join(found.output.split())
        return
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["verification"]["passed"]


def test_json_for_programs_holds_no_sign_that_a_terminal_obeys(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "a\x7f\x9b31m\u202eb\u2028c\x1b[0m"
    show.print_json({name: name})
    out = capsys.readouterr().out
    assert json.loads(out) == {name: name}
    assert not {"\x7f", "\x9b", "\u202e", "\u2028", "\x1b"} & set(out)
