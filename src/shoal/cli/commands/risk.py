"""`shoal risk`: attacks on a publication, for the steward."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from shoal import pipeline
from shoal.cli import show
from shoal.cli.options import AsJson, ClassColumn, Manifest, SensitiveTables
from shoal.errors import ParameterError
from shoal.plan import Plan
from shoal.plural import counted
from shoal.release import open_published
from shoal.risk import PRIVATE_NOTE, Linkage, attacks, linkage, sight

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
    sensitive_table: SensitiveTables = None,
    class_: ClassColumn = None,
    manifest: Manifest = None,
    original: Annotated[
        Path | None,
        typer.Option(
            help="The original table: also say what values beside their rows would have told."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Attack a publication: how many people's secrets it gives away. Keep the answer private."""
    opened = open_published(
        published,
        private=manifest,
        sensitive_tables=sensitive_table or (),
        class_column=class_,
        plan=None if plan is None else Plan.read(plan),
    )
    loaded = opened.plan or opened.private_plan
    seen = sight(opened)
    found = attacks(seen, alpha=alpha)
    links = []
    if len(seen.histograms) > 1:
        source = None
        if original is not None and loaded is None:
            raise ParameterError("Nobody said how the original is read.", "Give --plan.")
        if original is not None and loaded is not None:
            source, _ = pipeline.read(original, loaded, whole=False)
        links = linkage(seen, original=source, rows=None if source is None else opened.rows)
    if json:
        answer = {
            "note": PRIVATE_NOTE,
            "attacks": [attack.to_dict() for attack in found],
            "linkage": [link.to_dict() for link in links],
        }
        show.print_json(answer)
        return
    unit = "rows" if seen.people is None else "people"
    people = counted(seen.n_people, "row") if seen.people is None else f"{seen.n_people:,} people"
    title = f"Attacks on {people} in {counted(seen.n_classes, 'class')}"
    head = ("attack", "column", "share", unit, "what it means")
    rows = [
        (
            each.name,
            each.column or "",
            f"{each.share:.2%}",
            f"{each.people:,}",
            each.in_words(),
        )
        for each in found
    ]
    show.grid(title, head, rows)
    if links:
        _show_links(links)
    show.console().print(Text(PRIVATE_NOTE, style="bold yellow"))


def _show_links(links: list[Linkage]) -> None:
    """Show what one known secret tells about the others."""
    title = "How likely the best guess is right, for who knows a person's cells"
    head = ["known", "guessed", "by the cells", "and the known value", "gain"]
    rows = []
    for link in links:
        row = [link.known, link.other, f"{link.cells:.2%}", f"{link.value:.2%}", f"{link.gain:.2%}"]
        if link.linked is not None and link.linked_gain is not None:
            row += [f"{link.linked:.2%}", f"{link.linked_gain:.2%}"]
        rows.append(row)
    if len(rows[0]) > len(head):
        head += ["beside their rows", "gain there"]
    show.grid(title, tuple(head), [tuple(row) for row in rows])
