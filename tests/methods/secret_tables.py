"""Tables with several sensitive columns, as Hypothesis draws them."""

from __future__ import annotations

import polars as pl
from hypothesis import strategies as st

import shoal
from shoal import KAnonymity, MultiLDiversity
from shoal.models import Requirement
from shoal.table import Table

SENSITIVE = ["education", "occupation", "marital-status", "race", "workclass"]


def adult(rows: int, seed: int, columns: list[str]) -> Table:
    frame = shoal.datasets.adult(complete=True).sample(rows, seed=seed, shuffle=True)
    return encoded(frame, columns)


def paper_adult(columns: list[str]) -> Table:
    """The 30,162 rows of Zhang et al. (2014): complete in the columns it uses."""
    frame = shoal.datasets.adult().head(32_561)
    used = ["age", "sex", "salary-class", "native-country", *SENSITIVE]
    frame = frame.select(used).drop_nulls()
    assert frame.height == 30_162
    return encoded(frame, columns)


def encoded(frame: pl.DataFrame, columns: list[str]) -> Table:
    names = {name: shoal.sensitive() for name in columns}
    return Table.encode(
        frame.select("age", *columns), shoal.Schema({"age": shoal.quasi(), **names})
    )


@st.composite
def secret_tables(draw: st.DrawFn) -> tuple[Table, list[Requirement], str]:
    """A table, what is asked of it, and its primary column."""
    n = draw(st.integers(2, 40))
    names = [f"s{j}" for j in range(draw(st.integers(1, 3)))]
    frame: dict[str, list[str | None]] = {"x": [str(i) for i in range(n)]}
    for name in names:
        value = st.sampled_from(["a", "b", "c", None, "d", "e"][: draw(st.integers(1, 6))])
        frame[name] = draw(st.lists(value, min_size=n, max_size=n))
    columns = {"x": shoal.quasi(), **{name: shoal.sensitive() for name in names}}
    entity, persons = None, n
    if draw(st.booleans()):
        entity, columns["who"] = "who", shoal.identifier()
        frame["who"] = draw(st.lists(st.sampled_from("pqrstuvwxyz"), min_size=n, max_size=n))
        persons = len(set(frame["who"]))
    table = Table.encode(
        pl.DataFrame(frame, schema_overrides=dict.fromkeys(names, pl.String)),
        shoal.Schema(columns, entity=entity),
    )
    least = {name: draw(st.integers(2, 4)) for name in names}
    require: list[Requirement] = [MultiLDiversity(least, lower=True)]
    if persons > 1 and draw(st.booleans()):
        require.append(KAnonymity(draw(st.integers(2, min(persons, 8)))))
    return table, require, draw(st.sampled_from(["entropy", *names]))
