"""What a search says of itself, and that shares do not mislead it."""

from __future__ import annotations

import random
from itertools import product

import polars as pl
import pytest

import shoal
from shoal import AlphaK, KAnonymity
from shoal.errors import InfeasibleError, ParameterError
from shoal.methods.lattice._losses import OBJECTIVES, score_of
from shoal.methods.lattice._method import lattice_of
from shoal.methods.lattice._minimal import at_height
from shoal.methods.lattice.full_domain import FullDomain
from shoal.table import Table
from shoal.table.hierarchies import Prefixes
from tests.tables import adult_table

SCHEMA = shoal.Schema(
    {
        "a": shoal.quasi(hierarchy=Prefixes()),
        "b": shoal.quasi(hierarchy=Prefixes()),
        "s": shoal.sensitive(),
    }
)


def frame_of(seed: int) -> pl.DataFrame:
    draw = random.Random(seed)
    n = draw.randint(8, 24)
    return pl.DataFrame(
        {
            "a": [draw.choice("xyz") + draw.choice("12") for _ in range(n)],
            "b": [draw.choice("pq") + draw.choice("12") for _ in range(n)],
            "s": [draw.choice("uuuvw") for _ in range(n)],
        }
    )


@pytest.mark.parametrize("limit", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("objective", sorted(OBJECTIVES))
def test_bounds_on_shares_do_not_mislead_the_search(objective: str, limit: float) -> None:
    """A part of a class that fails may hold a share, so a finer node may suppress less."""
    for seed in range(25):
        table = Table.encode(frame_of(seed), SCHEMA)
        method = shoal.FullDomain(objective, suppression_limit=limit)
        lattice, found = method.search(table, [AlphaK(0.6, 2)])
        every = product(*(range(height + 1) for height in lattice.heights))
        most = method.most(table)
        holding = [levels for levels in every if lattice.node_at(levels).suppressed <= most]
        if not holding:
            assert found.node is None
            continue
        best = min(map(score_of(lattice, objective), holding))
        assert found.node is not None
        assert (found.score, found.node.levels) == (pytest.approx(best[0]), best[1])
        heights = [sum(levels) for levels in holding]
        low = shoal.Samarati(suppression_limit=limit).group(table, [AlphaK(0.6, 2)], rng=None)  # type: ignore[arg-type]
        assert low.levels is not None
        assert sum(low.levels.values()) == min(heights)
        minimal = shoal.Incognito(suppression_limit=limit).nodes(table, [AlphaK(0.6, 2)])
        assert {tuple(node.values()) for node in minimal} == {
            node
            for node in holding
            if not any(
                other != node and all(x <= y for x, y in zip(other, node, strict=True))
                for other in holding
            )
        }


@pytest.fixture(scope="module")
def adult() -> tuple[pl.DataFrame, shoal.Schema]:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    return shoal.datasets.adult().head(3000), plan.schema_()


def test_a_proven_optimum_is_said_so(adult: tuple[pl.DataFrame, shoal.Schema]) -> None:
    release = shoal.anonymize(*adult, require=[KAnonymity(5)], method=shoal.FullDomain())
    found = release.grouping.search
    assert found is not None
    assert found["optimal"] is True
    assert found["gap"] == 0
    removed = release.n_removed / release.input_rows  # the search was made again without them
    assert found["score"] * (1 - removed) + removed == pytest.approx(release.measures["loss"])
    assert found["levels"] == release.grouping.levels
    assert 0 < found["looked_at"] < found["lattice"]
    assert found["objective"] == "loss"


def test_time_that_is_up_leaves_a_gap(adult: tuple[pl.DataFrame, shoal.Schema]) -> None:
    method = shoal.FullDomain(time_limit=1e-9)
    release = shoal.anonymize(*adult, require=[KAnonymity(5)], method=method)
    found = release.grouping.search
    assert found is not None
    assert found["optimal"] is False
    assert found["gap"] > 0
    best = shoal.anonymize(*adult, require=[KAnonymity(5)], method=shoal.FullDomain())
    assert best.grouping.search is not None
    score = best.grouping.search["score"]
    assert found["score"] - found["gap"] <= score <= found["score"]
    assert release.facts()["search"]["gap"] >= found["gap"]


@pytest.mark.parametrize("method", [shoal.Datafly(), shoal.Samarati(), shoal.Incognito()])
def test_heuristics_claim_nothing(method: shoal.Method) -> None:
    release = shoal.anonymize(frame_of(1), SCHEMA, require=[KAnonymity(2)], method=method)
    assert release.facts()["search"]["optimal"] is False
    assert release.facts()["search"]["gap"] is None


def test_the_score_hides_what_small_counts_hide() -> None:
    """With the levels known, all digits of the score would tell how many rows are missing."""
    for seed in range(30):
        release = shoal.anonymize(
            frame_of(seed),
            SCHEMA,
            require=[KAnonymity(3)],
            method=shoal.FullDomain(suppression_limit=0.2),
            suppression_limit=0.2,
        )
        if 0 < release.n_suppressed < 3:
            assert release.facts()["search"]["score"] is None
            return
    pytest.fail("no table suppressed a few rows")


@pytest.mark.parametrize(
    "method", [shoal.FullDomain(), shoal.Datafly(), shoal.Samarati(), shoal.Incognito()]
)
def test_a_refusal_names_the_requirement_and_what_would_do(method: shoal.Method) -> None:
    frame = pl.DataFrame(
        {
            "a": ["x1"] * 6 + ["y1"] * 6,
            "b": ["p1"] * 12,
            "s": ["u", "v"] * 3 + ["u"] * 6,
        }
    )
    table = Table.encode(frame, SCHEMA)
    with pytest.raises(InfeasibleError) as caught:
        method.group(table, [KAnonymity(2), AlphaK(0.5, 2)], rng=None)  # type: ignore[arg-type]
    assert AlphaK(0.5, 2).describe() in str(caught.value)
    assert KAnonymity(2).describe() + ";" not in str(caught.value)
    assert "suppression_limit to 0.5:" in str(caught.value)
    enough = type(method)(suppression_limit=0.5)  # type: ignore[call-arg]
    found = enough.group(table, [AlphaK(0.5, 2)], rng=None)  # type: ignore[arg-type]
    assert found.n_suppressed == 6


def test_too_large_a_lattice_asks_for_a_time_limit() -> None:
    values = [f"{number:08d}" for number in range(40)]
    names = [f"c{number}" for number in range(8)]
    frame = pl.DataFrame(dict.fromkeys(names, values))
    schema = shoal.Schema({name: shoal.quasi(hierarchy=Prefixes()) for name in names})
    with pytest.raises(ParameterError, match="time_limit"):
        shoal.anonymize(frame, schema, require=[KAnonymity(2)], method=shoal.FullDomain())


def test_heights_are_listed_once() -> None:
    assert sum(1 for height in range(6) for _ in at_height((2, 3), height)) == 12


@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("limit", [0.02, 0.1, 0.3, 1.0])
def test_what_is_skipped_is_never_better(k: int, limit: float) -> None:
    """On tables with room to skip nodes, the optimum is still that of all of them."""
    for seed in range(3):
        table = adult_table(400, seed).without(["race", "native-country", "salary-class"])
        method = FullDomain(suppression_limit=limit)
        lattice, found = method.search(table, [KAnonymity(k)])
        every = lattice_of(table, [KAnonymity(k)], "loss")
        nodes = product(*(range(height + 1) for height in every.heights))
        fitting = [n for n in nodes if every.node_at(n).suppressed <= limit * table.n_rows]
        assert found.score == pytest.approx(min(map(score_of(every, "loss"), fitting))[0])
        assert lattice.evaluated < lattice.size


@pytest.mark.parametrize("first", [1, 2, 3, 7, 11, 13])
@pytest.mark.parametrize("second", [2, 6, 7, 12, 22])
def test_equal_nodes_are_told_apart_by_levels_not_by_rounding(first: int, second: int) -> None:
    """Either c must go, or both a and b, which weigh as much together."""
    frame = pl.DataFrame({"a": list("0011"), "b": list("0011"), "c": list("0101")})
    weights = {"a": first / 10, "b": second / 10, "c": (first + second) / 10}
    schema = shoal.Schema({name: shoal.quasi(weight=weight) for name, weight in weights.items()})
    table = Table.encode(frame, schema)
    _, found = FullDomain(suppression_limit=0.0).search(table, [KAnonymity(2)])
    assert found.node is not None
    assert found.node.levels == (0, 0, 1)


@pytest.mark.parametrize("objective", ["loss", "discernibility", "precision"])
def test_of_their_nodes_incognito_and_samarati_take_the_best(objective: str) -> None:
    chosen_among = 0
    for seed in range(12):
        table = Table.encode(frame_of(seed), SCHEMA)
        require = [KAnonymity(2)]
        lattice = lattice_of(table, require, objective)
        key = score_of(lattice, objective)
        every = list(product(*(range(height + 1) for height in lattice.heights)))
        most = FullDomain().most(table)
        holding = [levels for levels in every if lattice.node_at(levels).suppressed <= most]
        least = [levels for levels in holding if sum(levels) == min(map(sum, holding))]
        minimal = [tuple(node.values()) for node in shoal.Incognito().nodes(table, require)]
        methods = (shoal.Samarati(objective), shoal.Incognito(objective))
        for method, nodes in zip(methods, (least, minimal), strict=True):
            found = method.group(table, require, rng=None)  # type: ignore[arg-type]
            assert tuple((found.levels or {}).values()) == min(nodes, key=key)
            chosen_among += len(nodes) > 1
    assert chosen_among > 3
