"""`shoal run`: the release that a plan describes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.memory import keep_memory
from shoal.cli.options import AsJson
from shoal.cli.threads import spare_threads

__all__ = ["run"]


def run(
    plan: Annotated[Path, typer.Argument(help="A plan file.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the release goes, instead of the plan's."),
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option(
            help="The folder of the release before this one, its private folder beside it: whoever "
            "was in it stands among the same values (m-invariance)."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Make the release a plan describes, verify it, and write it."""
    spare_threads(plan)
    keep_memory()
    from shoal import pipeline
    from shoal.cli import show, summary
    from shoal.cli.progress import bar
    from shoal.plan import Plan
    from shoal.published import read_facts

    loaded = Plan.read(plan)
    target = loaded.output_path if output is None else output
    with bar() as report:
        made = pipeline.run(loaded, output=target, again=again, progress=report)
    if json:
        for warning in made.warnings:
            typer.echo(warning, err=True)
        show.print_json(read_facts(target))
        return
    steps = [(f"shoal verify {target}", "count it again, from the written file alone")]
    if made.population is not None:
        steps = [
            (f"shoal verify {target} --population FILE", "count it again, with the population")
        ]
    if again is not None:
        steps.append((f"shoal verify {target} --again {again}", "compare the two releases"))
    summary.release(made, target, next_steps=steps)
