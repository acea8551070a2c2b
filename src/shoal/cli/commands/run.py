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
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="PLACE=VALUE",
            help="Take this instead of what the plan says, as in require.0.k=5.",
        ),
    ] = None,
    engine: Annotated[
        str, typer.Option(help="Where it is made: local, or spark (Parquet in, Parquet out).")
    ] = "local",
    master: Annotated[
        str | None,
        typer.Option(help="Where Spark runs, such as local[2] or spark://host:7077."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would cost; write nothing.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show all measures.")] = False,
    json: AsJson = False,
) -> None:
    """Make the release a plan describes, verify it, and write it."""
    spare_threads(plan)
    keep_memory()
    from shoal import pipeline
    from shoal.arguments import one_of
    from shoal.cli import show, summary
    from shoal.cli.on_spark import run_on_spark
    from shoal.cli.progress import bar
    from shoal.errors import ParameterError
    from shoal.models import private_columns
    from shoal.plan import Plan
    from shoal.published import read_facts

    loaded = Plan.read(plan, changes=set_ or ())
    one_of("engine", engine, ("local", "spark"))
    if engine == "spark":
        run_on_spark(loaded, output, master, alone=again is None and not dry_run, as_json=json)
        return
    if master is not None:
        raise ParameterError("master says where Spark runs.", "Add --engine spark.")
    if dry_run:
        with bar() as report:
            made = pipeline.anonymize(loaded.source, loaded, again=again, progress=report)
        summary.dry_run(made, as_json=json, verbose=verbose)
        return
    target = loaded.output_path if output is None else output
    with bar() as report:
        made = pipeline.run(loaded, output=target, again=again, progress=report)
    if json:
        for warning in made.warnings:
            typer.echo(warning, err=True)
        show.print_json(read_facts(target))
        return
    recount = f"shoal verify {target}", "count it again, from the written file alone"
    if private_columns(made.require):
        recount = f"shoal verify {target} --original {made.original}", "count it again"
    elif made.population is not None:
        recount = f"shoal verify {target} --population FILE", "count it again, with the population"
    steps = [recount, (f"shoal risk {target}", "ask what attacks get all the same")]
    if again is not None:
        steps.append((f"shoal verify {target} --again {again}", "compare the two releases"))
    summary.release(made, target, next_steps=steps, verbose=verbose)
