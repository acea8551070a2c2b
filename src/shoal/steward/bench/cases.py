"""What is measured: the whole way of a table, and how grouping grows."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.datasets import census, folder
from shoal.engines.blocks.working import group_in_blocks
from shoal.measures import MEASURES, Pair
from shoal.methods.clustering.gaa_cp import GAACP
from shoal.models import KAnonymity
from shoal.plan import Plan
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize
from shoal.steward.bench.processes import python, shoal
from shoal.table import Table

K = 10
COPY = "import polars; polars.read_csv('adult.csv').write_csv('copy.csv')"
AFTER = (
    "verify release",
    "query release --where age=30..40",
    "risk release",
    "measure release --plan plan.toml",
)


class Figure(NamedTuple):
    """Something that was measured."""

    what: str
    seconds: float
    """Of CPU, all threads together."""
    ratio: float
    against: str
    """What ``ratio`` compares it with."""
    memory: float | None = None
    """Megabytes at most, of a whole process; ``None`` where nobody looked."""


def measure(names: list[str], rows: int) -> Iterator[Figure]:
    """Measure some cases on a synthetic census."""
    for name in names:
        yield from CASES[name](rows)


def commands(rows: int) -> Iterator[Figure]:
    """Whole commands on a CSV file, against a process that copies it with polars."""
    with tempfile.TemporaryDirectory() as place:
        where = Path(place)
        prepare(where, census(rows))
        copy = min((python(where, COPY) for _ in range(3)), key=lambda used: used.cpu)
        text = "a copy of the file by polars"
        yield Figure(text, copy.cpu, 1.0, "itself", copy.memory)
        for words in ("run plan.toml", *AFTER):
            used = min((shoal(where, *words.split()) for _ in range(2)), key=lambda each: each.cpu)
            yield Figure(f"shoal {words}", used.cpu, used.cpu / copy.cpu, text, used.memory)


def prepare(where: Path, frame: pl.DataFrame) -> None:
    """Put a table like Adult into a folder, with a plan for GAA-CP at k = 10."""
    bundled = folder("adult")
    frame.write_csv(where / "adult.csv")
    trees = where / "hierarchies"
    trees.mkdir()
    for tree in (bundled / "hierarchies").iterdir():
        (trees / tree.name).write_bytes(tree.read_bytes())
    plan = (bundled / "adult.toml").read_text(encoding="utf-8")
    text = plan.replace('name = "auto"', 'name = "gaa-cp"')
    (where / "plan.toml").write_text(text, encoding="utf-8")


def growth(rows: int) -> Iterator[Figure]:
    """GAA-CP's grouping on a tenth of the rows and on all; ten times as many should take ten."""
    tenth, whole = _table(rows // 10), _table(rows)
    _group(whole)  # loads, and the first time compiles, the loops
    small, many = _cpu(lambda: _group(tenth))[0], _cpu(lambda: _group(whole))[0]
    power = log(many / small) / log(whole.n_rows / tenth.n_rows)
    text = f"{tenth.n_rows:,} rows"
    yield Figure(f"grouping {tenth.n_rows:,} rows", small, 1.0, "itself")
    yield Figure(f"grouping {rows:,} rows (grows as n^{power:.2f})", many, many / small, text)


def blocks(rows: int) -> Iterator[Figure]:
    """Grouping in four blocks, against the table as a whole; also what it loses more."""
    table = _table(rows)
    _group(table.select(np.arange(min(rows, 20_000)), ranges="whole"))
    whole, one = _cpu(lambda: _group(table))
    cut, four = _cpu(lambda: group_in_blocks(table, [KAnonymity(K)], GAACP(), 4, seed=1))
    more = _lost(table, four) / _lost(table, one) - 1
    yield Figure("grouping as a whole", whole, 1.0, "itself")
    yield Figure(f"grouping in 4 blocks ({more:+.1%} iloss)", cut, cut / whole, "as a whole")


CASES: dict[str, Callable[[int], Iterator[Figure]]] = {
    each.__name__: each for each in (commands, growth, blocks)
}
"""The cases by name."""


def _table(rows: int) -> Table:
    schema = Plan.read(folder("adult") / "adult.toml").schema_()
    return Table.encode(census(rows), schema)


def _group(table: Table) -> Grouping:
    return GAACP().group(table, [KAnonymity(K)], rng=np.random.default_rng(1))


def _lost(table: Table, groups: Grouping) -> float:
    return MEASURES["iloss"].of(Pair(table, generalize(table, groups, bounds="observed")))


def _cpu(make: Callable[[], Grouping]) -> tuple[float, Grouping]:
    began = time.process_time()
    made = make()
    return time.process_time() - began, made
