"""A million rows there and back; and whoever is killed meanwhile leaves all or nothing."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import shoal
from shoal.base.cells import texts
from shoal.io.sql import SQL, Address, connect, read_sql
from tests.databases import Database
from tests.postgres import Server, server
from torture.commands import Command, Ended, forget, moments, say
from torture.people import ROWS, UNTOUCHED, as_read, people, plan_for, stored

KILLS = 6
FEWER = ROWS // 4
"""Rows of tables whose writers are killed."""

LONG = max(FEWER, 200_000)
"""Rows that take so long to write that it can be seen from outside."""


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> str:
    """Say which kind of database it is."""
    return str(request.node.callspec.params["database"])


def same_rows(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Compare rows in any order, as texts: types of files and databases differ."""
    sorted_ = [
        pl.DataFrame([texts(each) for each in frame.iter_columns()]).sort(pl.all())
        for frame in (one, other.select(one.columns))
    ]
    return sorted_[0].equals(sorted_[1])


def published(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "release" / "table.parquet")


def test_a_million_rows_there_and_back(database: Database, kind: str, tmp_path: Path) -> None:
    frame = people(ROWS)
    source = database.fill("people", stored(frame, kind))
    say(f"{ROWS:,} rows are in {kind}")
    began = time.perf_counter()
    assert_frame_equal(read_sql(source).frame, as_read(frame, kind))
    say(f"read as they stand in {time.perf_counter() - began:.1f} s")
    began = time.perf_counter()
    made = shoal.run(plan_for(database.url, tmp_path))
    say(f"published in {time.perf_counter() - began:.1f} s")
    assert made.verification.passed
    assert shoal.open_release(tmp_path / "release").verify().passed
    found = read_sql(SQL(database.url, table="published")).frame
    assert found.height == ROWS
    assert same_rows(published(tmp_path), found)
    # What is published untouched is what came in.
    assert same_rows(as_read(frame, kind).select(UNTOUCHED), found.select(UNTOUCHED))


class State:
    """A database and a folder, and what may become of them."""

    def __init__(self, database: Database, folder: Path) -> None:
        self.database, self.folder = database, folder
        self.before = self.source()

    def source(self) -> pl.DataFrame:
        query = "SELECT * FROM people ORDER BY id"
        return read_sql(SQL(self.database.url, query=query)).frame

    @property
    def in_database(self) -> str | None:
        """The release whose table is there, whole."""
        if "published" not in self.database.tables():
            assert "shoal_releases" not in self.database.tables()
            return None
        ((release,),) = self.database.rows("SELECT release_id FROM shoal_releases")
        ((rows,),) = self.database.rows("SELECT count(*) FROM published")
        assert rows == self.before.height
        return str(release)

    @property
    def in_folder(self) -> str | None:
        """The release in the folder, after the next start looked at it."""
        shoal.release.recover(self.folder / "release")
        left = [path.name for path in self.folder.iterdir() if path.name.startswith(".release")]
        assert left == []
        if not (self.folder / "release").exists():
            assert not (self.folder / "release.private").exists()
            return None
        opened = shoal.open_release(self.folder / "release")
        assert opened.verify().passed
        return str(opened.facts["id"])

    def require_untouched(self) -> None:
        """Hold the source against what it was."""
        assert_frame_equal(self.source(), self.before)


def made(database: Database, kind: str, folder: Path, rows: int = FEWER, **output: Any) -> State:
    database.fill("people", stored(people(rows), kind))
    plan = plan_for(database.url, folder, **output)
    (folder / "plan.toml").write_text(plan.to_toml(), encoding="utf-8")
    return State(database, folder)


def test_a_run_that_is_killed_leaves_what_was_there_or_a_whole_release(
    database: Database, kind: str, tmp_path: Path, rng: random.Random
) -> None:
    state = made(database, kind, tmp_path, replace=True)
    first = Command(tmp_path, "run", "plan.toml").wait()
    assert first.code == 0, first.said
    held = state.in_database, state.in_folder
    assert held[0] == held[1] is not None
    ends = {"as before": 0, "complete": 0}
    for at in moments(rng, KILLS, 0.3 * first.seconds, 1.05 * first.seconds):
        # Another seed is another release.
        seed = f"method.seed={rng.randrange(10**6)}"
        ended = Command(tmp_path, "run", "plan.toml", "--set", seed).until(at).kill()
        now = state.in_database, state.in_folder
        state.require_untouched()
        if ended.code == 0:
            assert now[0] == now[1] != held[0]
        if now == held:
            ends["as before"] += 1
        elif now[0] == now[1]:
            ends["complete"] += 1
        else:
            # Between the commit of the database and the folder's move, as the page says.
            assert (now[0] != held[0], now[1]) == (True, held[1])
            ends["between the two commits"] = ends.get("between the two commits", 0) + 1
        say(f"{kind}: killed after {at:.1f} of {first.seconds:.1f} s, exit {ended.code}, {ends}")
        held = now
    again = Command(tmp_path, "run", "plan.toml").wait()
    assert again.code == 0, again.said
    assert state.in_database == state.in_folder is not None
    assert ends["as before"], "no kill struck before the end"


def test_a_file_that_cannot_grow_leaves_nothing(
    database: Database, kind: str, tmp_path: Path
) -> None:
    """A file of at most so many bytes is what a full disk is to a process."""
    if kind == "postgresql":
        pytest.skip("the disk of a server is not ours to fill")
    state = made(database, kind, tmp_path)
    file = Address(database.url).file
    assert file is not None
    limit = file.stat().st_size + 100_000
    ended = Command(tmp_path, "run", "plan.toml", limit=limit).wait()
    say(f"{kind}: exit {ended.code}: {ended.said.strip()[-200:]}")
    state.require_untouched()
    if kind == "duckdb" and ended.code == 0:  # few rows fit into the file of its log
        assert state.in_database == state.in_folder is not None
        return
    assert ended.code == 2
    ended.require_quiet()
    assert (state.in_database, state.in_folder) == (None, None)
    assert Command(tmp_path, "run", "plan.toml").wait().code == 0


def writing(url: str) -> bool:
    """Whether somebody fills the published table, or has filled it and not committed."""
    with connect(Address(url)) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND "
            "query LIKE '%published%'"
        )
        return bool(cursor.fetchone()[0])


def broken(state: State, rng: random.Random, postgres: Server, kill: Any, restart: Any) -> None:
    """Break the connection at several moments of the write; nothing of it may stay."""
    url = state.database.url

    def ended(after: float | None) -> tuple[Ended, float]:
        command = Command(state.folder, "run", "plan.toml", PGPASSWORD=postgres.password)
        seen = command.when(lambda: writing(url))
        began = time.monotonic()
        if seen and after is not None:
            time.sleep(after)
            kill()
        return command.wait(), time.monotonic() - began

    _, last = ended(None)
    say(f"it writes, reads back and verifies for {last:.1f} s")
    state.database.execute("DROP TABLE published")
    state.database.execute("DROP TABLE shoal_releases")
    forget(state.folder / "release")
    struck = 0
    for after in [0.0, *moments(rng, KILLS - 1, 0.0, 0.95 * last)]:
        found, _ = ended(after)
        restart()
        say(f"broken {after:.1f} s after it began, exit {found.code}: {found.said.strip()[-160:]}")
        found.require_quiet(postgres.password)
        state.require_untouched()
        if found.code == 0:  # it had finished
            assert state.in_database == state.in_folder is not None
            state.database.execute("DROP TABLE published")
            state.database.execute("DROP TABLE shoal_releases")
            forget(state.folder / "release")
            continue
        assert found.code != 3, "it is called a defect"
        assert (state.in_database, state.in_folder) == (None, None)
        struck += 1
    assert struck, "no moment was early enough"
    assert ended(None)[0].code == 0
    assert state.in_database == state.in_folder is not None


@pytest.fixture
def own_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Start a server that may be killed."""
    with server() as running:
        monkeypatch.setenv("PGPASSWORD", running.password)
        yield running


def test_a_connection_that_is_killed_leaves_nothing(
    own_server: Server, tmp_path: Path, rng: random.Random
) -> None:
    state = made(Database(own_server.url), "postgresql", tmp_path, LONG)

    def kill() -> None:
        state.database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
            "pg_backend_pid() AND backend_type = 'client backend'"
        )

    broken(state, rng, own_server, kill, lambda: None)


def test_a_server_that_is_killed_leaves_nothing(
    own_server: Server, tmp_path: Path, rng: random.Random
) -> None:
    state = made(Database(own_server.url), "postgresql", tmp_path, LONG)
    broken(state, rng, own_server, own_server.kill, lambda: restarted(own_server))


def restarted(running: Server, tries: int = 20) -> None:
    """Start a killed server, as soon as its last process is gone."""
    for left in range(tries, 0, -1):
        try:
            return running.start()
        except RuntimeError:
            if left == 1:
                raise
            time.sleep(0.5)
    return None
