"""GCA's, (αᵢ, k)-GCA's and Anatomy's labels equal the slow twins', row for row."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import GCA, AlphaK, Anatomy, KAnonymity, LeveledAlphaK, LeveledGCA
from shoal.checks import METHOD_CHECKS
from shoal.kernels.buckets.classes import BY_LEVEL, BY_LEVEL_AGAIN, BY_SIZE
from shoal.methods.buckets import _classes as bucketing
from shoal.methods.buckets._classes import bucket_classes
from shoal.methods.buckets._terms import terms_of
from shoal.models import Requirement
from shoal.models.exact.shares import below
from shoal.publications.groups.counting import one_group
from shoal.table import Table
from tests.examples import examples
from tests.methods.test_gaacp_reference import twin as gaacp_twin
from tests.reference.gca import GcaReference, anatomy
from tests.tables import adult_table, tables

SECRET = "secret"
SHARES: list[float | str] = [
    0.2,
    0.3,
    "1/3",
    0.35,
    0.4,
    0.5,
    "3/5",
    0.75,
    1,
    "0.33333333333333333333",
]
LOOSE: list[float | str] = [1, 0.75]


def with_secret(table: Table, values: Sequence[str | None]) -> Table:
    """The same table with a sensitive column."""
    columns = {**table.schema, SECRET: shoal.sensitive()}
    frame = table.frame.with_columns(pl.Series(SECRET, values, dtype=pl.String))
    schema = shoal.Schema(columns, entity=table.schema.entity, missing=table.schema.missing)
    return Table.encode(frame, schema)


def twin(
    table: Table,
    require: Sequence[Requirement],
    *,
    leveled: bool,
    near: bool,
    column: str = SECRET,
    stop: str = "exhausted",
    passes: str = "distinct",
    farthest_from: str = "level-1",
) -> GcaReference:
    """Set the slow twin up from the raw cells and the requirements."""
    values = table.frame[column].to_list()
    bounds = dict.fromkeys(values, Fraction(1))
    sets: list[tuple[set[str | None], Fraction]] = []
    levels = None
    for each in require:
        if isinstance(each, AlphaK):
            for value in bounds:
                if each.value in (None, value):
                    bounds[value] = min(bounds[value], each.share)
        if isinstance(each, LeveledAlphaK):
            mine = {value: (each.levels or {})[value or ""] for value in bounds}
            levels = levels or mine
            for value, level in mine.items():
                if each.scope == "value":
                    bounds[value] = min(bounds[value], each.level_shares[level - 1])
                else:
                    together = {other for other in mine if mine[other] == level}
                    sets.append((together, each.level_shares[level - 1]))
    return GcaReference(
        values,
        max(each.k for each in require),  # type: ignore[attr-defined]
        bounds,
        levels if leveled else None,
        sets,
        None if table.people is None else table.people.tolist(),
        gaacp_twin(table).attributes if near else None,
        stop,
        passes,
        farthest_from,
    )


def compare(
    table: Table,
    require: Sequence[Requirement],
    *,
    leveled: bool,
    near: bool = False,
    order: Sequence[int] | None = None,
    column: str = SECRET,
    stop: Literal["exhausted", "paper"] = "exhausted",
    passes: str = "distinct",
    farthest_from: str = "level-1",
    expected: list[int] | None = None,
) -> list[int]:
    """Compare with the twin, or with what it gave before."""
    by_level = BY_LEVEL if passes == "distinct" else BY_LEVEL_AGAIN
    found = bucket_classes(
        table,
        terms_of(table, require, leveled=leveled),
        rule=by_level if leveled else BY_SIZE,
        order=np.arange(table.n_rows) if order is None else np.array(order),
        near=near,
        stop=stop,
        from_record=farthest_from == "record",
    )
    read: Any = {"stop": stop, "passes": passes, "farthest_from": farthest_from}
    if expected is None:
        slow = twin(table, require, leveled=leveled, near=near, column=column, **read)
        expected = slow.labels(order)
    assert found.labels.tolist() == expected
    return expected


@st.composite
def cases(draw: st.DrawFn) -> tuple[Table, list[Requirement], list[int]]:
    """A table with a secret, and requirements on it."""
    table, k, _ = draw(tables())
    if table.people is not None and draw(st.booleans()):
        few = st.integers(0, draw(st.integers(1, 4)))
        who = draw(st.lists(few, min_size=table.n_rows, max_size=table.n_rows))
        table = Table.encode(table.frame.with_columns(pl.Series("who", who)), table.schema)
        k = min(k, len(set(who)))
    names = [f"v{i}" for i in range(draw(st.integers(1, 8)))]
    cell = st.sampled_from([*names, None]) if draw(st.booleans()) else st.sampled_from(names)
    values = draw(st.lists(cell, min_size=table.n_rows, max_size=table.n_rows))
    levels = {name: draw(st.integers(1, 4)) for name in [*names, ""]}
    k = max(k, 2)
    require: list[Requirement] = []
    for _ in range(draw(st.integers(1, 3))):
        share = st.sampled_from(SHARES if draw(st.booleans()) else LOOSE)
        alphas = draw(st.lists(share, min_size=4, max_size=4))
        require.append(
            draw(
                st.sampled_from(
                    [
                        AlphaK(alphas[0], k),
                        AlphaK(alphas[0], 2, value="v0"),
                        LeveledAlphaK(levels, alphas, k),
                        LeveledAlphaK(levels, alphas, 2, scope="level"),
                        KAnonymity(k),
                    ]
                )
            )
        )
    require.append(LeveledAlphaK(levels, [1] * 4, 2))
    order = draw(st.permutations(range(table.n_rows)))
    return with_secret(table, values), require, order


@settings(max_examples=examples(300), deadline=None)
@given(cases(), st.booleans(), st.booleans(), st.booleans())
def test_labels_equal_the_twin_on_random_tables(
    case: tuple[Table, list[Requirement], list[int]], leveled: bool, near: bool, shuffled: bool
) -> None:
    table, require, order = case
    compare(table, require, leveled=leveled, near=near, order=order if shuffled else None)


@settings(max_examples=examples(300), deadline=None)
@given(cases(), st.booleans(), st.booleans(), st.booleans())
def test_labels_equal_the_twin_that_stops_as_printed(
    case: tuple[Table, list[Requirement], list[int]], leveled: bool, near: bool, shuffled: bool
) -> None:
    table, require, order = case
    values, k = table.frame[SECRET].n_unique(), terms_of(table, require, leveled=leveled).k
    given: Any = {"leveled": leveled, "near": near, "order": order if shuffled else None}
    if values < k:
        with pytest.raises(shoal.errors.InfeasibleError, match=f"'{SECRET}' has {values}"):
            compare(table, require, stop="paper", **given)
        return
    compare(table, require, stop="paper", **given)


@settings(max_examples=examples(300), deadline=None)
@given(
    cases(),
    st.booleans(),
    st.booleans(),
    st.sampled_from([("largest", "level-1"), ("distinct", "record"), ("largest", "record")]),
)
def test_labels_equal_the_twin_of_other_readings(
    case: tuple[Table, list[Requirement], list[int]],
    near: bool,
    shuffled: bool,
    read: tuple[str, str],
) -> None:
    table, require, order = case
    passes, farthest_from = read
    given: Any = {"near": near, "order": order if shuffled else None}
    compare(table, require, leveled=True, passes=passes, farthest_from=farthest_from, **given)


def visits(who: Sequence[int], values: Sequence[str]) -> Table:
    """A table in which people have several records, and the values matter only."""
    frame = pl.DataFrame({"x": range(len(who)), "who": who})
    columns = {"x": shoal.quasi(), "who": shoal.identifier()}
    return with_secret(Table.encode(frame, shoal.Schema(columns, entity="who")), values)


@pytest.mark.parametrize("scope", ["value", "level"])
@pytest.mark.parametrize("leveled", [True, False])
@pytest.mark.parametrize("near", [True, False])
def test_a_share_of_one_bounds_nothing(scope: Any, leveled: bool, near: bool) -> None:
    """One of two people holds three values of a level: more than people, but not than all."""
    table = visits([0] * 10 + [1], ["v0"] * 8 + ["v1", "v2", "v3"])
    levels = {"v0": 1, "v1": 1, "v2": 1, "v3": 2}
    require = [KAnonymity(2), LeveledAlphaK(levels, [1, 1], 2, scope=scope)]
    assert compare(table, require, leveled=leveled, near=near) == [0] * 11


@settings(max_examples=examples(300), deadline=None)
@given(cases(), st.data())
def test_the_twin_holds_valid_what_the_requirements_do(
    case: tuple[Table, list[Requirement], list[int]], data: st.DataObject
) -> None:
    table, require, order = case
    rows = order[: data.draw(st.integers(1, len(order)))]
    group = one_group(table, require, np.array(rows))
    held = all(each.judge(group).passed for each in require)
    assert twin(table, require, leveled=True, near=False).valid(rows) == held


def skewed(seed: int) -> tuple[Table, list[Requirement]]:
    """A table of a few hundred rows with many left-over records, values and kinds of them."""
    rng = np.random.default_rng(seed)
    n, several = int(rng.integers(200, 500)), int(rng.choice([3, 12, 60]))
    frame = pl.DataFrame({"x": rng.integers(0, 40, n), "who": rng.integers(0, n, n)})
    columns = {"x": shoal.quasi(), "who": shoal.identifier()}
    entity = "who" if seed % 3 == 0 else None
    table = Table.encode(frame, shoal.Schema(columns, entity=entity))
    share = 1 / np.arange(1, several + 1) ** float(rng.choice([0.0, 0.7, 1.5]))
    values = rng.choice([f"v{i}" for i in range(several)], n, p=share / share.sum())
    levels = {f"v{i}": int(level) for i, level in enumerate(rng.integers(1, 5, several))}
    alphas = sorted(rng.choice([0.15, 0.2, 0.3, 0.4, 0.5, 0.8], 4).tolist())
    k = int(rng.choice([2, 3, 5, 9]))
    scope: Any = rng.choice(["value", "value", "level"])
    require: list[Requirement] = [LeveledAlphaK(levels, alphas, k, scope=str(scope))]
    if rng.random() < 0.5:
        require.append(AlphaK(float(rng.choice([0.25, 0.5])), 2))
    return with_secret(table, values.tolist()), require


@pytest.mark.parametrize("leveled", [True, False])
@pytest.mark.parametrize("seed", range(examples(30)))
def test_left_overs_find_the_twins_classes(
    seed: int, leveled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a queue per value, with queues that values share, and with neither."""
    table, require = skewed(seed)
    stops: list[Literal["exhausted", "paper"]] = ["exhausted"]
    if table.frame[SECRET].n_unique() >= terms_of(table, require, leveled=leveled).k:
        stops.append("paper")
    for stop in stops:
        expected = None
        for queues in (64, 6, 2):
            monkeypatch.setattr(bucketing, "QUEUES", queues)
            expected = compare(table, require, leveled=leveled, stop=stop, expected=expected)


def test_stopping_as_printed_leaves_more_to_place() -> None:
    """Line 4 asks for three values: after the first class only two have records left."""
    frame = pl.DataFrame({"x": range(11), "s": ["a", "b"] * 5 + ["c"]})
    schema = shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()})

    def sizes(stop: Any) -> list[int]:
        need = [AlphaK("2/3", 3)]
        release = shoal.anonymize(frame, schema, require=need, method=GCA(stop=stop))
        return release.grouping.sizes.tolist()

    assert sizes("exhausted") == [4, 4, 3]
    assert sizes("paper") == [11]


@pytest.mark.parametrize("check", METHOD_CHECKS)
@pytest.mark.parametrize(
    "method",
    [
        LeveledGCA(stop="paper"),
        LeveledGCA(passes="largest", farthest_from="record"),
        GCA(spend="even"),
    ],
)
def test_other_options_keep_the_contract(method: Any, check: Any) -> None:
    if method.spend == "even" and check.__name__ == "people_are_counted":
        with pytest.raises(shoal.errors.ParameterError, match="some people have several"):
            check(method)
        return
    check(method)


@pytest.mark.parametrize("method", [GCA(stop="paper"), LeveledGCA(stop="paper")])
def test_stopping_as_printed_needs_k_values(method: Any) -> None:
    frame = pl.DataFrame({"x": range(12), "s": ["a", "b", "b"] * 4})
    levels = {"a": 1, "b": 2}
    schema = shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive(levels=levels)})
    table = Table.encode(frame, schema)
    with pytest.raises(shoal.errors.InfeasibleError, match=r"4 distinct values.*'s' has 2"):
        method.group(table, [AlphaK(0.75, 4)], rng=np.random.default_rng(1))
    made = shoal.anonymize(frame, schema, require=[AlphaK(0.75, 4)], method=method)
    assert made.grouping.n_groups == 1  # one group holds


@pytest.mark.parametrize("seed", range(4))
def test_small_budgets_change_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table, require = skewed(seed)
    monkeypatch.setattr(bucketing, "BUDGET", 3)
    monkeypatch.setattr(bucketing, "NEAR_BUDGET", 3)
    for leveled in (True, False):
        compare(table, require, leveled=leveled)
        compare(table, require, leveled=leveled, near=True)


OCCUPATIONS = {
    1: ["Protective-serv", "Armed-Forces"],
    2: ["Exec-managerial", "Prof-specialty", "Adm-clerical"],
    3: ["Tech-support", "Craft-repair", "Machine-op-inspct", "Transport-moving"],
    4: ["Priv-house-serv", "Farming-fishing", "Handlers-cleaners", "Sales"],
    5: ["Other-service", ""],
}
LEVELS = {value: level for level, values in OCCUPATIONS.items() for value in values}
ALPHAS = [0.2, 0.3, 0.35, 0.4, 0.5]


def adult(rows: int, seed: int) -> Table:
    """Adult with its occupations as the secret."""
    table = adult_table(rows, seed)
    return with_secret(table, table.frame["occupation"].to_list())


@pytest.mark.parametrize("leveled", [True, False])
@pytest.mark.parametrize(("k", "scope"), [(4, "value"), (10, "value"), (4, "level")])
def test_labels_equal_the_twin_on_rows_of_adult(k: int, scope: Any, leveled: bool) -> None:
    require = [LeveledAlphaK(LEVELS, ALPHAS, k, scope=scope, column=SECRET)]
    found = compare(adult(600, k), require, leveled=leveled)
    assert max(found) > 20


@pytest.mark.parametrize("leveled", [True, False])
def test_nearest_labels_equal_the_twin_on_rows_of_adult(leveled: bool) -> None:
    require = [LeveledAlphaK(LEVELS, ALPHAS, 4, column=SECRET)]
    compare(adult(1000, 3), require, leveled=leveled, near=True)


@settings(max_examples=examples(150), deadline=None)
@given(cases(), st.integers(2, 4), st.integers(0, 99), st.sampled_from(["first", "random"]))
def test_anatomy_equals_its_twin(
    case: tuple[Table, list[Requirement], list[int]], k: int, seed: int, picks: Any
) -> None:
    table, *_ = case
    values = table.frame[SECRET].to_list()
    require = [AlphaK(0.5, k)]
    rng = np.random.default_rng(seed)
    too_frequent = max(map(values.count, values)) * k > len(values) and table.people is None
    if len(set(values)) < k or too_frequent:
        with pytest.raises(shoal.errors.InfeasibleError, match="Anatomy"):
            Anatomy(picks).group(table, require, rng=rng)
        return
    people = None if table.people is None else table.people.tolist()
    other = np.random.default_rng(seed)
    order = range(len(values)) if picks == "first" else other.permutation(len(values)).tolist()
    expected = anatomy(
        values,
        k,
        people,
        order,
        list if picks == "first" else lambda free: other.permutation(free).tolist(),
    )
    if people is None:
        assert -1 not in expected  # Xiao and Tao prove it
    found = Anatomy(picks).group(table, require, rng=rng)
    assert found.labels.tolist() == expected


@given(st.fractions(0, 1, max_denominator=10**6), st.integers(1, 40))
def test_a_shorter_fraction_bounds_the_same_counts(share: Fraction, most: int) -> None:
    short = below(share, most)
    assert short.denominator <= most
    for size in range(1, most + 1):
        for count in range(size + 1):
            assert (Fraction(count, size) <= share) == (Fraction(count, size) <= short)


def test_a_share_of_many_digits_is_exact() -> None:
    """1/3 is above 0.333…3, however many digits that has."""
    frame = pl.DataFrame({"x": range(9), "s": ["a", "b", "c"] * 3})
    schema = shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()})
    table = Table.encode(frame, schema)
    for alpha, groups in (("0." + "3" * 40, 0), ("0." + "3" * 39 + "4", 3), ("1/3", 3)):
        found = GCA().group(table, [AlphaK(alpha, 3)], rng=np.random.default_rng(0))
        assert found.n_groups == groups


def test_k_above_the_number_of_values() -> None:
    frame = pl.DataFrame({"x": range(12), "s": ["a", "b", "b"] * 4})
    schema = shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()})
    made = shoal.anonymize(frame, schema, require=[AlphaK(0.75, 4)], method=GCA())
    assert made.verification.passed
    table = Table.encode(frame, schema)
    with pytest.raises(shoal.errors.InfeasibleError, match=r"4 different values.*'s' has 2"):
        Anatomy().group(table, [AlphaK(0.75, 4)], rng=np.random.default_rng(1))
    made = shoal.anonymize(frame, schema, require=[AlphaK(0.75, 4)], method=Anatomy())
    assert made.grouping.n_groups == 1  # one group holds


def test_what_is_needed_is_said() -> None:
    frame = pl.DataFrame({"x": range(6), "s": ["a", "b", "c"] * 2, "t": ["d", "e", "f"] * 2})
    one = shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive(), "t": shoal.other()})
    two = one.with_column("t", role=shoal.table.schema.Role.SENSITIVE)

    def refused(schema: shoal.Schema, method: Any, *require: Requirement) -> str:
        with pytest.raises(shoal.errors.ParameterError) as caught:
            shoal.anonymize(
                frame, schema, require=list(require), method=method, publication="generalized"
            )
        return str(caught.value)

    assert "needs a limit on the shares" in refused(one, GCA(), KAnonymity(2))
    assert "needs a limit on the shares" in refused(one, Anatomy(), KAnonymity(2))
    assert "needs levels" in refused(one, LeveledGCA(), AlphaK(0.5, 2))
    assert "names no column" in refused(two, GCA(), AlphaK(0.5, 2))
    both = refused(two, GCA(), AlphaK(0.5, 2, column="s"), AlphaK(0.5, 2, column="t"))
    assert "groups by one sensitive column" in both
    assert "within must be one of" in refused(one, GCA(within="near"), AlphaK(0.5, 2))
    assert "stop must be one of" in refused(one, GCA(stop="printed"), AlphaK(0.5, 2))
    assert "stop must be one of" in refused(one, LeveledGCA(stop="printed"), AlphaK(0.5, 2))
    assert "cannot carry 'leveled-alpha-k'" in refused(
        one, Anatomy(), LeveledAlphaK({"a": 1, "b": 1, "c": 1}, [0.5], 2)
    )


def test_levels_may_come_from_the_schema() -> None:
    frame = pl.DataFrame({"x": range(6), "s": ["a", "b", "c"] * 2})
    columns = {"x": shoal.quasi(), "s": shoal.sensitive(levels={"a": 1, "b": 2, "c": 3})}
    for need in (AlphaK(0.5, 2), KAnonymity(2)):
        made = shoal.anonymize(frame, shoal.Schema(columns), require=[need], method=LeveledGCA())
        assert made.verification.passed
        assert made.grouping.labels.tolist() == [0, 0, 0, 1, 1, 1]
