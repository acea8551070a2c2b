"""Members are found in their folders, and in other packages; nothing is imported too early."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import shoal
from shoal.base.members import Members, python_name
from shoal.errors import ParameterError
from shoal.judging.risk import ATTACKS
from shoal.measures import MEASURES
from shoal.methods import METHODS
from shoal.models import MODELS
from shoal.table.hierarchies import BUILDERS

KINDS: dict[str, Members[Any]] = {
    "methods": METHODS,
    "models": MODELS,
    "measures": MEASURES,
    "hierarchies": BUILDERS,
    "risk": ATTACKS,
}


@pytest.mark.parametrize("room", KINDS)
def test_every_member_is_public_in_its_room(room: str) -> None:
    package, members = getattr(shoal, room), KINDS[room]
    for name in members.files:
        word = python_name(members[name])
        assert getattr(package, word) is members[name]
        assert word in package.__all__
        assert word in dir(package)
    assert sorted(members) == list(members)
    for name in package.__all__:
        assert getattr(package, name) is not None


def test_methods_and_requirements_are_public_at_the_top() -> None:
    for members in (METHODS, MODELS):
        for name in members.files:
            word = python_name(members[name])
            assert getattr(shoal, word) is members[name]
            assert word in dir(shoal)
    for name in shoal.__all__:
        assert getattr(shoal, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Gaacp'"):
        _ = shoal.Gaacp  # type: ignore[attr-defined]


def test_asking_for_one_member_imports_no_other() -> None:
    program = (
        "import sys; from shoal.methods import METHODS; METHODS['kaca']; list(METHODS);"
        "print([name for name in sys.modules if name.startswith('shoal.methods.') "
        "and name.rsplit('.')[-1] in ('gaa_cp', 'micd', 'full_domain', 'top_down')])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


class Net:
    name = "net"


def nets(monkeypatch: pytest.MonkeyPatch, *entries: EntryPoint) -> Members[Any]:
    """Members of a room without files, some of which other packages declare."""
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries)
    return Members("shoal.nets", noun="net", fits=lambda thing: thing is Net, folders=())


def entry(name: str, place: str) -> EntryPoint:
    return EntryPoint(name, place, "shoal.nets")


def test_other_packages_declare_members(monkeypatch: pytest.MonkeyPatch) -> None:
    found = nets(monkeypatch, entry("net", f"{__name__}:Net"))
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Net.__module__])
    assert list(found) == ["net"]
    assert found["net"] is Net
    assert "net" in found
    assert "nett" not in found
    with pytest.raises(KeyError):
        found["nett"]


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ([entry("net", "there_is_no_such_package:Net")], "cannot be loaded: ModuleNotFoundError"),
        ([entry("net", "builtins:int")], "is not that net"),
        ([entry("mesh", f"{__name__}:Net")], "is not that net"),
        ([entry("net", "a:Net"), entry("net", "b:Net")], "that name is taken"),
    ],
)
def test_a_wrong_declaration_is_refused(
    monkeypatch: pytest.MonkeyPatch, entries: list[EntryPoint], problem: str
) -> None:
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Net.__module__])
    found = nets(monkeypatch, *entries)
    with pytest.raises(ParameterError, match=problem) as caught:
        found[entries[0].name]
    assert caught.value.hint


def test_a_name_of_ours_cannot_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = EntryPoint("gaa-cp", "evil:GAACP", "shoal.methods")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: (taken,))
    members = Members(
        "shoal.methods", noun="method", fits=lambda thing: isinstance(thing, type), folders=None
    )
    assert members["gaa-cp"] is shoal.GAACP
    with pytest.raises(ParameterError, match="but that name is taken"):
        list(members)


def test_a_file_without_a_member_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd_room").mkdir()
    (tmp_path / "odd_room" / "__init__.py").touch()
    (tmp_path / "odd_room" / "helper.py").touch()
    (tmp_path / "odd_room" / "_hidden.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    members = Members[Any]("odd_room", noun="thing", fits=lambda thing: False)
    assert list(members.files) == ["helper"]
    with pytest.raises(ParameterError, match="must begin with an underscore"):
        members["helper"]
