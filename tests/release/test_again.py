"""A table that is published again: what two releases together tell, and what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from typer.testing import CliRunner

import shoal
from shoal.cli import app
from shoal.errors import ShoalError
from shoal.release.again import names_of
from shoal.release.earlier import recount
from tests.examples import examples

M = 3
ILL = ["flu", "cold", "HIV", "cancer", "asthma"]
SCHEMA = shoal.Schema(
    {
        "id": shoal.identifier(),
        "age": shoal.quasi(),
        "sex": shoal.quasi(),
        "ill": shoal.sensitive(),
    },
    entity="id",
)
SECRET = "patient-"


def people(numbers: Any, *, seed: int = 3) -> pl.DataFrame:
    """Take some of 300 people; each is always the same."""
    rng = np.random.default_rng(seed)
    every = pl.DataFrame(
        {
            "id": [f"{SECRET}{i}" for i in range(300)],
            "age": rng.integers(20, 80, 300),
            "sex": rng.choice(["m", "f"], 300),
            "ill": rng.choice(ILL, 300, p=[0.3, 0.25, 0.2, 0.15, 0.1]),
        }
    )
    return every[np.array(list(numbers))]


def release(data: pl.DataFrame, schema: Any = SCHEMA, *, m: int = M, **options: Any) -> Any:
    options = {"method": "gaa-cp", "publication": "two-table", "seed": 4} | options
    return shoal.anonymize(data, schema, require=shoal.MInvariance(m), **options)


FIRST, SECOND = people(range(120)), people([*range(40, 120), *range(120, 180)])
THIRD = people([*range(60), *range(100, 220)])


def candidates(*folders: Path) -> list[int]:
    """Count the values that are left for each person who is in all of some releases."""
    found = [recount(shoal.open_release(folder), "ill") for folder in folders]
    both = set.intersection(*(set(each) for each in found))
    assert both
    return [len(frozenset.intersection(*(each[name] for each in found))) for name in both]


@pytest.mark.parametrize("method", ["gaa-cp", "kaim", "k-member"])
@pytest.mark.parametrize(
    "form",
    [{}, {"quasi_cells": "generalized"}, {"sensitive_cells": "counts"}],
    ids=["exact", "generalized", "counts"],
)
def test_releases_that_go_on_leave_everyone_m_values(
    method: str, form: Mapping[str, str], tmp_path: Path
) -> None:
    folders = [tmp_path / name for name in "abc"]
    previous = None
    for folder, data in zip(folders, (FIRST, SECOND, THIRD), strict=True):
        made = release(data, method=method, again=previous, **form)
        made.write(folder)
        assert made.verify().passed
        previous = shoal.open_release(folder)
        assert previous.verify().passed
    assert min(candidates(*folders[:2])) >= M
    assert min(candidates(*folders)) >= M
    assert min(candidates(folders[0], folders[2])) >= M  # people come back


def test_releases_that_do_not_go_on_leave_some_people_fewer(tmp_path: Path) -> None:
    for name, data in (("a", FIRST), ("b", SECOND)):
        release(data).write(tmp_path / name)
    left = candidates(tmp_path / "a", tmp_path / "b")
    assert min(left) < M
    assert sum(each < M for each in left) > len(left) / 3
    told = shoal.open_release(tmp_path / "b").verify(again=shoal.open_release(tmp_path / "a"))
    assert not told.passed
    assert "different from an earlier release" in told.reasons()[0]


def test_the_attack_on_two_releases_shows_what_it_saved(tmp_path: Path) -> None:
    first = release(FIRST, m=2)
    first.write(tmp_path / "a")
    apart = release(SECOND, m=2)
    again = release(SECOND, m=2, again=tmp_path / "a")
    again.write(tmp_path / "b")
    *_, alone = shoal.risk.two_releases(first, apart)
    *_, together = shoal.risk.two_releases(first, again)
    *_, opened = shoal.risk.two_releases(*(shoal.open_release(tmp_path / n) for n in "ab"))
    assert alone.total == together.total == opened.total > 70
    assert alone.people > 20
    assert together.people == opened.people == 0
    assert alone.control == 0


@settings(max_examples=examples(25), deadline=None)
@given(
    st.lists(st.sets(st.integers(0, 59), min_size=12), min_size=2, max_size=4),
    st.sampled_from(["keep", "drop", "suppress-column"]),
    st.booleans(),
)
def test_whoever_comes_and_goes(
    tmp_path_factory: pytest.TempPathFactory, shown: list[set[int]], missing: str, holes: bool
) -> None:
    place = tmp_path_factory.mktemp("again")
    previous = None
    before: dict[str, frozenset[str | None]] = {}
    for number, each in enumerate(shown):
        data = people(sorted(each))
        if holes:
            data = data.with_columns(
                age=pl.when(pl.col("age") % 7 == 0).then(None).otherwise("age"),
                ill=pl.when(pl.col("age") % 5 == 0).then(None).otherwise("ill"),
            )
        try:
            made = release(
                data, m=2, again=previous, missing=missing, suppression_limit=1, method="kaim"
            )
        except ShoalError:
            continue
        previous = made.write(place / str(number))
        now = recount(shoal.open_release(previous), "ill")
        assert all(now[name] == before.get(name, now[name]) for name in now)
        assert all(len(each) >= 2 for each in now.values())
        before |= now


def test_counterfeits_are_counted_by_class(tmp_path: Path) -> None:
    release(FIRST).write(tmp_path / "a")
    gone = SECOND.filter(pl.col("ill") != "asthma")  # a value that nobody holds any more
    made = release(gone, again=tmp_path / "a")
    made.write(tmp_path / "b")
    facts = json.loads((tmp_path / "b" / "release.json").read_text())
    told = facts["two_table"]["counterfeits"]
    quasi, secret = (pl.read_csv(tmp_path / "b" / f"{n}.csv") for n in ("quasi", "sensitive"))
    rows = dict(quasi.group_by("class").len().iter_rows())
    values = dict(secret.group_by("class").len().iter_rows())
    assert told == {str(c): values[c] - rows[c] for c in sorted(rows) if values[c] > rows[c]}
    assert "asthma" in set(secret["ill"])
    assert facts["again"] == {"previous": shoal.open_release(tmp_path / "a").facts["id"]}
    assert "counterfeits" in (tmp_path / "b" / "report.html").read_text()
    opened = shoal.open_release(tmp_path / "b")
    assert opened.query({"sex": "f"}) == made.query({"sex": "f"})
    assert opened.query({"ill": "asthma"}) > 0
    assert opened.risk()


def test_nothing_private_is_published(tmp_path: Path) -> None:
    release(FIRST).write(tmp_path / "a")
    made = release(SECOND, again=tmp_path / "a")
    made.write(tmp_path / "b")
    for folder in "ab":
        for path in (tmp_path / folder).iterdir():
            assert SECRET not in path.read_text(), path
    text = (tmp_path / "b" / "release.json").read_text()
    assert made.again["again"] == len(set(names(made)) & set(names(release(FIRST))))
    assert "left_out" not in text
    assert "people" not in json.loads(text)["again"]


def names(made: Any) -> list[str]:
    return names_of(made.whole)[made.rows].to_list()


def test_a_person_whose_value_is_not_among_the_old_ones_is_left_out(tmp_path: Path) -> None:
    made = release(FIRST)
    made.write(tmp_path / "a")
    shown = recount(shoal.open_release(tmp_path / "a"), "ill")
    who = FIRST["id"][50]
    new, kept = (sorted(set(ILL) - shown[who])[0], sorted(shown[who] - {FIRST["ill"][50]})[0])
    for value, stays in ((new, False), (kept, True)):
        changed = FIRST.with_columns(
            ill=pl.when(pl.col("id") == who).then(pl.lit(value)).otherwise("ill")
        )
        again = release(changed, again=tmp_path / "a")
        assert (who in names(again)) == stays
        assert again.again["left_out_again"] == 1 - stays


def test_new_people_wait_for_others(tmp_path: Path) -> None:
    """One new person cannot be hidden among new ones, and no class has a place."""
    every = people(range(200))
    even = pl.concat([every.filter(pl.col("ill") == each).head(15) for each in ILL])
    release(even).write(tmp_path / "a")
    one = people([299])
    made = release(pl.concat([even, one]), again=tmp_path / "a")
    assert made.n_suppressed == 1
    assert one["id"][0] not in names(made)
    assert made.n_noise == 0


def test_without_an_entity_column_the_rows_must_be_the_same(tmp_path: Path) -> None:
    schema = shoal.Schema({name: SCHEMA[name] for name in SCHEMA})
    release(FIRST, schema).write(tmp_path / "a")
    made = release(FIRST, schema, again=tmp_path / "a", quasi_cells="generalized", seed=9)
    made.write(tmp_path / "b")
    assert min(candidates(tmp_path / "a", tmp_path / "b")) >= M
    for other in (SECOND, FIRST.reverse(), FIRST.head(119)):
        with pytest.raises(ShoalError, match="no entity column matches the people"):
            release(other, schema, again=tmp_path / "a")


def test_numbers_and_missing_values_are_values(tmp_path: Path) -> None:
    data = FIRST.with_columns(
        ill=pl.col("ill").replace_strict(dict(zip(ILL, [1, 2, 3, 4, None], strict=True)))
    )
    schema = SCHEMA
    release(data, schema).write(tmp_path / "a")
    rest = data.filter(pl.col("ill").is_not_null() & (pl.col("ill") != 3))[20:]
    for form in ("csv", "parquet"):
        release(rest, schema, again=tmp_path / "a").write(tmp_path / form, format=form)
        told = shoal.open_release(tmp_path / form)
        assert told.verify(again=shoal.open_release(tmp_path / "a")).passed
        assert {"", None} & set(told.tables["sensitive"]["ill"])


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = release(FIRST).write(tmp_path_factory.mktemp("first") / "a")
    return folder


def copy(first: Path, place: Path, *, private: bool = True) -> Path:
    shutil.copytree(first, place / "a")
    if private:
        shutil.copytree(f"{first}.private", place / "a.private")
    return place / "a"


def test_the_private_folder_is_needed(first: Path, tmp_path: Path) -> None:
    with pytest.raises(ShoalError, match="private folder of the earlier release is missing"):
        release(SECOND, again=copy(first, tmp_path, private=False))


@pytest.mark.parametrize("damage", ["", "remove", "other"])
def test_damaged_signatures_are_refused(first: Path, tmp_path: Path, damage: str) -> None:
    folder = copy(first, tmp_path)
    file = tmp_path / "a.private" / "signatures.parquet"
    if damage == "remove":
        file.unlink()
    elif damage == "other":
        pl.DataFrame({"x": [1]}).write_parquet(file)
    else:
        file.write_bytes(b"no parquet")
    with pytest.raises(ShoalError, match="missing or damaged"):
        release(SECOND, again=folder)


def test_signatures_are_recounted_from_the_tables(first: Path, tmp_path: Path) -> None:
    """Who trusts the file alone would publish other values than the earlier release shows."""
    folder = copy(first, tmp_path)
    file = tmp_path / "a.private" / "signatures.parquet"
    wrong = pl.read_parquet(file).with_columns(values=pl.lit(ILL))
    wrong.write_parquet(file)
    with pytest.raises(ShoalError, match="values around people: different from an earlier"):
        release(SECOND, again=folder)


def test_changed_files_are_refused(first: Path, tmp_path: Path) -> None:
    folder = copy(first, tmp_path)
    with (folder / "quasi.csv").open("a") as file:
        file.write("20,m,1\n")
    with pytest.raises(ShoalError, match="changed since it was made"):
        release(SECOND, again=folder)


def test_only_m_invariance_goes_on(first: Path, tmp_path: Path) -> None:
    with pytest.raises(ShoalError, match="needs m-invariance"):
        shoal.anonymize(SECOND, SCHEMA, k=3, method="gaa-cp", again=first)
    other = shoal.anonymize(FIRST, SCHEMA, k=3, method="gaa-cp").write(tmp_path / "k")
    with pytest.raises(ShoalError, match="was not made with m-invariance"):
        release(SECOND, again=other)
    for wrong in (7, "nowhere", FIRST):
        with pytest.raises(ShoalError):
            release(SECOND, again=wrong)


def test_other_terms_are_refused(first: Path) -> None:
    with pytest.raises(ShoalError, match="Set m = 3 or less"):
        release(SECOND, again=first, m=4)
    assert release(SECOND, again=first, m=2).verification.passed
    swapped = {"id": "identifier", "age": "quasi", "ill": "quasi", "sex": "sensitive"}
    with pytest.raises(ShoalError, match="sensitive column of the earlier release is 'ill'"):
        release(SECOND, shoal.Schema(swapped, entity="id"), m=2, again=first)
    with pytest.raises(
        ShoalError, match="identified people by 'id', but this one identifies them by their"
    ):
        release(SECOND, shoal.Schema(dict(SCHEMA)), again=first)


def test_people_have_one_row_each() -> None:
    with pytest.raises(ShoalError, match="several rows"):
        release(pl.concat([FIRST, FIRST[:2]]))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"method": "mondrian"}, "cannot carry 'm-invariance'"),
        ({"method": None}, "cannot carry 'm-invariance'"),
        ({"publication": "sensitive-groups"}, "the form 'sensitive-groups'"),
        ({"publication": "microaggregated"}, "which the form 'microaggregated' cannot publish"),
        ({"blocks": 4}, "blocks"),
        ({"refine": {"steps": 10}, "quasi_cells": "generalized"}, "cannot be refined"),
        ({"bound": {"seconds": 1}, "quasi_cells": "generalized"}, "no lower bound"),
        ({"m": 1}, "at least 2"),
        ({"m": 9}, "m = 2 is the largest possible without suppression"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], why: str) -> None:
    with pytest.raises(ShoalError, match=why) as told:
        release(FIRST, **options)
    assert told.value.hint


def test_it_is_asked_for_alone() -> None:
    with pytest.raises(ShoalError, match="cannot be combined with 'k-anonymity'"):
        shoal.anonymize(
            FIRST,
            SCHEMA,
            require=[shoal.MInvariance(3), 3],
            method="gaa-cp",
            publication="two-table",
        )
    with pytest.raises(ShoalError, match="not sensitive"):
        shoal.anonymize(
            FIRST,
            SCHEMA,
            require=shoal.MInvariance(3, "sex"),
            method="gaa-cp",
            publication="two-table",
        )


def test_counterfeits_that_are_not_declared_are_found(first: Path, tmp_path: Path) -> None:
    made = release(SECOND.filter(pl.col("ill") != "asthma"), again=first)
    tables, need = made.published.tables, shoal.MInvariance(M)
    who = made.persons
    assert made.published.counterfeits
    held = shoal.verify(tables, SCHEMA, need, people=who, counterfeits=made.published.counterfeits)
    assert held.passed
    assert not shoal.verify(tables, SCHEMA, need, people=who).passed
    some = dict(list(made.published.counterfeits.items())[1:])
    assert not shoal.verify(tables, SCHEMA, need, people=who, counterfeits=some).passed
    more = {**made.published.counterfeits, "9999": 1}
    assert not shoal.verify(tables, SCHEMA, need, people=who, counterfeits=more).passed
    told = shoal.verify(tables, SCHEMA, 1 + 1, people=who, counterfeits=made.published.counterfeits)
    assert "counterfeits: no requirement needs them" in told.reasons()


PLAN = """
entity = "id"
[input]
path = "table.csv"
[output]
path = "first"
[columns]
id = {{ role = "identifier" }}
age = {{ role = "quasi", kind = "numeric" }}
sex = {{ role = "quasi" }}
ill = {{ role = "sensitive" }}
[[require]]
model = "m-invariance"
m = {m}
[method]
name = "kaim"
seed = 1
[publication]
form = "two-table"
"""


def test_the_command_line(tmp_path: Path) -> None:
    plan, table = tmp_path / "plan.toml", tmp_path / "table.csv"
    plan.write_text(PLAN.format(m=3))
    FIRST.write_csv(table)

    def call(*words: object) -> Any:
        return CliRunner().invoke(app, [str(word) for word in words])

    assert call("run", plan).exit_code == 0
    SECOND.write_csv(table)
    replaced = call("run", plan, "--again", tmp_path / "first")
    assert replaced.exit_code == 2
    assert "would replace the one it continues" in " ".join(replaced.stderr.split())
    made = call("run", plan, "--again", tmp_path / "first", "--output", tmp_path / "second")
    assert made.exit_code == 0, made.stderr
    assert "of earlier releases among the same values" in " ".join(made.stdout.split())
    both = call("verify", tmp_path / "second", "--again", tmp_path / "first")
    assert both.exit_code == 0
    assert "values around people" in both.stdout
    apart = call("run", plan, "--output", tmp_path / "apart")
    assert apart.exit_code == 0
    assert call("verify", tmp_path / "apart", "--again", tmp_path / "first").exit_code == 1
    missing = call("run", plan, "--again", tmp_path / "none", "--output", tmp_path / "third")
    assert missing.exit_code == 2
    assert not (tmp_path / "third").exists()
