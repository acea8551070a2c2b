"""What to do with a release that was just written."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app, summary
from shoal.cli.summary import next_steps

PEOPLE = pl.DataFrame({"age": [30, 31, 50, 60], "illness": ["flu", "cold", "flu", "cold"]})


def commands(release: shoal.Release, folder: str = "out") -> list[str]:
    return [command for command, _ in next_steps(release, Path("my plan.toml"), Path(folder))]


def test_one_table_is_counted_attacked_learnt_from_and_compared() -> None:
    release = shoal.anonymize(PEOPLE, k=2, quasi="age", sensitive="illness")
    assert commands(release) == [
        "shoal verify out",
        "shoal risk out",
        "shoal utility out --label illness",
        "shoal compare 'my plan.toml'",
    ]


def test_nothing_is_named_that_cannot_work() -> None:
    """No model learns values that are published apart, and no k is varied where there is none."""
    apart = shoal.anonymize(
        PEOPLE, quasi="age", sensitive="illness", method="anatomy", require=shoal.LDiversity(2)
    )
    assert commands(apart, "two out") == ["shoal verify 'two out'", "shoal risk 'two out'"]
    unlabelled = shoal.anonymize(PEOPLE.select("age"), k=2, quasi="age")
    assert not [each for each in commands(unlabelled) if "utility" in each]


def test_the_steps_of_a_run_work(folder: Path) -> None:
    asked = [str(folder / "plan.toml")]
    said = CliRunner().invoke(app, ["run", *asked]).stdout
    assert f"shoal compare {asked[0]}" in said
    assert f"shoal utility {folder / 'out'} --label illness" in said


def test_a_long_command_does_not_push_the_others_off_the_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    release = shoal.anonymize(PEOPLE.select("age"), k=2, quasi="age")
    steps = [("short", "what it does"), ("x" * 78, "what it does"), ("longer", "what it does")]
    summary.release(release, Path("out"), next_steps=steps)
    lines = [each for each in capsys.readouterr().out.splitlines() if "what it does" in each]
    assert lines == [
        "  short   what it does",
        f"  {'x' * 78}  what it does",
        "  longer  what it does",
    ]
