"""A kill between a database's commit and the folder's move: the next start mends it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import OutputError, StoppedWriteWarning
from tests.databases import Database
from tests.release.test_delivery import PEOPLE, plan_of

KILLED = """
import os, sys
from shoal.io import atomic, transaction
from shoal.io.sql.writing import Delivery
import shoal

def stop(*given, **more):
    os._exit(9)

commit = Delivery.commit
if sys.argv[2] == "before":
    Delivery.commit = stop
elif sys.argv[2] == "after":
    Delivery.commit = lambda self: (commit(self), stop())
elif sys.argv[2] == "decided":
    transaction.Transaction.move = stop
shoal.run(shoal.Plan.read(sys.argv[1]))
"""


def killed(database: Database, folder: Path, moment: str, **output: object) -> Path:
    """Run a plan in a process that ends at a moment, as if it were killed."""
    if "people" not in database.tables():
        database.fill("people", PEOPLE)
    plan = folder / "plan.toml"
    plan.write_text(plan_of(database, folder, **output).to_toml())
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(plan), moment],
        env=dict(os.environ),
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 9, done.stderr
    assert not (folder / "release").exists() or output.get("replace")
    return plan


def remains(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.name.startswith(".release"))


@pytest.mark.parametrize("moment", ["after", "decided"])
def test_what_the_database_holds_gets_its_folder(
    database: Database, tmp_path: Path, moment: str
) -> None:
    killed(database, tmp_path, moment)
    (marked,) = database.rows("SELECT release_id FROM shoal_releases")
    with pytest.warns(StoppedWriteWarning, match="it is in its place now"):
        opened = shoal.open_release(tmp_path / "release")
    assert opened.facts["id"] == marked[0]
    assert opened.verify(original=PEOPLE).passed
    assert remains(tmp_path) == []


def test_what_the_database_does_not_hold_is_undone(database: Database, tmp_path: Path) -> None:
    plan = killed(database, tmp_path, "before")
    assert "published" not in database.tables()
    assert remains(tmp_path) != []
    with pytest.warns(StoppedWriteWarning, match="nothing of it is left"):
        shoal.run(shoal.Plan.read(plan))
    assert remains(tmp_path) == []
    assert shoal.open_release(tmp_path / "release").verify().passed


def test_the_old_release_stays_where_the_database_kept_it(
    database: Database, tmp_path: Path
) -> None:
    database.fill("people", PEOPLE)
    shoal.run(plan_of(database, tmp_path, replace=True))
    before = (tmp_path / "release" / "release.json").read_bytes()
    plan = plan_of(database, tmp_path, replace=True)
    other = plan.model_copy(update={"require": [{"model": "k-anonymity", "k": 9}]})
    for moment, kept in (("before", True), ("after", False)):
        (tmp_path / "plan.toml").write_text(other.to_toml())
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(tmp_path / "plan.toml"), moment], check=False
        )
        assert done.returncode == 9
        with pytest.warns(StoppedWriteWarning):
            opened = shoal.open_release(tmp_path / "release")
        assert ((tmp_path / "release" / "release.json").read_bytes() == before) is kept
        (marked,) = database.rows("SELECT release_id FROM shoal_releases")
        assert opened.facts["id"] == marked[0]
        assert opened.verify(original=PEOPLE).passed


def test_the_next_command_says_it_without_a_new_run(database: Database, tmp_path: Path) -> None:
    plan = killed(database, tmp_path, "after")
    again = CliRunner().invoke(app, ["run", str(plan)])
    flat = " ".join(again.stderr.split())
    assert again.exit_code == 2  # the table is there, and the plan does not say replace
    assert "Note: A run that wrote 'release' was stopped after its tables were in" in flat
    assert "table 'published' of an earlier release" in flat
    seen = CliRunner().invoke(app, ["verify", str(tmp_path / "release")])
    assert seen.exit_code == 0
    assert "Note" not in seen.stderr


def test_nothing_is_lost_while_the_database_cannot_be_asked(tmp_path: Path) -> None:
    place = tmp_path / "there"
    place.mkdir()
    database = Database(f"sqlite:///{place / 'people.db'}")
    killed(database, tmp_path, "after")
    (held,) = tmp_path.glob(".release.tmp-*")
    (place / "people.db").rename(place / "elsewhere.db")
    (place / "people.db").write_text("This is no database.")
    with pytest.raises(OutputError, match="cannot be reached"):
        shoal.anonymize(PEOPLE, plan_of(database, tmp_path)).write(tmp_path / "release")
    assert (held / "new" / "release" / "release.json").is_file()
    (place / "elsewhere.db").rename(place / "people.db")
    with pytest.warns(StoppedWriteWarning):
        assert shoal.open_release(tmp_path / "release").verify().passed


def test_what_is_written_down_holds_no_password(database: Database, tmp_path: Path) -> None:
    killed(database, tmp_path, "after")
    (record,) = tmp_path.glob(".release.tmp-*/awaits")
    told = json.loads(record.read_text())
    assert told["tables"] == ["published"]
    assert record.stat().st_mode & 0o777 == 0o600
    password = os.environ.get("PGPASSWORD")
    assert not password or password not in record.read_text()


def test_a_commit_that_fails_leaves_nothing(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.fill("people", PEOPLE)

    def fail(self: object) -> None:
        raise OutputError("It ended the connection.", "Try again.")

    with monkeypatch.context() as patched:
        patched.setattr("shoal.io.sql.writing.Delivery.commit", fail)
        with pytest.raises(OutputError, match="ended the connection"):
            shoal.run(plan_of(database, tmp_path))
    assert remains(tmp_path) == []
    assert not (tmp_path / "release").exists()
    assert "published" not in database.tables()


def test_ctrl_c_after_the_commit_finishes_the_folder(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shoal.io.sql.writing import Delivery

    database.fill("people", PEOPLE)
    commit = Delivery.commit

    def stop(self: Delivery) -> None:
        commit(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Delivery, "commit", stop)
    with pytest.raises(KeyboardInterrupt):
        shoal.run(plan_of(database, tmp_path))
    assert "published" in database.tables()
    assert shoal.open_release(tmp_path / "release").verify().passed
    assert remains(tmp_path) == []
