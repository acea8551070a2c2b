"""Two runs side by side, and the lattice of one as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.errors import ParameterError
from shoal.studio.panels._runs_cards import Run

STEP, LIFT, EDGE = 30, 46, 24
MOST = 20
"""How many other nodes of a large lattice are listed."""

LEAST_WIDTH = 300
"""How wide a picture of a lattice is at least."""


def both(first: Run, second: Run) -> dict[str, Any]:
    """Put the same rows, columns and pictures of two runs beside each other.

    Raises `ParameterError` if both are the same, or one has no release.
    """
    if first.job is second.job:
        raise ParameterError("Choose a different run to compare with.", "Choose two runs.")
    results = (first.result, second.result)
    names = list(dict.fromkeys(n for each in results for n in each["examples"]["names"]))
    examples = [each["examples"] for each in results]
    cells = [[dict(zip(e["names"], row, strict=True)) for row in e["rows"]] for e in examples]
    rows = []
    for one, two in zip(*cells, strict=False):
        row = []
        for name in names:
            before = (one.get(name) or two.get(name) or ("", ""))[0]
            after = [each.get(name, ("", ""))[1] for each in (one, two)]
            row.append({"before": before, "after": after, "differs": after[0] != after[1]})
        rows.append(row)
    pictures = [{p["name"]: p for p in each["margins"]["pictures"]} for each in results]
    columns = list(dict.fromkeys([*pictures[0], *pictures[1]]))
    coarse = list(dict.fromkeys([*results[0]["coarse"], *results[1]["coarse"]]))
    return {
        "runs": (first, second),
        "names": names,
        "rows": rows,
        "height": results[0]["margins"]["height"],
        "pictures": [(name, [each.get(name) for each in pictures]) for name in columns],
        "coarse": [(name, [each["coarse"].get(name) for each in results]) for name in coarse],
    }


@dataclass(frozen=True)
class NodeMark:
    """A node of a lattice in the picture."""

    number: int
    """Its place among the nodes that were seen."""
    x: float
    y: float
    node: Mapping[str, Any]
    own: bool
    """Whether the run has these levels."""

    @property
    def kind(self) -> str:
        """How it is drawn: ``best``, ``holds`` or ``fails``."""
        if self.node["best"]:
            return "best"
        return "holds" if self.node["holds"] else "fails"

    @property
    def levels(self) -> str:
        """Its levels, in the order of the columns."""
        return " ".join(str(level) for level in self.node["levels"].values())


@dataclass(frozen=True)
class Drawing:
    """A lattice as places: nodes, and lines between those that differ by one step."""

    marks: tuple[NodeMark, ...]
    lines: tuple[tuple[float, float, float, float], ...]
    width: float
    height: float


def draw(seen: Mapping[str, Any], own: Mapping[str, int] | None) -> Drawing:
    """Place the nodes by height, the most general on top.

    `own`: the levels of the run that the lattice is shown for.
    """
    by_height: dict[int, list[int]] = {}
    for number, node in enumerate(seen["nodes"]):
        by_height.setdefault(node["height"], []).append(number)
    widest = max(len(each) for each in by_height.values())
    width = max(STEP * widest + 2 * EDGE, LEAST_WIDTH)
    top = max(by_height)
    marks = {}
    for height, numbers in by_height.items():
        left = width / 2 - STEP * (len(numbers) - 1) / 2
        for place, number in enumerate(numbers):
            node = seen["nodes"][number]
            x, y = left + STEP * place, EDGE + LIFT * (top - height)
            marks[number] = NodeMark(number, x, y, node, node["levels"] == own)
    ordered = tuple(marks[number] for number in sorted(marks))
    return Drawing(ordered, _lines(ordered), width, LIFT * top + 2 * EDGE)


def alternatives(
    seen: Mapping[str, Any], own: Mapping[str, int] | None
) -> list[tuple[int, Mapping[str, Any], list[tuple[str, int, int]]]]:
    """List other nodes that hold, the best first: number, node, and which levels differ.

    `own`: the levels that they are compared with; those that the method takes if left out.
    """
    nodes = list(enumerate(seen["nodes"]))
    base = own or next(node["levels"] for _, node in nodes if node["chosen"])
    made = []
    for number, node in nodes:
        levels = node["levels"]
        moved = [(name, base[name], at) for name, at in levels.items() if at != base.get(name)]
        if node["holds"] and moved:
            made.append((number, node, moved))
    return sorted(made, key=lambda each: each[1]["score"])[:MOST]


def _lines(marks: Sequence[NodeMark]) -> tuple[tuple[float, float, float, float], ...]:
    at = {tuple(mark.node["levels"].values()): mark for mark in marks}
    made = []
    for levels, mark in at.items():
        for j, level in enumerate(levels):
            above = at.get((*levels[:j], level + 1, *levels[j + 1 :]))
            if above is not None:
                made.append((mark.x, mark.y, above.x, above.y))
    return tuple(made)
