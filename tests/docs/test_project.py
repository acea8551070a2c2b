"""What an open project shows: versions agree, and the workflow tests what the package supports."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from tests.docs.site import PAGES, ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAPERS = tomllib.loads((ROOT / "papers" / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOW = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")


def test_everything_is_of_the_version_in_pyproject() -> None:
    version = PROJECT["project"]["version"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, flags=re.M) == [version]
    assert f"license: {PROJECT['project']['license']}\n" in citation
    assert PAPERS["project"]["version"] == version
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", changes, flags=re.M)
    newest = next(heading for heading in headings if heading != "Unreleased")
    assert re.fullmatch(rf"{re.escape(version)} \(\d{{4}}-\d\d-\d\d\)", newest)


def test_the_workflow_tests_every_version_of_python_and_builds_the_docs() -> None:
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    tested = re.findall(r'"(3\.\d+)"', re.search(r"python: \[(.+)\]", WORKFLOW)[1])  # type: ignore[index]
    assert tested == ["3.11", "3.12", "3.13"]
    assert tested[0] == oldest
    for project in (PROJECT, PAPERS):
        classifiers = "\n".join(project["project"]["classifiers"])
        assert re.findall(r"Python :: (3\.\d+)", classifiers) == tested
    assert "make test " in WORKFLOW
    assert "make docs " in WORKFLOW


def test_users_are_told_where_to_report_a_leak() -> None:
    security = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "Report a vulnerability" in security
    assert not re.search(r"[\w.]+@[\w.]+", security), "no address is made up"
    assert sum("SECURITY.md" in page.read_text(encoding="utf-8") for page in PAGES) >= 2
