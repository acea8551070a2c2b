"""CSV out as CSV in: separator, encoding, byte order mark, decimal comma."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.engines import pipeline
from shoal.errors import InputError, OutputError, ParameterError, PlanError

ROWS = [
    (
        str(20 + n % 7),
        f"{150 + n % 9},5",
        "01067" if n % 2 else "01069",
        f"1.{100 + n},25",
        ill,
        code,
    )
    for n, (ill, code) in enumerate([("Grippe", "1.2"), ("Ödem", "1.3"), ("", "1.2")] * 14)
]
HEAD = ("age", "height", "zip", "pay", "ill", "code")


def plan(folder: Path, data: bytes | str, **parts: Any) -> shoal.Plan:
    """Write a table, and make a plan for it."""
    given = data.encode() if isinstance(data, str) else data
    (folder / "in.csv").write_bytes(given)
    settings: dict[str, Any] = {
        "input": {"path": "in.csv", "decimal": ",", "thousands": ".", "numbers": ["pay"]},
        "output": {"path": "out"},
        "columns": {
            "age": {"role": "quasi", "kind": "numeric"},
            "height": {"role": "quasi", "kind": "numeric"},
            "zip": {"role": "quasi"},
            "pay": {"role": "sensitive"},
            "ill": {"role": "sensitive"},
            "code": {"role": "other"},
        },
        "require": [{"model": "k-anonymity", "k": 3}],
        "method": {"name": "mondrian"},
        "publication": {"seed": 3},
    }
    for part, changed in parts.items():
        settings[part] = {**settings[part], **changed}
    return shoal.Plan.from_dict(settings, folder=folder)


def lines(separator: str = ";", rows: Any = ROWS, head: Any = HEAD) -> str:
    return "".join(separator.join(line) + "\n" for line in (head, *rows))


def run(made: shoal.Plan) -> tuple[bytes, dict[str, Any]]:
    release = pipeline.run(made)
    out = made.output_path
    opened = shoal.open_release(out)
    assert opened.verify().passed
    source = pipeline.read(made.input_path, made)[0]
    assert opened.verify(original=source).passed
    # What is read back is what was made, cell by cell.
    read, order = opened.table, opened.rows
    place = {row: at for at, row in enumerate(release.rows.tolist())}
    wanted = release.frame[[place[row] for row in order.tolist()]]  # type: ignore[union-attr]
    assert read.cast(pl.String).rows() == wanted.cast(pl.String).rows()
    return (out / "table.csv").read_bytes(), json.loads((out / "release.json").read_text("utf-8"))


def test_a_table_with_commas_comes_out_as_it_went_in(tmp_path: Path) -> None:
    data, facts = run(plan(tmp_path, lines().encode("cp1252")))
    text = data.decode("cp1252")
    assert text.splitlines()[0] == "age;height;zip;pay;ill;code"
    assert "Ödem" in text
    assert "." not in text.replace("1.2", "").replace("1.3", "")  # codes keep their point
    assert ";1100,25;" in text
    assert '"[' in text
    assert facts["csv"] == {
        "separator": ";",
        "encoding": "cp1252",
        "decimal": ",",
        "decimal_columns": ["age", "height", "pay"],
    }


def test_the_same_bytes_twice(tmp_path: Path) -> None:
    made = plan(tmp_path, lines().encode("cp1252"))
    assert run(made) == run(made)


def test_numbers_are_read_as_such_and_codes_stay(tmp_path: Path) -> None:
    found, _ = pipeline.read(tmp_path / "in.csv", plan(tmp_path, lines()))
    assert found.frame["pay"][0] == "1100.25"
    assert found.frame["height"][0] == "150.5"
    assert found.frame["code"][0] == "1.2"
    assert found.frame["zip"][0] == "01069"


def test_what_the_plan_does_not_call_numbers_is_published_as_it_came_in(tmp_path: Path) -> None:
    for output in ({}, {"decimal": "."}):
        data, facts = run(plan(tmp_path, lines(), input={"numbers": []}, output=output))
        assert b";1.100,25;" in data
        assert "pay" not in facts["csv"].get("decimal_columns", [])


def test_what_needs_numbers_is_read_as_such(tmp_path: Path) -> None:
    for asked in (
        {"role": "other", "round_to": 100},
        {"role": "sensitive", "top": 1110},
        {"role": "sensitive", "hierarchy": {"builder": "intervals", "width": 50}},
    ):
        made = plan(tmp_path, lines(), input={"numbers": []}, columns={"pay": asked})
        assert pipeline.read(made.input_path, made)[0].frame["pay"][0] == "1100.25"


def test_a_negative_number_is_no_formula(tmp_path: Path) -> None:
    rows = [
        (*row[:3], f"-{row[3]}", "-a" if n % 2 else row[4], row[5]) for n, row in enumerate(ROWS)
    ]
    data, _ = run(plan(tmp_path, lines(rows=rows)))
    assert b";-1100,25;" in data
    assert b";'-a;" in data


def test_a_mark_at_the_beginning_is_kept(tmp_path: Path) -> None:
    data, facts = run(plan(tmp_path, lines().encode("utf-8-sig")))
    assert data.startswith(b"\xef\xbb\xbfage;")
    assert facts["csv"]["encoding"] == "utf-8-sig"


def test_the_plan_decides(tmp_path: Path) -> None:
    style = {"separator": "\t", "encoding": "utf-16", "decimal": "."}
    data, facts = run(plan(tmp_path, lines(), output=style))
    text = data.decode("utf-16")
    assert text.splitlines()[0].split("\t") == list(HEAD)
    assert "1100.25" in text
    assert facts["csv"] == style


def test_commas_in_a_file_with_commas_are_quoted(tmp_path: Path) -> None:
    rows = [tuple(f'"{cell}"' for cell in row) for row in ROWS]
    data, facts = run(plan(tmp_path, lines(",", rows)))
    assert b',"1100,25",' in data
    assert facts["csv"]["separator"] == ","


def test_plain_files_stay_as_they_were(tmp_path: Path) -> None:
    rows = [(*(c.replace(".", "").replace(",", ".") for c in row[:5]), "x") for row in ROWS]
    data, facts = run(
        plan(tmp_path, lines(",", rows), input={"decimal": None, "thousands": None, "numbers": []})
    )
    assert "csv" not in facts
    assert data.decode().splitlines()[0] == ",".join(HEAD)
    with_comma, facts = run(
        plan(
            tmp_path,
            lines(",", rows),
            input={"decimal": None, "thousands": None, "numbers": []},
            output={"decimal": ",", "separator": ";"},
        )
    )
    assert facts["csv"]["decimal_columns"] == ["age", "height", "pay"]
    assert b";1100,25;" in with_comma


def test_frames_are_written_plainly(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [20, 30] * 10, "pay": [1.5, 2.5] * 10})
    made = shoal.anonymize(frame, {"age": "quasi", "pay": "sensitive"}, require=2, seed=1)
    made.write(tmp_path / "a")
    assert b"1.5" in (tmp_path / "a" / "table.csv").read_bytes()
    made.write(tmp_path / "b", separator=";", decimal=",", encoding="utf-8-sig")
    assert b";1,5" in (tmp_path / "b" / "table.csv").read_bytes()
    assert shoal.open_release(tmp_path / "b").verify(original=frame).passed
    with pytest.raises(ParameterError, match="separator must be one"):
        made.write(tmp_path / "c", separator="ab")
    with pytest.raises(ParameterError, match="Unknown encoding"):
        made.write(tmp_path / "c", encoding="klingon")
    assert not (tmp_path / "c").exists()


def test_signs_that_an_encoding_lacks_are_counted_before_anything_is_written(
    tmp_path: Path,
) -> None:
    rows = [(*row[:4], "α" if n % 2 else "β", row[5]) for n, row in enumerate(ROWS)]
    made = plan(tmp_path, lines(rows=rows), output={"encoding": "cp1252"})
    with pytest.raises(OutputError, match=r"'ill' has 42 texts with characters that .* cp1252"):
        pipeline.run(made)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv"]


def test_a_cell_that_is_no_number_by_these_signs_is_refused(tmp_path: Path) -> None:
    rows = [("20.5", *ROWS[0][1:]), ("x", *ROWS[0][1:]), *ROWS]
    with pytest.raises(InputError, match="'age' is numeric, but 2 cells are not numbers with"):
        pipeline.run(plan(tmp_path, lines(rows=rows)))


def test_missing_texts_are_left_alone(tmp_path: Path) -> None:
    rows = [*ROWS, ("-9,5", "150,5", "01067", "-9,5", "Grippe", "1.2")]
    made = plan(tmp_path, lines(rows=rows), input={"missing": ["", "*", "-9,5"]})
    found, _ = pipeline.read(made.input_path, made)
    assert found.frame.row(-1)[:4] == ("-9,5", "150.5", "01067", "-9,5")
    assert run(made)[1]["csv"]["decimal_columns"] == ["age", "height"]


def test_a_changed_style_is_damage(tmp_path: Path) -> None:
    run(plan(tmp_path, lines().encode("cp1252")))
    facts = json.loads((tmp_path / "out" / "release.json").read_text("utf-8"))
    for damaged in ({"separator": 5}, {"separator": "ab"}, {"encoding": "x"}, {"other": 1}, 7):
        facts["csv"] = damaged
        (tmp_path / "out" / "release.json").write_text(json.dumps(facts), "utf-8")
        with pytest.raises(InputError, match="damaged"):
            shoal.open_release(tmp_path / "out")


def test_two_tables_have_one_style(tmp_path: Path) -> None:
    made = plan(
        tmp_path,
        lines().encode("cp1252"),
        columns={"pay": {"role": "identifier"}, "code": {"role": "identifier"}},
        publication={"form": "two-table", "quasi_cells": "generalized"},
    )
    pipeline.run(made)
    opened = shoal.open_release(made.output_path)
    source = pipeline.read(made.input_path, made)[0]
    assert opened.verify(original=source).passed
    assert "Ödem" in (made.output_path / "sensitive.csv").read_text("cp1252")


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ({"output": {"separator": "ab"}}, "'output' is not valid: the separator must be one"),
        ({"output": {"separator": '"'}}, "no letter, digit or quote"),
        ({"output": {"encoding": "klingon"}}, "unknown encoding"),
        ({"output": {"decimal": ";"}}, r"'output\.decimal' is not valid"),
        ({"output": {"format": "xlsx", "separator": ";"}}, "separator is only for CSV"),
        ({"input": {"numbers": ["x"]}}, "no column 'x' to read as numbers"),
        ({"input": {"decimal": None, "thousands": None}}, "numbers needs decimal or thousands"),
        ({"input": {"thousands": ","}}, "'input' is not valid: the decimal sign and the thousands"),
    ],
)
def test_plans_that_cannot_be(tmp_path: Path, part: dict[str, Any], problem: str) -> None:
    with pytest.raises(PlanError, match=problem):
        plan(tmp_path, lines(), **part)


def test_a_population_has_signs_of_its_own(tmp_path: Path) -> None:
    people = [(row[0], row[1], row[2]) for row in ROWS] * 2
    (tmp_path / "all.csv").write_text(lines("|", people, HEAD[:3]))
    made = plan(tmp_path, lines())
    settings = made.to_dict() | {
        "population": {"path": "all.csv", "decimal": ","},
        "require": [{"model": "k-map", "k": 3}, {"model": "k-anonymity", "k": 2}],
        "method": {"name": "datafly"},
    }
    release = pipeline.run(shoal.Plan.from_dict(settings, folder=tmp_path))
    assert release.verification.passed
