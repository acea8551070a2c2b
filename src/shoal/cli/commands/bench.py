"""`shoal bench`: how fast Shoal is on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.cli.options import AsJson


def bench(
    cases: Annotated[
        list[str] | None,
        typer.Argument(
            help="The cases to run: commands, growth, blocks (default: all).", show_default=False
        ),
    ] = None,
    rows: Annotated[
        int, typer.Option(min=20_000, help="Number of rows in the synthetic table.")
    ] = 100_000,
    json: AsJson = False,
) -> None:
    """Measure the main cases on a synthetic census, as ratios to something known."""
    from shoal.cli import show
    from shoal.cli.progress import bar
    from shoal.errors import ParameterError, did_you_mean
    from shoal.steward.bench import CASES, measure

    names = cases or list(CASES)
    for name in names:
        if name not in CASES:
            raise ParameterError(f"There is no case '{name}'.", did_you_mean(name, CASES))
    found = []
    with bar() as report:
        for place, name in enumerate(names):
            report(f"measure {name}", place, len(names))
            found += list(measure([name], rows))
    if json:
        show.print_json([each._asdict() for each in found])
        return
    lines = [
        (
            each.what,
            f"{each.seconds:.2f}",
            f"{each.ratio:.2f}",
            each.against,
            "" if each.memory is None else f"{each.memory:,.0f}",
        )
        for each in found
    ]
    head = ("what", "CPU (s)", "ratio", "against", "MB")
    show.grid(f"{rows:,} rows, k = 10; other work on the machine affects the times", head, lines)
