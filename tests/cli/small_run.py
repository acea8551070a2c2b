"""A table of twenty rows with its plan, and ways to spoil either."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli import app

SECRET = "Xy9secret"
TABLE = "id,age,sex,illness\n" + "".join(
    f"{SECRET}{i},{20 + i},{'mf'[i % 2]},{SECRET}flu\n" for i in range(20)
)
PLAN = """
[input]
path = "table.csv"
[columns.id]
role = "identifier"
[columns.age]
role = "quasi"
kind = "numeric"
[columns.sex]
role = "quasi"
hierarchy = "sex.csv"
[columns.illness]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 3
[method]
name = "gaa-cp"
seed = 1
[output]
path = "out"
"""


def people_and_plan(folder: Path, monkeypatch: pytest.MonkeyPatch, plan: str) -> Path:
    """Work in a folder with 400 people of Adult and a plan for them."""
    monkeypatch.chdir(folder)
    people = shoal.datasets.adult().head(400).select("age", "sex", "race", "occupation")
    people.write_csv("people.csv")
    Path("plan.toml").write_text(plan)
    return folder


def call(*arguments: object, code: int = 0) -> str:
    """Run a command in this process; give what it printed, or its error where it exits with 2."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.stdout if code != 2 else result.stderr


def change(name: str, old: str, new: str) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1))

    return apply


def write(name: str, content: str | bytes) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        raw = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(raw)

    return apply


def policy(name: str) -> Callable[[Path], None]:
    return change("plan.toml", "[output]", f'[publication]\nmissing = "{name}"\n[output]')


def need(text: str) -> Callable[[Path], None]:
    """Require this instead of k-anonymity."""
    return change("plan.toml", 'model = "k-anonymity"', f"model = {text}")


def levels(text: str) -> Callable[[Path], None]:
    """Give the sensitive column levels, and require shares by level."""

    def apply(folder: Path) -> None:
        change("plan.toml", 'role = "sensitive"', f'role = "sensitive"\nlevels = {text}')(folder)
        need('"leveled-alpha-k"\nalphas = [0.3, 0.5]')(folder)

    return apply


SOME = TABLE.replace(f"{SECRET}flu", f"{SECRET}cold", 4).replace(f"{SECRET}flu", "HIV", 4)
"""12 of 20 have the same illness."""


def listing(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }
