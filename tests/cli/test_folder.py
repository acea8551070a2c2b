"""Commands are files: the list of them is read, not imported, and says the same."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from shoal.cli import app
from shoal.cli.folder import Commands


def groups(group: Any) -> Iterator[Commands]:
    yield group
    for name in group.list_commands(None):
        if isinstance(below := group.load(name), Commands):
            yield from groups(below)


@pytest.mark.parametrize("group", [*groups(typer.main.get_command(app))], ids=lambda g: g.package)
def test_summaries_are_the_first_lines_of_the_docstrings(group: Commands) -> None:
    assert group.list_commands(None)
    for name, listed in group.commands.items():
        loaded = group.load(name)
        assert loaded.name == name
        assert listed.help == inspect.cleandoc(loaded.help).splitlines()[0]


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    found = CliRunner().invoke(app, ["hierarchy", "chekc"])
    assert found.exit_code == 2
    assert "'check'" in found.stderr
