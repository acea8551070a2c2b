"""`shoal lattice`: the levels a plan can choose from, and the best ones."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from shoal.cli import show, summary
from shoal.cli.options import AsJson
from shoal.cli.progress import bar
from shoal.cli.safe_text import safe_text, visible
from shoal.methods._survey import Survey, SurveyNode
from shoal.methods.lattice._snapshots import Levels
from shoal.plan import Plan
from shoal.steward.comparison.lattice import survey_plan

PRIVATE_NOTE = "PRIVATE: these row counts are exact. Keep them private."

REBUILT = (
    "Trees are built from the rows that stay, so a node that suppresses rows also fails (✗) if its "
    "levels do not hold without them. A hierarchy with a given width or file keeps its levels."
)


def lattice(
    plan: Annotated[Path, typer.Argument(help="The plan; its method chooses levels.")],
    json: AsJson = False,
) -> None:
    """Draw the lattice of levels, or the path to its best node. Keep the result private."""
    loaded = Plan.read(plan)
    with bar() as report:
        seen = survey_plan(loaded, progress=lambda done, total: report("group", done, total))
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
    cells = {node: _cell(node) for node in seen.nodes}
    width = max(len(line) for cell in cells.values() for line in cell) + 2
    per_line = max(out.width // width, 1)
    by_height = [list(nodes) for _, nodes in groupby(seen.nodes, key=lambda node: node.height)]
    for nodes in reversed(by_height):
        for start in range(0, len(nodes), per_line):
            some = nodes[start : start + per_line]
            margin = " " * ((out.width - width * len(some)) // 2)
            for line in range(3):
                parts = [(cells[node][line].center(width), _mark(node)[2]) for node in some]
                out.print(Text.assemble(margin, *parts), soft_wrap=True)
        out.print()
    _legend(seen)


def _list(seen: Survey) -> None:
    """List the way from the bottom to the best node."""
    rows = []
    for number, node in enumerate(seen.nodes):
        before = seen.nodes[number - 1].levels if number else None
        cells = (show.number(node.score), f"{node.suppressed:,}", " ".join(_mark(node)[:2]))
        rows.append((_step(seen, before, node), *cells))
    show.grid(_title(seen), ("step", seen.objective, "suppressed", ""), rows)
    _legend(seen)


def _step(seen: Survey, before: Levels | None, node: SurveyNode) -> str:
    """Say which column went up; of a node that lies elsewhere, all levels."""
    if not node.height:
        return "every column at level 0"
    raised = [
        f"{visible(name)} to {level}"
        for name, level, old in zip(seen.columns, node.levels, before or node.levels, strict=True)
        if level != old
    ]
    if len(raised) == 1 and before is not None and sum(before) + 1 == node.height:
        return raised[0]
    return ", ".join(
        f"{visible(n)} {level}" for n, level in zip(seen.columns, node.levels, strict=True)
    )


def _legend(seen: Survey) -> None:
    out = show.console()
    if seen.whole:
        order = ", ".join(map(visible, seen.columns))
        lines = f"Levels of {order}; {seen.objective}; rows suppressed."
        out.print(Text(f"{lines} ★ best, ● chosen, ✓ holds, ✗ fails."))
    else:
        best = next(node for node in seen.nodes if node.best)
        levels = zip(seen.columns, best.levels, strict=True)
        named = ", ".join(f"{visible(name)} {level}" for name, level in levels)
        out.print(Text(f"★ is {named}."))
    proof = "proven optimal" if seen.optimal else ("the best found in time, NOT PROVEN OPTIMAL")
    out.print(Text(f"★ is {proof}. At most {seen.most:,} of {seen.rows:,} rows may be suppressed."))
    if seen.rebuilt:
        out.print(Text(REBUILT))
    if seen.weights is not None and seen.weights["kind"] != "schema":
        out.print(safe_text(f"Weights: {summary.weighed(seen.weights)}."))
    out.print(Text(PRIVATE_NOTE, style="bold yellow"))


def _title(seen: Survey) -> str:
    if seen.whole:
        return f"The lattice: {seen.size:,} nodes"
    return (
        f"The path to the best of {seen.size:,} nodes, always by the step of least {seen.objective}"
    )


def _cell(node: SurveyNode) -> tuple[str, str, str]:
    levels = " ".join(map(str, node.levels))
    return f"{_mark(node)[0]} {levels}", show.number(node.score), f"{node.suppressed:,}"


def _mark(node: SurveyNode) -> tuple[str, str, str]:
    """Give the sign of a node, what it means, and how it is printed."""
    if node.best:
        return "★", "best", "bold green"
    if node.chosen:
        return "●", "chosen", "bold yellow"
    return ("✓", "holds", "") if node.holds else ("✗", "fails", "dim")
