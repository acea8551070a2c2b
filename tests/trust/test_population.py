"""Nothing of a population leaves the house with a release that was counted in it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal import DeltaPresence, KMap
from shoal.models import Requirement
from shoal.table.hierarchies import Dates, Prefixes

CANARY = "Zq7canary"


def people() -> pl.DataFrame:
    """Forty people, and one whose cells nobody else has."""
    rows = range(40)
    known = pl.DataFrame(
        {
            "zip": [f"47{i % 4}0{i % 2}" for i in rows],
            "age": [20 + i % 10 for i in rows],
            "job": [f"job{i % 3}" for i in rows],
            "born": [f"19{70 + i % 9}-03-1{i % 10}" for i in rows],
        }
    )
    alone = pl.DataFrame({"zip": [CANARY], "age": [86417], "job": [CANARY], "born": ["1912-12-12"]})
    return pl.concat([known, alone])


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("need", [KMap(4), DeltaPresence(0, "1/2")])
def test_values_of_the_population_stay_in_the_house(
    tmp_path: Path, need: Requirement, kind: str
) -> None:
    schema = shoal.Schema(
        {
            "zip": shoal.quasi(hierarchy=Prefixes()),
            "age": shoal.quasi(kind="numeric"),
            "job": shoal.quasi(),
            "born": shoal.quasi(hierarchy=Dates()),
        }
    )
    made = shoal.anonymize(
        people()[:10], schema, require=need, method="full-domain", population=people()
    )
    folder = made.write(tmp_path / "out", format=kind)  # type: ignore[arg-type]
    for path in folder.iterdir():
        text = path.read_bytes()
        for canary in (CANARY, "86417", "1912-12"):
            assert canary.encode() not in text, path.name
    # What was reached in the population is not said, nor how large it is.
    facts = json.loads((folder / "release.json").read_text())
    assert facts["require"] == [need.to_spec()]
    assert facts["verification"]["achieved"] == {}
    assert facts["verification"]["judgements"][0]["achieved"] == {}
    assert any("A recount needs that table" in each for each in facts["remarks"])


def test_a_larger_population_changes_nothing_in_public(tmp_path: Path) -> None:
    """Where the levels stay, nothing else says who else was in the population."""
    told = []
    for name, more in (("one", people()), ("two", pl.concat([people(), people()[-1:]]))):
        made = shoal.anonymize(
            people()[:10].select("job"),
            {"job": "quasi"},
            require=KMap(4),
            method="full-domain",
            population=more,
            seed=1,
        )
        folder = made.write(tmp_path / name)
        told.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert told[0] == told[1]
