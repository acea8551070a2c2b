"""What every form of publication must keep."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import Any

import numpy as np

from shoal.base import options
from shoal.checks.contract import ContractError, checks_of, require
from shoal.checks.non_interference import form_forgets_removed_rows as form_forgets_removed_rows
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import ParameterError
from shoal.judging.verification import verify
from shoal.measures import Pair, iloss
from shoal.models import KAnonymity
from shoal.publications import Made, Publication
from shoal.publications.groups.grouping import Grouping, Padding
from shoal.publications.published.folder import Layout
from shoal.publications.recoding import generalize
from shoal.table import Table

K, GROUPS = 4, 10
IDS = np.arange(GROUPS)[::-1] + 1


def is_read_back(form: Publication) -> None:
    """It is frozen, its options make sense, and its plan gives it back."""
    require(type(form).__dataclass_params__.frozen, "it is not frozen")  # type: ignore[attr-defined]
    form.validate()
    known = {form.name: type(form)}
    again = options.from_spec(known, "form", form.to_spec(), noun="form")
    require(again == form, "its plan gives another form")
    require(form.completed().completed() == form.completed(), "completing it twice changes it")


def names_its_files(form: Publication) -> None:
    """Every file that it writes is one that it said it writes, and no two are the same."""
    names = form.file_names(SCHEMA.sensitive)
    require(None in names, "its first table has no file")
    require(len(set(names.values())) == len(names), "two of its tables have one file")
    for name in names.values():
        known = any(fnmatch(name, pattern) for pattern in form.files)
        require(known, "it writes a file that it does not list")


def output_verifies(form: Publication) -> None:
    """What it makes of groups of k verifies as tables of anyone, for k and no more."""
    table, grouping, made = _made(form)
    tables = made.published.tables
    for k, holds in ((K, True), (table.n_rows + 1, False)):
        found = verify(
            tables,
            SCHEMA,
            [KAnonymity(k)],
            original=table.frame,
            rows=grouping.rows,
            centres=made.published.centres,
        )
        require(found.passed == holds, "its tables do not show the groups they were made of")


def publishes_no_identifier(form: Publication) -> None:
    """No column that names people is published, and no row that was suppressed."""
    table, grouping, made = _made(form)
    published = made.published
    frames = [
        published.frame,
        *(value_table.frame for value_table in published.value_tables.values()),
    ]
    for frame in frames:
        require("id" not in frame.columns, "it publishes an identifier")
        texts = {str(cell) for column in frame for cell in column}
        require(not texts & set(table.frame["id"]), "it publishes what names people")
    require(published.frame.height == len(grouping.rows), "it publishes another number of rows")


def codes_are_the_cells(form: Publication) -> None:
    """The cells as codes are the published ones, and its word on being exact is true."""
    table, _, made = _made(form)
    words = made.recoded.decode(table)
    same = all(words[name].equals(made.published.frame[name]) for name in SCHEMA.quasi)
    require(same, "the codes are not those of the published cells")
    require(made.recoded.exact == form.exact, "it is not as exact as it says")
    apart = made.recoded.groups is not None
    require(apart == made.published.linked, "it is not told alike whether values are apart")


def bounds_hold(form: Publication) -> None:
    """If it says that lower bounds of the loss hold for it, its cells are no narrower than they."""
    if form.unbounded is None:
        table, grouping, made = _made(form)
        least = generalize(table, grouping, bounds=form.bounds or "rounded")
        lost, bound = (iloss.of(Pair(table, each)) for each in (made.recoded, least))
        require(lost >= bound - 1e-9 * bound, "its cells lose less than nodes and ranges do")


def counterfeits_are_shown(form: Publication) -> None:
    """It shows a value that nobody holds like those of people, or it refuses groups with one."""
    frame = mixed(K * GROUPS).drop("note")
    table = Table.encode(frame, {name: SCHEMA[name] for name in frame.columns})
    (name,) = table.schema.sensitive
    table = table.with_values(name, ["of nobody"])
    code = table.sensitive[name].labels.index("of nobody")
    labels = np.repeat(np.arange(GROUPS, dtype=np.int32), K)
    added = Padding(np.array([2, 5]), np.array([code, code]))
    grouping = Grouping(labels, {name: added}, counterfeits=True)
    try:
        published = form.make(table, grouping, IDS).published
    except ParameterError:
        require(not form.carries_counterfeits, "it refuses counterfeits, and says it has them")
        return
    require(form.carries_counterfeits, "it takes counterfeits, and says that it cannot")
    if published.linked:
        shown = published.value_tables[name]
        values, rows, reported = shown.values, int(shown.counts.sum()), published.counterfeits
        require(sum(reported.values()) == 2, "it does not say how many counterfeits there are")
    else:
        values, rows, nobody = published.frame[name], published.frame.height, 0
        if published.counterfeit_rows is not None:
            nobody = int(published.counterfeit_rows.sum())
        require(nobody == 2, "it does not say which rows are counterfeits")
    require(rows == table.n_rows + 2, "it shows another number of values")
    require(int((values == "of nobody").sum()) == 2, "it does not show the counterfeits")


def labels_stay_hidden(form: Publication) -> None:
    """The ids of groups are those that it was given: labels of a grouping follow the input."""
    if form.names_groups:
        _, grouping, made = _made(form)
        reported = made.published.ids.cast(int).to_numpy()
        given = IDS[grouping.labels[grouping.rows]]
        require(np.array_equal(reported, given), "it does not use the ids that it was given")


def same_twice(form: Publication) -> None:
    """It makes the same tables twice."""
    first, again = (_made(form)[2].published for _ in range(2))
    tables = {name: each.frame for name, each in first.value_tables.items()}
    same = all(tables[name].equals(each.frame) for name, each in again.value_tables.items())
    require(same and first.frame.equals(again.frame), "the second time it makes something else")


def tells_readers(form: Publication) -> None:
    """What it says in public is enough to read the tables, and to tell people how."""
    published, names = _made(form)[2].published, form.file_names(SCHEMA.sensitive)
    facts: dict[str, Any] = {"publication": form.name, "noise_ratio": 0.0}
    facts["files"] = dict.fromkeys(names.values(), "")
    if stated := form.facts(published):
        facts[form.key()] = stated
    if published.by_column:
        stated["files"] = {name: file for name, file in names.items() if name is not None}
    try:
        found = Layout.of(facts).class_column
    except (KeyError, TypeError, ValueError):
        raise ContractError("what it says does not tell how its tables are read") from None
    require(found == published.class_column, "it names another class column")
    require(
        all(isinstance(each, str) and each for each in form.sentences(facts)),
        "it tells no sentence",
    )


def states_what_holds(form: Publication) -> None:
    """Its sentences follow from its public facts, and none is false of the tables it makes."""
    made = _made(form)[2]
    stated = {form.key(): reported} if (reported := form.facts(made.published)) else {}
    again = type(form).from_facts({"publication": form.name, **stated})
    for each in (form, again):
        require(_sentences(each) == _sentences(form), "its facts give other sentences")
    words = " ".join(_sentences(form))
    if form.exact:
        require("exact" in form.cells, "it does not say that its cells are exact")
        require("generalized" not in words, "it says that exact cells are generalized")
    sizes = made.published.frame.group_by(SCHEMA.quasi).len()["len"]
    if form.exact or (sizes < K).any():
        alike = form.company == "looks like" or "rows that fit" in words
        require(not alike, "it says that rows look alike which do not")


def _sentences(form: Publication) -> list[str]:
    """Collect what a form states of any release."""
    found = [form.finds(size, counts) for size in (None, K) for counts in ("rows", "people")]
    shown = [form.added({"noise_ratio": 0.2, "rows": {"published": 10}})]
    return [form.cells, form.company, form.lost, *form.gaps, *form.roles.values(), *found, *shown]


def _made(form: Publication) -> tuple[Table, Grouping, Made]:
    """Make the tables of ten groups of four; two rows are suppressed."""
    table = Table.encode(mixed(K * GROUPS + 2), SCHEMA)
    labels = np.repeat(np.arange(GROUPS, dtype=np.int32), K)
    grouping = Grouping(np.append(labels, [-1, -1]).astype(np.int32))
    return table, grouping, form.make(table, grouping, IDS)


PUBLICATION_CHECKS = checks_of(globals(), "Publication")
"""Every check of a form of publication; each takes it and raises `ContractError`."""
