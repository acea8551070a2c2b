"""`shoal compare`: a plan with several k and methods, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.base.rounding import percent
from shoal.cli import show
from shoal.cli.finding import listed
from shoal.cli.options import AsJson
from shoal.cli.progress import bar
from shoal.cli.safe_text import safe_text
from shoal.errors import ParameterError
from shoal.io import require_no_table
from shoal.plan import Plan
from shoal.steward.comparison import Comparison, Point, compare as compare_
from shoal.steward.comparison.writing import write


def compare(
    plan: Annotated[Path, typer.Argument(help="A plan file.")],
    k: Annotated[str, typer.Option(metavar="K,…", help="The values of k to try.")] = "3,5,10,20,50",
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME,…", help="The methods to try (default: the plan's and the usual ones)."
        ),
    ] = "",
    label: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="A column; also train models to predict it from each release."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="A folder for the page, points and plans (default: PLAN.compare).",
        ),
    ] = None,
    fresh: Annotated[
        bool,
        typer.Option(
            "--fresh", help="Measure all points again, even those kept from an earlier call."
        ),
    ] = False,
    json: AsJson = False,
) -> None:
    """Compare several k and methods for a plan, and recommend one. Keep the result private."""
    loaded = Plan.read(plan)
    folder = plan.with_suffix(".compare") if output is None else output
    require_no_table(folder, "A comparison must be written to a folder.", "Name a folder.")
    keep = folder / "points.jsonl"
    if fresh:
        keep.unlink(missing_ok=True)
    with bar() as report:
        found = compare_(
            loaded,
            k=_numbers(k),
            method=listed(method) or None,
            label=label,
            keep=keep,
            progress=lambda done, total: report("compare", done, total),
        )
    place = write(found, folder)
    if json:
        best = found.recommended
        show.print_json(
            {
                "points": [point.to_dict() for point in found.points],
                "frontier": [point.setting.name for point in found.frontier],
                "recommended": None if best is None else best.setting.name,
                "reason": found.reason,
                "stated": found.stated,
            }
        )
        return
    _show(found)
    show.console().print(f"Wrote {place}, with the plan of each point beside it. Keep it private.")


def _numbers(text: str) -> list[int]:
    try:
        return [int(each) for each in listed(text)]
    except ValueError:
        raise ParameterError(
            "--k must be a comma-separated list of whole numbers.", "Such as 3,5,10."
        ) from None


def _show(found: Comparison) -> None:
    head = ["k", "method", "lost", "rows out", "risk", "average"]
    head += ["s", ""] if found.label is None else ["learnt", "s", ""]
    rows = [_row(found, point) for point in found.points if not point.failed]
    show.grid("Risk against loss", head, rows)
    for point in found.points:
        if point.failed:
            show.warn(f"k = {point.setting.k} by {point.setting.method}: {point.failed}")
    for text in found.stated:
        show.console().print(safe_text(text))
    if found.reason:
        show.console().print(safe_text(found.reason, "bold"))


def _row(found: Comparison, point: Point) -> tuple[str, ...]:
    sign = "frontier" if point in found.frontier else ""
    learnt = () if point.learnt is None else (f"{point.learnt:.3f}",)
    return (
        str(point.setting.k),
        point.setting.method,
        percent(point.loss),
        f"{point.suppressed:,}",
        f"{point.highest:.1%}",
        f"{point.average:.2%}",
        *learnt,
        f"{point.seconds:.1f}",
        "begin here" if point is found.recommended else sign,
    )
