"""One generalized table that is published again: counterfeits are rows like others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings, strategies as st
from typer.testing import CliRunner

import shoal
from shoal import GAACP
from shoal.base.rounding import two_digits
from shoal.cli import app
from shoal.errors import InputError, ParameterError, ShoalError, VerificationError
from shoal.measures import measure_all
from shoal.publications import Generalized
from shoal.publications.groups.grouping import Grouping, Padding
from shoal.release.earlier import recount
from shoal.release.opened import OpenedRelease
from shoal.table import Table
from tests.methods.test_invariance_reference import PAPER as LATER
from tests.reference.again import ReadTable, require_invariant
from tests.release.test_again import (
    FIRST,
    ILL,
    PLAN,
    SCHEMA,
    SECOND,
    SECRET,
    THIRD,
    M,
    people,
    release as release_,
)
from tests.trust.test_public_numbers import numbers
from tests.writers import write_csv_by

GONE = SECOND.filter(pl.col("ill") != "asthma")
"""A second table in which nobody holds one of the values any more."""


def release(data: pl.DataFrame, schema: Any = SCHEMA, **options: Any) -> Any:
    return release_(data, schema, **({"publication": "generalized"} | options))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two releases, the second with counterfeits."""
    place = tmp_path_factory.mktemp("two")
    release(FIRST).write(place / "a")
    release(GONE, again=place / "a").write(place / "b")
    return place / "a", place / "b"


def copied(folders: tuple[Path, ...], place: Path) -> list[Path]:
    for folder in folders:
        for each in (folder, Path(f"{folder}.private")):
            shutil.copytree(each, place / each.name)
    return [place / folder.name for folder in folders]


# The paper's example

HOSPITAL = pl.DataFrame(
    [
        ("Bob", 21, 12000, "dyspepsia"),
        ("Alice", 22, 14000, "bronchitis"),
        ("Andy", 24, 18000, "flu"),
        ("David", 23, 25000, "gastritis"),
        ("Gary", 41, 20000, "flu"),
        ("Helen", 36, 27000, "gastritis"),
        ("Jane", 37, 33000, "dyspepsia"),
        ("Ken", 40, 35000, "flu"),
        ("Linda", 43, 26000, "gastritis"),
        ("Paul", 52, 33000, "dyspepsia"),
        ("Steve", 56, 34000, "gastritis"),
    ],
    schema=["name", "age", "zip", "disease"],
    orient="row",
)
"""The first microdata table of Xiao and Tao (2007)."""
PATIENTS = shoal.Schema(
    {"name": "identifier", "age": "quasi", "zip": "quasi", "disease": "sensitive"}, entity="name"
)


def test_the_tables_of_the_paper() -> None:
    """Their classes and two counterfeits, published in 13 rows like their Table 4."""
    table = Table.encode(LATER, PATIENTS).with_values("disease", ["bronchitis"])
    classes = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    values = table.sensitive["disease"].labels
    added = Padding(np.array([0, 2]), np.array([values.index("bronchitis"), values.index("flu")]))
    grouping = Grouping(np.array(classes, dtype=np.int32), {"disease": added}, counterfeits=True)
    made = Generalized(bounds="observed").make(table, grouping, np.arange(1, 7))
    assert sorted(made.published.frame.rows()) == sorted(
        [
            ("21", "12000", "dyspepsia"),
            ("21", "12000", "bronchitis"),
            ("[23, 25]", "[21000, 25000]", "gastritis"),
            ("[23, 25]", "[21000, 25000]", "flu"),
            ("[37, 43]", "[26000, 33000]", "dyspepsia"),
            ("[37, 43]", "[26000, 33000]", "flu"),
            ("[37, 43]", "[26000, 33000]", "gastritis"),
            ("[41, 46]", "[20000, 30000]", "flu"),
            ("[41, 46]", "[20000, 30000]", "gastritis"),
            ("[54, 56]", "[31000, 34000]", "dyspepsia"),
            ("[54, 56]", "[31000, 34000]", "gastritis"),
            ("[60, 65]", "[36000, 44000]", "gastritis"),
            ("[60, 65]", "[36000, 44000]", "flu"),
        ]
    )
    assert made.published.counterfeit_rows is not None
    assert made.published.counterfeit_rows.sum() == 2
    assert made.recoded.rows.tolist() == list(range(11))


@pytest.mark.parametrize("method", ["gaa-cp", "kaim", "k-member"])
def test_the_hospital_publishes_twice(method: str, tmp_path: Path) -> None:
    how = {"require": shoal.MInvariance(2), "method": method, "seed": 2, "suppression_limit": 0.2}
    shoal.anonymize(HOSPITAL, PATIENTS, **how).write(tmp_path / "a")
    shoal.anonymize(LATER, PATIENTS, again=tmp_path / "a", **how).write(tmp_path / "b")
    require_invariant([tmp_path / "a", tmp_path / "b"], "disease", 2)


# Random tables, random changes


@settings(max_examples=6, deadline=None)
@given(
    st.lists(st.sets(st.integers(0, 59), min_size=12), min_size=3, max_size=3),
    st.sampled_from(["keep", "drop", "suppress-column"]),
    st.sampled_from(["nodes", "sets"]),
    st.booleans(),
)
@example([{*range(12)}, {*range(12)}, {*range(11), 13}], "keep", "nodes", False)  # a row is added
def test_whoever_comes_and_goes(
    tmp_path_factory: pytest.TempPathFactory,
    shown: list[set[int]],
    missing: str,
    categories: str,
    holes: bool,
) -> None:
    place = tmp_path_factory.mktemp("again")
    made: list[Path] = []
    for number, each in enumerate(shown):
        data = people(sorted(each)).with_columns(age=pl.col("age") // 20 * 20)  # classes unite
        if holes:
            data = data.with_columns(
                sex=pl.when(pl.int_range(pl.len()) % 7 == 0).then(None).otherwise("sex")
            )
        form = Generalized(categories=categories)  # type: ignore[arg-type]
        again = made[-1] if made else None
        how = {"m": 2, "missing": missing, "suppression_limit": 1, "method": "kaim"}
        try:
            found = release(data, again=again, publication=form, **how)
        except ShoalError:
            continue
        made.append(found.write(place / str(number)))
        assert ReadTable(made[-1], "ill").n_counterfeits == found.n_noise
        if again is not None:
            assert shoal.open_release(made[-1]).verify(again=shoal.open_release(again)).passed
    require_invariant(made, "ill", 2)


def test_a_release_goes_on_in_another_form(tmp_path: Path) -> None:
    forms = ["two-table", "generalized", "two-table", "generalized"]
    previous, shown = None, []
    for name, form, data in zip("abcd", forms, (FIRST, GONE, THIRD, SECOND), strict=True):
        release(data, again=previous, publication=form).write(tmp_path / name)
        previous = tmp_path / name
        shown.append(recount(shoal.open_release(previous), "ill"))
    for one in shown:
        for other in shown:
            assert all(one[name] == other[name] for name in one if name in other)
    require_invariant([tmp_path / "b", tmp_path / "d"], "ill", M)


def test_a_first_release_has_no_counterfeits(two: tuple[Path, Path]) -> None:
    assert ReadTable(two[0], "ill").n_counterfeits == 0
    facts = json.loads((two[0] / "release.json").read_text())
    assert "generalized" not in facts
    assert "noise_ratio" not in facts
    assert facts["measures"]["average_class_size"] == pytest.approx(
        facts["rows"]["published"] / facts["verification"]["classes"]
    )


# What is told, and what is not


def test_counterfeits_are_not_told_apart(two: tuple[Path, Path], tmp_path: Path) -> None:
    made = release(GONE, again=two[0])
    table = ReadTable(two[1], "ill")
    assert table.n_counterfeits == made.n_noise > 10
    held = {c for c, name in zip(table.cells, table.names, strict=True) if name is not None}
    assert set(table.cells) == held
    # Rows that nobody holds stand anywhere: the sum of their ranks is that of chance.
    places = [i + 1 for i, name in enumerate(table.names) if name is None]
    w, n = len(places), len(table.names)
    deviation = (w * (n - w) * (n + 1) / 12) ** 0.5
    assert abs(sum(places) - w * (n + 1) / 2) < 3 * deviation
    mask = made.published.counterfeit_rows
    assert not mask[-w:].all()  # nor do they follow the others in memory
    kept = made.table.filter(pl.Series(~mask))
    assert kept["ill"].to_list() == GONE["ill"][made.rows].to_list()
    made.write(tmp_path / "p", format="parquet")
    assert pl.read_parquet(tmp_path / "p" / "table.parquet").null_count().sum_horizontal()[0] == 0


def test_how_many_there_are_is_private(two: tuple[Path, Path]) -> None:
    facts = json.loads((two[1] / "release.json").read_text())
    manifest = json.loads(Path(f"{two[1]}.private/manifest.json").read_text())
    (noise,) = manifest["noise"].values()
    rows = facts["rows"]["published"]
    assert rows == pl.read_csv(two[1] / "table.csv").height
    assert facts["generalized"] == {"counterfeits": True}
    assert facts["noise_ratio"] == round(noise / rows, 1)
    assert noise not in [facts["rows"]["suppressed"], facts["rows"]["dropped"]]
    # Nobody else can count the rows of people, so nothing of them has all its digits.
    assert manifest["measures"]["average_class_size"] != facts["measures"]["average_class_size"]
    report = (two[1] / "report.html").read_text()
    assert "Some rows are counterfeits, which belong to no person: " in report
    assert str(facts["noise_ratio"]) in report
    assert "no value in more than 1 of 3 rows of a class" in report


def test_numbers_have_two_digits_unless_the_table_gives_them(two: tuple[Path, Path]) -> None:
    """Rows and classes can be counted in the file; nothing of people alone can."""
    facts = json.loads((two[1] / "release.json").read_text())
    table = ReadTable(two[1], "ill")
    assert facts["verification"]["rows"] == len(table.cells)
    assert facts["verification"]["classes"] == len(set(table.cells))
    counted = ("/rows/published", "/verification/rows", "/verification/classes")
    left_out = ("/id", "/again/previous", "/files", "/shoal")  # names, not numbers
    for path, number in numbers(facts):
        if path not in counted and not path.startswith(left_out):
            assert number == two_digits(number), path


def test_nothing_private_is_published(two: tuple[Path, Path]) -> None:
    for folder in two:
        for path in folder.iterdir():
            assert SECRET not in path.read_text(), path
    assert "left_out" not in (two[1] / "release.json").read_text()


# What is done with a release


def test_people_are_measured_and_counterfeits_are_noise(two: tuple[Path, Path]) -> None:
    made = release(GONE, again=two[0])
    apart = release_(GONE, again=two[0], quasi_cells="generalized")
    assert np.array_equal(made.grouping.labels, apart.grouping.labels)
    for name in ("iloss", "iloss_rate", "loss", "starred_rate", "noise_ratio"):
        assert made.measures[name] == pytest.approx(apart.measures[name])
    opened = shoal.open_release(two[1])
    beside = OpenedRelease(opened.files, source=GONE)
    assert measure_all(beside.pair) == pytest.approx(made.measures)
    assert opened.measures == pytest.approx(made.measures)
    assert made.reidentification().people == opened.reidentification(original=GONE).people
    assert made.reidentification().people == len(made.rows) == made.frame.height - made.n_noise
    fresh, read = ({each.name: each.people for each in x.risk()} for x in (made, beside))
    assert fresh == read
    assert fresh["probability"] == 0


def test_counterfeits_of_two_tables_are_noise_when_opened(tmp_path: Path) -> None:
    release_(FIRST).write(tmp_path / "a")
    for cells in ("rows", "counts"):
        made = release_(GONE, again=tmp_path / "a", sensitive_cells=cells)
        opened = shoal.open_release(made.write(tmp_path / cells))
        beside = measure_all(OpenedRelease(opened.files, source=GONE).pair)
        assert beside == pytest.approx(made.measures)
        assert beside["noise_ratio"] == made.n_noise / GONE.height > 0


@pytest.mark.parametrize("form", ["generalized", "two-table"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize(
    "values",
    [
        pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 1, 5), eager=True),
        pl.Series([0.0, 1.5, 2.0, 1e20, None]),
        pl.Series(["=1+1", "a, b", "*", "ä", ""]),
    ],
    ids=["dates", "numbers", "texts"],
)
def test_a_value_that_nobody_holds_any_more_is_spelled_as_before(
    values: pl.Series, kind: Any, form: str, tmp_path: Path
) -> None:
    place = pl.col("ill").replace_strict(ILL, list(range(len(ILL))), return_dtype=pl.Int64)
    first, second = (
        each.with_columns(ill=values.gather(each.select(place).to_series()))
        for each in (FIRST, GONE)
    )
    release(first, publication=form).write(tmp_path / "a", format=kind)
    made = release(second, publication=form, again=tmp_path / "a")
    made.write(tmp_path / "b", format=kind)
    opened = [shoal.open_release(tmp_path / name) for name in "ab"]
    assert made.n_noise
    assert opened[1].verify(original=second, again=opened[0]).passed


@pytest.mark.parametrize("form", ["generalized", "two-table"])
def test_numbers_stay_numbers(form: str, tmp_path: Path) -> None:
    """Counterfeits do not make texts of a column, whether somebody holds their values or not."""
    place = pl.col("ill").replace_strict(ILL, [0.5, 1.0, 1.5, 2.0, 2.5])
    first, fewer, gone = (each.with_columns(ill=place) for each in (FIRST, FIRST[20:], GONE))
    release(first, publication=form).write(tmp_path / "a")
    for data in (fewer, gone):
        made = release(data, publication=form, again=tmp_path / "a")
        tables = made.tables
        assert made.n_noise
        assert tables["table" if form == "generalized" else "sensitive"]["ill"].dtype == pl.Float64


def test_queries_take_counterfeits_for_rows(two: tuple[Path, Path]) -> None:
    made, opened = release(GONE, again=two[0]), shoal.open_release(two[1])
    assert opened.query({"ill": "asthma"}) == made.query({"ill": "asthma"}) > 0
    assert sum(opened.query({"ill": each}) for each in ILL) == opened.table.height
    assert opened.table_as("bounds").height == opened.table.height


def test_the_attack_on_two_releases_shows_what_it_saved(tmp_path: Path) -> None:
    first = release(FIRST, m=2)
    first.write(tmp_path / "a")
    apart, again = release(SECOND, m=2), release(SECOND, m=2, again=tmp_path / "a")
    again.write(tmp_path / "b")
    *_, alone = shoal.risk.two_releases(first, apart)
    *_, together = shoal.risk.two_releases(first, again)
    *_, opened = shoal.risk.two_releases(*(shoal.open_release(tmp_path / n) for n in "ab"))
    assert alone.total == together.total == opened.total > 70
    assert alone.people > 10
    assert together.people == opened.people == 0


# What is refused, and found out


def test_releases_that_do_not_go_on_are_found(two: tuple[Path, Path], tmp_path: Path) -> None:
    apart = release(SECOND, seed=11).write(tmp_path / "apart")
    told = shoal.open_release(apart).verify(again=shoal.open_release(two[0]))
    assert "values around people" in told.reasons()[0]
    with pytest.raises(AssertionError):
        require_invariant([two[0], apart], "ill", M)


def test_other_columns_and_other_secrets_are_refused() -> None:
    more = FIRST.with_columns(note=pl.lit("x"))
    columns = {"id": "identifier", "age": "quasi", "sex": "quasi", "ill": "sensitive"}
    roles = shoal.Schema({**columns, "note": "other"}, entity="id")
    with pytest.raises(ShoalError, match="in column 'note' \\(other\\)") as told:
        release(more, roles)
    assert told.value.hint == "Use publication 'two-table'."
    assert release(more, roles, publication="two-table").verification.passed
    roles = shoal.Schema({**columns, "note": "sensitive"}, entity="id")
    with pytest.raises(ShoalError, match="a value in one sensitive column, but there are 2"):
        shoal.anonymize(more, roles, require=shoal.MInvariance(M, "ill"), method="gaa-cp")


def test_a_private_folder_that_does_not_fit_is_found(
    two: tuple[Path, Path], tmp_path: Path
) -> None:
    first, second = copied(two, tmp_path)
    rows = tmp_path / "a.private" / "rows.parquet"
    links = pl.read_parquet(rows)
    links.with_columns(group=pl.col("group").shuffle(1)).write_parquet(rows)
    with pytest.raises(InputError, match="do not fit its table"):
        release(SECOND, again=first)
    told = shoal.open_release(second).verify(again=shoal.open_release(first))
    assert any("classes that are not named" in reason for reason in told.reasons())
    # Other signatures than the table shows are found out, too.
    links.write_parquet(rows)
    file = tmp_path / "a.private" / "signatures.parquet"
    pl.read_parquet(file).with_columns(values=pl.lit(ILL)).write_parquet(file)
    with pytest.raises(VerificationError, match="values around people: different from an earlier"):
        release(SECOND, again=first)


def test_a_table_of_other_rows_is_found(two: tuple[Path, Path], tmp_path: Path) -> None:
    first, second = copied(two, tmp_path)
    table = second / "table.csv"
    lines = table.read_text().splitlines(keepends=True)
    table.write_text("".join(lines[:-1]))
    with pytest.raises(ParameterError, match="a truth value for each of the"):
        shoal.open_release(second).verify()
    one = next(i for i, line in enumerate(lines) if "asthma" in line)
    other = next(i for i, line in enumerate(lines) if "asthma" not in line and i)
    lines[one], lines[other] = lines[other], lines[one]
    table.write_text("".join(lines))
    told = shoal.open_release(second).verify(again=shoal.open_release(first))
    assert not told.passed


def test_a_counterfeit_too_few_is_not_written(
    two: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = release(GONE, again=two[0])
    write = shoal.io.write_csv
    mask = made.published.counterfeit_rows

    def honest(table: Any, path: Path, **options: Any) -> None:
        frame = table.frame
        at = frame["ill"].index_of("asthma")
        ill = frame["ill"].clone().scatter(at, "flu")
        write(frame.with_columns(ill=ill), path, **options)

    write_csv_by(monkeypatch, honest)
    assert mask is not None
    with pytest.raises(VerificationError):
        made.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "wrong",
    [np.zeros(3, dtype=np.bool_), [0, 1, 2], {"1": 2}, "x"],
    ids=["short", "numbers", "by class", "text"],
)
def test_counterfeits_of_one_table_are_a_truth_value_for_each_row(
    two: tuple[Path, Path], wrong: Any
) -> None:
    frame = shoal.open_release(two[1]).table
    with pytest.raises(ParameterError, match="a truth value for each of the"):
        shoal.verify(frame, SCHEMA, shoal.MInvariance(M), counterfeits=wrong)


def test_only_m_invariance_allows_for_counterfeits(two: tuple[Path, Path]) -> None:
    made = release(GONE, again=two[0])
    frame, mask, who = made.frame, made.published.counterfeit_rows, made.persons
    need = shoal.MInvariance(M)
    assert shoal.verify(frame, SCHEMA, need, people=who, counterfeits=mask).passed
    told = shoal.verify(frame, SCHEMA, 1 + 1, people=who, counterfeits=mask)
    assert "counterfeits: no requirement needs them" in told.reasons()
    alone = frame.with_columns(sex=pl.when(pl.Series(mask)).then(pl.lit("x")).otherwise("sex"))
    told = shoal.verify(alone, SCHEMA, need, people=who, counterfeits=mask)
    assert any("with cells that no person shows" in reason for reason in told.reasons())
    with pytest.raises(ParameterError, match="counted by class id"):
        shoal.verify(
            {"quasi": frame.with_columns(c=pl.lit(1)), "sensitive": frame.select("ill", c=1)},
            SCHEMA,
            need,
            counterfeits=mask,
        )


def test_the_command_line(tmp_path: Path) -> None:
    plan, table = tmp_path / "plan.toml", tmp_path / "table.csv"
    plan.write_text(PLAN.format(m=3).replace('"two-table"', '"generalized"'))
    FIRST.write_csv(table)

    def call(*words: object) -> Any:
        return CliRunner().invoke(app, [str(word) for word in words])

    first, second = tmp_path / "first", tmp_path / "second"
    assert call("run", plan).exit_code == 0
    GONE.write_csv(table)
    made = call("run", plan, "--again", first, "--output", second)
    assert made.exit_code == 0, made.stderr
    assert "Some rows are counterfeits, which belong to no person: " in " ".join(
        made.stdout.replace("│", "").split()
    )
    both = call("verify", second, "--again", first)
    assert both.exit_code == 0
    assert "values around people" in both.stdout
    told = json.loads(call("risk", second, first, "--json").stdout)
    assert told
    assert call("query", second, "--where", "ill=asthma").exit_code == 0
    lost = json.loads(call("measure", second, "--plan", plan, "--json").stdout)
    manifest = json.loads((tmp_path / "second.private" / "manifest.json").read_text())
    assert lost == pytest.approx(manifest["measures"])
    apart = tmp_path / "apart"
    SECOND.write_csv(table)
    assert call("run", plan, "--output", apart).exit_code == 0
    assert call("verify", apart, "--again", first).exit_code == 1


def test_methods_that_gather_records_alone(tmp_path: Path) -> None:
    made = release(FIRST, method=GAACP(picks="first"), seed=None)
    made.write(tmp_path / "a")
    again = release(FIRST, method=GAACP(picks="first"), again=tmp_path / "a")
    assert again.n_noise == 0
    with pytest.raises(ShoalError, match="cannot carry 'm-invariance'"):
        release(FIRST, method="mondrian")
