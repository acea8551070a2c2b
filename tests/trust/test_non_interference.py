"""Rows that are not published leave no trace in any public byte (promise 28).

The contract tries every method, form and measure (`shoal.checks.non_interference`); here are the
attacks that once worked, and every source, down to the written bytes.
"""

from __future__ import annotations

import datetime as dt
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import xlsxwriter

import shoal
from shoal.checks.non_interference import CHANGES, SCHEMA, people

WISHED = [shoal.KAnonymity(3), shoal.PersonalK("wish")]
OUT = [row for row in range(people().height) if row % 17 == 5]
"""Rows that ask for more than there is, so that nobody can publish them."""


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def changed(name: str, value: Any, frame: pl.DataFrame | None = None) -> pl.DataFrame:
    frame = people() if frame is None else frame
    return frame.with_columns(
        pl.Series(name, [value if row in OUT else cell for row, cell in enumerate(frame[name])])
    )


def more_people() -> pl.DataFrame:
    """Add dates, ages, regions and persons of two rows each; two rows miss their sex."""
    row, day = np.arange(people().height), dt.date(1960, 1, 31)
    return people().with_columns(
        people()["sex"].scatter(DROPPED, None),
        birth=pl.Series([day + dt.timedelta(int(at) // 4 * 400 + int(at) % 9) for at in row]),
        region=pl.Series([f"r{at // 4 % 5}" for at in row]),
        pay=pl.Series(1000 + row * 37 % 3000),
        id=pl.Series([f"p{at // 2}" for at in row]),
    )


DROPPED = [2, 9]
FAR = {
    "income": 30_000_000,
    "postcode": "99999999ä",
    "score": 0.1234,
    "birth": dt.date(1801, 1, 1),
    "region": " R0",
    "illness": "rare",
    "pay": 1_000_000_007,
    "note": -(10**6),
}
"""Cells of removed rows that are far off, longer, of more decimals or new, all at once."""

trees, quasi = shoal.hierarchies, shoal.quasi
COLUMNS: dict[str, dict[str, Any]] = {
    "drafted trees": {
        "income": quasi(hierarchy=trees.Auto()),
        "region": quasi(hierarchy=trees.Auto()),
    },
    "dates": {"birth": quasi(kind="date"), "region": "quasi"},
    "trees of dates": {"birth": quasi(kind="date", hierarchy=trees.Dates()), "income": "quasi"},
    "ages": {"birth": quasi(age_at="2026-01-01", top=60), "income": quasi(round_to=500, bottom=0)},
    "values in ranges": {
        "income": "quasi",
        "pay": shoal.sensitive(hierarchy=trees.Intervals(bins=3)),
    },
    "rounded values": {"income": "quasi", "pay": shoal.sensitive(round_to=500, top=3000)},
    "spellings": {"region": quasi(normalize=True), "income": "quasi"},
    "prefixes": {"postcode": quasi(hierarchy=trees.Prefixes()), "score": "quasi"},
}
OPTIONS: dict[str, dict[str, Any]] = {
    "nothing else": {},
    "a label": {"weights": "mutual-information", "label": "illness"},
    "entropy": {"weights": "entropy"},
    "observed ends": {"bounds": "observed"},
    "blocks": {"blocks": 2},
    "an entity": {"entity": "id"},
    "all rows": {"entity": "id", "linkage": "all-rows"},
    "a bound": {"bound": {"times": 1}},
}


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("options", OPTIONS)
def test_removed_rows_change_nothing_whatever_is_asked(columns: str, options: str) -> None:
    given = dict(OPTIONS[options])
    kept = {name: given.pop(name) for name in ("entity", "linkage") if name in given}
    roles = dict.fromkeys(more_people().columns, "identifier")
    shown = {"sex": "quasi", "illness": SCHEMA["illness"], "note": "other"}
    schema = shoal.Schema({**roles, **shown, **COLUMNS[columns]}, **kept)
    wished = "linkage" not in kept  # which takes k for all rows alike
    removed = {*OUT, *DROPPED} if wished else set(DROPPED)

    def public(frame: pl.DataFrame) -> tuple[Any, ...]:
        made = shoal.anonymize(
            frame,
            schema,
            require=WISHED if wished else WISHED[:1],
            method="mondrian" if "bounds" in given else "gaa-cp",
            missing="drop",
            suppression_limit=0.5,
            seed=7,
            **given,
        )
        assert not removed & set(made.rows.tolist())
        return made.table.rows(), made.table.schema, made.facts()

    frame = more_people()
    cells = {
        name: [far if row in removed else cell for row, cell in enumerate(frame[name])]
        for name, far in FAR.items()
    }
    assert public(
        frame.with_columns(**{n: pl.Series(each) for n, each in cells.items()})
    ) == public(frame)


@pytest.fixture(params=["csv", "parquet", "sqlite", "pandas", "arrow"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Put a table where it comes from; the place is the same each time."""

    def put(frame: pl.DataFrame) -> Any:
        place = tmp_path / f"people.{request.param}"
        match request.param:
            case "csv":
                frame.write_csv(place)
            case "parquet":
                frame.write_parquet(place)
            case "sqlite":
                place.unlink(missing_ok=True)
                with sqlite3.connect(place) as database:
                    names = ", ".join(frame.columns)
                    database.execute(f"CREATE TABLE people ({names})")
                    marks = ", ".join("?" * frame.width)
                    database.executemany(f"INSERT INTO people VALUES ({marks})", frame.rows())
                return shoal.SQL(f"sqlite:///{place}", "SELECT * FROM people")
            case "pandas":
                return frame.to_pandas()
            case "arrow":
                return frame.to_arrow()
        return place

    return put


@pytest.mark.parametrize("method", ["auto", "mondrian", "full-domain", "mdav"])
@pytest.mark.parametrize("policy", ["keep", "drop"])
def test_removed_rows_change_no_public_byte(
    source: Any, tmp_path: Path, method: str, policy: str
) -> None:
    def written(frame: pl.DataFrame, name: str) -> dict[str, bytes]:
        frame = frame.with_columns(frame["sex"].scatter(0, None)) if policy == "drop" else frame
        made = shoal.anonymize(
            source(frame),
            SCHEMA,
            require=WISHED,
            method=method,
            seed=7,
            missing=policy,
            suppression_limit=0.5,
        )
        assert not set(OUT) & set(made.rows.tolist())
        made.write(tmp_path / name)
        return bytes_of(tmp_path / name)

    before = written(people(), "before")
    after = people()
    for name, values in CHANGES.items():
        after = changed(name, values[0], after)
    assert written(after, "after") == before


@pytest.mark.parametrize("removed", [1, 6])
@pytest.mark.parametrize("method", ["auto", "mondrian", "gaa-cp"])
def test_the_income_of_a_removed_person_is_not_in_the_loss(removed: int, method: str) -> None:
    """Range = Σ widths / loss: two digits of it once gave the income to within 0.4 %."""
    rng = np.random.default_rng(5)
    n = 300
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "income": rng.integers(20_000, 80_000, n),
            "wish": ["9999" if row < removed else "2" for row in range(n)],
        }
    )
    schema = {"age": "quasi", "income": "quasi", "wish": "identifier"}
    seen = set()
    for income in (100_000, 2_000_000, 30_000_000):
        cells = [income if row < removed else cell for row, cell in enumerate(frame["income"])]
        made = shoal.anonymize(
            frame.with_columns(pl.Series("income", cells)),
            schema,
            require=[shoal.KAnonymity(5), shoal.PersonalK("wish")],
            method=method,
            seed=3,
        )
        assert made.n_suppressed == removed
        facts = made.facts()
        assert "loss" in {**facts["measures"], **facts.get("measures_of_published", {})}
        seen.add(str(made.facts()))
    assert len(seen) == 1


@pytest.mark.parametrize("method", ["auto", "gaa-cp", "kaca", "local-recoding", "top-down", "mdav"])
def test_rows_of_a_value_that_is_too_frequent_move_no_groups(tmp_path: Path, method: str) -> None:
    """They go before anything is grouped, yet their incomes once were the range of distances."""
    rng = np.random.default_rng(5)
    n, surplus = 120, [117, 118, 119]
    ill = ["flu" if row < 27 or row in surplus else "bcdef"[row % 5] for row in range(n)]
    frame = pl.DataFrame(
        {"age": rng.integers(18, 90, n), "income": rng.integers(20_000, 80_000, n), "ill": ill}
    )
    seen = set()
    for income in (90_000, 2_000_000, 30_000_000):
        cells = [income if row in surplus else cell for row, cell in enumerate(frame["income"])]
        made = shoal.anonymize(
            frame.with_columns(pl.Series("income", cells)),
            {"age": "quasi", "income": "quasi", "ill": "sensitive"},
            require=[shoal.AlphaK("3/13", 3)],
            method=method,
            seed=3,
            suppression_limit=0.3,
        )
        assert set(surplus) <= set(range(n)) - set(made.rows.tolist())
        made.write(tmp_path / str(income))
        seen.add(tuple(bytes_of(tmp_path / str(income)).items()))
    assert len(seen) == 1


def test_one_far_income_does_not_coarsen_everyone_else() -> None:
    """Full-domain search once published [0, 2000000) for all because of one removed person."""
    n = 200
    rng = np.random.default_rng(2)
    shown = {}
    for far in (100_000, 30_000_000):
        frame = pl.DataFrame({"income": [*rng.integers(50_000, 56_000, n - 1).tolist(), far]})
        rng = np.random.default_rng(2)
        made = shoal.anonymize(
            frame, {"income": "quasi"}, require=5, method=shoal.FullDomain(suppression_limit=0.01)
        )
        assert made.n_suppressed == 1
        shown[far] = made.frame
    assert shown[100_000].equals(shown[30_000_000])
    assert shown[100_000]["income"].n_unique() > 1


@pytest.mark.parametrize("planned", [False, True])
@pytest.mark.parametrize("method", ["full-domain", "datafly", "samarati", "incognito"])
def test_a_hole_of_a_suppressed_row_does_not_suppress_a_column(method: str, planned: bool) -> None:
    """Which columns show nothing follows from the published rows; one hole once starred all."""
    kind = pl.String if planned else pl.Int64
    tree = shoal.hierarchies.Tree({"low": ["10", "11"], "high": ["90", "91"]})
    schema = {"age": quasi(hierarchy=tree) if planned else "quasi", "sex": "quasi"}
    seen = []
    for age in (91, None):
        cells = {"age": [10, 90] * 20 + [age], "sex": ["m", "f"] * 20 + ["x"]}
        made = shoal.anonymize(
            pl.DataFrame(cells).cast({"age": kind}),
            schema,
            require=5,
            method=method,
            missing="suppress-column",
            seed=3,
        )
        assert made.rows.tolist() == list(range(40))
        assert made.suppressed_columns == ()
        seen.append((made.table.rows(), made.facts()))
    assert seen[0] == seen[1]
    assert set(made.frame["age"]) == {"10", "90"}


@pytest.mark.parametrize("method", ["auto", "mondrian", "full-domain"])
def test_a_long_postcode_of_a_removed_person_does_not_pad_all_others(method: str) -> None:
    rng = np.random.default_rng(0)
    codes = [f"100{rng.integers(10)}{rng.integers(10)}" for _ in range(60)]
    frame = pl.DataFrame({"zip": [*codes, "99999999"], "wish": ["2"] * 60 + ["999"]})
    schema = shoal.Schema(
        {"zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes()), "wish": shoal.identifier()}
    )
    made = shoal.anonymize(
        frame, schema, require=[shoal.KAnonymity(10), shoal.PersonalK("wish")], method=method
    )
    assert made.n_suppressed == 1
    assert {len(cell) for cell in made.frame["zip"]} <= {1, 5}


def test_decimals_of_a_removed_number_do_not_change_means() -> None:
    """A mean has as many decimals as the numbers that it stands for."""
    shown = []
    for score in (10.0, 10.1234):
        frame = pl.DataFrame({"score": [*(np.arange(30) / 2), score], "wish": ["2"] * 30 + ["999"]})
        made = shoal.anonymize(
            frame,
            {"score": "quasi", "wish": "identifier"},
            require=[shoal.KAnonymity(3), shoal.PersonalK("wish")],
            method="mdav",
        )
        shown.append(made.frame)
    assert shown[0].equals(shown[1])


@pytest.mark.parametrize("role", ["sensitive", "other"])
@pytest.mark.parametrize("listed", [False, True])
def test_a_text_of_a_removed_row_does_not_change_how_numbers_are_published(
    tmp_path: Path, role: str, listed: bool
) -> None:
    """Where one cell is no number, all others of the column were once published as texts."""
    cells = ["2.500,10", "", "missing"] if listed else ["2.500,10", "none", "1.2", "2500,1"]
    seen = set()
    for cell in cells:
        lines = [f"{20 + row % 5};1.{100 + row % 3},50;2" for row in range(30)]
        (tmp_path / "in.csv").write_text("\n".join(["age;pay;wish", *lines, f"70;{cell};999"]))
        plan = shoal.Plan.from_dict(
            {
                "input": {
                    "path": "in.csv",
                    "decimal": ",",
                    "thousands": ".",
                    "missing": ["", "*", "missing"],
                    **({"numbers": ["pay"]} if listed else {}),
                },
                "columns": {
                    "age": {"role": "quasi", "kind": "numeric"},
                    "pay": {"role": role},
                    "wish": {"role": "identifier"},
                },
                "require": [
                    {"model": "k-anonymity", "k": 3},
                    {"model": "personal-k", "column": "wish"},
                ],
                "method": {"name": "mondrian"},
                "publication": {"seed": 3},
                "output": {"path": f"out-{len(seen)}"},
            },
            folder=tmp_path,
        )
        made = shoal.run(plan)
        assert made.n_suppressed == 1
        assert shoal.open_release(plan.output_path).verify(original=tmp_path / "in.csv").passed
        public = bytes_of(plan.output_path)
        assert (b"1100,50" if listed else b"1.100,50") in public["table.csv"]
        seen.add(tuple(public.items()))
    assert len(seen) == 1


DAY, MOMENT = dt.date(2026, 1, 31), dt.datetime(2026, 1, 31, 5, 30)
CELLS = [4, 4.5, "unknown", "4", " ", DAY, MOMENT, dt.time(5, 30), True, None]


def put_sheet(path: Path, removed: Any) -> Path:
    """Write people to Excel: the first is dropped, the last suppressed, with such cells."""
    kinds = {
        "whole": range(30),
        "decimal": [row / 4 for row in range(30)],
        "text": [f"0{row}" for row in range(30)],
        "digits": [f"{row}" for row in range(30)],
        "day": [DAY + dt.timedelta(row) for row in range(30)],
        "moment": [MOMENT + dt.timedelta(row) for row in range(30)],
        "ok": [row % 2 == 0 for row in range(30)],
        "hour": [dt.time(row % 24, 30) for row in range(30)],
        "none": [None] * 30,
        "mixed": [7, "x", DAY] * 10,
        "ill": [1, 2, 3] * 10,
    }
    kept = [(20 + row % 5, 2, *cells) for row, cells in enumerate(zip(*kinds.values()))]  # noqa: B905
    out = (removed,) * len(kinds)
    with xlsxwriter.Workbook(path) as book:
        sheet, date = book.add_worksheet(), book.add_format({"num_format": "dd.mm.yyyy"})
        lines = [("age", "wish", *kinds), (None, 2, *out), *kept, (70, 999, *out)]
        for row, line in enumerate(lines):
            for column, cell in enumerate(line):
                if isinstance(cell, str):
                    sheet.write_string(row, column, cell)
                elif isinstance(cell, dt.date | dt.time):
                    sheet.write_datetime(row, column, cell, date)
                elif cell is not None:
                    sheet.write(row, column, cell)
    return path


@pytest.mark.parametrize("output", ["csv", "parquet", "xlsx"])
def test_a_removed_cell_of_excel_does_not_change_the_types_of_columns(
    tmp_path: Path, output: str
) -> None:
    """One decimal or text of a removed row was once the type of the column for all others."""
    others = ["whole", "decimal", "text", "digits", "day", "moment", "ok", "hour", "none", "mixed"]
    seen = set()
    for place, removed in enumerate(CELLS):
        path = put_sheet(tmp_path / "in.xlsx", removed)
        made = shoal.anonymize(
            path,
            {"age": "quasi", "wish": "identifier", "ill": "sensitive"}
            | dict.fromkeys(others, "other"),
            require=[shoal.KAnonymity(3), shoal.PersonalK("wish")],
            method="mondrian",
            missing="drop",
            seed=3,
        )
        assert (made.n_dropped, made.n_suppressed) == (1, 1)
        types = [made.frame[name].dtype for name in others[:9]]
        assert types == [
            pl.Int64,
            pl.Float64,
            pl.String,
            pl.String,
            pl.Date,
            pl.Datetime("ms"),
            pl.Boolean,
            pl.Time,
            pl.String,
        ]
        assert set(made.frame["mixed"]) == {"7", "x", "2026-01-31"}
        made.write(tmp_path / f"{place}", format=output)
        assert shoal.open_release(tmp_path / f"{place}").verify(original=path).passed
        seen.add(tuple(bytes_of(tmp_path / f"{place}").items()))
    assert len(seen) == 1


@pytest.mark.parametrize("opened", [False, True], ids=["address", "connection"])
@pytest.mark.parametrize("declared", ["", "REAL"])
@pytest.mark.parametrize(
    ("shown", "removed"),
    [
        ([12_345_678_901.25, 2.0], [2.5, 3, "unknown", "", None]),
        ([7, None], [8, 2.5, "unknown", None]),
        (["07", None], ["08", 2.5, None]),
        ([None, None], [None, 8, 2.5, "unknown"]),
    ],
    ids=["decimals", "whole", "texts", "nothing"],
)
def test_a_removed_cell_of_sqlite_does_not_change_the_types_of_columns(
    tmp_path: Path, shown: list[Any], removed: list[Any], declared: str, opened: bool
) -> None:
    """Beside one text the driver writes all numbers with seven digits; one decimal was a type."""
    seen = set()
    for place, cell in enumerate(removed):
        file = tmp_path / "in.db"
        file.unlink(missing_ok=True)
        database = sqlite3.connect(file)
        database.execute(f"CREATE TABLE people (age INTEGER, pay {declared}, wish TEXT)")
        cells = [*((20 + row % 5, shown[row % 2], "2") for row in range(1500)), (70, cell, "9999")]
        database.executemany("INSERT INTO people VALUES (?, ?, ?)", cells)
        database.commit()
        source = shoal.SQL(database if opened else f"sqlite:///{file}", table="people")
        made = shoal.anonymize(
            source,
            {"age": "quasi", "pay": "other", "wish": "identifier"},
            require=[shoal.KAnonymity(3), shoal.PersonalK("wish")],
            method="mondrian",
            seed=3,
        )
        assert made.n_suppressed == 1
        if not declared:
            assert set(made.frame["pay"]) == set(shown)
        made.write(tmp_path / f"{place}", format="parquet")
        assert shoal.open_release(tmp_path / f"{place}").verify(original=source).passed
        seen.add(tuple(bytes_of(tmp_path / f"{place}").items()))
        database.close()
    assert len(seen) == 1


def test_a_removed_cell_of_spss_does_not_change_the_types_of_columns(tmp_path: Path) -> None:
    """Files of statistics packages keep whole numbers as decimals; one decimal was a type."""
    pyreadstat = pytest.importorskip("pyreadstat")
    seen = set()
    for place, cell in enumerate([3.0, 2.5, None]):
        frame = pl.DataFrame(
            {
                "age": [20 + row % 5 for row in range(30)] + [70],
                "pay": [float(row) for row in range(30)] + [cell],
                "wish": [2] * 30 + [999],
            }
        )
        pyreadstat.write_sav(frame.to_pandas(), str(tmp_path / "in.sav"))
        made = shoal.anonymize(
            tmp_path / "in.sav",
            {"age": "quasi", "pay": "other", "wish": "identifier"},
            require=[shoal.KAnonymity(3), shoal.PersonalK("wish")],
            method="mondrian",
            seed=3,
        )
        assert made.n_suppressed == 1
        assert made.frame["pay"].dtype == pl.Int64
        made.write(tmp_path / f"{place}", format="parquet")
        seen.add(tuple(bytes_of(tmp_path / f"{place}").items()))
    assert len(seen) == 1


@pytest.mark.parametrize("shown", ["Mueller", "Müller"])
def test_a_letter_of_a_removed_row_does_not_change_the_encoding(tmp_path: Path, shown: str) -> None:
    """Where nobody names it, the encoding that was guessed for all rows was once public."""
    seen = set()
    for place, name in enumerate([b"Meier", b"M\xe4ier", b"\xe8apek", b"Ay\xfee G\xfcnd\xfcz"]):
        rows = [f"{20 + row % 5},{shown},2" for row in range(30)]
        lines = [row.encode("cp1252") for row in ["age,name,wish", *rows]]
        (tmp_path / "in.csv").write_bytes(b"\n".join([*lines, b"70," + name + b",999"]))
        made = shoal.anonymize(
            tmp_path / "in.csv",
            {"age": "quasi", "name": "other", "wish": "identifier"},
            require=[shoal.KAnonymity(3), shoal.PersonalK("wish")],
            method="mondrian",
            seed=3,
        )
        assert made.n_suppressed == 1
        made.write(tmp_path / f"{place}")
        public = bytes_of(tmp_path / f"{place}")
        assert shown.encode("cp1252") in public["table.csv"]
        seen.add(tuple(public.items()))
    assert len(seen) == 1
