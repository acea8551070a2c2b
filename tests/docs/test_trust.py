"""Every promise of the trust page names a test, and the test is there."""

from __future__ import annotations

import re
from pathlib import Path

from shoal import checks

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
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
    known = {check.__name__ for check in (*checks.METHOD_CHECKS, *checks.MEASURE_CHECKS)}
    named = set(re.findall(r"`shoal\.checks`: `(\w+)`", PAGE))
    assert named
    assert named <= known
