"""Dates and prepared columns on the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from shoal.cli import app

PEOPLE = "birth,pay,ill\n" + "".join(
    f"{1 + at % 27}.{1 + at % 12}.{1940 + at},{1000 + 37 * at},{'abc'[at % 3]}\n"
    for at in range(40)
)
PLAN = """
[input]
path = "people.csv"
[output]
path = "out"
[columns.birth]
role = "quasi"
{birth}
[columns.pay]
role = "other"
{pay}
[columns.ill]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 4
[method]
name = "mondrian"
"""


def run(place: Path, *words: str) -> tuple[int, str]:
    answer = CliRunner().invoke(app, list(words), env={"COLUMNS": "80"})
    assert "Traceback" not in answer.output
    return answer.exit_code, " ".join(answer.output.split())


def planned(place: Path, birth: str = 'kind = "date"', pay: str = "round_to = 100") -> str:
    (place / "people.csv").write_text(PEOPLE)
    (place / "plan.toml").write_text(PLAN.format(birth=birth, pay=pay))
    return str(place / "plan.toml")


def test_run_query_and_verify(tmp_path: Path) -> None:
    code, said = run(tmp_path, "run", planned(tmp_path))
    assert code == 0
    assert "pay: rounded to the nearest multiple of 100" in said
    assert re.search(r"a range of \d+ years", said)
    (tmp_path / "out.private").rename(
        tmp_path / "elsewhere"
    )  # a reader has the public folder alone
    assert run(tmp_path, "verify", str(tmp_path / "out"))[0] == 0
    code, said = run(tmp_path, "query", str(tmp_path / "out"), "--where", "birth=1940..1979")
    assert code == 0
    assert "40" in said
    code, said = run(
        tmp_path, "query", str(tmp_path / "out"), "--where", "birth=1955-01-01..1964-12-31"
    )
    assert code == 0
    code, said = run(tmp_path, "query", str(tmp_path / "out"), "--where", "birth=young")
    assert code != 0
    assert "holds dates, but the condition names something else" in said


@pytest.mark.parametrize(
    ("birth", "pay", "told"),
    [
        ('age_at = "soon"', "", "Column 'birth': age_at must be a day"),
        ('age_at = "1950-01-01"', "", "Column 'birth' holds 30 dates after age_at = 1950-01-01."),
        ('kind = "date"\nformat = "%Y-%m-%d"', "", "40 cells are no dates written as %Y-%m-%d."),
        ('kind = "date"\ntop = 3', "", "top is only for numbers"),
        ("round_to = 5", "", "Column 'birth' has round_to, but 40 cells are not numbers."),
        ('kind = "date"', "top = 1\nbottom = 2", "top = 1 is not above bottom = 2."),
        ('kind = "date"', "round_to = 0", "round_to must be above 0"),
    ],
)
def test_bad_input_is_told_in_two_sentences(
    birth: str, pay: str, told: str, tmp_path: Path
) -> None:
    code, said = run(tmp_path, "run", planned(tmp_path, birth, pay))
    assert code not in (0, 1) or "Error" in said
    assert told in said
    assert not (tmp_path / "out").exists()
