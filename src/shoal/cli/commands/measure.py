"""`shoal measure`: numbers about a publication, beside its original."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from shoal import measures, pipeline
from shoal.cli import show, summary
from shoal.cli.options import AsJson, Manifest, Original
from shoal.plan import Plan
from shoal.release import open_published

__all__ = ["measure"]

WORST = 5
"""So many pairs of columns are shown to people."""

VALUES = 6
"""So many values of each column are shown to people."""


def measure(
    published: Annotated[Path, typer.Argument(help="A published file, or a release's folder.")],
    plan: Annotated[Path, typer.Option(help="The plan with roles and hierarchies.")],
    original: Original = None,
    manifest: Manifest = None,
    columns: Annotated[
        bool,
        typer.Option(
            "--columns",
            help="Say what became of each column's distribution, and of which pairs the most.",
        ),
    ] = False,
    table: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--table", metavar="COLUMN COLUMN", help="Count two columns, before and after."
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Take the dear measures, too, which no run takes.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Measure what a publication lost against its original."""
    loaded = Plan.read(plan)
    opened = open_published(published, private=manifest, plan=loaded)
    source, _ = pipeline.read(original or loaded.input_path, loaded, whole=False)
    both = measures.pair(source, opened, loaded.weighed_schema(source), rows=opened.rows)
    if table is not None:
        _table(both, *table, json=json)
    if columns:
        _columns(both, json=json)
    if columns or table is not None:
        return
    values = measures.measure_all(both, on_request=every)
    values |= pipeline.measure_informed(source, both, loaded, loaded.build_method())
    if json:
        show.print_json(values)
    else:
        summary.measures(values)


def _columns(both: measures.Pair, *, json: bool) -> None:
    """Show each column on its own, and the pairs that changed most."""
    alone, pairs = measures.column_distances(both), measures.pair_distances(both)
    strengths = measures.associations(both)
    change = sum(each.change for each in strengths) / max(len(strengths), 1)
    if json:
        found: dict[str, Any] = {"columns": alone, "pairs": pairs, "associations": strengths}
        made: dict[str, Any] = {
            name: [each.to_dict() for each in some] for name, some in found.items()
        }
        show.print_json(made | {"correlation_change": change})
        return
    show.grid(
        "How far each column is from the original, as readers rebuild it",
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


def _table(both: measures.Pair, one: str, two: str, *, json: bool) -> None:
    """Show the shares of all rows in each pair of values."""
    if json:
        show.print_json(measures.contingency(both, one, two).to_dicts())
        return
    found = measures.contingency(both, one, two, values=VALUES)
    before, after = (found.to_series(at) for at in (2, 3))
    shares = [
        f"{100 * old / (before.sum() or 1):.1f} → {100 * new / (after.sum() or 1):.1f}"
        for old, new in zip(before, after, strict=True)
    ]
    head = found.to_series(1).unique(maintain_order=True).to_list()
    side = found.to_series(0).unique(maintain_order=True).to_list()
    rows = [(name, *shares[at * len(head) : (at + 1) * len(head)]) for at, name in enumerate(side)]
    show.grid(f"{one} × {two}: % of all rows, before → after", (one, *head), rows, dense=False)
