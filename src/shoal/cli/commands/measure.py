"""`shoal measure`: numbers about a publication, beside its original."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal import measures, pipeline
from shoal.cli import show, summary
from shoal.cli.options import AsJson, Manifest, Original
from shoal.plan import Plan
from shoal.release import open_published

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
    opened = open_published(published, private=manifest, plan=loaded)
    source, _ = pipeline.read(original or loaded.input_path, loaded, whole=False)
    both = measures.pair(source, opened, loaded.weighed_schema(source), rows=opened.rows)
    values = measures.measure_all(both)
    values |= pipeline.measure_informed(source, both, loaded, loaded.build_method())
    if json:
        show.print_json(values)
    else:
        summary.measures(values)
