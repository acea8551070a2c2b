"""What the pages show works: Python blocks run, and so do the tutorial's commands, in order."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from shoal.cli import app
from tests.docs.site import DOCS, PAGES, Block, blocks, name_of

FOLLOWED = [DOCS / "tutorial.md", *sorted((DOCS / "how-to").glob("*.md"))]
"""Pages that are followed command by command; a text after a command is what it says, trimmed."""
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
WITH_PYTHON = [page for page in PAGES if any(b.language == "python" for b in blocks(page))]


def run_python(block: Block, page: Path, names: dict[str, Any]) -> None:
    source = f"{name_of(page)}:{block.line}"
    if ">>>" not in block.text:
        exec(compile(block.text, source, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, source, source, block.line)
    said: list[str] = []
    failed = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    assert not failed.failed, "".join(said)


def run_commands(block: Block, page: Path) -> str:
    said = []
    for line in block.text.splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] != ["shoal"]:
            continue
        result = CliRunner().invoke(app, words[1:])
        assert result.exit_code == 0, f"{name_of(page)}: {line}\n{result.output}"
        said.append(result.output)
    return "\n".join(said)


def normal(line: str) -> str:
    """A line as it is compared: without numbers, which change, and without the room between."""
    return " ".join(re.sub(r"[\d,]+(\.\d+)?", "0", line).replace("…", "").split())


def check_shown(block: Block, said: str, page: Path) -> None:
    known = {normal(line) for line in said.splitlines()}
    lost = [line for line in block.text.splitlines() if not is_said(normal(line), known)]
    assert not lost, f"{name_of(page)}:{block.line} shows what is not said: {lost}\n{said}"


def is_said(line: str, known: set[str]) -> bool:
    return line in known or any(each.startswith(line) for each in known)


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    monkeypatch.setenv("COLUMNS", "80")
    said = ""
    for block in blocks(page):
        if block.language == "python":
            run_python(block, page, names)
        elif block.title:
            (tmp_path / block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "sh" and page in FOLLOWED:
            said = run_commands(block, page)
            continue
        elif block.language == "text" and said:
            check_shown(block, said, page)
        said = ""


def test_tutorial_and_readme_are_among_them() -> None:
    assert {"README.md", "docs/tutorial.md"} <= {name_of(page) for page in WITH_PYTHON}


def test_plan_page_example_is_a_plan() -> None:
    import tomllib

    from shoal import Plan

    example = next(block for block in blocks(DOCS / "plan.md") if block.language == "toml")
    assert Plan.from_dict(tomllib.loads(example.text)).entity == "patient"
