"""Classes that keep their values equal the slow twin's, row for row, and the paper's example."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from shoal import GAACP, KAIM, KMember, Schema, identifier, quasi, sensitive
from shoal.methods._invariance import NEW, Signatures, group_invariant
from shoal.models.exact.eligible import dealt
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from shoal.table.sensitive import SensitiveColumn
from tests.examples import examples
from tests.methods.test_gaacp_reference import twin as gaacp_twin
from tests.methods.test_kaim_reference import twin as kaim_twin
from tests.reference.invariance import InvarianceReference
from tests.tables import tables

METHODS = {
    "gaa-cp": GAACP(picks="first"),
    "gaa-cp, loss": GAACP(distance="loss", picks="first"),
    "kaim": KAIM(picks="first"),
}


@st.composite
def cases(draw: st.DrawFn) -> tuple[Table, int, list[frozenset[str] | None]]:
    """Draw a table with a sensitive column, m, and what earlier releases showed of some rows."""
    table, _, _ = draw(tables())
    n, size = table.n_rows, draw(st.integers(2, 5))
    m = draw(st.integers(2, min(size, 3)))
    labels = tuple("abcde"[:size])
    codes = draw(st.lists(st.integers(0, size - 1), min_size=n, max_size=n))
    table = replace(table, sensitive={"ill": SensitiveColumn(np.array(codes), labels)})
    subsets = st.sets(st.sampled_from(labels), min_size=m).map(frozenset)
    shown = draw(st.lists(subsets, max_size=3, unique=True))
    known = st.sampled_from([None, *shown])
    return table, m, draw(st.lists(known, min_size=n, max_size=n))


def group(table: Table, m: int, known: list[frozenset[str] | None], method: Any) -> Grouping:
    order = list(dict.fromkeys(each for each in known if each is not None))
    of_row = np.array([NEW if each is None else order.index(each) for each in known])
    how = method.closeness(table, rng=np.random.default_rng(0))
    return group_invariant(table, "ill", m, how, known=Signatures(of_row, order))


def shown_by(table: Table, found: Grouping) -> list[tuple[list[int], list[str | None]]]:
    """List the rows of each class, and the values that it shows."""
    column, added = table.sensitive["ill"], found.padding.get("ill")
    made = []
    for label in range(found.n_groups):
        rows = np.flatnonzero(found.labels == label)
        values = [column.labels[code] for code in column.codes[rows].tolist()]
        if added is not None:
            values += [column.labels[c] for c in added.value[added.group == label].tolist()]
        made.append((rows.tolist(), values))
    return made


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_classes_equal_the_twin(
    name: str, case: tuple[Table, int, list[frozenset[str] | None]]
) -> None:
    table, m, known = case
    found = group(table, m, known, METHODS[name])
    values = [table.sensitive["ill"].labels[code] for code in table.sensitive["ill"].codes]
    labels = table.sensitive["ill"].labels
    order = list(dict.fromkeys(each for each in known if each is not None))
    holes = Counter[str]()
    for signature in order:
        held = Counter(
            v for v, each in zip(values, known, strict=True) if each == signature and v in signature
        )
        if held:
            holes.update({v: max(held.values()) - held[v] for v in signature})
    new = Counter(v for v, each in zip(values, known, strict=True) if each is None)
    taken, own = dealt(*(np.array([each[v] for v in labels]) for each in (new, holes)), m)
    if name == "kaim":
        near = kaim_twin(table, "entropy-change")

        def distance(row: int, members: list[int]) -> Any:
            return sum(near.cost(a, members)(row) for a in near.attributes)
    else:
        distance = gaacp_twin(table, exact_loss="loss" in name).exact_distance
    expected = InvarianceReference(
        values,
        m,
        known,
        order,
        distance,
        dict(zip(labels, taken.tolist(), strict=True)),
        dict(zip(labels, own.tolist(), strict=True)),
        seeds=range(table.n_rows) if name == "kaim" else None,
    ).classes()
    told = sorted((sorted(rows), sorted(signature)) for rows, signature in expected)
    assert sorted((rows, sorted(shown)) for rows, shown in shown_by(table, found)) == told


@pytest.mark.parametrize("method", [GAACP(), KAIM(), KMember()])
@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_every_class_holds_what_the_paper_asks(
    method: Any, case: tuple[Table, int, list[frozenset[str] | None]]
) -> None:
    table, m, known = case
    found = group(table, m, known, method)
    seen = set()
    for rows, values in shown_by(table, found):
        assert rows
        assert len(values) == len(set(values)) >= m
        for row in rows:
            assert known[row] is None or known[row] == set(values)
        seen |= set(rows)
    codes, labels = table.sensitive["ill"].codes, table.sensitive["ill"].labels
    for row, signature in enumerate(known):  # nobody who can stay is left out
        if signature is not None and labels[codes[row]] in signature:
            assert row in seen


PAPER = pl.DataFrame(
    {
        "name": [
            "Bob",
            "David",
            "Emily",
            "Jane",
            "Linda",
            "Gary",
            "Mary",
            "Ray",
            "Steve",
            "Tom",
            "Vince",
        ],
        "age": [21, 23, 25, 37, 43, 41, 46, 54, 56, 60, 65],
        "zip": [12000, 25000, 21000, 33000, 26000, 20000, 30000, 31000, 34000, 44000, 36000],
        "disease": [
            "dyspepsia",
            "gastritis",
            "flu",
            "dyspepsia",
            "gastritis",
            "flu",
            "gastritis",
            "dyspepsia",
            "gastritis",
            "gastritis",
            "flu",
        ],
    }
)
"""The second microdata table of Xiao and Tao (2007)."""
SHOWN = {
    "Bob": {"dyspepsia", "bronchitis"},
    "David": {"flu", "gastritis"},
    "Gary": {"flu", "gastritis"},
    "Jane": {"dyspepsia", "flu", "gastritis"},
    "Linda": {"dyspepsia", "flu", "gastritis"},
    "Steve": {"dyspepsia", "gastritis"},
}
"""Among which values their first release shows those who are still there."""


def test_the_example_of_the_paper() -> None:
    """Six classes and two counterfeits, as in their Table 4; David meets Emily, Tom meets Vince."""
    schema = Schema({"name": identifier(), "age": quasi(), "zip": quasi(), "disease": sensitive()})
    table = Table.encode(PAPER, schema)
    order = [frozenset(each) for each in ({*map(frozenset, SHOWN.values())})]
    order.sort(key=sorted)
    of_row = [order.index(frozenset(SHOWN[n])) if n in SHOWN else NEW for n in PAPER["name"]]
    known = Signatures(np.array(of_row), order)
    table = table.with_values("disease", known.labels)
    how = GAACP(picks="first").closeness(table, rng=np.random.default_rng(0))
    found = group_invariant(table, "disease", 2, how, known=known)
    column, added = table.sensitive["disease"], found.padding["disease"]
    classes = {
        tuple(PAPER["name"].to_numpy()[found.labels == label].tolist()): [
            column.labels[code] for code in added.value[added.group == label].tolist()
        ]
        for label in range(found.n_groups)
    }
    assert classes == {
        ("Bob",): ["bronchitis"],
        ("David", "Emily"): [],
        ("Jane", "Linda"): ["flu"],
        ("Gary", "Mary"): [],
        ("Ray", "Steve"): [],
        ("Tom", "Vince"): [],
    }
