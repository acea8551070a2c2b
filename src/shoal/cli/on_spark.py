"""`shoal run --engine spark`: a release of a Parquet folder, made by Spark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.panel import Panel
from rich.text import Text

from shoal.base.plural import counted
from shoal.cli.progress import bar
from shoal.cli.safe_text import safe_text
from shoal.cli.show import console, facts_grid, levels, print_json
from shoal.errors import ParameterError
from shoal.plan import Plan
from shoal.publications import from_facts
from shoal.release.cost import Cost
from shoal.release.promise import Promise

if TYPE_CHECKING:
    from shoal.engines.spark import SparkRelease


def run_on_spark(
    plan: Plan, output: Path | None, master: str | None, *, alone: bool, as_json: bool
) -> None:
    """Make a release on Spark, and show it.

    `alone`: whether nothing else was asked for: it neither goes on from a release, nor only looks.
    """
    from shoal.engines.spark import run

    if not alone:
        raise ParameterError(
            "Spark can neither continue an earlier release nor make a dry run.",
            "Leave out --again and --dry-run, or --engine spark.",
        )
    with bar() as report:
        made = run(plan, output=output, master=master or "local[*]", progress=report)
    if as_json:
        print_json(made.facts)
        return
    show_release(made)


def show_release(made: SparkRelease) -> None:
    """Show a release that Spark made: what was asked and achieved, what it cost, where it is."""
    proof = made.verification
    body = facts_grid()
    required = "; ".join(requirement.describe() for requirement in made.require)
    body.add_row("Required", f"{required}, by {made.method.name}, on Spark")
    body.add_row(
        "Achieved",
        f"{levels(proof.achieved)} in {counted(proof.classes, 'class')} of "
        f"{counted(proof.rows, 'row')}; recounted from the written files: it holds",
    )
    body.add_row("", Text(proof.counted_rule, style="dim"))
    for remark in made.facts["remarks"]:
        body.add_row("Remark", safe_text(remark, "yellow"))
    if made.blocks > 1:
        body.add_row(
            "Blocks", f"{made.blocks}, grouped separately, then refined where they lost most"
        )
    form = from_facts(made.facts)
    body.add_row("", safe_text(Promise.from_facts(made.facts).leaves_open, "dim"))
    body.add_row("Cells", safe_text(form.cells[:1].upper() + form.cells[1:] + "."))
    cost = Cost.from_facts(made.facts)
    public = "" if cost.share is not None else f"\nin public files: {cost}"
    body.add_row("Cost", f"{Cost.of_measures(made.measures, form)}{public}")
    steps = ", ".join(f"{name} {seconds:,.1f} s" for name, seconds in made.seconds.items())
    body.add_row("Time", steps)
    body.add_row("Written", str(made.folder))
    if made.saved is not None:
        body.add_row(
            "", safe_text(f"{made.saved} in Spark's catalog, named only after it was read back")
        )
    body.add_row("Next", f"shoal verify {made.folder}")
    console().print(Panel(body, title="Release", title_align="left"))
