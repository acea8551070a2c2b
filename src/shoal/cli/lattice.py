"""`shoal lattice`: the levels a plan can choose from, and the best ones."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from shoal import pipeline
from shoal.cli import show
from shoal.cli.progress import bar
from shoal.cli.safe_text import safe_text, visible
from shoal.errors import ParameterError
from shoal.methods.lattice._lattice import Levels
from shoal.methods.lattice._method import Ladders
from shoal.methods.lattice.survey import Spot, Survey, survey
from shoal.missing_policy import settle_missing
from shoal.plan import Plan
from shoal.table import Table

__all__ = ["lattice"]

PRIVATE_NOTE = "PRIVATE: rows are counted exactly. Keep this in the house."


def lattice(
    plan: Annotated[Path, typer.Argument(help="The plan; its method chooses levels.")],
    json: Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")] = False,
) -> None:
    """Draw the lattice of levels, or the way to its best node. Keep the answer private."""
    loaded = Plan.read(plan)
    method = loaded.build_method()
    if not isinstance(method, Ladders):
        raise ParameterError(
            f"The method '{method.name}' chooses no levels for the whole table.",
            'Set name = "full-domain" under [method].',
        )
    frame, _ = pipeline.read(loaded.input_path, loaded)
    schema, policy = loaded.weighed_schema(frame), loaded.publication.missing
    require = [each.bind(schema) for each in loaded.requirements()]
    table = Table.encode(frame, schema, empty_columns=policy == "suppress-column")
    part = settle_missing(table, policy).table
    limit = method.suppression_limit
    pipeline.require_feasible(part, require, method, suppression_limit=limit)
    with bar() as report:
        seen = survey(
            part, require, method, progress=lambda done, total: report("group", done, total)
        )
    if json:
        show.print_json({"note": PRIVATE_NOTE, **seen.to_dict()})
    elif seen.whole:
        _draw(seen)
    else:
        _list(seen)


def _draw(seen: Survey) -> None:
    """Draw all nodes, the most general on top: levels, score and suppressed rows of each."""
    out = show.console()
    out.print(Text(_title(seen), style="bold"))
    cells = {spot: _cell(spot) for spot in seen.spots}
    width = max(len(line) for cell in cells.values() for line in cell) + 2
    per_line = max(out.width // width, 1)
    by_height = [list(spots) for _, spots in groupby(seen.spots, key=lambda spot: spot.height)]
    for spots in reversed(by_height):
        for start in range(0, len(spots), per_line):
            some = spots[start : start + per_line]
            margin = " " * ((out.width - width * len(some)) // 2)
            for line in range(3):
                parts = [(cells[spot][line].center(width), _style(spot)) for spot in some]
                out.print(Text.assemble(margin, *parts), soft_wrap=True)
        out.print()
    _legend(seen)


def _list(seen: Survey) -> None:
    """List the way from the bottom to the best node."""
    rows = []
    for number, spot in enumerate(seen.spots):
        before = seen.spots[number - 1].levels if number else None
        cells = (show.number(spot.score), f"{spot.suppressed:,}", _said(spot))
        rows.append((_step(seen, before, spot), *cells))
    show.grid(_title(seen), ("step", seen.objective, "suppressed", ""), rows)
    _legend(seen)


def _step(seen: Survey, before: Levels | None, spot: Spot) -> str:
    """Say which column went up; of a node that lies elsewhere, all levels."""
    if not spot.height:
        return "every column at level 0"
    raised = [
        f"{visible(name)} to {level}"
        for name, level, old in zip(seen.columns, spot.levels, before or spot.levels, strict=True)
        if level != old
    ]
    if len(raised) == 1 and before is not None and sum(before) + 1 == spot.height:
        return raised[0]
    return ", ".join(
        f"{visible(n)} {level}" for n, level in zip(seen.columns, spot.levels, strict=True)
    )


def _legend(seen: Survey) -> None:
    out = show.console()
    if seen.whole:
        order = ", ".join(map(visible, seen.columns))
        lines = f"Levels of {order}; {seen.objective}; rows suppressed."
        out.print(Text(f"{lines} ★ best, ● chosen, ✓ holds, ✗ suppresses too much."))
    else:
        best = next(spot for spot in seen.spots if spot.best)
        levels = zip(seen.columns, best.levels, strict=True)
        named = ", ".join(f"{visible(name)} {level}" for name, level in levels)
        out.print(Text(f"★ is {named}."))
    proof = "proven the best" if seen.optimal else "the best found in time, NOT PROVEN"
    out.print(Text(f"★ is {proof}. At most {seen.most:,} of {seen.rows:,} rows may be suppressed."))
    if seen.weights is not None and seen.weights["kind"] != "schema":
        out.print(safe_text(f"Weights: {show.weighed(seen.weights)}."))
    out.print(Text(PRIVATE_NOTE, style="bold yellow"))


def _title(seen: Survey) -> str:
    if seen.whole:
        return f"The lattice: {seen.size:,} nodes"
    return f"The way to the best of {seen.size:,} nodes, by the step of least {seen.objective}"


def _cell(spot: Spot) -> tuple[str, str, str]:
    levels = " ".join(map(str, spot.levels))
    return f"{_sign(spot)} {levels}", show.number(spot.score), f"{spot.suppressed:,}"


def _sign(spot: Spot) -> str:
    if spot.best:
        return "★"
    if spot.chosen:
        return "●"
    return "✓" if spot.holds else "✗"


def _said(spot: Spot) -> str:
    words = ["★ best"] * spot.best + ["● chosen"] * (spot.chosen and not spot.best)
    return ", ".join(words) or ("✓ holds" if spot.holds else "✗ suppresses too much")


def _style(spot: Spot) -> str:
    if spot.best:
        return "bold green"
    if spot.chosen:
        return "bold yellow"
    return "" if spot.holds else "dim"
