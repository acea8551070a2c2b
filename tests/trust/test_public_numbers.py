"""Nothing that a release says in public gives away what it does not publish."""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.cli import app
from shoal.measures import CellOutcomes
from shoal.release.guard import Guard
from shoal.release.head_counts import HeadCounts, Removed
from shoal.release.missing_facts import Dropped, missing_facts
from shoal.table.missingness import Missingness

INCOMES = shoal.Schema({"income": shoal.quasi(kind="numeric"), "sex": shoal.quasi()})


def numbers(fact: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """List every number of a JSON document with its place."""
    if isinstance(fact, dict):
        for key, value in fact.items():
            yield from numbers(value, f"{path}/{key}")
    elif isinstance(fact, list):
        for value in fact:
            yield from numbers(value, f"{path}/[]")
    elif isinstance(fact, int | float) and not isinstance(fact, bool):
        yield path, fact
    elif isinstance(fact, str):
        for word in re.findall(r"\d[\d,]*\.?\d*", fact):
            yield f"{path}/text", float(word.replace(",", ""))


def rich_and_removed(seed: int) -> tuple[pl.DataFrame, int]:
    """200 people, six without a sex, the richest of all among them."""
    rng = np.random.default_rng(seed)
    income = rng.integers(10_000, 90_000, 200)
    sex = np.array(rng.choice(["f", "m"], 200), dtype=object)
    sex[:6] = None
    income[0] = secret = int(rng.integers(100_000, 900_000))
    return pl.DataFrame({"income": income, "sex": sex.tolist()}), secret


def public_facts(frame: pl.DataFrame, folder: Path, seed: int, **options: Any) -> dict[str, Any]:
    made = shoal.anonymize(
        frame,
        INCOMES,
        require=[shoal.KAnonymity(5)],
        method=shoal.GAACP(seed=seed),
        missing="drop",
        **options,
    )
    made.write(folder)
    facts: dict[str, Any] = json.loads((folder / "release.json").read_text())
    return facts


@pytest.mark.parametrize("bounds", ["observed", "rounded"])
def test_no_number_gives_away_the_income_of_a_removed_person(tmp_path: Path, bounds: str) -> None:
    """The range of the input is Σ widths / loss: try that with every number, in every scale."""
    hits: dict[str, int] = defaultdict(int)
    for seed in range(40):
        frame, secret = rich_and_removed(seed)
        facts = public_facts(frame, tmp_path / str(seed), seed, bounds=bounds)
        table = pl.read_csv(tmp_path / str(seed) / "table.csv", infer_schema=False)
        ends = table["income"].str.extract_all(r"\d+").list.eval(pl.element().cast(pl.Int64))
        widths = int((ends.list.last() - ends.list.first()).sum())
        starred, least = int((table["sex"] == "*").sum()), int(frame["income"].min())
        rows = {table.height, table.height + 6}
        scales = {n * share for n in rows for share in (1, 2)} | {1, 0.5, 2}
        others = {a + b for a in (0, 6, 12) for b in (0, starred)}
        for place, number in numbers(facts):
            ranges = (
                widths / left
                for scale, other in itertools.product(scales, others)
                if (left := number * scale - other) > 0
            )
            hits[place] += any(abs(least + each - secret) < 0.5 for each in ranges)
    assert {place: count for place, count in hits.items() if count > 2} == {}


def test_many_incomes_of_a_removed_person_give_the_same_facts(tmp_path: Path) -> None:
    """Nobody can tell incomes apart that differ by less than a hundredth."""
    alike = []
    for seed in range(10):
        frame, secret = rich_and_removed(seed)
        seen = set()
        for number, factor in enumerate(np.linspace(1, 1.01, 5)):
            first = pl.int_range(pl.len()) == 0
            income = pl.when(first).then(int(secret * factor)).otherwise("income")
            other = frame.with_columns(income=income)
            facts = public_facts(other, tmp_path / f"{seed}-{number}", seed)
            seen.add(json.dumps(facts))
        alike.append(len(seen) == 1)
    assert np.mean(alike) > 0.6  # a border between two roundings may lie among them


HIDDEN = re.compile(r"1 to (\d+)")


@dataclass(frozen=True)
class World:
    """How many rows miss which of two or three columns: place i is that of the bits of i.

    ``kept`` are the rows of a published class, ``lost`` those that are not published. Another
    published class of ``k`` rows is complete.
    """

    kept: tuple[int, ...]
    lost: tuple[int, ...]
    k: int

    def facts(self, policy: str) -> tuple[str, dict[str, tuple[int, int]]]:
        """Write what is public, and list the hidden counts: how many there are and offered."""
        names = "abc"[: len(self.kept).bit_length() - 1]
        counts = ((self.k,), self.kept, self.lost)
        parts, rows = zip(
            *(
                (part, hole)
                for part, each in enumerate(counts)
                for i, n in enumerate(each)
                for hole in [[bool(i >> column & 1) for column in range(len(names))]] * n
            ),
            strict=True,
        )
        part, holes = np.array(parts), np.array(rows, dtype=bool)
        published = part < 2
        if policy == "suppress-column":
            stars = published[:, None] & holes.any(axis=0)
        else:
            stars = (part == 1)[:, None] & holes[part == 1].any(axis=0)
        dropped = ~published & holes.any(axis=1) & (policy == "drop")
        removed = Removed.of(dropped, ~published & ~dropped)
        holes, stars = holes[published], stars[published]
        found = Missingness.of(holes, list(names))
        beside = stars & ~holes
        heads = HeadCounts.count(
            {name: holes[:, i] for i, name in enumerate(names)},
            stars,
            removed=removed,
            beside=beside,
        )
        guard = Guard.before(heads, least=self.k)
        outcomes = {
            name: CellOutcomes(
                kept=int((~stars[:, i]).sum()),
                generalized=0,
                starred=int((stars[:, i] & ~holes[:, i]).sum()),
                already_missing=int(holes[:, i].sum()),
                removed=removed.outside,
            )
            for i, name in enumerate(names)
        }
        said = missing_facts(
            guard,
            found,
            outcomes,
            dropped=Dropped(removed.dropped, len(part)),
            policy=policy,
            rule="",
            suppressed_columns=list(names) if policy == "suppress-column" else [],
            sensitive={},
            lost=None if any(map(guard.small, heads.beside)) else int(beside.sum()),
        )
        true = {"dropped": heads.dropped, "suppressed": heads.suppressed, **found.columns}
        shown = {
            "dropped": guard.count(heads.dropped),
            "suppressed": guard.apart.count(heads.suppressed),
            **{name: column["missing"] for name, column in said["columns"].items()},
        }
        hidden = {
            name: (true[name], int(match[1]))
            for name, text in shown.items()
            if (match := HIDDEN.fullmatch(str(text)))
        }
        return json.dumps([shown, said, stars.sum(axis=0).tolist(), guard.hides]), hidden


def worlds(policy: str, k: int) -> Iterator[World]:
    """List tables that publish the same classes, whatever misses and is left out."""
    some, few, size = range(k + 1), range(3), 2 * k + 2
    if policy == "drop":
        for lost in itertools.product(some, some, some, few):
            yield World((size, 0, 0, 0), lost, k)
        return
    for holes in itertools.product(some, some, few):
        if sum(holes) <= size:
            for lost in itertools.product(some, some, few, [0]):
                yield World((size - sum(holes), *holes), lost, k)


@pytest.mark.parametrize("policy", ["keep", "drop", "suppress-column"])
@pytest.mark.parametrize("k", [3, 4, 5])
def test_a_hidden_count_keeps_half_of_what_its_text_offers(policy: str, k: int) -> None:
    """An attacker who has all public facts, and this code, lists all worlds that fit them."""
    possible: dict[tuple[str, str], set[int]] = defaultdict(set)
    offers: dict[tuple[str, str], int] = {}
    judged = set()
    for each in worlds(policy, k):
        public, hidden = each.facts(policy)
        for name, (count, offered) in hidden.items():
            possible[name, public].add(count)
            offers[name, public] = offered
            if max(*each.kept[1:], *each.lost) <= 2:  # others may need worlds that are not listed
                judged.add((name, public))
    assert len(judged) >= (5 if policy == "drop" else 8)  # of dropped rows only the number is told
    few = {place[0] for place in judged if 2 * len(possible[place]) < offers[place]}
    assert few == set()


@pytest.mark.parametrize("policy", ["keep", "suppress-column"])
def test_columns_that_are_told_leave_a_hidden_count_as_open_as_it_is(policy: str) -> None:
    """Of three columns, one is rare: whatever the others say, each count of it fits all of that."""
    k = 3
    possible: dict[str, set[int]] = defaultdict(set)
    judged: dict[str, bool] = {}
    parts = ([0, 1, 2], [0, 3, 4], [0, 1], [0, 3], [0], [0, 3], [0, 1])
    for holes in itertools.product(*parts):
        for lost in itertools.product([0, 3], [0, 1, 3], [0, 3]):
            public, hidden = World((24 - sum(holes), *holes), lost + (0,) * 5, k).facts(policy)
            if "a" not in hidden:
                continue
            possible[public].add(hidden["a"][0])
            columns = json.loads(public)[1]["columns"]
            told = [columns[name]["share"] for name in "bc"]
            if all(share is not None for share in told) and any(told):
                alone = not (holes[2] or holes[4] or holes[6] or lost[1])
                judged[public] = judged.get(public, False) or alone  # others need more worlds
    assert sum(judged.values()) > 20
    assert [
        public for public, judge in judged.items() if judge and possible[public] != {1, 2}
    ] == []


def test_a_rare_hole_hides_its_own_column_alone(tmp_path: Path) -> None:
    """The page of a board is not emptied by three cells."""
    row = pl.int_range(pl.len())
    frame = mixed(1200).with_columns(
        age=pl.when(row >= 3).then("age"), region=pl.when(row % 4 > 0).then("region")
    )
    made = shoal.anonymize(
        frame, SCHEMA, require=[shoal.KAnonymity(10)], method=shoal.GAACP(seed=2)
    )
    missing = made.facts()["missing"]
    assert missing["columns"]["age"] == {"missing": "1 to 9", "share": None}
    assert missing["columns"]["region"] == {"missing": "about 300", "share": 0.25}
    assert missing["patterns_of"] == ["region", "sex"]
    assert missing["patterns"] == [
        {"columns": [], "rows": "about 900"},
        {"columns": ["region"], "rows": "about 300"},
    ]
    page = (made.write(tmp_path / "out") / "report.html").read_text(encoding="utf-8")
    assert "The share of &#39;age&#39; is not shown" in page
    assert "are left out: few rows have a missing cell" in page


def test_listing_all_tables_does_not_give_a_hidden_count(tmp_path: Path) -> None:
    """The same through the whole of Shoal: tables that differ in the rows that are dropped."""
    schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi()})
    possible: dict[tuple[str, str], set[int]] = defaultdict(set)
    complete = [("x", "y")] * 4 + [("z", "w")] * 4
    for a, b, both in itertools.product(range(5), range(5), range(2)):
        holes = [(None, "y")] * a + [("x", None)] * b + [(None, None)] * both
        made = shoal.anonymize(
            pl.DataFrame(complete + holes, schema=["a", "b"], orient="row"),
            schema,
            require=[shoal.KAnonymity(4)],
            method=shoal.GAACP(seed=1),
            missing="drop",
            suppression_limit=0.7,
        )
        facts = made.facts()
        public = json.dumps([facts, sorted(made.frame.rows())])
        true = {"dropped": made.n_dropped, **made.missingness.columns}
        shown = {"dropped": facts["rows"]["dropped"]}
        shown |= {name: each["missing"] for name, each in facts["missing"]["columns"].items()}
        for pattern in facts["missing"]["patterns"]:
            name = " ".join(pattern["columns"])
            true[name] = {"a": a, "b": b, "a b": both}.get(name, 8)
            shown[name] = pattern["rows"]
        for name, text in shown.items():
            if str(text) == "1 to 3":
                possible[name, public].add(true[name])
    assert possible
    assert {name for (name, _), values in possible.items() if len(values) < 2} == set()


def test_the_guard_goes_by_the_least_size_of_a_group() -> None:
    """l-diversity of 5 asks for groups of 5, although nothing is called k."""
    frame = mixed(120).with_columns(age=pl.when(pl.int_range(120) > 3).then("age"))
    made = shoal.anonymize(
        frame, SCHEMA, require=[shoal.LDiversity(5)], method=shoal.GAACP(seed=1), missing="drop"
    )
    facts = made.facts()
    assert facts["rows"]["dropped"] == "1 to 4"
    assert facts["missing"]["columns"]["age"]["missing"] == 0  # of the published rows
    kept = shoal.anonymize(frame, SCHEMA, require=[shoal.LDiversity(5)], method=shoal.GAACP(seed=1))
    assert kept.facts()["missing"]["columns"]["age"]["missing"] == "1 to 4"


def test_the_guard_counts_people_where_people_are_counted(tmp_path: Path) -> None:
    """Twelve rows of two people were dropped: more than k rows, and fewer than k people."""
    n = 120
    frame = mixed(n).with_columns(
        id=pl.when(pl.int_range(n) < 12).then(pl.int_range(n) % 2).otherwise(pl.int_range(n)),
        age=pl.when(pl.int_range(n) >= 12).then("age"),
    )
    schema = shoal.Schema(dict(SCHEMA.items()), entity="id")
    made = shoal.anonymize(
        frame,
        schema,
        require=[shoal.KAnonymity(5)],
        method=shoal.GAACP(seed=1),
        missing="drop",
        suppression_limit=0.2,
    )
    facts = made.facts()
    assert made.n_dropped == 12
    assert facts["rows"]["dropped"] == "1 to 4 people"
    assert facts["missing"]["columns"]["age"] == {"missing": 0, "share": 0.0}
    assert "iloss_rate" not in facts["measures"]
    assert facts["measures_of_published"]["iloss_rate"] != made.measures["iloss_rate"]
    made.write(tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    assert "the rows of 1 to 4 people for missing cells" in page


def test_cells_that_rows_left_out_miss_are_not_counted() -> None:
    """Which of their cells are missing has no part in what is hidden, or said."""
    n = 120
    few, many = pl.int_range(n) < 3, pl.int_range(n) < 15
    facts = []
    for holes in (few, many):
        frame = mixed(n).with_columns(
            age=pl.when(~holes).then("age"), sex=pl.when(~many).then("sex")
        )
        made = shoal.anonymize(
            frame,
            SCHEMA,
            require=5,
            method="mondrian",
            seed=1,
            missing="drop",
            suppression_limit=0.2,
        )
        facts.append(made.facts())
    assert facts[0] == facts[1]
    assert facts[0]["rows"]["dropped"] == 15


RECOMPUTED = re.compile(
    r"/measures/(average_class_size|largest_group)|/verification/.*|/rows/published"
    r"|/missing/sensitive/.*|/search/(lattice|heights/.*)|/files/.*|/id|/shoal.*|/require/.*"
    r"|/method/.*|/.*/text"
)


@pytest.mark.parametrize("publication", ["generalized", "two-table", "sensitive-groups"])
@pytest.mark.parametrize("seed", range(4))
def test_no_other_number_has_more_than_two_digits(
    publication: str, seed: int, tmp_path: Path
) -> None:
    rng = np.random.default_rng(seed)
    frame = mixed(int(rng.integers(150, 400)), seed=seed, missing=0.2)
    made = shoal.anonymize(
        frame.with_columns(sex=pl.col("sex").fill_null("f")),
        SCHEMA,
        require=[shoal.KAnonymity(3)],
        method=shoal.GAACP(seed=seed),
        publication=publication,
        weights="entropy",
        missing=["keep", "drop", "suppress-column", "keep"][seed],
        suppression_limit=0.9,
    )
    made.write(tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "release.json").read_text())
    shutil.rmtree(tmp_path / "out.private")  # what readers do not have
    found = CliRunner().invoke(app, ["verify", str(tmp_path / "out"), "--json"])
    assert json.loads(found.stdout)["achieved"] == facts["verification"]["achieved"]
    if publication != "generalized":  # cells are as they were: anyone counts the missing ones
        table = pl.read_csv(tmp_path / "out" / "quasi.csv", infer_schema=False)
        for name in (
            {**facts["missing"]["columns"]} if made.plan.publication.missing == "keep" else ()
        ):
            said = facts["missing"]["columns"].pop(name)
            count = int((table[name] == "*").sum())
            assert said == {"missing": count, "share": count / table.height}
    exact = [
        (place, number)
        for place, number in numbers(facts)
        if float(f"{number:.2g}") != number and not RECOMPUTED.fullmatch(place)
    ]
    assert exact == []


def test_a_search_shows_two_digits() -> None:
    made = shoal.anonymize(
        mixed(300, seed=3),
        SCHEMA,
        require=[shoal.KAnonymity(5)],
        method=shoal.FullDomain(weights="entropy"),
        suppression_limit=0.3,
    )
    facts = made.facts()["search"]
    for place, number in numbers(facts):
        assert float(f"{number:.2g}") == number or place in ("/lattice",), place
    heights = np.array(list(facts["heights"].values()))
    assert facts["lattice"] == int(np.prod(heights + 1))


def test_what_people_reached_is_rounded_and_never_flattered() -> None:
    n = 1000
    frame = mixed(n).with_columns(
        id=pl.int_range(n) % 700, age=pl.lit(40), region=pl.lit("n1"), sex=pl.lit("f")
    )
    schema = shoal.Schema(dict(SCHEMA.items()), entity="id")
    require = [shoal.AlphaK(0.5, 5)]
    method = shoal.FullDomain()
    made = shoal.anonymize(frame, schema, require=require, method=method)
    reached, said = made.verification.achieved, made.facts()["verification"]
    assert reached["k"] == 700
    assert said["achieved"]["k"] == 700
    assert reached["alpha"] < said["achieved"]["alpha"] < 0.5
    assert said["judgements"][0]["achieved"] == said["achieved"]
