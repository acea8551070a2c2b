"""`shoal measure`: numbers about a publication, beside its original."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from shoal import measures, pipeline
from shoal.cli import files, show, summary
from shoal.cli.options import AsJson, Manifest, Original
from shoal.plan import Plan

__all__ = ["measure"]


def measure(
    published: Annotated[Path, typer.Argument(help="A published file, or a release's folder.")],
    plan: Annotated[Path, typer.Option(help="The plan with roles and hierarchies.")],
    original: Original = None,
    manifest: Manifest = None,
    json: AsJson = False,
) -> None:
    """Measure what a publication lost against its original."""
    loaded = Plan.read(plan)
    opened = files.open_published(published, manifest)
    source, _ = pipeline.read(original or loaded.input_path, loaded)
    schema = loaded.weighed_schema(source)
    both = measures.pair(
        source,
        opened.frame,
        schema,
        rows=opened.rows,
        groups=opened.groups(list(schema)),
        values=opened.values(list(schema)),
    )
    both = replace(both, recoded=replace(both.recoded, exact=bool(opened.exact)))
    values = measures.measure_all(both)
    values |= pipeline.measure_informed(source, both, loaded, loaded.build_method())
    if json:
        show.print_json(values)
    else:
        summary.measures(values)
