"""What people see: summaries as tables, answers for programs as JSON."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from shoal.cli import missing
from shoal.cli.safe_text import safe_text, visible
from shoal.cli.terminal import Terminal
from shoal.measures import summary
from shoal.plural import counted
from shoal.propose.rarity import WARNING, DraftLevels
from shoal.recode import LoneEnds
from shoal.release import Release
from shoal.verification import Verification

__all__ = [
    "answer",
    "grid",
    "level_facts",
    "measures",
    "print_json",
    "release",
    "verification",
    "warn_of_levels",
    "weighed",
]


# What a terminal would obey, or show in another order; JSON escapes only the first 32.
_HIDDEN = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_LINK_LOST = "of the quasi-identifiers' information, and the link to the sensitive values"


def console() -> Console:
    """Write to standard output."""
    return Terminal()


def print_json(data: Any) -> None:
    """Answer a program, in signs that the output can write and a terminal does not obey."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    text = _HIDDEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:  # half characters of a file name, or a terminal of old
        text = json.dumps(data, indent=2)
    print(text)


def grid(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Show rows under a heading."""
    named = safe_text(title, "bold")
    table = Grid(title=named, title_justify="left", box=SIMPLE)
    for name in head:
        table.add_column(safe_text(name))
    for row in rows:
        table.add_row(*map(safe_text, row))
    console().print(table)


def measures(values: dict[str, float]) -> None:
    """Show measures with what they mean."""
    rows = [(name, number(value), summary(name)) for name, value in values.items()]
    grid("What it cost", ("measure", "value", "meaning"), rows)


def verification(result: Verification) -> None:
    """Show the verdict and what was counted."""
    out = console()
    if result.passed:
        out.print(Text.assemble(("✓ It holds. ", "bold green"), _counted(result)))
    else:
        out.print(Text.assemble(("✗ It does not hold. ", "bold red"), _counted(result)))
    rows = [
        (_sign(j.passed), j.description, _achieved(j.achieved, j.failing_classes, j.failing_rows))
        for j in result.judgements
    ]
    rows += [(_sign(f.passed), f.check, f.detail) for f in result.findings]
    grid("What was checked", ("", "check", "result"), rows)
    out.print(Text(result.missing_rule, style="dim"))


def release(made: Release, folder: Path, *, next_steps: Sequence[tuple[str, str]]) -> None:
    """Show a release: what was asked, what was achieved, what it cost, where it is."""
    out = console()
    body = Grid.grid(padding=(0, 2))
    body.add_column(style="bold")
    body.add_column(overflow="fold")
    asked = "; ".join(requirement.describe() for requirement in made.require)
    body.add_row("Asked", f"{asked}, by {made.method.describe()}")
    proof = made.verification
    reached = ", ".join(f"{name} = {number(level)}" for name, level in proof.achieved.items())
    body.add_row(
        "Achieved",
        f"{reached} in {counted(proof.classes, 'class')}; recounted from the written file: "
        + ("it holds" if proof.passed else "IT DOES NOT HOLD"),
    )
    body.add_row("", Text(proof.counted_rule, style="dim"))
    for remark in made.remarks:
        body.add_row("Remark", safe_text(remark, "yellow"))
    if made.grouping.search is not None:
        body.add_row("Levels", _searched(made.grouping.search))
        weights = made.grouping.search["weights"]
        if weights is not None and weights["kind"] != "schema":
            body.add_row("Weights", weighed(weights))
    if made.lone_ends is not None:
        body.add_row("Ends", _ends(made.lone_ends))
    lost = made.measures["iloss_rate"]
    what = "of the information" if not made.published.linked else _LINK_LOST
    body.add_row("Cost", f"{lost:.1%} {what} ({_out(made)})")
    if made.read_as:
        body.add_row("Read as", made.read_as)
    body.add_row(
        "Files",
        f"{folder}/  what may be published: {_tables(made)} (read report.html first)\n"
        f"{folder}.private/  keep it in the house",
    )
    body.add_row("Time", f"{sum(made.seconds.values()):.1f} s ({_slowest(made.seconds)})")
    title = safe_text(f"{counted(made.frame.height, 'row')} published", "bold")
    out.print(Panel(body, title=title, title_align="left", border_style="green", expand=False))
    measures(made.measures)
    if made.missingness.cells:
        out.print(missing.picture(made.missingness, out.width, of="the quasi-identifiers"))
        out.print(missing.handled(made))
    if next_steps:
        out.print(Text("What to try next", style="bold"))
        width = max(len(command) for command, _ in next_steps)
        for command, meaning in next_steps:
            step = Text.assemble("  ", safe_text(command.ljust(width), "cyan"), "  ", meaning)
            out.print(step, soft_wrap=True)


def warn_of_levels(drafts: Sequence[DraftLevels]) -> None:
    """Say which levels were drafted, and that a person must check them."""
    for made in drafts:
        levels = max(made.levels.values())
        said = (
            f"Drafted {counted(levels, 'level')} for {counted(len(made.levels), 'value')} of "
            f"'{made.column}' from "
            f"how rare they are ({made.file}). {WARNING}"
        )
        console().print(Text.assemble(("CHECK ", "bold yellow"), safe_text(said)))


def level_facts(drafts: Sequence[DraftLevels]) -> list[dict[str, Any]]:
    """Say the same to a program; no value is named."""
    return [
        {
            "column": made.column,
            "file": made.file,
            "levels": max(made.levels.values()),
            "values": len(made.levels),
            "alphas": list(made.alphas),
            "warning": WARNING,
        }
        for made in drafts
    ]


def answer(found: dict[str, float | None]) -> None:
    """Show what a query found."""
    words = {
        "expected": "estimated from the publication",
        "true": "counted in the original",
        "relative_error": "how far off the estimate is, relative to the count",
    }
    rows = []
    for name, value in found.items():
        text = "not defined" if value is None else number(value)
        if name == "relative_error" and value is not None:
            text = f"{value:.1%}"
        rows.append((name.replace("_", " "), text, words[name]))
    grid("How many", ("", "", "meaning"), rows)
    if not found["expected"]:
        note = "No published row can meet these conditions. Is every value spelt as published?"
        console().print(Text(note, style="dim"))


def number(value: float) -> str:
    """Write a measure for people."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _tables(made: Release) -> str:
    names = made.file_names()
    return ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]


def _out(made: Release) -> str:
    parts = [f"{counted(made.n_suppressed, 'row')} suppressed"]
    if made.n_dropped:
        parts.append(f"{made.n_dropped:,} dropped for missing cells")
    return ", ".join(parts)


def _ends(found: LoneEnds) -> str:
    """Say how many ranges end at one record's value; the terminal is in the house."""
    return (
        f"{found.lone:,} of {counted(found.intervals, 'range')}, in {found.lone_classes:,} of "
        f"{counted(found.classes, 'class')}, end at a value that one record alone holds"
    )


def _searched(found: Mapping[str, Any]) -> str:
    """Say which levels were chosen, and how far they are proven to be the best."""
    levels = ", ".join(f"{visible(name)} {level}" for name, level in found["levels"].items())
    looked = f"{found['looked_at']:,} of {found['lattice']:,} nodes looked at"
    if found["optimal"]:
        proof = (
            f"PROVEN the best: no others that hold have a lower {found['objective']} than "
            f"{number(found['score'])}"
        )
    elif found["gap"] is not None:
        proof = (
            f"{found['objective']} {number(found['score'])}, NOT PROVEN the best: at most "
            f"{number(found['gap'])} above it"
        )
    else:
        proof = "NOT PROVEN the best"
    return f"{levels}\n{proof} ({looked})"


def weighed(weights: Mapping[str, Any]) -> str:
    """Say how much each column counts, and where that comes from."""
    shares = ", ".join(f"{visible(name)} {share:.2f}" for name, share in weights["columns"].items())
    about = "" if weights["label"] is None else f" about '{visible(weights['label'])}'"
    return f"{shares} ({weights['kind']}{about})"


def _slowest(seconds: dict[str, float]) -> str:
    ranked = sorted(seconds.items(), key=lambda item: -item[1])[:3]
    return ", ".join(f"{name} {spent:.1f} s" for name, spent in ranked)


def _counted(result: Verification) -> str:
    rows, classes = counted(result.rows, "row"), counted(result.classes, "class")
    return f"{rows} in {classes}. {result.counted_rule}"


def _achieved(achieved: dict[str, float | int], classes: int, rows: int) -> str:
    reached = ", ".join(f"{name} = {number(level)}" for name, level in achieved.items())
    return (
        reached
        if not classes
        else f"{reached}; fails in {counted(classes, 'class')} ({counted(rows, 'row')})"
    )


def _sign(passed: bool) -> str:
    return "✓" if passed else "✗"
