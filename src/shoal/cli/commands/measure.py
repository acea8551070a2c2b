"""`shoal measure`: numbers about a publication, beside its original."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from shoal import measures
from shoal.cli import show, summary
from shoal.cli.finding import opened_with_plan
from shoal.cli.options import AsJson, Manifest, Original, PlanFile
from shoal.engines import pipeline
from shoal.errors import ParameterError

WORST = 5
"""The most pairs of columns that are shown."""

VALUES = 6
"""The most values of a column that are shown."""


def measure(
    published: Annotated[Path, typer.Argument(help="A published file, or a release's folder.")],
    plan: PlanFile = None,
    original: Original = None,
    manifest: Manifest = None,
    columns: Annotated[
        bool,
        typer.Option(
            "--columns",
            help="Show how each column's distribution changed, and which pairs changed most.",
        ),
    ] = False,
    table: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--table",
            metavar="COLUMN COLUMN",
            help="Count pairs of values of two columns, before and after.",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Include costly measures, which runs leave out.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Measure what a publication lost against its original."""
    opened, loaded = opened_with_plan(published, plan, manifest)
    source, _ = pipeline.read(original or loaded.source, loaded, whole=False)
    if opened.rows is None:
        both = measures.pair(source, opened, loaded.weighed_schema(source))
    else:
        schema = loaded.weighed_schema(source.take(opened.rows))
        both = measures.pair_of_release(source, opened, schema, rows=opened.rows)
    if table is not None or columns:
        if every:
            raise ParameterError(
                "--all takes all measures of the release, but --columns and --table take none.",
                "Leave one of them out.",
            )
        _show_columns(both, table, columns=columns, json=json)
        return
    values = measures.measure_all(both, on_request=every)
    values |= measures.informed_losses(both, loaded.weightings(loaded.build_method()))
    if json:
        show.print_json(values)
    else:
        summary.measures(values)


def _show_columns(
    both: measures.Pair, table: tuple[str, str] | None, *, columns: bool, json: bool
) -> None:
    """Show two columns together, or each on its own and the pairs that changed most, or all."""
    if json:
        crossed = None if table is None else measures.contingency(both, *table).to_dicts()
        if not columns:
            show.print_json(crossed)
        else:
            more = {} if crossed is None else {"table": crossed}
            show.print_json(_changes(both) | more)
        return
    if table is not None:
        _table(both, *table)
    if columns:
        _columns(both)


def _changes(both: measures.Pair) -> dict[str, Any]:
    """Write what became of columns and their pairs for programs."""
    strengths = measures.associations(both)
    return {
        "columns": [each.to_dict() for each in measures.column_distances(both)],
        "pairs": [each.to_dict() for each in measures.pair_distances(both)],
        "associations": [each.to_dict() for each in strengths],
        "correlation_change": _mean_change(strengths),
    }


def _mean_change(strengths: Sequence[measures.Association]) -> float:
    return sum(each.change for each in strengths) / max(len(strengths), 1)


def _columns(both: measures.Pair) -> None:
    """Show each column on its own, and the pairs that changed most."""
    alone, pairs = measures.column_distances(both), measures.pair_distances(both)
    strengths = measures.associations(both)
    change = _mean_change(strengths)
    show.grid(
        "How far each column is from the original, as readers would reconstruct it",
        ("column", "total variation", "earth mover's"),
        [
            (
                each.column,
                f"{each.total_variation:.4f}",
                "" if each.earth_movers is None else f"{each.earth_movers:.4f}",
            )
            for each in alone
        ],
    )
    if not pairs:
        return
    show.grid(
        f"The worst of {len(pairs)} pairs of columns",
        ("columns", "total variation"),
        [(" × ".join(each.columns), f"{each.total_variation:.4f}") for each in pairs[:WORST]],
    )
    show.grid(
        f"How strongly columns go together: a change of {change:.4f} on average",
        ("columns", "kind", "before", "after"),
        [
            (" × ".join(each.columns), each.kind, f"{each.before:.4f}", f"{each.after:.4f}")
            for each in strengths[:WORST]
        ],
    )


def _table(both: measures.Pair, one: str, two: str) -> None:
    """Show the shares of all rows in each pair of values."""
    found = measures.contingency(both, one, two, values=VALUES)
    before, after = (found.to_series(at) for at in (2, 3))
    all_before, all_after = before.sum() or 1, after.sum() or 1
    show.grid(
        f"{one} × {two}: shares of all rows",
        (one, two, "before", "after"),
        [
            (*names, show.percent(old / all_before), show.percent(new / all_after))
            for *names, old, new in found.iter_rows()
        ],
    )
