"""`shoal utility`: what can be learnt from a release, beside the original."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli import show
from shoal.cli.finding import opened_with_plan
from shoal.cli.options import AsJson, Manifest, Original, PlanFile
from shoal.cli.progress import bar
from shoal.engines import pipeline

if TYPE_CHECKING:
    from shoal.judging.utility import Score


def utility(
    published: Annotated[Path, typer.Argument(help="A release's folder, or a published file.")],
    label: Annotated[str, typer.Option(metavar="COLUMN", help="The column to predict.")],
    plan: PlanFile = None,
    original: Original = None,
    manifest: Manifest = None,
    model: Annotated[
        list[str] | None, typer.Option(help="A model to train; may be repeated (default: all).")
    ] = None,
    folds: Annotated[int, typer.Option(help="The number of folds for cross-validation.")] = 3,
    seed: Annotated[
        int, typer.Option(help="The seed of the sample, the folds and the random forests.")
    ] = 0,
    sample: Annotated[
        int, typer.Option(metavar="ROWS", help="The largest number of rows to use; 0 for all.")
    ] = 50_000,
    intervals: Annotated[
        str, typer.Option(help="How models read an interval: midpoint or one-hot.")
    ] = "midpoint",
    json: AsJson = False,
) -> None:
    """Train models on the original and on the release, and test both on held-out rows."""
    from shoal.judging.utility import utility as utility_

    with bar() as report:
        report("read", 0, 2)
        opened, loaded = opened_with_plan(published, plan, manifest)
        report("read", 1, 2)
        source, _ = pipeline.read(original or loaded.source, loaded)
        report("read", 2, 2)
        scores = utility_(
            source.frame,
            opened.published.held.frame,
            loaded.schema_(),
            label,
            rows=opened.rows,
            models=model or None,
            folds=folds,
            seed=seed,
            intervals=intervals,  # type: ignore[arg-type]
            sample=sample or None,
            progress=lambda done, total: report("train", done, total),
        )
    if json:
        show.print_json([score.to_dict() for score in scores])
        return
    kinds = list(dict.fromkeys(score.measure for score in scores))
    title = f"Predicting '{label}': mean of {folds} folds, tested on held-out original rows"
    show.grid(title, ("model", "trained on", *kinds), _rows(scores, kinds))
    if scores[0].sampled:
        show.console().print(
            f"A sample of {scores[0].rows:,} of {scores[0].rows_with_label:,} rows took part, "
            f"drawn with seed {seed}; --sample 0 takes all."
        )


def _rows(scores: list[Score], kinds: list[str]) -> list[tuple[str, ...]]:
    """Put the measures of a model beside each other."""
    lines: dict[tuple[str, str], dict[str, str]] = {}
    for score in scores:
        cells = lines.setdefault((score.model, score.trained_on), {})
        cells[score.measure] = f"{score.mean:,.4f}"
    return [(model, on, *(cells[kind] for kind in kinds)) for (model, on), cells in lines.items()]
