"""The private folder beside a release: what must not be published."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.io.disk import create_private
from shoal.io.files import STANDARD_INPUT
from shoal.methods import Method
from shoal.plan import Plan
from shoal.plan.sql import sql_input
from shoal.publications.published.folder import MANIFEST, NAME, PLAN, ROWS, SIGNATURES
from shoal.publications.published.tables import COUNTERFEIT
from shoal.release.again import across, names_of, state
from shoal.release.guard import Guard
from shoal.release.public_facts import missing_of
from shoal.table.hierarchies import Hierarchy
from shoal.table.schema import Schema

if TYPE_CHECKING:
    from shoal.release import Release

PRIVATE_NOTE = (
    "PRIVATE: this folder links the published rows to the original ones. Keep it as safe as "
    "the original table, and never publish it."
)


def write_private(
    release: Release,
    folder: Path,
    order: npt.NDArray[np.intp],
    shared_id: str,
    public: Mapping[str, Any],
) -> None:
    """Write whose rows are whose, the plan with all that was decided, and the exact numbers.

    ``public``: what is kept of the public folder: see `shoal.release.accounting.public_record`.
    """
    rows = pl.Series("original_row", release.stands_for[order])
    rows = rows.set(rows == COUNTERFEIT, None)
    links: dict[str, Any] = {rows.name: rows, "group": release.row_groups[order]}
    if release.people is not None:
        links["person"] = pl.Series(release.people).gather(rows)
    again = None
    if across(release.require) is not None:
        links[NAME] = names_of(release.whole).gather(rows)
        again, signatures = state(release)
        create_private(folder / SIGNATURES).write_bytes(signatures)
    made = BytesIO()  # polars alone: loading pyarrow would take longer than a small release
    pl.DataFrame(links).write_parquet(made, compression="lz4")
    create_private(folder / ROWS).write_bytes(made.getvalue())
    (folder / "hierarchies").mkdir(mode=0o700)
    completed = completed_plan(release, folder).to_toml()
    create_private(folder / PLAN).write_text(completed, encoding="utf-8")
    manifest = {
        "note": PRIVATE_NOTE,
        "id": shared_id,
        "shoal": version("shoal"),
        "seed": release.seed,
        "read_as": release.read_as,
        "rows": {
            "input": len(release.grouping.labels),
            "published": release.published.coded.height,
            "dropped": release.n_dropped,
            "suppressed": release.n_suppressed,
            "groups": release.grouping.n_groups,
            "blocks": release.blocks,
        },
        **({} if again is None else {"again": again}),
        "noise": {name: len(added) for name, added in release.grouping.padding.items()},
        "missing": missing_of(release, Guard.none()),
        "cells": {name: outcomes._asdict() for name, outcomes in release.outcomes.items()},
        "lone_ends": release.unique_end_points and asdict(release.unique_end_points),
        "measures": release.measures,
        "weights": release.plan.weights and release.plan.weights.model_dump(),
        "search": release.grouping.search and dict(release.grouping.search),
        "refined": release.refined and release.refined.to_dict(),
        "lower_bound": release.bound and {"says": str(release.bound), **asdict(release.bound)},
        "seconds": release.seconds,
        "public": public,
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    create_private(folder / MANIFEST).write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Decided:
    """What a run without a `Release` decided, and a plan can say."""

    plan: Plan
    schema: Schema
    original: Any
    method: Method
    seed: int
    n_removed: int
    to_be_found: frozenset[str]
    """Columns whose trees are to be found in the table again: see `completed_plan`."""


def completed_plan(release: Release | Decided, folder: Path) -> Plan:
    """Write down what the data and the generator decided, so that nothing is left open.

    Where rows were removed, trees and weights that were found in the table stay to be found: those
    of the published rows do not cover the others, and the same plan must lead to the same release.
    """
    columns = dict(release.plan.columns)
    for number, name in enumerate([*release.schema.quasi, *release.schema.sensitive]):
        column = release.schema[name]
        completed: dict[str, Any] = {"kind": column.kind, **vars(column.preparation)}
        if release.plan.weights is None or not release.n_removed:
            completed["weight"] = column.weight
        if isinstance(column.hierarchy, Hierarchy) and name not in release.to_be_found:
            completed["hierarchy"] = f"hierarchies/{number + 1:02d}.csv"
            column.hierarchy.to_csv(create_private(folder / completed["hierarchy"]))
        columns[name] = columns[name].model_copy(update=completed)
    for name in release.schema.sensitive:
        # Files of levels and degrees lie elsewhere: their place is the plan.
        given = {what: getattr(release.schema[name], what) for what in ("levels", "degrees")}
        completed = {what: None if each is None else dict(each) for what, each in given.items()}
        columns[name] = columns[name].model_copy(update=completed)
    is_file = isinstance(release.original, str | os.PathLike)
    kept = is_file and Path(release.original).name != STANDARD_INPUT  # that is gone afterwards
    place = str(Path(release.original).resolve()) if kept else None
    lies = {"path": place, "sql": sql_input(release.original)}
    drawn = {"seed": release.seed} if release.method.draws() else {}
    return release.plan.model_copy(
        update={
            "input": release.plan.input.model_copy(update=lies),
            # Whoever repeats it is another signer, and a key stays where it is.
            "output": release.plan.output.model_copy(update={"sign": None}),
            "columns": columns,
            **({} if release.n_removed else {"weights": None}),  # each column has its own now
            "method": {**release.plan.method, **drawn},
        }
    )
