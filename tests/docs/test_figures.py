"""Measured figures in pages are those of the results: nobody quotes what was not measured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.site import DOCS, ROOT, name_of

RESULTS = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n")[0]: part for part in RESULTS.split("\n## ")[1:]}
QUOTING = [ROOT / "README.md", DOCS / "how-to" / "zip-codes.md"]
CHOOSE = (DOCS / "choose.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def of(section: str, figure: str) -> str:
    """The value of a figure in the results."""
    found = re.search(rf"^\| {re.escape(figure)} \| (.+) \|$", SECTIONS[section], flags=re.M)
    assert found, f"{section} has no figure '{figure}'"
    return found[1]


@pytest.mark.parametrize("page", QUOTING, ids=name_of)
def test_what_a_benchmark_is_named_for_is_in_its_results(page: Path) -> None:
    quoted = [
        part
        for part in page.read_text(encoding="utf-8").split("\n\n")
        if "`python -m benchmarks" in part
    ]
    assert quoted
    for part in quoted:
        made = " ".join(SECTIONS[name] for name in re.findall(r"-m benchmarks\s+(\w+)", part))
        said = re.findall(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d+\.\d+)(?![\d,])", part)
        assert said or "end_to_end" in part
        assert [number for number in said if number not in made] == [], part


@pytest.mark.parametrize("command", ["run", "verify", "risk"])
def test_times_of_commands(command: str) -> None:
    row = re.search(rf"^\| `shoal {command}` \| (.+) \| (.+) \|$", README, flags=re.M)
    assert row
    call = f"shoal {command} {'plan.toml' if command == 'run' else 'release'} (CPU s)"
    assert row[1] == of("end_to_end", f"Adult 45,222: {call}")
    assert row[2] == of("end_to_end", f"census 1,000,000: {call}")


def test_methods_side_by_side() -> None:
    table = CHOOSE.split("methods_side_by_side")[1].split("\n\n")[1]
    rows = re.findall(r"^\| ([\w-]+) \| ([\d,]+) \| ([\d.]+) \|$", table, flags=re.M)
    assert len(rows) > 8
    for method, loss, seconds in rows:
        assert loss == of("methods_side_by_side", f"{method}: iloss")
        assert seconds == of("methods_side_by_side", f"{method} (s CPU)")


def test_what_attacks_got() -> None:
    told = re.findall(r"\| ([\d.]+ %)[^|]*\(\[(\w+)\]\(risk/", CHOOSE)
    assert len(told) > 4
    for share, attack in told:
        page = (DOCS / "risk" / f"{attack}.md").read_text(encoding="utf-8")
        rows = [row.replace("*", "") for row in page.splitlines() if row.startswith("|")]
        assert any(f" {share} |" in row for row in rows), (attack, share)


def test_what_k_costs_is_what_the_page_of_comparisons_says() -> None:
    compare = (DOCS / "compare.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (?:auto|full-domain) \|.+ % \|$",
        (DOCS / "how-to" / "choosing-k.md").read_text(encoding="utf-8"),
        flags=re.M,
    )
    assert len(rows) == 2
    assert all(row in compare for row in rows)
