"""What every recount needs: whose rows they are, what they hold, how that is judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import STAR, texts
from shoal.base.plural import counted
from shoal.errors import ParameterError, SchemaError
from shoal.io.frames import Coded, Dictionary, count_pairs
from shoal.judging.verification.result import UNCOUNTED, UNRECOUNTED, Finding, Judgement
from shoal.models import (
    GroupStatistics,
    Histogram,
    Private,
    Requirement,
    Requirements,
    requirements,
)
from shoal.publications.published import original_rows
from shoal.table.schema import Schema, is_missing

CLASS = "class"


def bind_all(require: Requirements, schema: Schema) -> list[Requirement]:
    """Fill in what the schema says, and refuse requirements that make no sense."""
    made = [requirement.bind(schema) for requirement in requirements(require)]
    for requirement in made:
        requirement.validate()
    return made


def require_columns(published: Coded, source: Coded | None, names: Sequence[str]) -> None:
    """Refuse an original that lacks one of the columns, where the publication has it."""
    if source is None:
        return
    lacking = [n for n in names if n in published.columns and n not in source.columns]
    if lacking:
        raise SchemaError(
            f"The original table has no column '{lacking[0]}'.",
            "Give the table that the publication was made from.",
        )


def order_of(
    published: Coded, source: Coded | None, rows: npt.ArrayLike | Literal["unknown"] | None
) -> Ints | None:
    """Find the original row of each published row, where there is an original and it is known."""
    if source is None or (isinstance(rows, str) and rows == "unknown"):
        return None
    return original_rows(rows, published=published.height, original=source.height)


def persons_of(
    published: Coded,
    schema: Schema,
    source: Coded | None,
    order: Ints | None,
    people: npt.ArrayLike | None,
) -> npt.NDArray[np.integer[Any]] | None:
    """Number people, where the schema says that k counts them."""
    if people is not None:
        named = pl.Series(np.asarray(people))
        if len(named) != published.height:
            raise ParameterError(
                f"people names {len(named)} rows, but the table has {published.height}.",
                "Give a value for each published row.",
            )
        return Dictionary.of(named).codes
    if schema.entity is None:
        return None
    if schema.entity in published.columns:
        return published[schema.entity].codes
    if source is not None and order is not None and schema.entity in source.columns:
        return source[schema.entity].codes[order]
    raise ParameterError(
        f"'{schema.entity}' identifies people, but the published table does not hold it.",
        "Give the private manifest or the original table, so that Shoal can count people.",
    )


def values_of(values: pl.Series, schema: Schema, name: str) -> pl.Series:
    """Read a sensitive column as texts; a missing one is null."""
    return texts(values).set(is_missing(values, schema.missing_of(name)), None)


def sizes(classes: Ints, persons: npt.NDArray[np.integer[Any]] | None) -> tuple[Ints, Ints | None]:
    """Count the rows, and the people, of each class; classes are numbered from 0."""
    rows = np.bincount(classes).astype(np.int64)
    if persons is None:
        return rows, None
    each, _, _ = count_pairs(classes, persons, int(persons.max()) + 1)
    return rows, np.bincount(each, minlength=len(rows)).astype(np.int64)


def histogram(
    classes: Ints,
    values: Dictionary,
    *,
    persons: npt.NDArray[np.integer[Any]] | None = None,
    counts: Ints | None = None,
) -> Histogram:
    """Count each value per class; a missing one is null, and a value, too.

    ``persons`` tells people apart, row by row: then those who hold a value are counted. ``counts``
    says how many rows each row stands for.
    """
    held = values.values[np.flatnonzero(values.counts)]
    labels = held.sort(nulls_last=True)
    places = {label: code for code, label in enumerate(labels)}
    codes = np.array([places.get(label, 0) for label in values.values], dtype=np.int64)
    value = codes[values.codes]
    size = max(len(labels), 1)
    if counts is not None:
        keys, which = np.unique(classes * size + value, return_inverse=True)
        group, code = keys // size, keys % size
        count = np.bincount(which.reshape(-1), counts, minlength=len(keys)).astype(np.int64)
    elif persons is not None:
        pair, _, _ = count_pairs(classes * size + value, persons, int(persons.max()) + 1)
        keys, count = np.unique(pair, return_counts=True)
        group, code = keys // size, keys % size
    else:
        group, code, count = count_pairs(classes, value, size)
    return Histogram(group, code, count.astype(np.int64), tuple(labels))


def judge(requirement: Requirement, groups: GroupStatistics) -> Judgement:
    """Judge the counted classes; what counts a population is open without one."""
    if "population" in requirement.needs and groups.population is None:
        return unrecounted(requirement, UNCOUNTED)
    outcome = requirement.judge(groups)
    name, words, fails = requirement.name, requirement.describe(), ~outcome.holds
    failing = int(fails.sum()), int(groups.sizes[fails].sum())
    return Judgement(name, words, outcome.passed, outcome.achieved, *failing)


def unrecounted(requirement: Requirement, why: str) -> Judgement:
    """Say that nobody can tell whether a requirement holds."""
    return Judgement(requirement.name, requirement.describe(), None, {}, unrecounted=why)


def allowed_counterfeits(require: Sequence[Requirement]) -> Finding:
    """Ask whether what is required allows for values that nobody holds."""
    allowed = any(each.across_releases for each in require)
    detail = "the requirements allow them" if allowed else "no requirement needs them"
    return Finding("counterfeits", allowed, detail)


def identifiers_removed(columns: Sequence[str], schema: Schema) -> Finding:
    """Look for identifiers among the published columns."""
    left = [name for name in schema.identifiers if name in columns]
    problem = f"published: {', '.join(left)}"
    return Finding.of("identifiers removed", left, problem, "none is published")


def roles_known(columns: Sequence[str], schema: Schema) -> Finding:
    """Look for published columns that nobody gave a role."""
    strange = [name for name in columns if name not in schema]
    problem = f"without a role: {', '.join(strange)}"
    return Finding.of("roles known", strange, problem, "every column has one")


def all_rows(
    schema: Schema,
    require: Sequence[Requirement],
    classes: Ints,
    persons: npt.NDArray[np.integer[Any]] | None,
) -> list[Finding]:
    """Look for people whom fewer than k fit, where the schema says that all rows may be known.

    A person fits another one who has a row in each class of theirs.
    """
    if schema.linkage != "all-rows" or persons is None:
        return []
    least = max((each.required_size for each in require), default=1)
    inside: dict[int, set[int]] = defaultdict(set)
    own: dict[int, set[int]] = defaultdict(set)
    for where, who in zip(classes.tolist(), persons.tolist(), strict=True):
        inside[where].add(who)
        own[who].add(where)
    fitting: dict[frozenset[int], int] = {}
    small = 0
    for places in own.values():
        key = frozenset(places)
        if key not in fitting:
            crowds = sorted((inside[each] for each in key), key=len)
            fitting[key] = len(crowds[0].intersection(*crowds[1:]))
        small += fitting[key] < least
    problem = f"fewer than {least} people match all rows of {counted(small, 'person', 'people')}"
    fine = f"at least {least} people match all rows of each person"
    return [Finding.of("all rows of a person", small, problem, fine)]


@dataclass(frozen=True, eq=False)
class PrivateCells:
    """The original's cells beside the published rows, to judge what people ask for themselves.

    ``order`` gives for each published row the original one, ``None`` if nobody knows; ``classes``
    its class, and ``persons`` whose it is where people are counted.
    """

    schema: Schema
    source: Coded | None
    order: Ints | None
    classes: Ints
    persons: npt.NDArray[np.integer[Any]] | None

    def judge(self, requirement: Requirement, groups: GroupStatistics) -> Judgement:
        """Judge the counted classes; without the original, say that it cannot be done."""
        if not isinstance(requirement, Private):
            return judge(requirement, groups)
        if self.source is None or self.order is None:
            return unrecounted(requirement, UNRECOUNTED)
        found = {
            name: self._histogram(requirement, name, self.source, self.order)
            for name in requirement.private_columns
        }
        return judge(requirement, replace(groups, private=found))

    def _histogram(self, requirement: Private, name: str, source: Coded, order: Ints) -> Histogram:
        """Count a column of the original per published class."""
        if name not in source.columns:
            raise SchemaError(
                f"The original table has no column '{name}', which '{requirement.name}' reads.",
                "Give the table that the publication was made from.",
            )
        values = source.cells(name)
        # A star is a text here: it is the root of many trees, and no empty cell.
        tokens = [token for token in self.schema.missing_of(name) if token != STAR]
        cells = texts(values).set(is_missing(values, tokens), None)
        recorded = cells.alias("cell").value_counts(name="rows")
        counts = recorded["rows"].cast(pl.Int64).to_numpy()
        ranks = requirement.ranks(name, recorded["cell"].to_list(), counts)
        shown = cells[order]
        if ranks is not None and self.persons is not None:
            who = self._everybody(source, order)
            wishes = pl.DataFrame({"who": who, "cell": cells}).join(
                pl.DataFrame({"cell": recorded["cell"], "rank": ranks}), on="cell", nulls_equal=True
            )
            largest = wishes.group_by("who").agg(pl.col("cell").sort_by("rank").last())
            shown = pl.DataFrame({"who": who[order]}).join(
                largest, on="who", how="left", maintain_order="left"
            )["cell"]
        return histogram(self.classes, Dictionary.of(shown), persons=self.persons)

    def _everybody(self, source: Coded, order: Ints) -> pl.Series:
        """Tell the people of all original rows apart, the published ones and the others."""
        if self.schema.entity is not None and self.schema.entity in source.columns:
            return texts(source.cells(self.schema.entity))
        alone = pl.int_range(source.height, eager=True).to_numpy() + source.height
        assert self.persons is not None
        alone[order] = self.persons
        return texts(pl.Series(alone))
