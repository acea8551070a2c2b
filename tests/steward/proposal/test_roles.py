import polars as pl
import pytest

import shoal
from shoal.errors import InputError
from shoal.judging.remarks.words import Name
from shoal.steward.proposal import ColumnProposal, profile, propose_roles


def roles(frame: pl.DataFrame) -> dict[str, str]:
    return {made.name: made.role.value for made in propose_roles(profile(frame))}


def made(frame: pl.DataFrame) -> dict[str, ColumnProposal]:
    return {made.name: made for made in propose_roles(profile(frame))}


ROWS = 400
AGE = [str(20 + i % 50) for i in range(ROWS)]


def beside_age(**columns: list[object]) -> dict[str, ColumnProposal]:
    return made(pl.DataFrame({"age": AGE, **columns}))


def test_adult() -> None:
    found = made(shoal.datasets.adult().cast(pl.String).fill_null(""))
    by_role: dict[str, set[str]] = {}
    for name, proposal in found.items():
        by_role.setdefault(proposal.role.value, set()).add(name)
    assert by_role["identifier"] == {"fnlwgt", "education-num"}
    assert by_role["sensitive"] == {"salary-class"}
    assert set(by_role) == {"identifier", "sensitive", "quasi"}
    assert "'education'" in found["education-num"].reason
    numbers = {n for n, p in found.items() if p.kind == "numeric"}
    assert numbers == {"age", "capital-gain", "capital-loss", "hours-per-week"}


@pytest.mark.parametrize("rows", [2_000, None])
def test_adult_without_telling_names(rows: int | None) -> None:
    adult = shoal.datasets.adult()[:rows].rename({"fnlwgt": "w", "occupation": "o"})
    found = made(adult.cast(pl.String))
    assert found["w"].role == "identifier"
    assert "own number" in found["w"].reason


def test_job_is_sensitive_where_nothing_else_is() -> None:
    jobs = ["a", "b", "c", "d"] * 100
    assert beside_age(occupation=jobs)["occupation"].role == "sensitive"
    assert beside_age(occupation=jobs, disease=["x", *jobs[1:]])["occupation"].role == "quasi"
    assert made(pl.DataFrame({"job": jobs}))["job"].role == "quasi"


@pytest.mark.parametrize(
    ("paper", "sensitive"), [(1, ["disease"]), (2, ["disease"]), (4, ["disease", "salary"])]
)
def test_patients(paper: int, sensitive: list[str]) -> None:
    found = made(shoal.datasets.patients(paper))
    assert [n for n, p in found.items() if p.role == "sensitive"] == sensitive
    assert [n for n, p in found.items() if p.role == "identifier"] in (["name"], ["id"])
    assert next(p for n, p in found.items() if n.startswith("zip")).hierarchy is not None


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("note", [f"seen on day {i} by the doctor" for i in range(ROWS)], "identifier"),
        ("x", [f"v{i}" for i in range(ROWS)], "identifier"),
        ("x", [i * 7 for i in range(ROWS)], "identifier"),
        ("x", [str(i) for i in range(ROWS)], "identifier"),
        ("x", [i / 7 for i in range(ROWS)], "quasi"),
        ("weight", [i * 7 for i in range(ROWS)], "quasi"),
        ("x", ["", "*"] * 200, "identifier"),
        ("x", ["same"] * ROWS, "other"),
        ("x", ["same", ""] * 200, "quasi"),
        ("x", ["a", "b"] * 200, "quasi"),
        ("E-Mail", ["a@b", "c@d"] * 200, "identifier"),
        ("has email", ["yes", "no"] * 200, "quasi"),
        ("admitted", [f"2024-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(ROWS)], "quasi"),
        ("PLZ", [f"{i:05}" for i in range(ROWS)], "quasi"),
        ("diagnosis", [f"free words about case {i} here" for i in range(ROWS)], "identifier"),
        ("疾病诊断", ["a", "b", "c", "d"] * 100, "sensitive"),
        ("Einkommensklasse", ["a", "b", "c", "d"] * 100, "sensitive"),
        ("disease_id", ["1", "2", "3", "4"] * 100, "sensitive"),
        ("patient_id", [str(i // 4) for i in range(ROWS)], "identifier"),
    ],
)
def test_role(name: str, values: list[object], role: str) -> None:
    assert beside_age(**{name: values})[name].role == role


def test_rows_of_one_person() -> None:
    found = beside_age(patient_id=[str(i // 4) for i in range(ROWS)], id=list(range(ROWS)))
    assert found["patient_id"].is_entity
    assert not found["id"].is_entity


def test_twins() -> None:
    codes, labels = [1, 2, 3, 4] * 100, ["a", "b", "c", "d"] * 100
    found = beside_age(code=codes, label=labels, again=labels)
    assert [found[n].role for n in ("code", "label", "again")] == [
        "identifier",
        "quasi",
        "identifier",
    ]
    found = beside_age(code=codes, disease=labels)
    assert [found[n].role for n in ("code", "disease")] == ["sensitive", "sensitive"]


def test_sensitive_values_that_point_at_rows_are_told() -> None:
    found = beside_age(salary=[str(30_000 + 13 * i) for i in range(ROWS)])
    assert found["salary"].role == "sensitive"
    assert "finds the row" in found["salary"].reason


def test_nothing_to_generalize() -> None:
    with pytest.raises(InputError, match="quasi-identifier"):
        roles(pl.DataFrame({"name": ["a", "b"], "disease": ["x", "y"]}))


def test_reasons_hold_no_cell() -> None:
    values = {f"c{n}": [f"CANARY{i % n}" for i in range(ROWS)] for n in (1, 2, 9, 50, ROWS)}
    assert not any("CANARY" in p.reason for p in beside_age(**values).values())


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("PatientID", "is_person_number"),
        ("Patientennummer", "is_person_number"),
        ("患者编号", "is_person_number"),
        ("Vorname", "is_identifier"),
        ("patient name", "is_identifier"),
        ("Patientenname", "is_identifier"),
        ("Home Address", "is_identifier"),
        ("postal_code", "is_postal"),
        ("Postleitzahl", "is_postal"),
        ("body-weight", "is_measure"),
        ("Geburtsdatum", "is_known"),
    ],
)
def test_names_that_say(name: str, fact: str) -> None:
    assert getattr(Name(name), fact)


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("email_type", "is_identifier"),
        ("hospital name", "is_identifier"),
        ("education-num", "is_number_of_something"),
        ("account", "is_measure"),
        ("---", "is_identifier"),
        ("---", "is_person_number"),
    ],
)
def test_names_that_do_not_say(name: str, fact: str) -> None:
    assert not getattr(Name(name), fact)
