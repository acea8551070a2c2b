"""Five sentences, from public facts alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.release.explanation import explain


def release(**more: Any) -> shoal.Release:
    adult = shoal.datasets.adult().sample(200, seed=1).with_row_index("id")
    frame = adult.select("id", "age", "sex", "occupation")
    return shoal.anonymize(
        frame, k=3, quasi=["age", "sex"], sensitive="occupation", method="mondrian", **more
    )


@pytest.mark.parametrize("more", [{"drop": "id"}, {"entity": "id"}])
def test_five_sentences_say_what_was_counted(more: dict[str, str]) -> None:
    said = explain(release(**more).facts())
    assert len(said) == 5
    assert said[0].startswith("200 rows are published")
    assert "'id' left out" in said[0]
    assert ("at least 3 matching people" in said[2]) is ("entity" in more)


@pytest.mark.parametrize(
    "more",
    [{"publication": "two-table"}, {"publication": "microaggregated"}],
)
def test_other_forms_are_explained(more: dict[str, str]) -> None:
    made = release(drop="id", **more) if "two-table" in more.values() else None
    if made is None:
        numbers = shoal.datasets.adult().select("age", "hours-per-week").head(200)
        made = shoal.anonymize(numbers, k=3, quasi=numbers.columns, method="mdav", **more)
    said = explain(made.facts())
    assert len(said) == 5
    assert all(sentence.endswith(".") for sentence in said)


@pytest.mark.parametrize(
    ("require", "more", "found"),
    [
        (shoal.HighestRisk("1/3"), {}, "finds at least 3 matching rows"),
        (shoal.KMap(10, 0.1), {}, "finds at least 5 matching rows"),
        (shoal.LDiversity(3), {}, "finds at least 3 matching rows"),
        (shoal.LDiversity(3), {"entity": "id"}, "which may be those of one person"),
        (shoal.SampleUniqueness(0.5), {"method": "datafly"}, "which may be those of one person"),
        (
            shoal.SampleUniqueness(0.5),
            {"method": "datafly", "publication": "two-table"},
            "not which of them are the person's (unless there is only one)",
        ),
    ],
)
def test_what_an_attacker_finds_follows_from_the_requirements(
    require: shoal.models.Requirement, more: dict[str, str], found: str
) -> None:
    adult = shoal.datasets.adult().sample(200, seed=1).with_row_index("id")
    more = {"method": "mondrian", **({} if "entity" in more else {"drop": "id"}), **more}
    frame = adult.select("id", "sex", "race", "occupation")
    made = shoal.anonymize(
        frame, require=[require], quasi=["sex", "race"], sensitive="occupation", **more
    )
    assert found in explain(made.facts())[2]
    assert made.facts()["stated"]["attacker"] in explain(made.facts())[2]


def test_one_that_does_not_hold_is_called_that() -> None:
    facts = release(drop="id").facts()
    facts["verification"] = {**facts["verification"], "passed": False}
    assert "DOES NOT HOLD" in explain(facts)[1]


def test_the_command(tmp_path: Path) -> None:
    folder = release(drop="id").write(tmp_path / "out")
    result = CliRunner().invoke(app, ["explain", str(folder)])
    assert result.exit_code == 0
    assert "200 rows are published" in result.stdout
    wrong = CliRunner().invoke(app, ["explain", str(tmp_path / "nothing")])
    assert wrong.exit_code == 2
