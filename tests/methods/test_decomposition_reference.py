"""The groups and noise of Decomposition and Decomposition+ equal the slow twin's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from shoal import Decomposition, DecompositionPlus, KAnonymity, MultiLDiversity
from shoal.methods.inverse._sensitive import order_attributes
from shoal.models import Requirement
from shoal.publications.groups.share_limits import required_size
from shoal.table import Table
from tests.examples import examples
from tests.methods.secret_tables import SENSITIVE, adult, secret_tables
from tests.reference.decomposition import DecompositionReference


def compare(
    table: Table, require: list[Requirement], method: Decomposition | DecompositionPlus
) -> None:
    found = method.group(table, require, rng=np.random.default_rng(0))
    secrets = order_attributes(table, require, method.primary, method=method.name)
    names = [secret.name for secret in secrets]
    columns: list[list[object]] = [table.frame[name].to_list() for name in names]
    candidates: list[list[object]] = [
        list(table.sensitive[name].labels)
        if type(method) is Decomposition
        else list(dict.fromkeys(table.frame[name].to_list()))
        for name in names
    ]
    labels, noise = DecompositionReference(
        columns,
        candidates,
        [secret.wanted for secret in secrets],
        required_size(require),
        None if table.people is None else table.people.tolist(),
    ).run()
    assert found.labels.tolist() == labels
    assert noise == [
        (names.index(name), int(group), table.sensitive[name].labels[value])
        for name in names
        if name in found.padding
        for group, value in zip(found.padding[name].group, found.padding[name].value, strict=True)
    ]


@pytest.mark.parametrize("kind", [Decomposition, DecompositionPlus])
@pytest.mark.parametrize(("primary", "least", "k"), [("entropy", 3, 2), ("education", 5, 20)])
def test_groups_equal_the_twin_on_adult(
    kind: type[Decomposition] | type[DecompositionPlus], primary: str, least: int, k: int
) -> None:
    require = [MultiLDiversity(dict.fromkeys(SENSITIVE, least), lower=True), KAnonymity(k)]
    compare(adult(400, least, SENSITIVE), require, kind(primary, picks="first"))


@settings(max_examples=examples(200), deadline=None)
@given(secret_tables(), st.sampled_from([Decomposition, DecompositionPlus]))
def test_groups_equal_the_twin_on_random_tables(
    case: tuple[Table, list[Requirement], str],
    kind: type[Decomposition] | type[DecompositionPlus],
) -> None:
    table, require, primary = case
    compare(table, require, kind(primary, picks="first"))
