"""Compile every kernel, so that no run has to wait for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import polars as pl

from shoal.checks.tables import SCHEMA, mixed
from shoal.engines.ahead import alone, end, second_process
from shoal.engines.pipeline import anonymize
from shoal.errors import ShoalError
from shoal.kernels.clustering import placing
from shoal.kernels.clustering.shapes import MEETING
from shoal.kernels.keeping import own_folder
from shoal.methods import GAACP, METHODS, Method
from shoal.methods._costs import attributes
from shoal.models import MODELS, KAnonymity
from shoal.table import NumericColumn, Table
from shoal.table.schema import Schema, quasi

ROWS = 3500
"""More than the methods scan without kernels."""


def warm_up(progress: Callable[[int, int], None] | None = None) -> None:
    """Call every kernel once, so that it is compiled and kept on disk.

    It takes minutes, or seconds if all are kept already. A second process begins at the other end.

    `progress`: called with steps done and steps in all.
    """
    if own_folder() is None:
        warm_up_here(progress=progress)
        return
    other = second_process(f"from {__name__} import warm_up_here as go; go(backwards=True)")
    try:
        warm_up_here(progress=progress)
    finally:
        end(other)


def warm_up_here(
    *, backwards: bool = False, progress: Callable[[int, int], None] | None = None
) -> None:
    """Do the same in this process alone, from either end."""
    how: dict[str, Any] = {"require": [KAnonymity(5)], "refine": {"steps": 20}, "seed": 1}
    refined = partial(anonymize, mixed(ROWS), SCHEMA, **how)
    steps: list[Callable[[], object]] = [_many_values, _many_left_overs, refined]
    steps += [partial(_group, method) for kind in METHODS.values() for method in _variants(kind())]
    for done, step in enumerate(steps[::-1] if backwards else steps):
        if progress:
            progress(done, len(steps))
        with alone():
            step()
    if progress:
        progress(len(steps), len(steps))


def _variants(method: Method) -> Iterator[Method]:
    """Give a method with every choice that its options leave; the choices call other kernels."""
    yield method
    for name, kind in get_type_hints(type(method)).items():
        choices: tuple[Any, ...] = get_args(kind) if get_origin(kind) is Literal else ()
        choices = (False, True) if kind is bool else choices
        for choice in choices:
            if name in type(method).__dataclass_fields__ and choice != getattr(method, name):  # type: ignore[attr-defined]
                yield replace(method, **{name: choice})  # type: ignore[type-var]


def _group(method: Method) -> None:
    """Publish a table by a method; what it refuses calls no kernel."""
    required = sorted(method.carries or {KAnonymity.name})
    require = [model.example() for model in (MODELS[name] for name in required)]
    frame = mixed(ROWS, missing=0.05)
    with suppress(ShoalError):
        anonymize(frame, SCHEMA, require=require, method=method, suppression_limit=1.0)


def _many_values() -> None:
    """Group numbers with more values than 16 bits tell apart: their kernels are others."""
    n = 2**16 + 1
    table = Table.encode(pl.DataFrame({"x": np.arange(n)}), Schema({"x": quasi()}))
    found = GAACP().group(table, [KAnonymity(2)], rng=np.random.default_rng(0))
    assert found.n_groups == n // 2


def _many_left_overs() -> None:
    """Place a left-over record by the index of classes, which takes many of both to be used."""
    table = Table.encode(mixed(4), SCHEMA)
    columns = sorted(table.quasi, key=lambda each: isinstance(each, NumericColumn))
    attrs = attributes(columns, rule=MEETING, largest_class=4)
    shapes, sizes = np.zeros((1, len(columns), 4), dtype=np.int64), np.ones(1, dtype=np.int64)
    boxes = placing.cover(attrs, shapes, np.zeros(1, dtype=np.int64))
    record = np.zeros(len(columns), dtype=np.int64)
    banned = np.zeros(1, dtype=np.bool_)
    at = placing.place(attrs, shapes, sizes, boxes, record, banned)
    placing.put(attrs, shapes, sizes, boxes, record, at)
