"""The one reader: a frame, tables that share a class id, files, and the folder of a release."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.errors import InputError, ParameterError, SchemaError
from shoal.publications import from_facts
from shoal.publications.published import Published, PublishedFiles, with_interval_ends
from shoal.release.public_facts import release_id

SCHEMA = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive(), "pay": shoal.sensitive()})
QUASI = pl.DataFrame({"age": ["30", "41", "*"], "g": [7, 7, 9]})
ILL = pl.DataFrame({"g": [7, 9, 7], "ill": ["flu", None, "HIV"]})
PAY = pl.DataFrame({"g": [7, 9, 11], "pay": ["low", "low", "high"], "n": [2, 1, 4]})


def several() -> Published:
    return Published.read({"quasi": QUASI, "sensitive": {"ill": ILL, "pay": PAY}}, SCHEMA)


def test_one_table_is_itself() -> None:
    frame = pl.DataFrame({"age": ["*", None], "ill": ["a", "b"]})
    made = Published.read(frame, SCHEMA)
    assert not made.linked
    assert made.tables is made.frame
    assert made.equal_cells(["age"]).to_list() == [0, 0]  # a null is a star
    assert Published.read(made) is made


def test_classes_are_numbered_by_their_ids_and_values_counted() -> None:
    made = several()
    assert made.class_column == "g"
    assert made.columns == ["age"]
    classes, shown = made.by_class(SCHEMA)
    assert classes.tolist() == [0, 0, 1]
    pay = shown["pay"]  # the class 11 has no rows: it follows
    labels = [pay.labels[code] for code in pay.value]
    assert list(zip(pay.group.tolist(), labels, pay.counts.tolist(), strict=True)) == [
        (0, "low", 2),
        (1, "low", 1),
        (2, "high", 4),
    ]
    assert [shown["ill"].labels[code] for code in shown["ill"].value][-1] is None


def test_read_again_it_is_the_same() -> None:
    made = several()
    again = Published.read(made.tables, SCHEMA)
    assert again.by_column
    assert again.value_tables["pay"].count_column == "n"


@pytest.mark.parametrize(
    ("tables", "error", "match"),
    [
        ({"quasi": QUASI}, ParameterError, "must be named"),
        ({"quasi": QUASI.clear(), "sensitive": {"ill": ILL, "pay": PAY}}, InputError, "no rows"),
        ({"quasi": QUASI, "sensitive": {"ill": ILL}}, SchemaError, "no table for"),
        ({"quasi": QUASI.drop("g"), "sensitive": {"ill": ILL, "pay": PAY}}, SchemaError, "class"),
        ({"quasi": QUASI, "sensitive": ILL}, SchemaError, "exactly one sensitive column"),
    ],
)
def test_what_is_no_publication(tables: object, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        Published.read(tables, SCHEMA)


def test_intervals_become_numbers() -> None:
    cells = ["[20, 29]", "[0.5, 1)", "*", "7"]
    frame = pl.DataFrame({"age": cells, "zip": ["01", "2", "3", "4"], "age_lo": [1, 2, 3, 4]})
    roles = {"age": shoal.quasi(), "zip": shoal.quasi(), "age_lo": shoal.other()}
    made = with_interval_ends(Published(frame), shoal.Schema(roles))
    assert made.columns == ["age_lo_1", "age_hi", "age_mid", "zip", "age_lo"]
    assert made["age_lo_1"].to_list() == [20.0, 0.5, None, 7.0]
    assert made["age_hi"].to_list() == [29, 1, None, 7]
    assert made["age_mid"].to_list() == [24.5, 0.75, None, 7.0]


def test_numbers_past_64_bits_are_rounded_not_refused() -> None:
    frame = pl.DataFrame({"n": ["[1, 100000000000000000000]"]})
    made = with_interval_ends(Published(frame), shoal.Schema({"n": shoal.quasi(kind="numeric")}))
    assert made.row(0) == (1, 1e20, 5e19)


def test_files_of_strangers(tmp_path: Path) -> None:
    for name, frame in (("q", QUASI), ("ill", ILL), ("pay", PAY)):
        frame.write_csv(tmp_path / f"{name}.csv")
    values = [tmp_path / "ill.csv", tmp_path / "pay.csv"]
    with pytest.raises(InputError, match="columns that no other table"):
        PublishedFiles.open(tmp_path / "q.csv", sensitive_tables=values)
    PAY.drop("n").write_csv(tmp_path / "pay.csv")
    found = PublishedFiles.open(tmp_path / "q.csv", sensitive_tables=values)
    assert found.facts is found.rows is found.private is None
    assert found.columns(["age"]) == ["age"]
    assert found.read(SCHEMA).by_column
    assert found.changed == []


@pytest.mark.parametrize("form", ["two-table", "sensitive-groups"])
def test_older_releases_are_read(tmp_path: Path, form: str) -> None:
    frame = pl.DataFrame({"age": list(range(8)), "ill": ["a", "b"] * 4})
    roles = {"age": "quasi", "ill": "sensitive"}
    made = shoal.anonymize(frame, roles, require=2, publication=form, seed=1)
    place = made.write(tmp_path / "out") / "release.json"
    text = place.read_text(encoding="utf-8")
    for word in ("quasi", "sensitive"):
        text = text.replace(f'"{word}_cells"', f'"{word}"')
    facts = json.loads(text)
    place.write_text(json.dumps({**facts, "id": release_id(facts)}), encoding="utf-8")
    shutil.rmtree(tmp_path / "out.private")  # it knows another release.json
    (tmp_path / "out" / "report.html").unlink()  # drawn from another one
    opened = shoal.open_release(tmp_path / "out")
    assert opened.published.exact
    assert opened.verify().passed
    older = {form.replace("-", "_"): {"quasi": "generalized"}}
    assert not from_facts({"publication": form, **older}).exact
    del facts[form.replace("-", "_")]["quasi"]
    place.write_text(json.dumps(facts), encoding="utf-8")
    with pytest.raises(InputError, match="damaged"):
        shoal.open_release(tmp_path / "out")


def test_a_release_does_not_point_out_of_its_folder(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [1, 1, 2, 2]})
    place = shoal.anonymize(frame, {"age": "quasi"}, require=2).write(tmp_path / "out")
    text = (place / "release.json").read_text(encoding="utf-8")
    (place / "release.json").write_text(text.replace('"table.csv"', '"../table.csv"'))
    with pytest.raises(InputError, match="damaged"):
        shoal.open_release(place)


@pytest.mark.parametrize("how", ["values", "rows", "counts"])
def test_measures_read_several_tables_themselves(how: str) -> None:
    frame = pl.DataFrame({"age": list(range(12)), "ill": ["a", "b", "a"] * 4, "pay": [1, 2] * 6})
    roles = {"age": "quasi", "ill": "sensitive", "pay": "sensitive"}
    made = shoal.anonymize(
        frame, roles, require=3, publication="sensitive-groups", sensitive_cells=how, seed=2
    )
    pair = shoal.measures.pair(frame, made.tables, made.schema, rows=made.rows)
    assert shoal.measures.measure_all(pair) == pytest.approx(made.measures)
    pair = shoal.measures.pair(frame, made, made.schema, rows=made.rows)
    assert shoal.measures.measure_all(pair) == pytest.approx(made.measures)
