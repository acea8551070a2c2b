"""What an open project shows: versions agree, and the workflow tests what the package supports."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from tests.docs.site import PAGES, ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOW = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")


def test_the_citation_is_of_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, flags=re.M) == [PROJECT["project"]["version"]]
    assert f"license: {PROJECT['project']['license']}\n" in citation


def test_the_workflow_tests_every_version_of_python_and_builds_the_docs() -> None:
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
    tested = re.findall(r'"(3\.\d+)"', re.search(r"python: \[(.+)\]", WORKFLOW)[1])  # type: ignore[index]
    assert tested == ["3.11", "3.12", "3.13"]
    assert tested[0] == oldest
    assert "make test " in WORKFLOW
    assert "make docs " in WORKFLOW


def test_users_are_told_where_to_report_a_leak() -> None:
    security = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "Report a vulnerability" in security
    assert not re.search(r"[\w.]+@[\w.]+", security), "no address is made up"
    assert sum("SECURITY.md" in page.read_text(encoding="utf-8") for page in PAGES) >= 2
