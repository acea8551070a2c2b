"""A person is told of compiling, once, and can have it done beforehand."""

from __future__ import annotations

from dataclasses import fields

import pytest
from typer.testing import CliRunner

import shoal
from shoal.checks import warm_up as module
from shoal.cli import app, progress


def test_warm_up_says_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []
    monkeypatch.setattr(module, "METHODS", {"datafly": shoal.Datafly})
    module.warm_up(lambda done, total: seen.append((done, total)))
    assert seen == [(step, 4) for step in range(5)]
    found = CliRunner().invoke(app, ["warm-up"])
    assert found.exit_code == 0, found.output
    assert found.stdout == "All methods are compiled.\n"


def test_every_choice_of_every_option_is_tried() -> None:
    tried = [*module._variants(shoal.GCA())]
    assert {method.within for method in tried} == {"order", "nearest"}
    assert {method.stop for method in tried} == {"exhausted", "paper"}
    assert len({tuple(getattr(m, f.name) for f in fields(m)) for m in tried}) == len(tried)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_line_says_that_something_is_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool
) -> None:
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")  # for rich
    monkeypatch.setattr(progress, "on_compiling", Told)
    with progress.bar():
        pass
    assert capsys.readouterr().err.count("Compiling:") == 1


class Told:
    """Tells at once that a kernel is compiled."""

    def __init__(self, tell: object) -> None:
        tell()

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...
