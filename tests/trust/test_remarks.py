"""What endangers a release although all that was required holds is said (docs/trust.md)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app

N = 600
RNG = np.random.default_rng(11)
AGE = pl.Series("age", RNG.integers(18, 80, N))
SEX = pl.Series("sex", RNG.choice(["f", "m"], N))
WAGE = pl.Series("wage", np.round(RNG.lognormal(8, 0.6, N), 2))
ILL = pl.Series("ill", RNG.choice(["flu", "cold", "gout"], N))


def remarks(frame: pl.DataFrame, *, entity: str | None = None, **roles: shoal.Column) -> list[str]:
    schema = shoal.Schema(
        {name: roles.get(name, shoal.quasi()) for name in frame.columns}, entity=entity
    )
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(3)], suppression_limit=1)
    facts = made.facts()
    assert facts["remarks"] == list(made.remarks)
    cells = {str(cell) for name in frame.columns for cell in frame[name].unique()}
    said = " ".join(made.remarks)
    assert not [cell for cell in cells if len(cell) > 5 and cell in said]
    return list(made.remarks)


def about(said: list[str], *names: str) -> list[str]:
    return [text for text in said if all(f"'{name}'" in text for name in names)]


def test_an_ordinary_table_has_no_remark() -> None:
    frame = pl.DataFrame([AGE, SEX, ILL])
    assert remarks(frame, ill=shoal.sensitive()) == []


def test_adult_has_no_remark() -> None:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    assert shoal.anonymize(shoal.datasets.adult().head(3000), plan).remarks == ()


@pytest.mark.parametrize("share", [1.0, 0.8, 0.5])
def test_an_other_column_that_is_nearly_unique(share: float) -> None:
    note = pl.Series("note", [f"note {int(i * share)}" for i in range(N)])
    said = remarks(pl.DataFrame([AGE, SEX, note]), note=shoal.other())
    assert len([text for text in about(said, "note") if "nearly every row" in text]) == 1


def test_an_other_column_of_a_few_values_is_no_matter() -> None:
    note = pl.Series("note", [f"note {i % 9}" for i in range(N)])
    assert remarks(pl.DataFrame([AGE, SEX, note]), note=shoal.other()) == []


@pytest.mark.parametrize("as_text", [False, True])
def test_a_sensitive_number_that_is_nearly_unique(as_text: bool) -> None:
    wage = WAGE.cast(pl.String) if as_text else WAGE
    said = remarks(pl.DataFrame([AGE, SEX, wage]), wage=shoal.sensitive())
    assert len(about(said, "wage")) == 1
    assert "hierarchy" in said[0]


def test_a_sensitive_number_in_ranges_is_no_matter() -> None:
    pay = shoal.sensitive(hierarchy=shoal.hierarchies.Intervals(bins=6))
    assert remarks(pl.DataFrame([AGE, SEX, WAGE]), wage=pay) == []


def visits(n: int = 150) -> pl.DataFrame:
    """People with one to six rows each, in no order."""
    RNG = np.random.default_rng(4)
    rows = RNG.integers(1, 7, n)
    who = np.repeat(RNG.permutation(n * 7)[:n], rows)
    born = np.repeat(RNG.integers(1940, 2000, n), rows)
    sex = np.repeat(RNG.choice(["f", "m"], n), rows)
    frame = pl.DataFrame({"x": who, "born": born, "sex": sex})
    frame = frame.with_columns(ward=pl.Series(RNG.choice(list("abcdef"), frame.height)))
    return frame.sample(fraction=1, shuffle=True, seed=3)


@pytest.mark.parametrize("role", ["quasi", "other", "identifier"])
def test_a_person_number_that_is_not_named(role: str) -> None:
    frame = visits()
    column = {"quasi": shoal.quasi(), "other": shoal.other(), "identifier": shoal.identifier()}
    said = remarks(frame, x=column[role], ward=shoal.sensitive())
    assert [text for text in about(said, "x") if "names no entity" in text]


def test_a_person_number_that_is_named_is_no_matter() -> None:
    said = remarks(visits(), x=shoal.identifier(), ward=shoal.sensitive(), entity="x")
    assert said == []


def test_values_that_repeat_evenly() -> None:
    panel = pl.DataFrame(
        {"who": [i // 4 for i in range(N)], "year": [i % 4 for i in range(N)], "age": AGE}
    ).sample(fraction=1, shuffle=True, seed=2)
    said = remarks(panel, year=shoal.other())
    assert [text for text in about(said, "who") if "names no entity" in text]


def test_a_postal_code_does_not_tell_people_apart() -> None:
    """It says the city and the state, but the one follows from the other."""
    code = RNG.integers(0, 120, N)
    frame = pl.DataFrame({"zip": 10_000 + code, "city": code // 4, "state": code // 20, "age": AGE})
    assert not [t for t in remarks(frame) if "no entity" in t]


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("role", ["other", "sensitive"])
def test_the_logarithm_of_a_wage_beside_the_wage(role: str, as_text: bool) -> None:
    log = WAGE.log().round(4).alias("log wage")
    frame = pl.DataFrame([AGE, WAGE, log.cast(pl.String) if as_text else log])
    column = {"other": shoal.other(), "sensitive": shoal.sensitive()}[role]
    said = remarks(frame, **{"log wage": column})
    assert len(about(said, "wage", "log wage")) == 1


def test_a_year_of_birth_beside_the_age() -> None:
    born = (2024 - AGE - RNG.integers(0, 2, N)).alias("born")
    said = remarks(pl.DataFrame([AGE, SEX, born]), born=shoal.other())
    assert len(about(said, "age", "born")) == 1


def test_a_code_beside_its_label() -> None:
    code = ILL.replace_strict({"flu": "7", "cold": "3", "gout": "5"}).alias("code")
    said = remarks(pl.DataFrame([AGE, ILL, code]), ill=shoal.sensitive(), code=shoal.other())
    assert len(about(said, "ill", "code")) == 1


def test_columns_of_one_role_may_say_the_same() -> None:
    log = WAGE.log().alias("log")
    assert not about(remarks(pl.DataFrame([AGE, WAGE, log])), "wage", "log")


def test_it_is_said_at_the_console_and_in_the_report_and_all_is_well(tmp_path: Path) -> None:
    note = pl.Series("note", [f"<b>{i}</b>" for i in range(N)])
    pl.DataFrame([AGE, SEX, note]).write_csv(tmp_path / "t.csv")
    (tmp_path / "plan.toml").write_text(
        """
[input]
path = "t.csv"
[columns]
age = {role = "quasi", kind = "numeric"}
sex = {role = "quasi"}
note = {role = "other"}
[[require]]
model = "k-anonymity"
k = 3
[output]
path = "out"
"""
    )
    done = CliRunner().invoke(app, ["run", str(tmp_path / "plan.toml")], env={"COLUMNS": "300"})
    assert done.exit_code == 0, done.output
    assert "nearly every row has its own" in done.output
    facts = json.loads((tmp_path / "out" / "release.json").read_text())
    assert len(about(facts["remarks"], "note")) == 1
    assert "nearly every row has its own" in (tmp_path / "out" / "report.html").read_text()
