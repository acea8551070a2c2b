"""Constructors show their options; misspelt names are reported, by type checkers and when used."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from shoal.methods import METHODS
from shoal.models import MODELS
from shoal.publications import FORMS
from shoal.table.hierarchies import BUILDERS

ROOT = Path(__file__).parents[1]
PROGRAMS = Path(__file__).parent / "typed"
KINDS = [*METHODS.values(), *MODELS.values(), *FORMS.values(), *BUILDERS.values()]


def mypy(*names: str) -> list[str]:
    """Check programs as their authors would, strictly; what is known of Shoal is kept."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *(str(PROGRAMS / name) for name in names)],
        cwd=ROOT,
        env=os.environ | {"MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr + done.stdout
    return done.stdout.splitlines()


def marks(name: str) -> set[tuple[int, str]]:
    """Read what a type checker must say of which lines, from the comments there."""
    lines = (PROGRAMS / name).read_text(encoding="utf-8").splitlines()
    return {(n, line.rpartition("  # ")[2]) for n, line in enumerate(lines, 1) if "  # " in line}


def test_type_checkers_know_every_type_and_report_every_mistake() -> None:
    said = mypy("works.py", "mistakes.py")
    errors = [re.search(r"(\w+)\.py:(\d+): error: .*\[([\w-]+)\]$", line) for line in said]
    found = {(each[1], int(each[2]), each[3]) for each in errors if each}
    assert found == {("mistakes", *mark) for mark in marks("mistakes.py")}
    note = re.compile(r'works\.py:(\d+): note: Revealed type is "([^"[]+)')
    types = [note.search(line) for line in said]
    revealed = {(int(each[1]), each[2].rpartition(".")[2]) for each in types if each}
    assert revealed == marks("works.py")
    assert 'Module has no attribute "KAnonimity"; maybe "KAnonymity"?' in "\n".join(said)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_constructor_shows_its_options(kind: type) -> None:
    shown = inspect.signature(kind).parameters
    assert list(shown) == list(kind.__match_args__)  # type: ignore[attr-defined]
    assert all(each.annotation is not each.empty for each in shown.values())


@pytest.mark.parametrize(
    ("package", "word", "meant"),
    [
        (shoal, "KAnonimity", "KAnonymity"),
        (shoal, "anonymise", "anonymize"),
        (shoal, "hierarchys", "hierarchies"),
        (shoal.methods, "Datafli", "Datafly"),
        (shoal.measures, "iloss_rat", "iloss_rate"),
        (shoal.hierarchies, "Intervalls", "Intervals"),
    ],
)
def test_a_misspelt_name_is_told_from_the_nearest(package: object, word: str, meant: str) -> None:
    problem = rf"has no attribute '{word}'\. Did you mean '{meant}'\?"
    with pytest.raises(AttributeError, match=problem):
        getattr(package, word)
    assert not hasattr(package, "_private")
