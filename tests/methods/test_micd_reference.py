"""MICD's groups and noise equal the slow twin's, row for row."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal import MICD, KAnonymity, MultiLDiversity
from shoal.models import Requirement
from shoal.table import Table
from tests.examples import examples
from tests.methods.secret_tables import SENSITIVE, adult, secret_tables
from tests.reference.micd import MicdReference, entropy

Noise = Literal["allow", "one-by-one", "never"]
NOISE: tuple[Noise, ...] = get_args(Noise)


def twin(table: Table, require: list[Requirement], method: MICD) -> MicdReference:
    names = list(table.sensitive)
    raw: dict[str, list[object]] = {name: table.frame[name].to_list() for name in names}
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
        people=None if table.people is None else table.people.tolist(),
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
@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize(("primary", "least"), [("entropy", 3), ("education", 5)])
def test_groups_equal_the_twin_on_adult(
    primary: str,
    least: int,
    noise: Noise,
    leftovers: Literal["spread", "paper"],
) -> None:
    table = adult(300, least, SENSITIVE)
    require = [MultiLDiversity(dict.fromkeys(SENSITIVE, least), lower=True)]
    method = MICD(primary=primary, leftovers=leftovers, noise=noise, picks="first")
    compare(table, require, method)


@settings(max_examples=examples(300), deadline=None)
@given(
    case=secret_tables(),
    leftovers=st.sampled_from(["spread", "paper"]),
    noise=st.sampled_from(NOISE),
    picks=st.sampled_from(["first", "random"]),
    seed=st.integers(0, 9),
)
def test_groups_equal_the_twin_on_random_tables(
    case: tuple[Table, list[Requirement], str],
    leftovers: Literal["spread", "paper"],
    noise: Noise,
    picks: Literal["random", "first"],
    seed: int,
) -> None:
    table, require, primary = case
    compare(table, require, MICD(primary, leftovers, noise, picks), seed)
