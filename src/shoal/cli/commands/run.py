"""`shoal run`: the release that a plan describes."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.memory import keep_memory
from shoal.cli.options import AsJson
from shoal.cli.threads import spare_threads

__all__ = ["run"]


def run(
    plan: Annotated[Path, typer.Argument(help="A plan file.")],
    input_: Annotated[
        Path | None,
        typer.Option(
            "--input", "-i", help="The table, instead of the plan's; - for standard input."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where the release goes, instead of the plan's; - for the table alone, as CSV on "
            "standard output.",
        ),
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
    from shoal.cli import show, summary
    from shoal.cli.progress import bar
    from shoal.cli.standard_output import is_standard_output, write_table
    from shoal.io import standard_input
    from shoal.models import private_columns
    from shoal.plan import Plan
    from shoal.published import read_facts

    loaded = Plan.read(plan, changes=set_ or ())
    given = nullcontext() if input_ is None else standard_input(input_)
    with given as table, bar() as report:
        if dry_run:
            data = loaded.source if table is None else table
            made = pipeline.anonymize(data, loaded, again=again, progress=report)
        elif is_standard_output(output):
            write_table(loaded, table, again=again, as_json=json, progress=report)
            return
        else:
            target = loaded.output_path if output is None else output
            made = pipeline.run(loaded, data=table, output=target, again=again, progress=report)
    if dry_run:
        summary.dry_run(made, as_json=json, verbose=verbose)
        return
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
