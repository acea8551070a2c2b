"""MICD's groups and noise equal the slow twin's, row for row."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal import MICD, KAnonymity, MultiLDiversity
from shoal.models import Requirement
from shoal.table import Table
from tests.reference.micd import MicdReference, entropy

SENSITIVE = ["education", "occupation", "marital-status", "race", "workclass"]


def adult(rows: int, seed: int, columns: list[str]) -> Table:
    frame = shoal.datasets.adult(complete=True).sample(rows, seed=seed, shuffle=True)
    names = {name: shoal.sensitive() for name in columns}
    return Table.encode(
        frame.select("age", *columns), shoal.Schema({"age": shoal.quasi(), **names})
    )


def twin(table: Table, require: list[Requirement], method: MICD) -> MicdReference:
    names = list(table.sensitive)
    raw = {name: table.frame[name].to_list() for name in names}
    ranked = sorted(names, key=lambda name: -round(entropy(raw[name]), 12))
    if method.primary != "entropy":
        ranked = [method.primary, *(name for name in ranked if name != method.primary)]
    k = max((each.k for each in require if isinstance(each, KAnonymity)), default=1)
    wanted = []
    for name in ranked:
        asked = [each.l[name] for each in require if isinstance(each, MultiLDiversity)]
        wanted.append(min(max(asked, default=1), len(set(raw[name]))))
    wanted[0] = max(wanted[0], min(k, len(set(raw[ranked[0]]))))
    return MicdReference(
        columns=[raw[name] for name in ranked],
        domain=[list(table.sensitive[name].labels) for name in ranked],
        wanted=wanted,
        leftovers=method.leftovers,
        noise=method.noise,
        k=k,
    )


def compare(table: Table, require: list[Requirement], method: MICD, seed: int = 0) -> None:
    found = method.group(table, require, rng=np.random.default_rng(seed))
    order = None
    if method.picks == "random":
        order = np.random.default_rng(seed).permutation(table.n_rows).tolist()
    slow = twin(table, require, method)
    labels, noise = slow.run(order)
    assert found.labels.tolist() == labels
    names = sorted(table.sensitive, key=lambda name: -round(table.sensitive[name].entropy, 12))
    if method.primary != "entropy":
        names = [method.primary, *(name for name in names if name != method.primary)]
    added = [
        (names.index(name), int(g), table.sensitive[name].labels[v])
        for name in names
        if name in found.padding
        for g, v in zip(found.padding[name].group, found.padding[name].value, strict=True)
    ]
    assert added == noise


@pytest.mark.parametrize("leftovers", ["spread", "paper"])
@pytest.mark.parametrize("noise", ["allow", "never"])
@pytest.mark.parametrize(("primary", "least"), [("entropy", 3), ("education", 5)])
def test_groups_equal_the_twin_on_adult(
    primary: str, least: int, noise: str, leftovers: str
) -> None:
    table = adult(300, least, SENSITIVE)
    require = [MultiLDiversity(dict.fromkeys(SENSITIVE, least), lower=True)]
    method = MICD(primary=primary, leftovers=leftovers, noise=noise, picks="first")
    compare(table, require, method)


@st.composite
def secrets(draw: st.DrawFn) -> tuple[Table, list[Requirement], MICD, int]:
    n = draw(st.integers(2, 40))
    names = [f"s{j}" for j in range(draw(st.integers(1, 3)))]
    frame: dict[str, list[str]] = {"x": [str(i) for i in range(n)]}
    for name in names:
        size = draw(st.integers(1, 6))
        frame[name] = draw(st.lists(st.sampled_from("abcdef"[:size]), min_size=n, max_size=n))
    columns = {"x": shoal.quasi(), **{name: shoal.sensitive() for name in names}}
    table = Table.encode(pl.DataFrame(frame), shoal.Schema(columns))
    least = {name: draw(st.integers(2, 4)) for name in names}
    require: list[Requirement] = [MultiLDiversity(least, lower=True)]
    if draw(st.booleans()):
        require.append(KAnonymity(draw(st.integers(2, 6))))
    method = MICD(
        primary=draw(st.sampled_from(["entropy", *names])),
        leftovers=draw(st.sampled_from(["spread", "paper"])),
        noise=draw(st.sampled_from(["allow", "never"])),
        picks=draw(st.sampled_from(["first", "random"])),
    )
    return table, require, method, draw(st.integers(0, 9))


@settings(max_examples=300, deadline=None)
@given(secrets())
def test_groups_equal_the_twin_on_random_tables(
    case: tuple[Table, list[Requirement], MICD, int],
) -> None:
    compare(*case)
