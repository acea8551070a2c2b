"""Attacks count what a slow look at every person counts, for every form of publication."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from typer.testing import CliRunner

import shoal
from shoal import risk
from shoal.cli import app
from shoal.errors import InputError, ParameterError, SchemaError
from tests.examples import examples

LEVELS = {"a": 1, "b": 1, "c": 2, "": 3}
SCHEMA = shoal.Schema(
    {"id": shoal.identifier(), "q": shoal.quasi(), "s": shoal.sensitive(levels=LEVELS)}
)
PEOPLE = shoal.Schema(dict(SCHEMA), entity="id")


NAMES = ("homogeneity", "similarity", "sensitivity", "probability")


def slow(
    classes: list[Any], values: list[str | None], persons: list[int], alpha: Fraction
) -> dict[str, int]:
    """Look at every person: whose class gives a value, a level, or a likely guess away?"""
    inside, who = defaultdict(set), defaultdict(set)
    for own, value, person in zip(classes, values, persons, strict=True):
        inside[own].add((person, value))
        who[own].add(person)
    hit: dict[str, set[int]] = {name: set() for name in NAMES}
    pairs = {own: Counter(value for _, value in held) for own, held in inside.items()}
    total: Counter[str | None] = sum(pairs.values(), Counter())
    ranked = sorted(total, key=lambda value: (total[value], value is None, value or ""))
    high = set(ranked[: (3 * len(ranked) + 5) // 10])
    for own, held in inside.items():
        counts = Counter(value for _, value in held)
        if len(counts) == 1:
            hit["homogeneity"] |= who[own]
        if len({LEVELS[value or ""] for value in counts}) == 1:
            hit["similarity"] |= who[own]
        if 10 * len(high & set(counts)) >= 7 * len(counts):
            hit["sensitivity"] |= who[own]
        if Fraction(max(counts.values()), len(who[own])) > alpha:
            hit["probability"] |= who[own]
    return {name: len(people) for name, people in hit.items()}


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["x", "y", "*", None]),
        st.sampled_from(["a", "b", "c", None]),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=14,
)
ALPHAS = st.sampled_from(["1/3", "1/2", "2/3", "1"])


@settings(max_examples=examples(150), deadline=None)
@given(ROWS, ALPHAS, st.booleans())
def test_one_table(rows: list[tuple[Any, ...]], alpha: str, entity: bool) -> None:
    cells, values, persons = (list(part) for part in zip(*rows, strict=True))
    table = pl.DataFrame({"q": cells, "s": values}, schema={"q": pl.String, "s": pl.String})
    persons = persons if entity else list(range(len(rows)))
    seen = risk.sight(table, PEOPLE if entity else SCHEMA, people=persons if entity else None)
    expected = slow([c or "*" for c in cells], values, persons, Fraction(alpha))
    found = risk.attacks(seen, alpha=alpha)
    counted = {attack.name: attack.people for attack in found}
    assert {name: counted[name] for name in expected} == expected
    for attack in found:
        if attack.name in NAMES:
            assert attack.total == len(set(persons))
        assert attack.share == attack.people / max(attack.total, 1)
        json.dumps(attack.to_dict())


@settings(max_examples=examples(100), deadline=None)
@given(ROWS, ALPHAS, st.booleans())
def test_two_tables(rows: list[tuple[Any, ...]], alpha: str, counted: bool) -> None:
    cells, values, classes = (list(part) for part in zip(*rows, strict=True))
    strings = {"class": pl.Int64, "s": pl.String}
    secret = pl.DataFrame({"class": classes, "s": values}, schema=strings).sort("class", "s")
    if counted:
        secret = secret.group_by("class", "s").len("n")
    quasi = pl.DataFrame({"q": cells, "class": classes}, schema_overrides={"q": pl.String})
    tables = {"quasi": quasi, "sensitive": secret}
    expected = slow(classes, values, list(range(len(rows))), Fraction(alpha))
    found = risk.attacks(tables, SCHEMA, alpha=alpha)
    people = {attack.name: attack.people for attack in found}
    assert {name: people[name] for name in expected} == expected
    # A class id of another type is the same id.
    tables["sensitive"] = secret.with_columns(pl.col("class").cast(pl.String))
    assert risk.attacks(tables, SCHEMA, alpha=alpha) == found


TABLE = pl.DataFrame({"q": ["x"] * 3 + ["y"] * 2, "s": ["a", "a", "c", "a", "b"]})


def test_how_probable_guesses_are() -> None:
    details = risk.probability(TABLE, SCHEMA).details
    assert details["largest"] == pytest.approx(2 / 3)
    assert details["mean"] == pytest.approx((3 * 2 / 3 + 2 * 1 / 2) / 5)
    assert details["quantiles"]["0.5"] == pytest.approx(2 / 3)
    assert details["prior"] == pytest.approx(3 / 5)
    assert (details["classes"], details["of_classes"]) == (1, 2)


def test_bounds_come_from_requirements() -> None:
    leveled = shoal.LeveledAlphaK(None, [0.5, 0.2, 1.0], 5)  # k plays no part
    attack = risk.probability(TABLE, SCHEMA, require=leveled)
    assert attack.people == 3  # 2/3 of level 1 above 0.5; 1/3 of level 2 above 0.2
    assert attack.details["largest_by_level"]["alpha 2"] == pytest.approx(1 / 3)
    assert risk.probability(TABLE, SCHEMA, require=[shoal.AlphaK("2/3", 2)]).people == 0
    with pytest.raises(ParameterError, match="No requirement bounds"):
        risk.probability(TABLE, SCHEMA, require=shoal.KAnonymity(2))
    with pytest.raises(ParameterError, match="both"):
        risk.probability(TABLE, SCHEMA, alpha=0.5, require=leveled)
    with pytest.raises(ParameterError, match="alpha"):
        risk.probability(TABLE, SCHEMA, alpha=1.5)


def test_several_columns() -> None:
    schema = shoal.Schema({**SCHEMA, "t": shoal.sensitive()})
    table = TABLE.with_columns(t=pl.Series([1, 1, 1, 2, 3]))
    with pytest.raises(ParameterError, match="2 sensitive columns"):
        risk.homogeneity(table, schema)
    with pytest.raises(ParameterError, match="not sensitive"):
        risk.homogeneity(table, schema, column="q")
    with pytest.raises(ParameterError, match="no levels"):
        risk.similarity(table, schema, column="t")
    assert risk.homogeneity(table, schema, column="t").people == 3
    require = [shoal.AlphaK(0.9, 2, column="t")]
    found = risk.attacks(table, schema, require=require)
    names = [(a.column, a.name, a.people) for a in found if a.name in NAMES]
    assert names == [
        ("s", "homogeneity", 0),
        ("s", "probability", 3),
        ("s", "sensitivity", 0),
        ("s", "similarity", 2),
        ("t", "homogeneity", 3),
        ("t", "probability", 3),
        ("t", "sensitivity", 0),
    ]


def test_who_is_known_only_to_miss_a_value() -> None:
    table = pl.DataFrame({"q": ["x", "x", "y"], "s": [None, None, "a"]})
    attack = risk.homogeneity(table, SCHEMA)
    assert (attack.people, attack.details["missing"]) == (3, 2)


@pytest.mark.parametrize(
    ("published", "schema", "error"),
    [
        (TABLE, None, ParameterError),
        (TABLE.drop("s"), SCHEMA, SchemaError),
        (TABLE.clear(), SCHEMA, InputError),
        (TABLE, PEOPLE, ParameterError),
        (TABLE, shoal.Schema({"q": shoal.quasi(), "s": shoal.other()}), ParameterError),
        (TABLE, shoal.Schema({"s": shoal.sensitive()}), SchemaError),
        (TABLE, SCHEMA.with_column("s", levels={"a": 1}), ParameterError),
        ({"quasi": TABLE}, SCHEMA, ParameterError),
        ({"quasi": TABLE.drop("s"), "sensitive": TABLE.drop("q")}, SCHEMA, SchemaError),
        (
            {
                "quasi": pl.DataFrame({"q": ["x"], "class": [1]}),
                "sensitive": pl.DataFrame({"class": [2], "s": ["a"]}),
            },
            SCHEMA,
            InputError,
        ),
        (
            {
                "quasi": pl.DataFrame({"q": ["x"], "class": [1]}),
                "sensitive": pl.DataFrame({"class": [1], "s": ["a"], "n": [-1]}),
            },
            SCHEMA,
            InputError,
        ),
    ],
)
def test_what_is_no_publication_is_refused(published: Any, schema: Any, error: type) -> None:
    with pytest.raises(error) as caught:
        risk.attacks(published, schema)
    assert caught.value.hint  # the way out


def made(publication: str, **more: Any) -> shoal.Release:
    frame = shoal.datasets.patients(3)
    levels = {"HIV": 1, "Cancer": 1, "Heart Disease": 3, "Flu": 4, "Viral Infection": 4, "Fever": 5}
    columns: dict[str, Any] = {name: shoal.quasi() for name in ("job", "age", "sex", "zipcode")}
    columns |= {"no": shoal.identifier(), "name": shoal.identifier()}
    columns["disease"] = shoal.sensitive(levels=levels)
    return shoal.anonymize(
        frame,
        shoal.Schema(columns, **more),
        require=[shoal.AlphaK("2/3", 3)],
        method=shoal.GAACP(seed=1),
        publication=publication,
    )


@pytest.mark.parametrize("publication", ["generalized", "two-table"])
@pytest.mark.parametrize("entity", [None, "no"])
def test_a_release(publication: str, entity: str | None) -> None:
    release = made(publication, entity=entity)
    labels = release.grouping.labels.tolist()
    levels = {None: 0} | (release.schema["disease"].levels or {})
    held: dict[int, set[str]] = defaultdict(set)
    for label, value in zip(labels, release.source["disease"], strict=True):
        held[label].add(value)
    expected = sum(len({levels[v] for v in held[label]}) == 1 for label in labels)
    found = {attack.name: attack for attack in risk.attacks(release)}
    assert found["similarity"].people == expected
    # What it requires is what guesses are compared with.
    assert found["probability"].details["bounds"] == ["2/3"]
    assert found["probability"].people == 0
    assert risk.homogeneity(release).people == 0


def test_a_pair_is_seen_like_its_release() -> None:
    release = made("generalized")
    pair = shoal.measures.pair(release.source, release.frame, release.schema, rows=release.rows)
    required = [replace(each, promise=None) for each in risk.attacks(release)]
    # A pair does not say what is required.
    assert risk.attacks(pair, alpha="2/3") == [a for a in required if a.name != "minimality"]
    groups = np.zeros(12, dtype=np.int64)
    one = shoal.measures.pair(
        release.source, release.frame, release.schema, rows=release.rows, groups=groups
    )
    assert risk.sight(one).n_classes == 1


@pytest.mark.parametrize("publication", ["generalized", "two-table"])
def test_the_command(publication: str, tmp_path: Path) -> None:
    release = made(publication)
    release.write(tmp_path / "out")
    shown = CliRunner().invoke(app, ["risk", str(tmp_path / "out")])
    assert shown.exit_code == 0, shown.output
    assert "homogeneity" in shown.output
    assert "PRIVATE" in shown.output
    answer = CliRunner().invoke(app, ["risk", str(tmp_path / "out"), "--alpha", "1/4", "--json"])
    assert answer.exit_code == 0, answer.output
    read = json.loads(answer.stdout)
    assert read["note"].startswith("PRIVATE")
    again = {attack.name: attack.people for attack in risk.attacks(release, alpha="1/4")}
    told = {each["name"]: each["people"] for each in read["attacks"]}
    assert set(NAMES) <= set(told)
    assert {name: again[name] for name in told} == told
    for value in release.source["disease"].unique():
        assert value not in shown.output + answer.output


def test_the_command_needs_roles(tmp_path: Path) -> None:
    TABLE.write_csv(tmp_path / "t.csv")
    refused = CliRunner().invoke(app, ["risk", str(tmp_path / "t.csv")])
    assert refused.exit_code == 2
