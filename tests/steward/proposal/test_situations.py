"""What people meet who draft their first plan and do not read: each table as they come."""

from __future__ import annotations

import csv
import json
import math
import random
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import shoal
from shoal import io
from shoal.cli import app

TOWNS = [
    "Bautzen", "Chemnitz", "Dresden", "Freital", "Glauchau", "Leipzig", "Pirna", "Plauen",
    "Radebeul", "Riesa", "Torgau", "Zwickau",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(
    rows: Sequence[dict[str, object]], *, separator: str = ",", encoding: str = "utf-8"
) -> None:
    with Path("table.csv").open("w", encoding=encoding, newline="") as file:
        made = csv.DictWriter(file, list(rows[0]), delimiter=separator)
        made.writeheader()
        made.writerows(rows)


def shoal_says(*command: str, columns: int = 300) -> str:
    done = CliRunner().invoke(app, list(command), env={"COLUMNS": str(columns)})
    assert done.exit_code == 0, done.output
    return done.output


def draft(*options: str) -> tuple[dict[str, Any], str, str]:
    """Give the plan as it is read, its text, and what is said at the console."""
    said = shoal_says("plan", "table.csv", "--force", *options)
    text = Path("plan.toml").read_text(encoding="utf-8")
    return tomllib.loads(text), text, said


def release() -> tuple[dict[str, Any], str]:
    """Run the plan; give the public facts, and what is said at the console."""
    said = shoal_says("run", "plan.toml")
    facts = json.loads(Path("release/release.json").read_text(encoding="utf-8"))
    assert facts["verification"]["passed"]
    return facts, said


def roles(plan: dict[str, Any]) -> dict[str, str]:
    return {name: column["role"] for name, column in plan["columns"].items()}


def panel() -> list[dict[str, object]]:
    """Men, each in eight years: who they are is a number that no name gives away."""
    rng = random.Random(1)
    rows: list[dict[str, object]] = []
    for man in range(60):
        black, south = int(man % 7 == 0), rng.choice(["north", "south", "west"])
        exper = rng.randint(1, 9)
        rows += [
            {"nr": 13 + 17 * man, "year": 1980 + i, "black": black, "region": south,
             "exper": exper + i, "hours": 5 * rng.randint(200, 600)}
            for i in range(8)
        ]  # fmt: skip
    return rows


def test_a_panel_whose_people_are_numbered() -> None:
    write(panel())
    plan, text, said = draft()
    assert plan["entity"] == "nr"
    assert roles(plan)["nr"] == "identifier"
    assert "k counts people" in text
    assert "several rows" in said
    facts, _ = release()
    assert facts["counted"] == "people"


def german() -> list[dict[str, object]]:
    rng = random.Random(2)
    rows: list[dict[str, object]] = []
    for i in range(240):
        person = random.Random(i // 2)
        wage = f"{rng.lognormvariate(8, 0.5):,.2f}"
        rows.append(
            {
                "PersonenNr": 1000 + i // 2,
                "PLZ": f"0{1000 + person.randint(0, 30)}",
                "Geschlecht": person.choice("mw"),
                "Größe": f"{person.gauss(1.75, 0.1):.2f}".replace(".", ","),
                "Gehalt": wage.translate(str.maketrans(",.", ".,")),
                "Miete": f"{rng.randint(300, 2000):,}".replace(",", "."),
            }
        )
    return rows


def test_a_german_file() -> None:
    write(german(), separator=";", encoding="cp1252")
    plan, text, said = draft()
    assert plan["input"]["decimal"] == ","
    assert plan["input"]["thousands"] == "."
    assert "numbers with decimal comma and thousands point" in said
    assert plan["entity"] == "PersonenNr"
    assert plan["columns"]["PLZ"]["kind"] == "categorical"
    assert "01001" in Path("hierarchies/PLZ.csv").read_text()
    assert plan["columns"]["Größe"]["kind"] == "numeric"
    assert roles(plan)["Gehalt"] == "sensitive"
    assert plan["columns"]["Miete"]["kind"] == "numeric"  # no number of a person has thousands
    assert "# round_to = " in text
    facts, said = release()
    assert facts["counted"] == "people"
    assert "cp1252" in said
    published = io.read("release/table.csv").frame
    assert set(published["PLZ"].str.slice(0, 1)) <= {"0", "*"}
    assert published["Größe"].str.contains(r"^(\[1,[0-9]+; [12](,[0-9]+)?\]|1,[0-9]+|2)$").all()


def test_missing_tokens_in_one_column() -> None:
    rng = random.Random(3)
    write([
        {"age": rng.choice(["NA", *range(20, 60)]), "country": rng.choice(["NA", "DE", "FR", "IT"]),
         "sex": rng.choice("fm")}
        for _ in range(200)
    ])  # fmt: skip
    plan, text, said = draft()
    assert plan["columns"]["age"]["missing"] == ["", "*", "NA"]
    assert plan["columns"]["age"]["kind"] == "numeric"
    assert "missing" not in plan["columns"]["country"]  # Namibia, or not: a person must say
    assert 'CHECK: "NA" occurs in' in text
    assert "If it means missing" in said
    facts, _ = release()
    assert facts["missing"]["columns"]["age"] is not None


def towns() -> list[dict[str, object]]:
    rng = random.Random(4)
    size = ["small", "medium", "large"]
    return [
        {"town": rng.choice(TOWNS), "age": rng.randint(20, 60), "firm": rng.choice(size),
         "disease": rng.choice(["flu", "gout", "cold"])}
        for _ in range(200)
    ]  # fmt: skip


def test_towns_are_not_joined_by_the_alphabet() -> None:
    write(towns())
    plan, text, said = draft()
    assert plan["columns"]["town"]["draft"] is True
    assert "draft" not in plan["columns"]["firm"]
    assert Path("hierarchies/town.csv").read_text().splitlines() == [f"{t};*" for t in TOWNS]
    assert "small..medium" in Path("hierarchies/firm.csv").read_text()
    assert "alphabet" not in text
    assert "Drafts without groups" in said
    facts, said = release()
    assert set(io.read("release/table.csv").frame["town"]) <= {*TOWNS, "*"}
    drafted = [remark for remark in facts["remarks"] if "drafted hierarchy" in remark]
    assert drafted == [
        "Column 'town' has a drafted hierarchy without groups: every value is published "
        "either unchanged or as *. Group values by meaning, or remove draft from the plan if "
        "this is intended."
    ]
    assert "drafted hierarchy without groups" in said
    assert "drafted hierarchy without groups" in Path("release/report.html").read_text()


@pytest.mark.parametrize("edit", ["groups", "replaced", "meant"])
def test_the_remark_goes_with_the_first_edit(edit: str) -> None:
    write(towns())
    draft()
    file, plan = Path("hierarchies/town.csv"), Path("plan.toml")
    grouped = [f"{town};{'west' if town > 'L' else 'east'};*" for town in TOWNS]
    if edit == "groups":
        file.write_text("\n".join(grouped) + "\n")
    elif edit == "replaced":
        Path("own.csv").write_text("\n".join(grouped) + "\n")
        plan.write_text(plan.read_text().replace("hierarchies/town.csv", "own.csv"))
    else:
        plan.write_text(plan.read_text().replace("draft = true\n", ""))
    facts, said = release()
    assert not [remark for remark in facts["remarks"] if "draft" in remark]
    assert "drafted" not in said


def test_birth_dates() -> None:
    rng = random.Random(5)
    write([
        {"Geburtsdatum": f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.{rng.randint(1940, 2005)}",
         "admitted": f"2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
         "sex": rng.choice("fm"), "diagnosis": rng.choice(["flu", "gout", "cold"])}
        for _ in range(200)
    ])  # fmt: skip
    plan, text, said = draft()
    born, came = plan["columns"]["Geburtsdatum"], plan["columns"]["admitted"]
    assert born["kind"] == came["kind"] == "date"
    assert born["format"] == "%d.%m.%Y"
    assert "format" not in came
    assert "hierarchy" not in born
    assert text.count('# age_at = "YYYY-MM-DD"') == 1
    assert text.index("age_at") < text.index("[columns.admitted]")
    assert "age_at for 'Geburtsdatum'" in said
    release()
    published = io.read("release/table.csv").frame["Geburtsdatum"]
    assert published.str.contains(r"^(19|20)\d\d(-\d\d)*( to (19|20)\d\d(-\d\d)*)?$").all()


def wages() -> list[dict[str, object]]:
    rng = random.Random(6)
    rows: list[dict[str, object]] = []
    for _ in range(300):
        wage = round(rng.lognormvariate(2, 0.5), 2)
        rows.append(
            {"age": rng.randint(20, 60), "educ": rng.randint(8, 18),
             "union": rng.choice(["yes", "no"]), "health": rng.choice(["poor", "fair", "good"]),
             "wage": wage, "lwage": round(math.log(wage), 4), "pay2": round(wage**0.5, 4)}
        )  # fmt: skip
    return rows


def test_a_wage_beside_its_root() -> None:
    write(wages())
    plan, text, said = draft()
    assert [name for name, role in roles(plan).items() if role == "sensitive"] == [
        "union", "health", "wage", "lwage", "pay2",
    ]  # fmt: skip
    assert "Holds the same information as 'wage', which is sensitive" in text
    assert "hold the same information" not in said  # one role, so that nothing is undone
    release()


def test_twins_of_different_roles_are_named() -> None:
    write(wages())
    plan, text, said = draft("--quasi", "pay2", "--drop", "lwage")
    problem = "Columns 'wage' (sensitive) and 'pay2' (quasi) hold the same information"
    assert roles(plan)["pay2"] == "quasi"
    assert f"CHECK {problem}" in said
    assert f"CHECK: {problem}" in " ".join(line.removeprefix("# ") for line in text.splitlines())
    facts, said = release()
    assert [remark for remark in facts["remarks"] if problem in remark]
    options = ["--force", "--json", "--quasi", "lwage"]
    found = json.loads(shoal_says("plan", "table.csv", *options))
    assert [each["columns"] for each in found["told_twice"]] == [
        ["wage", "lwage"],
        ["lwage", "pay2"],
    ]


def test_a_program_is_told_the_same() -> None:
    write(towns())
    found = json.loads(shoal_says("plan", "table.csv", "--json"))
    assert found["drafts"] == ["town"]
    assert found["offers"] == found["told_twice"] == []
    assert found["numbers"] == {"decimal": None, "thousands": None, "columns": [], "doubts": []}
    write(german(), separator=";")
    found = json.loads(shoal_says("plan", "table.csv", "--json", "--force"))
    assert found["numbers"]["columns"] == ["Größe", "Gehalt", "Miete"]
    assert "round_to" in {offer["line"].split()[0] for offer in found["offers"]}


@pytest.mark.parametrize("rows", [towns(), panel(), wages(), german()])
def test_the_console_fits_in_80_columns(rows: list[dict[str, object]]) -> None:
    write(rows, separator=";")
    said = shoal_says("plan", "table.csv", columns=80)
    assert max(map(len, said.splitlines())) <= 80


def test_the_draft_explains_bounds_and_weights_once() -> None:
    write(towns())
    plan, text, _ = draft()
    assert plan["publication"]["bounds"] == "rounded"
    assert "end at round numbers" in text
    quasi = [column for column in plan["columns"].values() if column["role"] == "quasi"]
    assert [column["weight"] for column in quasi] == [1.0] * 3
    assert text.count("The weight of the column") == 1
    assert shoal.Plan.read("plan.toml").columns["town"].draft is True
