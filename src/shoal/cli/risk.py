"""`shoal risk`: attacks on a publication, for the steward."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from shoal.cli import files, show
from shoal.errors import ParameterError
from shoal.plan import Plan
from shoal.risk import PRIVATE_NOTE, Attack, attacks, sight

__all__ = ["risk"]


def risk(
    published: Annotated[Path, typer.Argument(help="A published file, or a release's folder.")],
    plan: Annotated[
        Path | None,
        typer.Option(help="The plan with roles, levels and bounds; found beside a release."),
    ] = None,
    alpha: Annotated[
        str | None,
        typer.Option(help="A guess counts above this share, as 0.5 or 1/3; else the plan's α."),
    ] = None,
    sensitive_table: Annotated[
        Path | None,
        typer.Option(help="The second file of two, with class ids and sensitive values."),
    ] = None,
    class_: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="COLUMN",
            help="Of two files: the class id; found by itself if it can.",
        ),
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(help="The release's private folder; found by itself beside a release."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")] = False,
) -> None:
    """Attack a publication: how many people's secrets it gives away. Keep the answer private."""
    opened = files.open_published(
        published, manifest, sensitive_table=sensitive_table, class_column=class_
    )
    loaded = opened.private_plan() if plan is None else Plan.read(plan)
    if loaded is not None:
        schema, require = loaded.schema_(), loaded.requirements()
    elif opened.facts is not None:
        schema, require = files.claim(opened.facts)
    else:
        raise ParameterError(
            "Nobody said which columns are sensitive.", "Give --plan, or a release's folder."
        )
    seen = sight(opened.tables, schema, people=opened.people, class_column=opened.class_column)
    found = attacks(seen, alpha=alpha, require=require)
    if json:
        answer = {"note": PRIVATE_NOTE, "attacks": [attack.to_dict() for attack in found]}
        show.print_json(answer)
        return
    counted = "rows" if seen.people is None else "people"
    title = f"Attacks on {seen.n_people:,} {counted} in {seen.n_classes:,} classes"
    head = ("attack", "column", "share", counted, "what it means")
    rows = [
        (each.name, each.column, f"{each.share:.2%}", f"{each.people:,}", _meaning(each))
        for each in found
    ]
    show.grid(title, head, rows)
    show.console().print(Text(PRIVATE_NOTE, style="bold yellow"))


def _meaning(attack: Attack) -> str:
    """Say what success means, and how far guesses go."""
    if attack.name != "probability":
        return attack.meaning
    details = attack.details
    bounds = "; ".join(
        ", ".join(map(str, bound)) if isinstance(bound, list) else str(bound)
        for bound in details["bounds"]
    )
    return (
        f"{attack.meaning} ({bounds}); the best guess is right for {details['mean']:.1%}, at "
        f"most {details['largest']:.1%} in a class, {details['prior']:.1%} without the classes"
    )
