"""What the public facts say of the method: its options, but not how it drew."""

from __future__ import annotations

from pathlib import Path

import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.methods import METHODS


@pytest.mark.parametrize("name", ["gaa-cp", "kaim"])
def test_facts_say_nothing_of_how_the_method_drew(tmp_path: Path, name: str) -> None:
    method = METHODS[name](seed=7131, picks="first")
    release = shoal.anonymize(mixed(40), SCHEMA, require=3, method=method)
    release.write(tmp_path / "release")
    facts = shoal.open_release(tmp_path / "release").facts
    assert facts["method"]["name"] == name
    assert set(facts["method"]) == set(method.to_spec()) - {"seed", "picks"}
