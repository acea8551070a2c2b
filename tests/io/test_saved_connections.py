"""Saved connections: addresses under a name, for one user, without a password."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from shoal.errors import InputError, OutputError, ParameterError
from shoal.io.sql import (
    connections_file,
    remove_connection,
    save_connection,
    saved_connections,
)


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config"


def test_they_lie_in_the_users_config_folder_and_nobody_else_reads_them(config: Path) -> None:
    before = os.umask(0)
    try:
        save_connection("clinic", "postgresql://ann@db.example/clinic")
    finally:
        os.umask(before)
    assert connections_file() == config / "shoal" / "connections.toml"
    assert stat.S_IMODE(connections_file().stat().st_mode) == 0o600
    assert [file.name for file in connections_file().parent.iterdir()] == ["connections.toml"]


def test_without_a_config_folder_they_lie_at_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for said in ("", "relative"):
        monkeypatch.setenv("XDG_CONFIG_HOME", said)
        assert connections_file() == tmp_path / ".config" / "shoal" / "connections.toml"


def test_they_are_saved_replaced_and_removed(tmp_path: Path) -> None:
    assert saved_connections() == {}
    save_connection("clinic", "$CLINIC")
    save_connection(' the "old" one ', f"sqlite:///{tmp_path}/x.db")
    assert [str(each) for each in saved_connections().values()] == [
        "$CLINIC",
        f"sqlite:///{tmp_path}/x.db",
    ]
    save_connection("clinic", "postgresql://db.example/other")
    assert str(saved_connections()["clinic"]) == "postgresql://db.example/other"
    remove_connection("clinic")
    remove_connection("clinic")
    assert list(saved_connections()) == ['the "old" one']


def test_a_path_is_saved_from_the_root_on() -> None:
    save_connection("here", "sqlite:///x.db")
    assert saved_connections()["here"].file == Path.cwd() / "x.db"


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:pearl@db.example/clinic",
        "postgresql://db.example/clinic?password=pearl",
        "postgresql://db.example/clinic?sslkey=pearl",
    ],
)
def test_no_password_is_saved_or_used(url: str) -> None:
    with pytest.raises(ParameterError, match="holds a password") as caught:
        save_connection("clinic", url)
    assert "pearl" not in str(caught.value)
    assert not connections_file().exists()
    connections_file().parent.mkdir(parents=True)
    connections_file().write_text(f'[clinic]\nurl = "{url}"\n')
    with pytest.raises(InputError, match="'clinic'") as caught:
        saved_connections()
    assert "pearl" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\nb"])
def test_a_name_is_a_name(name: str) -> None:
    with pytest.raises(ParameterError, match="1 to 60 characters"):
        save_connection(name, "$CLINIC")


@pytest.mark.parametrize(
    "text", ["no toml", "clinic = 3\n", '[clinic]\nurl = "mysql://x"\n', "\x00"]
)
def test_a_file_that_somebody_broke_is_said_to_be(text: str) -> None:
    connections_file().parent.mkdir(parents=True)
    connections_file().write_text(text)
    with pytest.raises(InputError, match="cannot be"):
        saved_connections()


def test_a_folder_that_cannot_be_made_is_said(config: Path) -> None:
    config.write_text("a file in its place")
    with pytest.raises((OutputError, InputError), match="cannot be"):
        save_connection("clinic", "$CLINIC")
