"""`shoal risk`: how likely people are found in a table, and what is learned of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from shoal import io
from shoal.base.plural import counted
from shoal.cli import found_people, show
from shoal.cli.finding import listed, named_roles, opened_as_named, require_one_role_each
from shoal.cli.options import AsJson, ClassColumn, Manifest, SensitiveTables
from shoal.cli.progress import bar
from shoal.engines import pipeline
from shoal.errors import ParameterError
from shoal.judging.risk import PRIVATE_NOTE, THRESHOLDS, assess, two_releases
from shoal.release import OpenedRelease, open_published

_THRESHOLDS = ",".join(map(str, THRESHOLDS))

LARGE = 100_000
"""For a release with more rows, the original is read only if it is named."""


def risk(
    published: Annotated[Path, typer.Argument(help="Any table, or a release's folder.")],
    second: Annotated[
        Path | None,
        typer.Argument(
            help="A second release of the same table: show only what both reveal together."
        ),
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(help="The plan with roles, levels and limits (default: the release's own)."),
    ] = None,
    quasi: Annotated[
        str, typer.Option(help="Quasi-identifiers, comma-separated (default: the plan's).")
    ] = "",
    sensitive: Annotated[
        str, typer.Option(help="Sensitive columns, comma-separated; needs --quasi.")
    ] = "",
    population: Annotated[
        Path | None,
        typer.Option(help="A table of the whole population, with original quasi-identifiers."),
    ] = None,
    sampling_fraction: Annotated[
        float | None, typer.Option(help="The table's share of the population, such as 0.01.")
    ] = None,
    thresholds: Annotated[
        str, typer.Option(help="Count people whose risk exceeds these numbers, comma-separated.")
    ] = _THRESHOLDS,
    alpha: Annotated[
        str | None,
        typer.Option(
            help="Count a guess above this share, such as 0.5 or 1/3 (default: the plan's α)."
        ),
    ] = None,
    sensitive_table: SensitiveTables = None,
    class_: ClassColumn = None,
    manifest: Manifest = None,
    original: Annotated[
        Path | None,
        typer.Option(help="The original table (default: the plan's input): also show its risk."),
    ] = None,
    outside: Annotated[
        Path | None,
        typer.Option(help="People who are not in the table: count those for whom this is certain."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Measure re-identification risk and try attacks on a table. Keep the result private."""
    if second is not None:
        options = {
            "--plan": plan,
            "--quasi": quasi,
            "--sensitive": sensitive,
            "--population": population,
            "--sampling-fraction": sampling_fraction,
            "--thresholds": thresholds != _THRESHOLDS,
            "--alpha": alpha,
            "--sensitive-table": sensitive_table,
            "--class": class_,
            "--manifest": manifest,
            "--original": original,
            "--outside": outside,
        }
        for name in (name for name, value in options.items() if value):
            raise ParameterError(
                f"{name} applies to one table, but two releases are named.",
                "Leave it out, or name one release only.",
            )
        _show_together(published, second, json)
        return
    opened = opened_as_named(published, plan, manifest, sensitive_table, class_)
    named = listed(quasi)
    if named and opened.known_schema is None:
        require_one_role_each(named, listed(sensitive))
        opened = replace(opened, roles=named_roles(opened, named, listed(sensitive)))
    elif sensitive:
        raise ParameterError(
            "Sensitive columns are named without quasi-identifiers or together with a plan.",
            "Give --quasi, too, and no plan.",
        )
    if alpha is not None and not opened.schema.sensitive:
        raise ParameterError(
            "alpha limits the guess of a sensitive value, but no column is sensitive.",
            "Name one with --sensitive, or leave --alpha out.",
        )
    if outside is not None and opened.by_spark:
        raise ParameterError(
            "Matches to a class are counted row by row, but rows published by Spark have no "
            "numbers that link them to original rows.",
            "Leave --outside out, or publish some of the rows without Spark.",
        )
    source = _original(opened, original)
    with bar() as report:
        found = assess(
            opened,
            original=source,
            rows=opened.rows,
            trusted=original is not None,
            quasi=named or None,
            population=None if population is None else io.read(population, categories=None).table,
            sampling_fraction=sampling_fraction,
            thresholds=_numbers(thresholds),
            alpha=alpha,
            outside=None if outside is None else io.read(outside, categories=None).table,
            progress=lambda done, total: report("sets", done, total),
        )
    if json:
        show.print_json(found.to_dict())
        return
    if opened.facts:
        show.stated(opened)
    found_people.risks(found.reidentification)
    found_people.questions(found.questions)
    found_people.columns(found.separation, found.unique_sets)
    if found.attacks:
        seen = found.seen
        rows = counted(seen.n_people, "row")
        who = rows if seen.people is None else f"{seen.n_people:,} people"
        title = f"Attacks on {who} in {counted(seen.n_classes, 'class')}"
        found_people.attacks(title, found.attacks)
    if found.linkage:
        found_people.links(found.linkage)
    show.console().print(Text(PRIVATE_NOTE, style="bold yellow"))


def _numbers(text: str) -> list[float]:
    """Read numbers with commas between."""
    try:
        return [float(each) for each in listed(text)]
    except ValueError:
        raise ParameterError(
            "thresholds must be comma-separated numbers.", "Such as 0.05,0.2."
        ) from None


def _original(opened: OpenedRelease, original: Path | None) -> Any:
    """Read the original that is named, or that the private plan names and that is still there.

    One that is large is read only if it is named.
    """
    plan = opened.plan or opened.private_plan
    if original is not None and plan is None:
        return io.read(original, categories=None).table
    if original is None and opened.facts and plan is not None and plan.input.path is not None:
        original = plan.input_path if plan.input_path.is_file() else None
        rows = opened.published.coded.height
        if original is not None and rows > LARGE:
            typer.echo(
                f"The original was not read, since the release has {rows:,} rows. Name it "
                "with --original to see the risk before publication and the attacks that "
                "count correct guesses.",
                err=True,
            )
            original = None
    if original is None or plan is None:
        return None
    return pipeline.read(original, plan, whole=False)[0]


def _show_together(first: Path, second: Path, as_json: bool) -> None:
    """Show what two releases of one table tell together."""
    found = two_releases(open_published(first), open_published(second))
    if as_json:
        attacks_found = [attack.to_dict() for attack in found]
        show.print_json({"note": PRIVATE_NOTE, "attacks": attacks_found})
        return
    found_people.attacks("What both releases reveal together", found)
    show.console().print(Text(PRIVATE_NOTE, style="bold yellow"))
