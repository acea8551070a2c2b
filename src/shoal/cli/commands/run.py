"""`shoal run`: the release that a plan describes."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli.memory import keep_memory
from shoal.cli.options import AsJson
from shoal.cli.threads import spare_threads

if TYPE_CHECKING:
    from shoal.plan import Plan
    from shoal.release import Release
    from shoal.steward.advice import Advice


def run(
    plan: Annotated[Path, typer.Argument(help="A plan file.")],
    input_: Annotated[
        Path | None,
        typer.Option(
            "--input", "-i", help="The table (default: the plan's input); - for standard input."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The folder to write to (default: the plan's); - writes only the table, as CSV, "
            "to standard output.",
        ),
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option(
            help="The folder of the previous release, with its private folder beside it: everyone "
            "in it stays among the same values (m-invariance)."
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="PLACE=VALUE",
            help="Override a setting of the plan, such as require.0.k=5.",
        ),
    ] = None,
    sign: Annotated[
        Path | None,
        typer.Option(
            metavar="KEY.pem",
            help="Sign the release with this Ed25519 private key (default: the plan's); "
            "SHOAL_KEY_PASSWORD holds the password of a protected key.",
        ),
    ] = None,
    engine: Annotated[
        str, typer.Option(help="The engine: local, or spark (Parquet in, Parquet out).")
    ] = "local",
    master: Annotated[
        str | None, typer.Option(help="Where Spark runs, such as local[2] or spark://host:7077.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what the release would cost; write nothing.")
    ] = False,
    advise: Annotated[
        bool,
        typer.Option(
            "--advise",
            help="Also try changes that help lost columns and the table as a whole, and show what "
            "each gains and costs. Writes nothing more.",
        ),
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show all measures.")] = False,
    json: AsJson = False,
) -> None:
    """Make the release that a plan describes, verify it and write it."""
    spare_threads(plan)
    keep_memory()
    from shoal.base.arguments import one_of
    from shoal.cli import show, summary
    from shoal.cli.on_spark import run_on_spark
    from shoal.cli.progress import bar
    from shoal.cli.standard_output import is_standard_output, write_table
    from shoal.engines import pipeline
    from shoal.errors import ParameterError
    from shoal.io import standard_input
    from shoal.plan import Plan
    from shoal.publications.published import read_facts

    loaded = Plan.read(plan, changes=set_ or ())
    one_of("engine", engine, ("local", "spark"))
    if sign is not None:
        if dry_run or is_standard_output(output):
            raise ParameterError(
                "--sign is given, but no release would be written.",
                "Leave out --sign, or write the release to a folder.",
            )
        loaded = loaded.signed_with(sign)
    if engine == "spark":
        alone = again is None and input_ is None and not dry_run and not advise
        run_on_spark(loaded, output, master, alone=alone, as_json=json)
        return
    if master is not None:
        raise ParameterError("master says where Spark runs.", "Add --engine spark.")
    if advise:
        _require_advisable(loaded, again)
    if dry_run:
        target = None
    elif is_standard_output(output):
        target = output
    else:
        target = loaded.output_path if output is None else output
    with nullcontext() if input_ is None else standard_input(input_) as table:
        with bar() as report:
            if target is None:
                data = loaded.source if table is None else table
                made = pipeline.anonymize(data, loaded, again=again, progress=report)
            elif is_standard_output(target):
                write_table(loaded, table, again=again, as_json=json, progress=report)
                return
            else:
                made = pipeline.run(loaded, data=table, output=target, again=again, progress=report)
        if json:  # while the table is still there
            for warning in made.warnings:
                typer.echo(warning, err=True)
            facts = summary.dry_run_facts(made) if target is None else read_facts(target)
            show.print_json({**facts, "advice": _advice(made).to_dict()} if advise else facts)
            return
        advisable = None if advise or again is not None else plan
        if target is None:
            summary.dry_run(made, advisable, verbose=verbose)
        else:
            steps = summary.next_steps(made, plan, target, again)
            summary.release(made, target, advisable=advisable, next_steps=steps, verbose=verbose)
        if advise:
            from shoal.cli.advice import show_advice

            show_advice(_advice(made))


def _require_advisable(plan: Plan, again: Path | None) -> None:
    """Refuse, before any work, what no lever can be tried for."""
    from shoal.errors import ParameterError
    from shoal.steward.advice.beginning import require_advisable

    require_advisable(plan)
    if again is not None:
        raise ParameterError(
            "A release that continues an earlier one keeps its classes, so advice cannot "
            "change them.",
            "Leave out --advise, or --again.",
        )


def _advice(made: Release) -> Advice:
    """Try the levers, with a bar."""
    from shoal.cli.progress import bar
    from shoal.steward.advice import advise

    with bar() as report:
        return advise(made, progress=lambda done, total: report("advise", done, total))
