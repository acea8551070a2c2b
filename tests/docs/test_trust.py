"""Every promise of the trust page names a test, and the test is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shoal import checks
from shoal.judging.risk import ATTACKS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
FIGURES = re.findall(
    r"^\| (?:\[(\w+)\]\(risk/\w+\.md\): [^|]+)? ?\| [^|]+ \| ([\d.]+ %) \| ([\d.]+ %) \|",
    PAGE,
    flags=re.M,
)
"""The attack (none if it is that of the line above), what it gets, and its control."""
PROMISES = re.findall(r"^\| \d+b? \|.*$", PAGE, flags=re.M)


def test_every_promise_names_a_test() -> None:
    assert len(PROMISES) > 20
    assert [row[:40] for row in PROMISES if "`tests/" not in row] == []


def test_every_test_that_is_named_exists() -> None:
    named = re.findall(r"`(tests/[\w/.]+?)(?:::(\w+))?`", PAGE)
    assert len(named) > 30
    for path, name in named:
        place = ROOT / path
        assert place.exists(), path
        assert not name or f"def {name}(" in place.read_text(encoding="utf-8"), name


def test_every_check_that_is_named_exists() -> None:
    every = (*checks.METHOD_CHECKS, *checks.MEASURE_CHECKS, *checks.PUBLICATION_CHECKS)
    known = {check.__name__ for check in every}
    lists = re.findall(r"`shoal\.checks`: (`\w+`(?:, `\w+`)*)", PAGE)
    named = {name for each in lists for name in re.findall(r"\w+", each)}
    assert {"method_forgets_removed_rows", "form_forgets_removed_rows"} < named
    assert named <= known


OURS = [*ATTACKS, "linkage", "two_releases"]


def test_the_table_of_limits_names_attacks_once() -> None:
    named = [name for name, *_ in FIGURES if name]
    assert len(named) == len(set(named)) > 12
    assert set(named) <= set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_every_attack_has_a_figure_and_a_control_on_its_page(name: str) -> None:
    page = (ROOT / "docs" / "risk" / f"{name}.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert any("control" in row for row in rows)
    assert any(row.count(" %") >= 2 for row in rows)


@pytest.mark.parametrize("name", [name for name, *_ in FIGURES if name])
def test_figures_are_those_of_the_page_of_the_attack(name: str) -> None:
    page = (ROOT / "docs" / "risk" / f"{name}.md").read_text(encoding="utf-8")
    rows = [line.replace("*", "") for line in page.splitlines() if line.startswith("|")]
    of = ""
    for told, share, control in FIGURES:
        of = told or of
        if of == name:
            assert any(f" {share} |" in row and f" {control} |" in row for row in rows), share
