"""What every form of publication must keep."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from shoal.checks.contract import require
from shoal.checks.tables import SCHEMA, mixed
from shoal.grouping import Grouping
from shoal.models import KAnonymity
from shoal.publications import Made, Publication
from shoal.published.folder import Layout
from shoal.table import Table
from shoal.verification import verify

__all__ = ["PUBLICATION_CHECKS"]

FRAME = mixed(60, missing=0.1)
LABELS = np.where(np.arange(60) < 57, np.arange(60) % 9, -1).astype(np.int32)
"""Nine groups of six or seven, and three rows that are not published."""


def describes_itself(form: Publication) -> None:
    """It has a name and documentation, and its options make it again."""
    plain = form.name.replace("-", "").isalnum() and form.name.islower()
    require(plain, "its name is not of small letters and hyphens")
    require((type(form).__doc__ or "").strip(), "it has no documentation")
    form.validate()
    options = {name: value for name, value in form.to_spec().items() if name != "form"}
    require(type(form)(**options) == form, "its options do not make it again")
    require(form.completed().completed() == form.completed(), "it is never completed")


def output_verifies(form: Publication) -> None:
    """What it makes holds, cell by cell, beside the original."""
    made = _made(form)
    found = verify(
        made.published.tables,
        SCHEMA,
        KAnonymity(6),
        original=FRAME,
        rows=made.recoded.rows,
    )
    require(found.passed, f"it does not verify: {'; '.join(found.reasons())}")


def codes_are_the_cells(form: Publication) -> None:
    """The cells as codes are the published ones, and its word on being exact is true."""
    made, table = _made(form), Table.encode(FRAME, SCHEMA)
    words = made.recoded.decode(table)
    same = all(words[name].equals(made.published.frame[name]) for name in SCHEMA.quasi)
    require(same, "the codes are not those of the published cells")
    require(made.recoded.exact == form.exact, "it is not as exact as it says")
    grouped = made.recoded.groups is not None
    require(grouped == made.published.linked, "values are apart, or beside their rows, not both")


def labels_stay_hidden(form: Publication) -> None:
    """The ids of groups are those that it was given, and labels of the grouping are not told."""
    if not form.names_groups:
        return
    made = _made(form).published
    told = made.ids.cast(int).to_numpy()
    require(np.array_equal(told, _ids()[LABELS[LABELS >= 0]]), "it does not use the given ids")


def same_twice(form: Publication) -> None:
    """It makes the same tables twice, and leaves its input alone."""
    before = FRAME.clone()
    first, again = (_flat(_made(form)) for _ in range(2))
    require(first.keys() == again.keys(), "the second time it makes other tables")
    same = all(first[name].equals(again[name]) for name in first)
    require(same, "the second time it makes something else")
    require(FRAME.equals(before), "it writes into the table")


def files_are_named(form: Publication) -> None:
    """Each table has a file of its own, of a name that it declares."""
    names = form.file_names(SCHEMA.sensitive)
    tables = [None, *_made(form).published.secrets]
    require(list(names) == tables, "it does not name a file for each table, in their order")
    require(len(set(names.values())) == len(names), "it names a file twice")
    known = all(any(fnmatchcase(name, each) for each in form.files) for name in names.values())
    require(known, "it names a file that is not among its files")


def readers_are_told(form: Publication) -> None:
    """What it says in public is enough to read the tables, and to tell people how."""
    made, names = _made(form).published, form.file_names(SCHEMA.sensitive)
    facts: dict[str, Any] = {"publication": form.name, "noise_ratio": 0.0}
    said = form.facts(made)
    if said:
        facts[form.key()] = said
    if made.by_column:
        said["files"] = {name: file for name, file in names.items() if name is not None}
    facts["files"] = dict.fromkeys(names.values(), "")
    try:
        layout = Layout.of(facts)
    except (KeyError, TypeError, ValueError):
        require(False, "what it says in public does not tell how the tables are read")
        return
    require(layout.class_column == made.class_column, "it names another class column")
    words = [*form.told(facts), *form.roles_told(facts).values()]
    require(all(isinstance(each, str) and each for each in words), "it tells people no sentence")


def _ids() -> Any:
    return np.array([4, 9, 1, 7, 2, 8, 3, 6, 5])


def _made(form: Publication) -> Made:
    form.require_fitting(SCHEMA)
    return form.make(Table.encode(FRAME, SCHEMA), Grouping(LABELS), _ids())


def _flat(made: Made) -> dict[str | None, Any]:
    return {None: made.published.frame} | {
        name: table.frame for name, table in made.published.secrets.items()
    }


PUBLICATION_CHECKS = (
    describes_itself,
    output_verifies,
    codes_are_the_cells,
    labels_stay_hidden,
    same_twice,
    files_are_named,
    readers_are_told,
)
"""Every check of a form of publication; each takes it and raises `ContractError`."""
