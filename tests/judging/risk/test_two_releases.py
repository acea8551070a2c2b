"""Two releases together: candidates are counted as a slow look at every person counts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import risk
from shoal.errors import ParameterError
from shoal.models import Requirement
from shoal.publications.published import Published, Released
from tests.examples import examples

SCHEMA = shoal.Schema({"q": shoal.quasi(), "s": shoal.sensitive()})
PEOPLE = shoal.Schema({**SCHEMA, "id": shoal.identifier()}, entity="id")


@dataclass(frozen=True, eq=False)
class Written(Released):
    """A release by hand: cells and values of some original rows."""

    published: Published  # type: ignore[misc]
    rows: Any  # type: ignore[misc]
    persons: Any = None  # type: ignore[misc]
    schema: shoal.Schema = field(default_factory=lambda: SCHEMA)  # type: ignore[misc]
    require: Sequence[Requirement] = field(default_factory=lambda: [shoal.KAnonymity(2)])  # type: ignore[misc]
    has_original: bool = False  # type: ignore[misc]
    input_rows: int | None = None  # type: ignore[misc]


def written(
    cells: list[int], values: list[str], kept: list[int], persons: list[int] | None = None
) -> Written:
    rows: npt.NDArray[np.int64] = np.array(kept)
    frame = pl.DataFrame({"q": [f"c{cells[i]}" for i in kept], "s": [values[i] for i in kept]})
    if persons is None:
        return Written(Published.read(frame), rows)
    return Written(Published.read(frame), rows, np.array(persons)[rows], PEOPLE)


TABLES = st.integers(2, 9).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
        st.lists(st.sampled_from("abc"), min_size=n, max_size=n),
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
        st.lists(st.booleans(), min_size=n, max_size=n),
    )
)


@settings(max_examples=examples(200), deadline=None)
@given(TABLES, st.booleans(), st.integers(1, 4))
def test_candidates_and_values(table: Any, entity: bool, k: int) -> None:
    one, other, values, persons, hidden = table
    who = persons if entity else list(range(len(one)))
    first = list(range(len(one)))
    second = [i for i in first if not hidden[i]] or first
    exposed, certain = set(), set()
    for i in first:
        near = [j for j in first if one[j] == one[i]]
        if i in second:
            far = {j for j in second if other[j] == other[i]}
            shared = {values[j] for j in near} & {values[j] for j in far}
            if len(shared) == 1:
                certain.add(who[i])
            near = [j for j in near if j in far]
        if len({who[j] for j in near}) < k:
            exposed.add(who[i])
    made = [
        written(each, values, kept, persons if entity else None)
        for each, kept in ((one, first), (other, second))
    ]
    people, secrets = risk.two_releases(made[0], made[1], k=k)
    assert people.people == len(exposed)
    assert people.total == len(set(who))
    assert secrets.people == len(certain)
    assert (secrets.column, people.column) == ("s", None)


def test_a_release_beside_itself_tells_nothing_new() -> None:
    frame = shoal.datasets.adult(complete=True).head(400)
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    made = [
        shoal.anonymize(frame, plan.schema_(), require=10, method=shoal.GAACP(seed=seed), seed=3)
        for seed in (1, 2)
    ]
    same = risk.two_releases(made[0], made[0])
    assert [each.share for each in same] == [each.control for each in same]
    assert same[0].share == 0  # the control, at the level that is promised
    other = risk.two_releases(*made)[0]
    assert other.share > 0.5
    assert other.control == 0


def test_opened_releases(tmp_path: Path) -> None:
    frame = shoal.datasets.adult(complete=True).head(300)
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    made = [
        shoal.anonymize(frame, plan.schema_(), require=5, method=shoal.GAACP(seed=seed), seed=seed)
        for seed in (1, 2)
    ]
    for number, each in enumerate(made):
        each.write(tmp_path / f"{number}")
    opened = [shoal.open_release(tmp_path / f"{number}") for number in range(2)]
    assert risk.two_releases(*opened) == risk.two_releases(*made)


def test_what_cannot_be_joined_is_refused() -> None:
    one = written([0, 0, 1, 1], list("abab"), [0, 1, 2, 3])
    with pytest.raises(ParameterError, match="comes from"):
        risk.two_releases(one, risk.sight(one))
    with pytest.raises(ParameterError, match="have none in common"):
        risk.two_releases(one, written([0] * 9, list("a" * 9), [5, 6]))
    with pytest.raises(ParameterError, match="counts people"):
        risk.two_releases(one, written([0, 0], list("ab"), [0, 1], [3, 4]))
    long, short = replace(one, input_rows=9), replace(one, input_rows=4)
    with pytest.raises(ParameterError, match="tables of 9 and 4 rows"):
        risk.two_releases(long, short)
    with pytest.raises(ParameterError, match="k must be"):
        risk.two_releases(one, one, k=0)
