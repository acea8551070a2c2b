"""Values that differ in case, spaces or Unicode form alone: told, and one if the plan says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, strategies as st
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import ParameterError, PlanError, SchemaError
from shoal.judging.verification.spellings import plain_form
from shoal.table.preparation import normal_form

ILL = ["HIV", "HIV ", "hiv", "\uff28\uff29\uff36", "flu", "cold", "flu", "cold"]
PEOPLE = pl.DataFrame(
    {
        "age": [20 + i % 10 for i in range(80)],
        "sex": ["weiblich", "weiblich ", "Weiblich", "m"] * 20,
        "ill": ILL * 10,
    }
)
TEXT = "differ from another only in case, spaces or Unicode form"
FORMS = {"generalized": "k-member", "two-table": "anatomy", "sensitive-groups": "micd"}


def made(one: bool, form: str = "generalized", **options: Any) -> shoal.Release[Any]:
    schema = {
        "age": shoal.quasi(kind="numeric"),
        "sex": shoal.quasi(normalize=one),
        "ill": shoal.sensitive(normalize=one, **options),
    }
    needs: Any = shoal.LDiversity(2) if form != "sensitive-groups" else None
    return shoal.anonymize(
        PEOPLE,
        schema,
        require=[needs or shoal.MultiLDiversity({"ill": 2})],
        method=FORMS[form],
        publication=form,
        suppression_limit=0.9,
        seed=1,
    )


@pytest.mark.parametrize("form", FORMS)
def test_values_that_agree_are_remarked_with_their_count(tmp_path: Path, form: str) -> None:
    release = made(False, form)
    (told,) = (each for each in release.remarks if "'ill'" in each)
    assert told.startswith(f"4 values of column 'ill' (sensitive) {TEXT}")
    folder = release.write(tmp_path / "out")
    assert told in json.loads((folder / "release.json").read_text())["remarks"]
    assert "4 values of column" in (folder / "report.html").read_text()
    assert told in shoal.open_release(folder).verify().remarks
    said = CliRunner().invoke(app, ["verify", str(folder)])
    assert said.exit_code == 0
    assert f"4 values of column 'ill' (sensitive) {TEXT}" in " ".join(said.stdout.split())
    for text in (told, said.stdout):
        assert "HIV" not in text


def test_quasi_identifiers_are_remarked_as_they_are_published() -> None:
    published = PEOPLE.select("age", "sex", "ill").with_columns(age=pl.lit("*"))
    roles = {"age": "quasi", "sex": "quasi", "ill": "sensitive"}
    found = shoal.verify(published, roles, 2)
    assert [each.split(" (")[0] for each in found.remarks] == [
        "3 values of column 'sex'",
        "4 values of column 'ill'",
    ]


def test_values_of_sets_are_counted_one_by_one() -> None:
    cells = ["{HIV, flu}", "{flu, hiv}", "cold", "*"]
    published = pl.DataFrame({"ill": cells * 2})
    (told,) = shoal.verify(published, {"ill": "quasi"}, 2).remarks
    assert told.startswith(f"2 values of column 'ill' (quasi) {TEXT}")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("form", FORMS)
def test_they_are_one_if_the_plan_says_so(tmp_path: Path, form: str, kind: str) -> None:
    release = made(True, form)
    assert not [each for each in release.remarks if TEXT in each]
    tables = release.published.value_tables
    values = tables["ill"].values if tables else release.table["ill"]
    assert set(values) == {"hiv", "flu", "cold"}
    assert set(release.table["sex"]) <= {"weiblich", "m", "*", "{m, weiblich}"}
    folder = release.write(tmp_path / "out", format=kind)
    opened = shoal.open_release(folder)
    assert opened.facts["prepared"]["ill"]["normalize"] is True
    assert opened.verify(original=PEOPLE).reasons() == []
    assert opened.private_plan is not None
    assert opened.private_plan.columns["ill"].normalize


def test_l_diversity_no_longer_counts_spellings() -> None:
    frame = pl.DataFrame({"age": ["30"] * 4, "ill": ["HIV", "HIV ", "hiv", "HIV"]})
    certified = shoal.anonymize(
        frame, {"age": "quasi", "ill": "sensitive"}, require=shoal.LDiversity(2)
    )
    assert certified.remarks
    with pytest.raises(shoal.errors.InfeasibleError):
        shoal.anonymize(
            frame,
            {"age": "quasi", "ill": shoal.sensitive(normalize=True)},
            require=shoal.LDiversity(2),
        )


def test_a_plan_spells_the_values_that_it_names(tmp_path: Path) -> None:
    release = made(True, degrees={"HIV": 9, "Flu": 1})
    assert set(release.table["ill"]) == {"HIV", "Flu", "cold"}
    folder = release.write(tmp_path / "out")
    assert shoal.open_release(folder).verify(original=PEOPLE).reasons() == []
    tree = shoal.Hierarchy.from_dict({"*": {"x": ["M"], "y": ["WEIBLICH"]}}, root=None)
    schema = {
        "age": shoal.quasi(kind="numeric"),
        "sex": shoal.quasi(hierarchy=tree, normalize=True),
        "ill": shoal.sensitive(),
    }
    other = shoal.anonymize(PEOPLE, schema, require=20, method="full-domain")
    assert set(other.table["sex"]) <= {"M", "WEIBLICH", "x", "y", "*"}


def test_texts_that_then_mean_missing_are_missing() -> None:
    frame = pl.DataFrame({"sex": ["f", "F", " na", "NA", "f", "  "] * 4})
    schema = shoal.Schema({"sex": shoal.quasi(normalize=True)}, missing=["NA", ""])
    release = shoal.anonymize(frame, schema, require=3)
    assert set(release.table["sex"]) == {"f", "*"}
    assert release.verify().passed


def test_a_false_claim_of_one_spelling_is_named(tmp_path: Path) -> None:
    folder = made(False).write(tmp_path / "out")
    facts = json.loads((folder / "release.json").read_text())
    facts["prepared"] = {"ill": {"normalize": True, "says": []}}
    (folder / "release.json").write_text(json.dumps(facts))
    assert any("is normalized, but" in each for each in reasons(folder))


def reasons(folder: Path) -> list[str]:
    return shoal.open_release(folder).verify().reasons()


def test_shoal_plan_offers_it_with_the_count(tmp_path: Path) -> None:
    PEOPLE.rename({"ill": "disease"}).write_csv(tmp_path / "people.csv")
    proposal = shoal.propose(tmp_path / "people.csv")
    offers = {each.column: each for each in proposal.offers if each.key == "normalize"}
    assert offers["disease"].reason.startswith(f"4 values of column 'disease' {TEXT}")
    assert offers["sex"].reason.startswith(f"3 values of column 'sex' {TEXT}")
    asked = ["plan", str(tmp_path / "people.csv"), "--output", str(tmp_path / "plan.toml")]
    said = CliRunner().invoke(app, asked)
    assert f"4 values of column 'disease' {TEXT}" in " ".join(said.output.split())
    assert "# normalize = true" in (tmp_path / "plan.toml").read_text()
    taken = (tmp_path / "plan.toml").read_text().replace("# normalize", "normalize")
    (tmp_path / "plan.toml").write_text(taken)
    release = shoal.run(shoal.Plan.read(tmp_path / "plan.toml"), output=tmp_path / "out")
    assert not [each for each in release.remarks if TEXT in each]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("role = 'other', normalize = true", "only for quasi-identifiers and sensitive"),
        ("role = 'identifier', normalize = true", "not for identifiers"),
        ("role = 'quasi', kind = 'numeric', normalize = true", "normalize is for texts"),
        ("role = 'sensitive', top = 3, normalize = true", "normalize is for texts"),
        ("role = 'quasi', normalize = 'yes'", "normalize"),
    ],
)
def test_what_cannot_be_one_is_refused(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "plan.toml").write_text(
        f"require = [{{ model = 'k-anonymity', k = 2 }}]\n[columns]\na = {{ {text} }}\n"
        "b = { role = 'quasi' }\n"
    )
    with pytest.raises(PlanError, match=line):
        shoal.Plan.read(tmp_path / "plan.toml")


def test_false_is_as_good_as_nothing(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        "require = [{ model = 'k-anonymity', k = 2 }]\n[columns]\n"
        "b = { role = 'quasi', normalize = false }\n"
    )
    column = shoal.Plan.read(tmp_path / "plan.toml").schema_()["b"]
    assert column == shoal.quasi(kind="categorical")


def test_refusals_in_python() -> None:
    with pytest.raises(ParameterError, match="normalize must be true or false"):
        shoal.sensitive(normalize="yes")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="normalize is for texts"):
        shoal.quasi(normalize=True, age_at="2026-01-01")
    with pytest.raises(SchemaError, match="differently"):
        made(True, levels={"HIV": 1, "hiv": 2, "flu": 3, "cold": 3})


@given(st.text())
def test_both_rules_agree_and_change_nothing_twice(text: str) -> None:
    assert normal_form(text) == plain_form(text)
    assert normal_form(normal_form(text)) == normal_form(text)
    assert normal_form(f" {text.upper()}\u00a0") == normal_form(normal_form(text.upper()))
