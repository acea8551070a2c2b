import random
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import shoal
from shoal import io
from shoal.errors import InfeasibleError, InputError, OutputError, ParameterError, ShoalError
from shoal.steward.proposal import Proposal, propose
from tests.examples import examples


def draft_of(frame: pl.DataFrame, folder: Path, **options: object) -> tuple[Proposal, Path]:
    """Write a table as a file, propose a plan from what is read, and write that."""
    table = folder / "table.csv"
    io.write_csv(frame, table)
    draft = propose(table, **options)  # type: ignore[arg-type]
    return draft, draft.write(folder / "plan.toml")


def run(plan: Path) -> shoal.Release:
    release = shoal.run(shoal.Plan.read(plan))
    assert release.verification.passed
    return release


def test_adult_runs(tmp_path: Path) -> None:
    draft, plan = draft_of(shoal.datasets.adult().head(2_000), tmp_path)
    release = run(plan)
    assert release.verification.achieved["k"] >= 10
    assert "fnlwgt" not in release.table.columns
    files = sorted(path.stem for path in (tmp_path / "hierarchies").iterdir())
    assert sorted(draft.hierarchies) == files
    assert draft.plan.columns["age"].kind == "numeric"


@pytest.mark.parametrize("paper", [1, 2, 3, 4])
def test_patients_run(paper: int, tmp_path: Path) -> None:
    release = run(draft_of(shoal.datasets.patients(paper), tmp_path)[1])
    assert release.verification.achieved["k"] >= 2


def messy(rows: int = 120) -> pl.DataFrame:
    rng = random.Random(3)
    pick = rng.choice
    return pl.DataFrame(
        {
            "Patienten-Nr": [f"{i // 2:04}" for i in range(rows)],
            'full "name"': [f"CANARY Müller {i}" for i in range(rows)],
            "alter (Jahre)": [pick(["NA", *map(str, range(20, 60))]) for _ in range(rows)],
            "geb.datum": [f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.1980" for _ in range(rows)],
            "admitted at": [f"2024-{rng.randint(1, 12):02}-03 10:00" for _ in range(rows)],
            "PLZ": [f"0{rng.randint(1000, 1099)}" for _ in range(rows)],
            "性别": [pick(["m", "w", "?"]) for _ in range(rows)],
            "city\tof\nbirth": [f"CANARY city; {pick('abcdefghijk')}" for _ in range(rows)],
            "note": [f"CANARY was seen on day {i}, called again" for i in range(rows)],
            "ward.code": [f"{rng.randint(1, 30):03}" for _ in range(rows)],
            "it's": [pick(["x", "y"]) for _ in range(rows)],
            "constant": ["CANARY same"] * rows,
            "empty": [""] * rows,
            "Diagnose": [pick(["CANARY flu", "CANARY hiv", ""]) for _ in range(rows)],
        }
    )  # fmt: skip


def test_messy_table(tmp_path: Path) -> None:
    draft, plan = draft_of(messy(), tmp_path)
    roles = draft.roles
    assert roles == {
        "Patienten-Nr": "identifier",
        'full "name"': "identifier",
        "alter (Jahre)": "quasi",
        "geb.datum": "quasi",
        "admitted at": "quasi",
        "PLZ": "quasi",
        "性别": "quasi",
        "city\tof\nbirth": "quasi",
        "note": "identifier",
        "ward.code": "quasi",
        "it's": "quasi",
        "constant": "other",
        "empty": "identifier",
        "Diagnose": "sensitive",
    }
    read = shoal.Plan.read(plan)
    assert list(read.columns) == list(roles)
    assert read.entity == "Patienten-Nr"
    assert read.columns["alter (Jahre)"].missing == ("", "*", "NA")
    assert read.columns["性别"].missing == ("", "*", "?")
    release = run(plan)
    assert release.verification.counted == "people"
    assert set(release.table["PLZ"].str.slice(0, 1)) <= {"0", "*"}


def test_the_plan_holds_no_cell(tmp_path: Path) -> None:
    frame = messy().with_columns(
        pl.Series("alter (Jahre)", [str(86_400 + i % 40) for i in range(120)]),
        pl.Series("PLZ", [f"0{7_310 + i % 30}" for i in range(120)]),
    )
    draft, plan = draft_of(frame, tmp_path)
    for text in (plan.read_text(encoding="utf-8"), repr(draft.columns)):
        for canary in ("CANARY", "864", "073", "1980", "2024"):
            assert canary not in text
    assert "CANARY" in "".join(p.read_text() for p in (tmp_path / "hierarchies").iterdir())


def test_typed_frames_run(tmp_path: Path) -> None:
    frame = messy().select(
        pl.col("alter (Jahre)").cast(pl.Int16, strict=False).alias("age"),
        pl.col("admitted at").str.to_datetime().alias("at"),
        pl.col("admitted at").str.to_datetime().dt.replace_time_zone("UTC").alias("utc"),
        pl.col("admitted at").str.to_datetime().dt.date().alias("day"),
        pl.col("性别").cast(pl.Categorical).alias("sex"),
        (pl.col("it's") == "x").alias("flag"),
        pl.col("PLZ").cast(pl.Int32).alias("zip"),
        (pl.col("PLZ").cast(pl.Int32) * 37 % 101 / 7).alias("ratio"),
        (pl.col("PLZ").cast(pl.Int32) / 7).alias("zip in sevenths"),
        pl.Series("wild", [1.5, 2.5, float("nan"), float("inf")] * 30),
        pl.col("Diagnose"),
    )
    table = tmp_path / "table.parquet"
    io.write_parquet(frame, table)
    draft = propose(table)
    kinds = {made.name: made.kind for made in draft.columns}
    assert kinds["age"] == kinds["ratio"] == "numeric"
    assert kinds["at"] == kinds["zip"] == kinds["flag"] == "categorical"
    # "day" says the same as "at", since all times are equal.
    dropped = [name for name, role in draft.roles.items() if role == "identifier"]
    assert dropped == ["utc", "day", "zip in sevenths"]
    run(draft.write(tmp_path / "plan.toml"))


def test_values_named_like_groups_get_a_plainer_hierarchy(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(9)] + ["w0..w1", "w0..w2", "w1..w2", "w2..w3"]
    zips = ["1011*", "10115", "10117", "10***"]
    frame = pl.DataFrame({"w": words * 20, "zip": (zips * 65), "age": list(range(20, 46)) * 10})
    draft, plan = draft_of(frame, tmp_path)
    assert all(tree.covers(frame[name]) for name, tree in draft.hierarchies.items())
    run(plan)


@pytest.mark.parametrize(
    ("rows", "k"), [(2, 2), (3, 2), (8, 4), (30, 5), (999, 5), (1_000, 10), (5_000, 10)]
)
def test_k(rows: int, k: int) -> None:
    draft = propose(pl.DataFrame({"age": [i % 50 for i in range(rows)]}))
    assert draft.plan.require == [{"model": "k-anonymity", "k": k}]


def test_given_k() -> None:
    frame = pl.DataFrame({"age": range(20)})
    assert propose(frame, k=7).plan.requirements() == [shoal.KAnonymity(7)]
    with pytest.raises(InfeasibleError, match="20"):
        propose(frame, k=21)
    with pytest.raises(ParameterError):
        propose(frame, k=1)
    with pytest.raises(InputError, match="one row"):
        propose(frame.head(1))


def test_paths_start_from_the_plan(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "work").mkdir()
    io.write_csv(shoal.datasets.patients(1), tmp_path / "data" / "p.csv")
    table = tmp_path / "work" / ".." / "data" / "p.csv"
    draft = propose(table)
    here, there = draft.write(tmp_path / "plan.toml"), draft.write(tmp_path / "work" / "plan.toml")
    assert shoal.Plan.read(here).input.path == "data/p.csv"
    assert shoal.Plan.read(there).input.path == "../data/p.csv"
    run(there)


def test_reading_options_are_kept(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    shoal.datasets.patients(1).write_csv(table, separator=";")
    read = propose(table, separator=";", encoding="latin-1").plan.input
    assert (read.separator, read.encoding) == (";", "latin-1")
    with pytest.raises(ParameterError, match="separator applies to files"):
        propose(shoal.datasets.patients(1), separator=";")


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    draft, plan = draft_of(shoal.datasets.patients(1), tmp_path)
    plan.write_text("edited")
    with pytest.raises(OutputError, match="already exists"):
        draft.write(plan)
    plan.unlink()
    with pytest.raises(OutputError, match=r"hierarchies/sex\.csv"):
        draft.write(plan)
    draft.write(plan, overwrite=True)
    assert shoal.Plan.read(plan).columns.keys() == draft.roles.keys()


def test_comments() -> None:
    none = propose(pl.DataFrame({"age": range(20)})).to_toml()
    assert "No column name suggests sensitive values" in none
    assert "# seed = 7" in none
    many = propose(shoal.datasets.adult().head(500)).to_toml()
    assert "12 columns are quasi-identifiers" in many
    assert all(len(line) <= 100 for line in many.splitlines() if line.startswith("#"))


def test_the_plan_of_a_frame_is_that_of_its_files(tmp_path: Path) -> None:
    """The tree in the text, the builder in it and the file give the same release."""
    for number, frame in enumerate((messy(), shoal.datasets.adult().head(500))):
        folder = tmp_path / str(number)
        folder.mkdir()
        draft, path = draft_of(frame, folder)
        there = shoal.Plan.read(path)
        here = propose(io.read(folder / "table.csv").frame).plan
        assert here.input.path is None
        assert here.require == there.require
        releases = []
        for plan in (here, there, draft.plan):
            seeded = plan.model_copy(update={"method": {"name": "gaa-cp", "seed": 1}})
            releases.append(shoal.anonymize(io.read(folder / "table.csv").frame, seeded))
        assert releases[0].frame.equals(releases[1].frame)
        assert releases[2].frame.equals(releases[1].frame)
        assert releases[0].measures == releases[1].measures


def test_typed_frames_run_at_once() -> None:
    import pandas as pd

    frame = pd.DataFrame(shoal.datasets.patients(4).to_dict(as_series=False))
    release = shoal.anonymize(frame, shoal.propose(frame).plan)
    assert isinstance(release.table, pd.DataFrame)
    assert release.verification.passed


def test_what_a_proposal_shows() -> None:
    made = propose(shoal.datasets.patients(1).rename({"age": "<b>age"}))
    assert repr(made) == "Proposal(1 identifier, 3 quasi, 1 sensitive; k = 2)"
    shown = made._repr_html_()
    assert "&lt;b&gt;age" in shown
    assert shown.count("<tr>") == 6
    assert list(made.reasons) == list(made.roles)


# Without ; and tab, which in so small a file can be taken for the separator.
CELLS = st.one_of(
    st.sampled_from(["", "*", "?", "NA", "-", "yes", "no", "0", "1", "01067", "2024-03-17"]),
    st.integers(-(10**18), 10**18).map(str),
    st.integers(0, 5).map(str),
    st.floats().map(repr),
    st.dates().map(str),
    st.text("abc,\"' .*?\n\r=é日", max_size=6),
)
NAMES = st.one_of(
    st.sampled_from(["age", "zip", "disease", "job", "name", "id", "date", "salary", "count"]),
    st.text("abc.,\"' #[]=\\\né日", min_size=1, max_size=6),
)


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    rows = draw(st.integers(1, 30))
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    columns = {}
    for name in names:
        pool = draw(st.lists(CELLS, min_size=1, max_size=12))
        column = draw(st.lists(st.sampled_from(pool), min_size=rows, max_size=rows))
        columns[name] = pl.Series(column, dtype=pl.String)
    return pl.DataFrame(columns)


@settings(max_examples=examples(80), deadline=None, suppress_health_check=list(HealthCheck))
@given(tables())
def test_every_draft_runs_or_is_refused(frame: pl.DataFrame) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        try:
            _, plan = draft_of(frame, Path(folder))
        except ShoalError:
            return
        run(plan)
