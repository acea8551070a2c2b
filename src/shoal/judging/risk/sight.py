"""What an adversary sees: classes of people, and the sensitive values of each class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Bools, Ints
from shoal.base.plural import counted
from shoal.errors import InputError, ParameterError, did_you_mean
from shoal.measures import Pair, pair
from shoal.measures._pairs import numbered_rows
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.publications.published import Published, Released
from shoal.table.schema import Schema, SchemaLike, as_schema
from shoal.table.sensitive import SensitiveColumn

Need: TypeAlias = Literal["original", "people", "outside"]
"""What an attack may need to know besides the publication."""


@dataclass(frozen=True, eq=False)
class Sight:
    """What an attacker who knows everyone's quasi-identifiers sees; made by `sight`.

    Parameters
    ----------
    classes
        The class of each published row, from 0 on: rows with equal cells, or, of two tables,
        rows with the same class id.
    histograms
        How often each value of each sensitive column occurs in each class.
    totals
        Per sensitive column, what the counts of its histogram are shares of, per class.
    schema, require
        Roles, and levels where there are any; and the requirements of the release, if it is one.
    people
        A number of the person per row; ``None`` if every row is a person.
    cells
        Numbers the published rows by equal cells; ``None`` if these are the classes.
    values
        Per sensitive column the code of each published row, where values stand beside their
        rows; ``None`` where they are published apart.
    origin
        Compares the publication with its original, where it is known: see `pair`.
    outside
        People who are not in the table, for the attack on membership.
    """

    classes: Ints
    histograms: Mapping[str, Histogram]
    totals: Mapping[str, Ints]
    schema: Schema
    people: Ints | None = None
    require: tuple[Requirement, ...] = field(default=())
    cells: Ints | None = None
    values: Mapping[str, Ints] | None = None
    origin: Callable[[], Pair] | None = field(default=None, repr=False)
    outside: Any = field(default=None, repr=False)

    def knows(self, need: Need) -> bool:
        """Say whether something is known besides the publication.

        ``"original"``: what each published row was made from; ``"people"``: whose rows are whose,
        where a person may have several; ``"outside"``: people who are not in the table.
        """
        known = {"original": self.origin, "people": self.people, "outside": self.outside}
        return known[need] is not None

    @cached_property
    def pair(self) -> Pair:
        """The original beside what was published of it (raises `ParameterError` without)."""
        if self.origin is None:
            raise ParameterError(
                "Correct guesses are counted in the original, which was not given.",
                "Give original (and rows, if rows were removed or shuffled), or a release "
                "that knows them.",
            )
        return self.origin()

    def truth(self, name: str) -> Ints:
        """Find the value of each published row, by the codes of the histogram.

        It stands beside the row, or in the original (raises `ParameterError` without).
        """
        if self.values is not None:
            return self.values[name]
        column = self.pair.table.sensitive[name]
        number = {label: code for code, label in enumerate(self.histograms[name].labels)}
        codes = np.array([number.get(label, -1) for label in column.labels], dtype=np.int64)
        return np.asarray(codes[column.codes[self.pair.recoded.rows]])

    @cached_property
    def least(self) -> int:
        """The k that is required: how many people each class must hold at least, 1 without."""
        return max([1, *(each.required_size for each in self.require)])

    @cached_property
    def n_classes(self) -> int:
        """How many classes there are."""
        shown = (len(totals) for totals in self.totals.values())
        return max(int(self.classes.max(initial=-1)) + 1, *shown, 0)

    @cached_property
    def n_people(self) -> int:
        """How many people are published; rows, where every row is a person."""
        return len(self.classes) if self.people is None else len(np.unique(self.people))

    @cached_property
    def crowds(self) -> Ints:
        """People per class; rows, where every row is a person."""
        if self.people is None:
            return np.bincount(self.classes, minlength=self.n_classes).astype(np.int64)
        persons = int(self.people.max(initial=0)) + 1
        met = np.unique(self.classes * persons + self.people) // persons
        return np.bincount(met, minlength=self.n_classes).astype(np.int64)

    def people_in(self, exposed: Bools) -> int:
        """Count the people with a row in one of the marked classes."""
        return self.people_of(exposed[self.classes])

    def people_of(self, marked: Bools) -> int:
        """Count the people with a marked row."""
        if self.people is None:
            return int(np.count_nonzero(marked))
        return len(np.unique(self.people[marked]))

    def share_in(self, exposed: Bools) -> float:
        """Say which share of people has a row in one of the marked classes."""
        return self.people_in(exposed) / self.n_people

    def column(self, name: str | None) -> tuple[str, Histogram]:
        """Find a sensitive column by name, or the only one there is."""
        if name is None and len(self.histograms) == 1:
            return next(iter(self.histograms.items()))
        if not self.histograms and name is None:
            problem = "There is no sensitive column to attack."
            raise ParameterError(problem, "Give a column the role sensitive.")
        if name is None:
            problem = f"There are {len(self.histograms)} sensitive columns, but none is named."
            raise ParameterError(problem, "Name one of them with column=….")
        if name not in self.histograms:
            raise ParameterError(
                f"Column '{name}' is not sensitive.", did_you_mean(name, self.histograms)
            )
        return name, self.histograms[name]

    def required_of(self, name: str, require: Sequence[Requirement]) -> list[Requirement]:
        """Bind the requirements on values of a column that need no more than is seen."""
        bound = [
            each.bind(self.schema)
            for each in require
            if "histograms" in each.needs
            and not each.private_columns  # outsiders do not know what people ask for
            and getattr(each, "column", None) in (None, name)
        ]
        return [each for each in bound if getattr(each, "column", None) in (None, name)]

    def statistics(self, name: str) -> GroupStatistics:
        """Give the classes and the values of one column to a requirement, to be judged."""
        return GroupStatistics(self.totals[name], None, {name: self.histograms[name]})


def sight(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    people: npt.ArrayLike | None = None,
    class_column: str | None = None,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
    outside: Any = None,
) -> Sight:
    """See a publication as an attacker does.

    Parameters
    ----------
    published
        A `Release`, a `shoal.measures.Pair`, anyone's published table, or tables that share a
        class id: ``{"quasi": …, "sensitive": …}``, where ``sensitive`` may be a table per
        sensitive column, ``{column: …}``.
    schema
        The roles, and the levels of sensitive values where similarity is asked for. A release
        and a pair bring their own.
    people
        For each published row (of two tables: of ``quasi``) whose it is, where a person may
        have several.
    class_column
        Of two tables: the column of class ids; found by itself if it is the only column that
        both have and that has no role.
    original, rows
        The original table, and for each published row its row there, to count right guesses
        with. A release and a pair bring theirs, if they know it.
    outside
        A table of people who are not in the original, with its quasi-identifiers: see
        `membership`.

    Notes
    -----
    Where people have several rows, shares are of people; of two tables they are of rows, as
    nobody can tell whose values those of a class are. Where a class shows each of its values
    once, all are taken for equally likely.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 2 + ["*"], "disease": ["flu", "flu", "HIV"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> seen = shoal.risk.sight(table, schema)
    >>> seen.n_classes, seen.n_people
    (2, 3)
    """
    if isinstance(published, Sight):
        return published if outside is None else replace(published, outside=outside)
    if isinstance(published, Pair):
        return replace(_of_pair(published), outside=outside)
    require: tuple[Requirement, ...] = ()
    if isinstance(published, Released):
        schema, require = schema or published.schema, tuple(published.require)
        people = published.persons if people is None else people
    if schema is None:
        raise ParameterError(
            "No sensitive columns were given.", "Give the schema of the publication."
        )
    schema = as_schema(schema)
    read = Published.read(published, schema, class_column=class_column)
    looked = _of_several if read.linked else _of_one
    made = looked(read, schema, people, require)
    return replace(made, origin=_origin(published, read, schema, original, rows), outside=outside)


def _origin(
    published: Any, read: Published, schema: Schema, original: Any, rows: npt.ArrayLike | None
) -> Callable[[], Pair] | None:
    """Find the original of a publication, without looking at it yet."""
    if isinstance(published, Released):
        if original is None:
            return (lambda: published.pair) if published.has_original else None
        rows = published.rows if rows is None else rows
    return None if original is None else partial(pair, original, read, schema, rows=rows)


def _of_pair(pair: Pair) -> Sight:
    table, rows, classes = pair.table, pair.recoded.rows, pair.sensitive_classes
    people = None if table.people is None else table.people[rows]
    columns = {n: (c.codes[rows], c.labels) for n, c in table.sensitive.items()}
    made = replace(_counted(classes, columns, table.schema, people, ()), origin=lambda: pair)
    if pair.recoded.groups is None:
        return made
    made = replace(made, cells=pair.recoded.classes, values=None)
    if not pair.recoded.shown:
        return made
    totals = {n: found.held(made.n_classes) for n, found in pair.shown.items()}
    return replace(made, histograms=pair.shown, totals=totals)


def _of_one(
    published: Published,
    schema: Schema,
    people: npt.ArrayLike | None,
    require: tuple[Requirement, ...],
) -> Sight:
    """Put rows with equal cells into one class."""
    published.require_columns(
        schema.quasi and (*schema.quasi, *schema.sensitive),
        "Attacks need every quasi-identifier and every sensitive column.",
    )
    frame, columns = published.frame, {}
    for name in schema.sensitive:
        column = SensitiveColumn.encode(frame[name], schema.missing_of(name))
        columns[name] = (column.codes, column.labels)
    classes = published.equal_cells(schema.quasi).to_numpy()
    require = tuple(each.of_equal_cells() for each in require)
    person_codes = _people_of(people, published.held.frame, schema)
    nobody = published.counterfeit_rows
    if nobody is None:
        return _counted(classes, columns, schema, person_codes, require)
    # Values that nobody holds are seen like others; only people can be hit.
    seen = _counted(classes, columns, schema, None, require)
    values = {name: codes[~nobody] for name, (codes, _) in columns.items()}
    return replace(seen, classes=classes[~nobody], people=person_codes, values=values)


def _of_several(
    published: Published,
    schema: Schema,
    people: npt.ArrayLike | None,
    require: tuple[Requirement, ...],
) -> Sight:
    """Join tables by their class ids, as far as they can be joined."""
    classes, histograms = published.by_class(schema)
    totals = {name: found.held(int(classes.max()) + 1) for name, found in histograms.items()}
    for each in totals.values():
        alone = int((each[classes] == 0).sum())
        if alone:
            raise InputError(
                f"{counted(alone, 'row')} of the first table {'is' if alone == 1 else 'are'} "
                "in a class that the second does not have.",
                "The tables must be of one publication.",
            )
    person_codes = _people_of(people, published.frame, schema)
    known = [name for name in schema.quasi if name in published.frame.columns]
    cells = published.equal_cells(known).to_numpy() if known else None
    return Sight(classes, histograms, totals, schema, person_codes, require, cells)


def _counted(
    classes: Ints,
    columns: Mapping[str, tuple[Ints, tuple[str | None, ...]]],
    schema: Schema,
    people: Ints | None,
    require: tuple[Requirement, ...],
) -> Sight:
    """Count the values that stand beside their rows."""
    histograms = {
        name: Histogram.count(classes, codes, labels, people)
        for name, (codes, labels) in columns.items()
    }
    rows = np.bincount(classes).astype(np.int64)
    values = {name: codes for name, (codes, _) in columns.items()}
    made = Sight(classes, histograms, {}, schema, people, require, values=values)
    crowds = rows if people is None else made.crowds
    return replace(made, totals=dict.fromkeys(columns, crowds))


def _people_of(people: npt.ArrayLike | None, frame: pl.DataFrame, schema: Schema) -> Ints | None:
    """Number people, where a person may have several rows."""
    if people is None:
        if schema.entity is None:
            return None
        raise ParameterError(
            f"'{schema.entity}' identifies people, but a publication does not hold it.",
            "Give the release, or people from its private folder.",
        )
    problem = f"people must name one person for each of the {frame.height} published rows."
    return numbered_rows(people, frame.height, problem)
