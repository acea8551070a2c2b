"""`shoal paper`: run a paper's experiment again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from shoal.base.plural import counted
from shoal.cli import show
from shoal.cli.guard import STOPPED, complain
from shoal.cli.options import AsJson
from shoal.cli.progress import bar
from shoal.errors import ParameterError

if TYPE_CHECKING:
    from shoal_papers import Claim, Finding, Read

__all__ = ["paper"]

Judged: TypeAlias = "Sequence[tuple[Claim, Finding]]"


def paper(
    name: Annotated[str, typer.Argument(help="The experiment, such as gaa-cp.")],
    quick: Annotated[
        bool, typer.Option("--quick", help="Run a small version that takes at most two minutes.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="The folder to write to (default: shoal-paper-NAME, or …-quick)."
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start over instead of continuing.")
    ] = False,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="Measure nothing: judge the measurements in this folder again, whichever version "
            "made them, and rewrite its page.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Re-run a paper's experiment and compare its claims with our measurements."""
    import shoal_papers as papers

    wanted = papers.experiment(name, quick=quick)
    if source is not None and (output is not None or fresh):
        raise ParameterError(
            "--from measures nothing, and writes into the folder that it names.",
            "Leave out --output and --fresh; copy the folder first to keep the old page.",
        )
    folder = source or output or Path(f"shoal-paper-{name}{'-quick' if quick else ''}")
    try:
        if source is not None:
            made = papers.judge_again(wanted, folder)
        else:
            with bar() as report:
                made = papers.run(wanted, folder, fresh=fresh, progress=report)
    except KeyboardInterrupt:
        complain(
            "Stopped.",
            f"The measurements so far are in '{folder}'. Repeat the command to continue.",
        )
        raise typer.Exit(STOPPED) from None
    if json:
        facts = {
            "claims": _facts(made.claims),
            "questions": _facts(made.questions),
            "readings": [_reading(read) for read in made.readings],
        }
        show.print_json({"folder": str(folder), "page": str(made.page), **facts})
        return
    show.grid(wanted.title, ("where", "the paper says", "measured"), _rows(made.claims))
    if made.questions:
        show.grid("Our questions", ("where", "we ask whether", "measured"), _rows(made.questions))
    if made.found and source is None:
        show.console().print(
            f"{counted(made.found, 'measurement was', 'measurements were')} found from an "
            "earlier run."
        )
    if made.restarted:
        show.console().print("The folder held an older run of another form; it was replaced.")
    show.console().print(f"Wrote {made.page}, with figures (SVG) and numbers (CSV) beside it.")


def _facts(judged: Judged) -> list[dict[str, Any]]:
    return [
        {
            "where": claim.where,
            "claim": claim.words,
            "rule": claim.rule,
            "verdict": found.verdict,
            "exceptions": found.exceptions,
            "measured": found.measured,
            "parts": [
                {
                    "part": part.name,
                    "verdict": part.verdict,
                    "holds": part.held,
                    "within_noise": len(part.noisy),
                    "fails": len(part.failed),
                }
                for part in found.parts
            ],
        }
        for claim, found in judged
    ]


def _reading(read: Read) -> dict[str, Any]:
    verdicts = [[found.verdict for found in findings] for findings in read.findings]
    names = [reading.name for reading in read.point.readings]
    return {"question": read.point.question, "verdicts": dict(zip(names, verdicts, strict=True))}


def _rows(judged: Judged) -> list[tuple[str, str, str]]:
    return [(claim.where, claim.words, found.sentence) for claim, found in judged]
