"""What a plan does not touch comes back as it was: its values, its empty cells, its types."""

from __future__ import annotations

import datetime as dt
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import shoal
from shoal.io.sql import SQL, Address, connect
from shoal.release.opened import open_published
from tests.databases import Database, fresh
from tests.examples import examples
from tests.postgres import Server

ROWS = 12
ROLES = ["other", "sensitive"]

TYPES: dict[str, tuple[Any, st.SearchStrategy[Any]]] = {
    "int8": (pl.Int8, st.integers(-128, 127)),
    "uint64": (pl.UInt64, st.integers(0, 2**64 - 1)),
    "float32": (pl.Float32, st.floats(width=32, allow_nan=False, allow_infinity=False)),
    "float64": (pl.Float64, st.floats(allow_nan=False, allow_infinity=False)),
    "bool": (pl.Boolean, st.booleans()),
    "text": (pl.String, st.sampled_from(["", "-", "x", " y", "0.100", "NA", '"', "'-", "=1"])),
    "date": (pl.Date, st.dates()),
    "datetime": (pl.Datetime("us"), st.datetimes()),
    "zoned": (pl.Datetime("us", "UTC"), st.datetimes(timezones=st.just(dt.UTC))),
    "time": (pl.Time, st.times()),
    "decimal": (pl.Decimal(10, 3), st.decimals(-999, 999, places=3)),
}


@st.composite
def columns(draw: st.DrawFn) -> pl.DataFrame:
    name = draw(st.sampled_from(sorted(TYPES)))
    dtype, values = TYPES[name]
    cells = draw(st.lists(st.none() | values, min_size=ROWS, max_size=ROWS))
    return pl.DataFrame(
        {"age": range(ROWS), "x": pl.Series(cells, dtype=dtype, strict=False)},
        schema_overrides={"age": pl.Int64},
    )


def published(data: Any, role: str) -> shoal.Release[Any]:
    roles = {"age": {"role": "quasi", "kind": "numeric"}, "x": role}
    return shoal.anonymize(data, roles, require=3, bound=None, method="mondrian")


few = settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))


@few
@given(frame=columns(), role=st.sampled_from(ROLES))
def test_frames_give_back_types_and_values(frame: pl.DataFrame, role: str) -> None:
    made = published(frame, role).table["x"]
    assert made.dtype == frame["x"].dtype
    assert made.equals(frame["x"], null_equal=True)
    arrow = frame.to_arrow()
    assert published(arrow, role).table.column("x").equals(arrow.column("x"))
    typed = frame.to_pandas(use_pyarrow_extension_array=True)
    again = published(typed, role).table["x"]
    assert again.dtype == typed["x"].dtype
    assert again.equals(typed["x"])


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "dtype",
    [
        *("Int64", "Int8", "Float64", "boolean", "string", "string[pyarrow]", "int16", "float32"),
        *("datetime64[s]", "datetime64[ns]", "datetime64[s, Europe/Berlin]"),
    ],
)
def test_types_of_pandas_stay(dtype: str, role: str) -> None:
    cells = ["a", "b"] if dtype.startswith("str") else [1, 0]
    frame = pd.DataFrame({"age": range(ROWS), "x": pd.Series(cells * (ROWS // 2), dtype=dtype)})
    made = published(frame, role).table["x"]
    assert made.dtype == frame["x"].dtype
    assert made.equals(frame["x"])


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.int16(), pa.timestamp("s"), pa.time32("s")]
)
def test_types_of_arrow_stay(kind: pa.DataType) -> None:
    cells = ["a", None] if pa.types.is_string(kind) or kind == pa.large_string() else [1, None]
    table = pa.table({"age": list(range(ROWS)), "x": pa.array(cells * (ROWS // 2), type=kind)})
    assert published(table, "other").table.column("x").equals(table.column("x"))


@few
@given(frame=columns(), role=st.sampled_from(ROLES))
def test_parquet_gives_back_types_and_values(
    frame: pl.DataFrame, role: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("parquet")
    frame.write_parquet(folder / "in.parquet")
    published(folder / "in.parquet", role).write(folder / "out", format="parquet")
    made = pl.read_parquet(folder / "out" / "table.parquet")["x"]
    assert made.dtype == frame["x"].dtype
    assert sorted(map(repr, made)) == sorted(map(repr, frame["x"]))


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64])
def test_zeros_keep_their_sign(dtype: Any, role: str, tmp_path: Path) -> None:
    cells = pl.Series([-0.0, 0.0, None, float("nan"), 1.0, -1.0] * 2, dtype=dtype)
    frame = pl.DataFrame({"age": range(ROWS), "x": cells})
    frame.write_parquet(tmp_path / "in.parquet")
    made = published(tmp_path / "in.parquet", role).table["x"]
    assert list(map(repr, made)) == list(map(repr, cells))


@pytest.mark.parametrize("role", ROLES)
def test_cells_of_a_csv_file_stay_as_they_were_written(tmp_path: Path, role: str) -> None:
    cells = ["", "-", "+", "=", "@", "x", "0.100", "", "1e5", "NA", "", "-5"]
    lines = [f"{age},{cell},z" for age, cell in enumerate(cells)]
    (tmp_path / "in.csv").write_text("\n".join(["age,x,y", *lines]) + "\n")
    roles = {"age": {"role": "quasi", "kind": "numeric"}, "x": role, "y": "other"}
    made = shoal.anonymize(tmp_path / "in.csv", roles, require=3, bound=None)
    made.write(tmp_path / "out")
    written = (tmp_path / "out" / "table.csv").read_text().splitlines()[1:]
    assert sorted(line.rsplit(",", 2)[-2] for line in written) == sorted(cells)
    assert shoal.open_release(tmp_path / "out").verify(original=tmp_path / "in.csv").passed


def test_a_null_and_an_empty_text_stay_two_things_in_csv(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": range(ROWS), "x": ["", None, "a"] * 4})
    published(frame, "other").write(tmp_path / "out")
    lines = (tmp_path / "out" / "table.csv").read_text().splitlines()[1:]
    ends = [line.rsplit(",", 1)[1] for line in lines]
    assert sorted(each for each in ends if each != "a") == [""] * 4 + ['""'] * 4


@pytest.mark.parametrize("role", [*ROLES, "quasi"])
def test_parts_of_a_second_stay_in_csv(role: str, tmp_path: Path) -> None:
    cells = [dt.time(1, 2, 3), dt.time(1, 2, 3, 500_000), dt.time(1, 2, 3, 7)]
    frame = pl.DataFrame({"age": range(ROWS), "x": [cell for cell in cells for _ in range(4)]})
    roles = {"age": "identifier" if role == "quasi" else {"role": "quasi", "kind": "numeric"}}
    made = shoal.anonymize(frame, {**roles, "x": role}, require=3, bound=None, method="mondrian")
    made.write(tmp_path / "out")
    lines = (tmp_path / "out" / "table.csv").read_text().splitlines()[1:]
    found = {line.rsplit(",", 1)[-1] for line in lines}
    assert found == {"01:02:03", "01:02:03.500", "01:02:03.000007"}
    assert shoal.open_release(tmp_path / "out").verify(original=frame).passed


@pytest.mark.parametrize("role", [*ROLES, {"role": "quasi", "kind": "date"}])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("dtype", [pl.Date, pl.Datetime("us"), pl.Datetime("ms")])
def test_dates_outside_the_calendar_are_refused(dtype: Any, sign: int, role: Any) -> None:
    last = 2**31 - 1 if dtype == pl.Date else 2**63 - 1  # "infinity" of PostgreSQL
    cells = pl.Series([sign * last, None, 0] * 4).cast(pl.Int32 if dtype == pl.Date else pl.Int64)
    frame = pl.DataFrame({"age": range(ROWS), "x": cells.cast(dtype)})
    for data in (frame, frame.to_arrow()):
        with pytest.raises(shoal.errors.InputError, match=r"'x' .* 4 dates outside the calendar"):
            published(data, role)


def test_a_type_that_polars_lacks_is_refused() -> None:
    x = pa.array([Decimal("0.1")] * ROWS, type=pa.decimal256(50, 3))
    table = pa.table({"age": list(range(ROWS)), "x": x})
    for data in (table, table.to_pandas(types_mapper=pd.ArrowDtype)):
        with pytest.raises(shoal.errors.InputError, match=r"'x' .* type that cannot be used"):
            published(data, "other")


def plan_of(source: Database, target: Database, folder: Path, role: str) -> shoal.Plan:
    names = ["n", "free", "ts", "tz", "day", "clock", "note"]
    return shoal.Plan.from_dict(
        {
            "input": {"sql": {"url": source.url, "table": "people"}},
            "columns": {
                "age": {"role": "quasi", "kind": "numeric"},
                **{name: {"role": role if name == "n" else "other"} for name in names},
            },
            "require": [{"model": "k-anonymity", "k": 3}],
            "method": {"name": "mondrian"},
            "output": {"path": "out", "sql": {"url": target.url, "table": "published"}},
        },
        folder=folder,
    )


def as_the_database_says(database: Database, table: str) -> list[tuple[Any, ...]]:
    cast = "CAST(ts AS VARCHAR), CAST(tz AS VARCHAR), CAST(day AS VARCHAR), CAST(clock AS VARCHAR)"
    query = f"SELECT CAST(n AS VARCHAR), CAST(free AS VARCHAR), {cast}, note FROM {table}"
    with connect(Address(database.url)) as connection, connection.cursor() as cursor:
        cursor.execute(query)
        return sorted(cursor.fetchall(), key=repr)


def types_of(database: Database, table: str) -> dict[str, tuple[Any, ...]]:
    query = (
        "SELECT column_name, data_type, numeric_precision, numeric_scale FROM "
        f"information_schema.columns WHERE table_name = '{table}' AND column_name <> 'age'"
    )
    with connect(Address(database.url)) as connection, connection.cursor() as cursor:
        cursor.execute(query)
        return {name: tuple(rest) for name, *rest in cursor.fetchall()}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", ["postgresql", "duckdb"])
def test_databases_give_back_types_and_values(
    kind: str, role: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: Any
) -> None:
    server: Any = None
    if kind == "postgresql":
        server = request.getfixturevalue("postgres")
        assert isinstance(server, Server)
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
    database = fresh(kind, tmp_path, server)
    database.execute(
        "CREATE TABLE people (age INTEGER, n NUMERIC(10,3), free NUMERIC, ts TIMESTAMP, "
        "tz TIMESTAMP WITH TIME ZONE, day DATE, clock TIME, note TEXT)"
    )
    for age in range(ROWS):
        note = ("NULL", "''", "'-'", "'x'")[age % 4]
        n = ("0.100", "2.500", "NULL", "-7.125")[age % 4]
        database.execute(
            f"INSERT INTO people VALUES ({age}, {n}, {age}.5, '2020-01-02 03:04:05.000678', "
            f"'2020-01-02 03:04:05.5+02', '2020-01-02', '01:02:03', {note})"
        )
    shoal.run(plan_of(database, database, tmp_path, role))
    assert types_of(database, "published") == types_of(database, "people")
    assert as_the_database_says(database, "published") == as_the_database_says(database, "people")


DECLARED = {
    "postgresql": {
        "numeric": ["0.100", "2", "-7.5", "0.10"],
        "numeric(6,-2)": ["1200", "-700"],
        "time": ["'01:02:03.5'", "'01:02:03'", "'23:59:59.999999'"],
        "char(5)": ["'ab'", "'c'", "''"],
        "varchar(10)": ["'ab '", "'-'", "''"],
        "json": ["""'{"b": 1,  "a": 0.10}'""", "'[]'"],
        "jsonb": ["""'{"b": 1, "a": 0.10}'""", "'[]'"],
        "oid": ["5", "4000000000"],
        "smallint": ["5", "-5"],
    },
    "duckdb": {
        "UUID": ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"],
        "TIMESTAMP_S": ["'2020-01-02 03:04:05'"],
        "TIMESTAMP_NS": ["'2020-01-02 03:04:05.123456789'"],
        "HUGEINT": ["-5", "10000000000000000000000"],
        "UHUGEINT": ["5"],
        "JSON": ["""'{"b": 1,  "a": 0.10}'"""],
        "TIME": ["'01:02:03.5'"],
    },
}


def a_database(
    kind: str, folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Database:
    server: Any = request.getfixturevalue("postgres") if kind == "postgresql" else None
    for name, value in server.environment.items() if server else ():
        monkeypatch.setenv(name, value)
    return fresh(kind, folder, server)


@pytest.mark.parametrize("kind", DECLARED)
def test_columns_of_databases_keep_what_is_declared(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = a_database(kind, tmp_path, request, monkeypatch)
    declared = DECLARED[kind]
    names = {f"x{at}": told for at, told in enumerate(declared)}
    listed = ", ".join(f"{name} {told}" for name, told in names.items())
    database.execute(f"CREATE TABLE people (age INTEGER, {listed})")
    for age in range(ROWS):
        cells = [["NULL", *values][age % (1 + len(values))] for values in declared.values()]
        database.execute(f"INSERT INTO people VALUES ({age}, {', '.join(cells)})")
    plan = {
        "input": {"sql": {"url": database.url, "table": "people"}},
        "columns": {
            "age": {"role": "quasi", "kind": "numeric"},
            **{n: {"role": "other"} for n in names},
        },
        "require": [{"model": "k-anonymity", "k": 3}],
        "method": {"name": "mondrian"},
        "output": {"path": "out", "sql": {"url": database.url, "table": "published"}},
    }
    shoal.run(shoal.Plan.from_dict(plan, folder=tmp_path))
    assert types_of(database, "published") == types_of(database, "people")
    asked = ", ".join(f"CAST({name} AS VARCHAR)" for name in names)
    with connect(Address(database.url)) as connection, connection.cursor() as cursor:
        both = []
        for table in ("people", "published"):
            cursor.execute(f"SELECT {asked} FROM {table}")
            both.append(sorted(cursor.fetchall(), key=repr))
    assert both[0] == both[1]
    opened = shoal.open_release(tmp_path / "out")
    source = SQL(database.url, table="people")
    assert opened.verify(original=source).passed
    assert opened.verify(original=source, table=database.url).passed
    again = pl.read_csv(tmp_path / "out" / "table.csv", infer_schema=False)
    roles = {"age": {"role": "quasi", "kind": "numeric"}, **dict.fromkeys(names, "other")}
    assert shoal.verify(again, roles, require=3, original=source, rows=opened.rows).passed


@pytest.mark.parametrize(
    ("kind", "declared", "cell"),
    [
        ("postgresql", "timetz", "'01:02:03+02'"),
        ("postgresql", "bit(3)", "B'101'"),
        ("postgresql", "date", "'infinity'"),
        ("duckdb", "TIMETZ", "'01:02:03+02'"),
    ],
)
def test_what_a_driver_would_change_is_refused(
    kind: str, declared: str, cell: str, tmp_path: Path, request: Any, monkeypatch: Any
) -> None:
    database = a_database(kind, tmp_path, request, monkeypatch)
    database.execute(f"CREATE TABLE people (age INTEGER, x {declared})")
    database.execute(f"INSERT INTO people SELECT n, {cell} FROM generate_series(1, 9) AS s(n)")
    with pytest.raises(
        shoal.errors.InputError, match=r"Column 'x' of the table 'people' (is|holds)"
    ):
        published(SQL(database.url, table="people"), "other")


def test_a_number_of_a_database_keeps_its_decimals_in_files(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in postgres.environment.items():
        monkeypatch.setenv(name, value)
    database = fresh("postgresql", tmp_path, postgres)
    database.execute("CREATE TABLE people (age INTEGER, x NUMERIC(10,3))")
    for age in range(ROWS):
        database.execute(f"INSERT INTO people VALUES ({age}, 0.1)")
    published(SQL(database.url, table="people"), "other").write(tmp_path / "out")
    lines = (tmp_path / "out" / "table.csv").read_text().splitlines()[1:]
    assert {line.rsplit(",", 1)[1] for line in lines} == {"0.100"}


def test_a_decimal_of_a_frame_stays_one() -> None:
    cells = pl.Series([Decimal("0.100")] * ROWS, dtype=pl.Decimal(10, 3))
    frame = pl.DataFrame({"age": range(ROWS), "x": cells})
    assert {str(each) for each in published(frame, "other").table["x"]} == {"0.100"}


DECIMALS = ["0.100", "2.500", "-7.125", None]


def decimal_frame() -> pl.DataFrame:
    cells = [each and Decimal(each) for each in DECIMALS] * (ROWS // 4)
    x = pl.Series(cells, dtype=pl.Decimal(10, 3))
    return pl.DataFrame({"age": range(ROWS), "x": x})


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("source", ["polars", "arrow", "pandas", "parquet", "duckdb"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_decimals_keep_the_digits_of_their_type_in_csv(
    source: str, role: str, decimal: str, tmp_path: Path
) -> None:
    frame = decimal_frame()
    data: Any = frame
    match source:
        case "arrow":
            data = frame.to_arrow()
        case "pandas":
            data = frame.to_pandas(use_pyarrow_extension_array=True)
        case "parquet":
            data = tmp_path / "in.parquet"
            frame.write_parquet(data)
        case "duckdb":
            database = fresh("duckdb", tmp_path, None)
            database.execute("CREATE TABLE people (age INTEGER, x NUMERIC(10,3))")
            for age, cell in frame.rows():
                database.execute(f"INSERT INTO people VALUES ({age}, {cell or 'NULL'})")
            data = SQL(database.url, table="people")
    made = published(data, role)
    made.write(tmp_path / "out", separator=";", decimal=decimal)
    lines = (tmp_path / "out" / "table.csv").read_text().splitlines()[1:]
    wanted = [(each or "").replace(".", decimal) for each in DECIMALS]
    assert {line.rsplit(";", 1)[1] for line in lines} == set(wanted)
    opened = shoal.open_release(tmp_path / "out")
    assert opened.facts["csv"]["all_decimals"] == ["x"]
    assert opened.verify(original=data).passed
    shutil.copytree(tmp_path / "out", tmp_path / "alone")  # without the order of its rows
    proof = open_published(tmp_path / "alone", plan=made.plan).verify(original=data)
    assert {each.passed for each in proof.findings if "'x'" in each.check} == {True}
    # Also those who know nothing but the file count 0.100 and the original number as one value.
    if decimal == ".":
        bare = pl.read_csv(tmp_path / "out" / "table.csv", separator=";", infer_schema=False)
        roles = {"age": {"role": "quasi", "kind": "numeric"}, "x": role}
        rows = opened.rows
        assert shoal.verify(bare, roles, require=3, original=frame, rows=rows).passed
        wrong = bare.with_columns(pl.col("x").replace("0.100", "0.101"))
        assert not shoal.verify(wrong, roles, require=3, original=frame, rows=rows).passed


@pytest.mark.parametrize("form", ["two-table", "sensitive-groups"])
def test_decimals_of_tables_of_their_own_keep_their_digits(form: str, tmp_path: Path) -> None:
    frame = decimal_frame().with_columns(pl.col("x").fill_null(Decimal("1.500")))
    roles = {"age": {"role": "quasi", "kind": "numeric"}, "x": "sensitive"}
    require = shoal.MultiLDiversity({"x": 2}) if form == "sensitive-groups" else 3
    made = shoal.anonymize(frame, roles, require=require, publication=form)
    made.write(tmp_path / "out")
    text = "".join(path.read_text() for path in (tmp_path / "out").glob("*.csv"))
    assert all(each in text for each in ("0.100", "2.500", "-7.125"))
    opened = shoal.open_release(tmp_path / "out")
    assert opened.verify(original=frame).passed


def test_decimals_that_the_plan_names_are_written_as_it_names_them(tmp_path: Path) -> None:
    frame = decimal_frame()
    levels = {"0.1": 1, "2.5": 2, "-7.125": 3, "": 4}
    roles = {
        "age": shoal.quasi(kind="numeric"),
        "x": shoal.sensitive(levels=levels),
    }
    made = shoal.anonymize(frame, shoal.Schema(roles), require=3, bound=None, method="mondrian")
    made.write(tmp_path / "out")
    lines = (tmp_path / "out" / "table.csv").read_text().splitlines()[1:]
    assert {line.rsplit(",", 1)[1] for line in lines} == set(levels)
    assert shoal.open_release(tmp_path / "out").verify(original=frame).passed


OBJECTS = {
    "decimals": [Decimal("2.50"), Decimal("0.100"), None, Decimal("7")],
    "truths": [True, None, False, True],
    "numbers": [2**60 + 1, None, 3, 4],
    "parts": [0.1, None, 2.5, -7.125],
    "clocks": [dt.time(1, 2, 3, 4), None, dt.time(0), dt.time(23, 59)],
    "days": [dt.date(2020, 1, 2), None, dt.date(1990, 12, 31), dt.date(2020, 1, 2)],
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_objects_of_pandas_come_back_as_they_were(kind: str, tmp_path: Path) -> None:
    objects = pd.Series(OBJECTS[kind] * (ROWS // 4), dtype=object)
    frame = pd.DataFrame({"age": range(ROWS), "x": objects})
    for role in ROLES:
        release = published(frame, role)
        made = release.table["x"]
        assert made.dtype == object
        # Equal sensitive numbers are one value, so 2.50 is published as 2.5.
        same = repr if role == "other" else (lambda cell: (type(cell), cell))
        assert [same(cell) for cell in made] == [same(cell) for cell in objects]
        release.write(tmp_path / role)
        assert shoal.open_release(tmp_path / role).verify(original=frame).passed
    if kind == "decimals":
        lines = (tmp_path / "other" / "table.csv").read_text().splitlines()[1:]
        assert {line.rsplit(",", 1)[1] for line in lines} == {"2.50", "0.100", "", "7"}


def test_equal_decimals_are_one_sensitive_value() -> None:
    cells = [Decimal("1.5"), Decimal("1.50")] * 6
    frame = pd.DataFrame({"age": range(ROWS), "x": pd.Series(cells, dtype=object)})
    roles = {"age": {"role": "quasi", "kind": "numeric"}, "x": "sensitive"}
    with pytest.raises(shoal.errors.InfeasibleError):
        shoal.anonymize(frame, roles, require=shoal.LDiversity(2))


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_digits_of_a_removed_decimal_change_no_public_byte(
    role: str, form: str, tmp_path: Path
) -> None:
    seen, tables = set(), set()
    for cell in ("1", "0.12345678", "123456789012.5"):
        cells = [Decimal(text) for text in ("2.50", "0.1") * 6] + [Decimal(cell)]
        frame = pd.DataFrame({"age": [*range(ROWS), 5], "x": cells, "wish": ["2"] * ROWS + ["99"]})
        made = shoal.anonymize(
            frame,
            {"age": {"role": "quasi", "kind": "numeric"}, "x": role, "wish": "identifier"},
            require=[shoal.KAnonymity(3), shoal.PersonalK("wish")],
            method="mondrian",
            seed=4,
            suppression_limit=0.5,
        )
        assert made.n_suppressed == 1
        tables.add(repr(made.table["x"].to_list()))
        out = tmp_path / cell
        made.write(out, format=form)
        seen.add(tuple((path.name, path.read_bytes()) for path in sorted(out.iterdir())))
    assert len(seen) == len(tables) == 1
