"""With linkage = "all-rows", at least k people match all rows of each person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.errors import ParameterError, PlanError, SchemaError
from shoal.judging.verification import verify
from shoal.methods import METHODS
from tests.examples import examples


def visits(people: int = 60, seed: int = 0) -> pl.DataFrame:
    """Make one to four rows of each person, which differ."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(people), rng.integers(1, 5, people))
    rng.shuffle(who)
    n = len(who)
    return pl.DataFrame(
        {
            "who": who,
            "age": 20 + (7 * who) % 50 + rng.integers(0, 4, n),
            "ward": [f"w{i}" for i in rng.integers(0, 6, n)],
            "ill": rng.choice(list("abcd"), n),
        }
    )


ROLES = {"who": "identifier", "age": "quasi", "ward": "quasi", "ill": "sensitive"}
SCHEMA = shoal.Schema(ROLES, entity="who", linkage="all-rows")
ANY = shoal.Schema(ROLES, entity="who")


def fewest(release: shoal.Release[Any]) -> int:
    """Count, by looking at every person, how many people fit all rows of one."""
    cells = release.frame.select("age", "ward").rows()
    persons = release.persons
    assert persons is not None
    own: dict[int, set[Any]] = {}
    for person, cell in zip(persons.tolist(), cells, strict=True):
        own.setdefault(person, set()).add(cell)
    return min(sum(mine <= other for other in own.values()) for mine in own.values())


CAN = [name for name, kind in METHODS.items() if kind().needs_rows is None]


@pytest.mark.parametrize("name", CAN)
def test_every_method_that_can_keeps_rows_together(name: str) -> None:
    release = shoal.anonymize(visits(), SCHEMA, require=4, method=name, seed=1)
    assert fewest(release) >= 4
    assert "all rows of a person" in {each.check for each in release.verification.findings}
    assert shoal.risk.several_rows(release).people == 0
    labels = release.grouping.labels
    for person in range(60):
        assert len(set(labels[(visits()["who"] == person).to_numpy()].tolist())) == 1


def test_without_it_few_people_fit() -> None:
    release = shoal.anonymize(visits(), ANY, require=4, method="gaa-cp", seed=1)
    assert fewest(release) < 4
    assert shoal.risk.several_rows(release).share > 0.2
    assert "linkage" not in release.facts()
    # Verification says so, where it is asked.
    found = release.table
    proof = verify(found, SCHEMA, 4, people=release.persons)
    assert not proof.passed
    assert any("fewer than 4 people match" in reason for reason in proof.reasons())


@pytest.mark.parametrize(
    "require",
    [
        [shoal.KAnonymity(3), shoal.LDiversity(2)],
        [shoal.AlphaK(0.8, 3)],
        [shoal.LDiversity(3)],
    ],
)
def test_what_is_required_of_values_is_held_by_merging(require: list[Any]) -> None:
    release = shoal.anonymize(visits(), SCHEMA, require=require, method="gaa-cp", seed=1)
    assert release.verification.passed
    assert fewest(release) >= 3


@settings(max_examples=examples(40), deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(20, 40), st.sampled_from("xyz")),
        min_size=12,
        max_size=40,
    ).filter(lambda rows: len({row[0] for row in rows}) >= 4),
    st.sampled_from(["gaa-cp", "mondrian", "kaca"]),
)
def test_random_tables(rows: list[Any], method: str) -> None:
    table = pl.DataFrame(rows, schema=["who", "age", "ward"], orient="row")
    schema = shoal.Schema(
        {"who": "identifier", "age": "quasi", "ward": "quasi"}, entity="who", linkage="all-rows"
    )
    release = shoal.anonymize(
        table, schema, require=2, method=method, seed=1, suppression_limit=0.5
    )
    assert fewest(release) >= 2


@pytest.mark.parametrize("publication", ["two-table", "sensitive-groups"])
def test_several_tables(publication: str) -> None:
    release = shoal.anonymize(
        visits(), SCHEMA, require=3, method="gaa-cp", publication=publication, seed=1
    )
    assert release.verification.passed
    assert "all rows of a person" in {each.check for each in release.verification.findings}


def test_written_and_opened(tmp_path: Path) -> None:
    release = shoal.anonymize(visits(), SCHEMA, require=3, method="gaa-cp", seed=1)
    opened = shoal.open_release(release.write(tmp_path / "out"))
    assert opened.facts["linkage"] == "all-rows"
    assert opened.schema.linkage == "all-rows"
    assert opened.verify().passed
    plan = shoal.Plan.read(tmp_path / "out.private" / "plan.toml")
    assert plan.linkage == "all-rows"
    assert plan.schema_().linkage == "all-rows"


def test_missing_cells_and_dropped_rows() -> None:
    holes = visits().with_columns(
        ward=pl.when(pl.arange(0, pl.len()) % 7 == 0).then(None).otherwise("ward")
    )
    for missing in ("keep", "drop"):
        release = shoal.anonymize(
            holes, SCHEMA, require=3, method="gaa-cp", missing=missing, seed=1
        )
        assert fewest(release) >= 3


@pytest.mark.parametrize(
    "options",
    [
        {"method": "full-domain"},
        {"method": "gaa-cp", "refine": {"steps": 10}},
        {"method": "gaa-cp", "blocks": 2},
        {"method": "gaa-cp", "require": [shoal.KAnonymity(3), shoal.TCloseness(0.5)]},
        {"method": "anatomy", "require": shoal.AlphaK(0.5, 2), "publication": "two-table"},
    ],
)
def test_what_cannot_is_refused_with_the_reason(options: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="all rows of a person stay in one group"):
        shoal.anonymize(visits(), SCHEMA, **{"require": 3, **options})


def test_bad_input() -> None:
    with pytest.raises(SchemaError, match="'any-row' or 'all-rows'"):
        shoal.Schema(ROLES, entity="who", linkage="some")  # type: ignore[arg-type]
    with pytest.raises(SchemaError, match="no entity column identifies people"):
        shoal.anonymize(visits(), shoal.Schema(ROLES, linkage="all-rows"), require=3)
    with pytest.raises(PlanError):
        shoal.Plan.from_dict(
            {
                "linkage": "some",
                "columns": {"age": {"role": "quasi"}},
                "require": [{"model": "k-anonymity", "k": 2}],
            }
        )
    assert SCHEMA.with_column("age", weight=2.0).linkage == "all-rows"
