"""What the report shows of a search of levels, and of the weights of columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shoal.release.report.numbers import count, value

KINDS = {
    "schema": "as the plan says",
    "given": "as the plan says",
    "equal": "all alike",
    "entropy": "by entropy: columns with many, evenly spread values count most",
    "mutual-information": "by mutual information: what each column reveals about the label",
    "gain-ratio": "by gain ratio: what a column reveals about the label, per bit of its own",
}
"""Where weights come from, in words."""


@dataclass(frozen=True)
class Rung:
    """The level that was chosen for a column, and what it means."""

    name: str
    level: str
    meaning: str


@dataclass(frozen=True)
class Searched:
    """How the levels were chosen.

    ``score``: what was made small, and how small it is; ``None`` where there is no such thing.
    ``proof``: how far it is proven that no others are better.

    >>> found = {"objective": "loss", "score": 0.25, "optimal": True, "gap": 0.0,
    ...     "looked_at": 12, "lattice": 60, "levels": {"age": 3, "sex": 0},
    ...     "heights": {"age": 4, "sex": 1}, "examples": {"age": "[20, 60)", "sex": "male"}}
    >>> made = Searched.of(found)
    >>> made.score, made.looked
    ('loss 0.25', '12 of 60 nodes were examined')
    >>> made.proof
    'Proven optimal: no other levels that meet the requirements have a lower loss.'
    >>> [rung.meaning for rung in made.rungs]
    ['3 levels up its hierarchy, such as [20, 60)', 'original values, such as male']
    """

    score: str | None
    proof: str
    proven: bool | None
    looked: str
    rungs: tuple[Rung, ...]

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Searched:
        """Tell ``facts["search"]``."""
        heights, examples = found.get("heights", {}), found.get("examples", {})
        name, number = found["objective"], found["score"]
        score = "not shown" if number is None else value(number)
        return cls(
            score=None if name is None else f"{name} {score}",
            proof=_proof(found),
            proven=found["optimal"],
            looked=_looked(found["looked_at"], found["lattice"]),
            rungs=tuple(
                _rung(column, level, heights.get(column), examples.get(column))
                for column, level in found["levels"].items()
            ),
        )


@dataclass(frozen=True)
class Weighing:
    """How columns were weighed, where that is not all alike.

    ``counted``: what the weights count in.
    ``columns``: with their weights, the heaviest first; none where these are not public.
    """

    counted: str
    how: str
    label: str | None
    columns: list[tuple[str, float]]


def weighings(facts: Mapping[str, Any]) -> tuple[Weighing, ...]:
    """List the weights that the public facts name: those of the search, and those of the plan.

    >>> weights = {"kind": "gain-ratio", "label": "ill", "columns": {"age": 0.25, "sex": 0.75}}
    >>> (made,) = weighings({"weights": weights})
    >>> made.label, made.columns
    ('ill', [('sex', 0.75), ('age', 0.25)])
    """
    mine = facts.get("search", {}).get("weights")
    plan = facts.get("weights")
    if mine is not None and plan is not None and mine == plan:
        return (_weighing(mine, "In the search, and in the measure loss"),)
    made = []
    if mine is not None and _reports(mine):
        made.append(_weighing(mine, "In the search"))
    if plan is not None:
        both = "In the method and the measure loss"
        made.append(_weighing(plan, "In the measure loss" if "search" in facts else both))
    return tuple(made)


def _reports(weights: Mapping[str, Any]) -> bool:
    """Say whether weights are worth a table: not the schema's own, all alike."""
    columns = weights["columns"]
    return weights["kind"] != "schema" or columns is None or len(set(columns.values())) > 1


def _weighing(weights: Mapping[str, Any], counted: str) -> Weighing:
    heaviest = sorted((weights["columns"] or {}).items(), key=lambda each: -each[1])
    how = KINDS.get(weights["kind"], str(weights["kind"]))
    return Weighing(counted, how, weights["label"], heaviest)


def _looked(nodes: int | None, lattice: int) -> str:
    """Say how much of the lattice was looked at; about, since the number has two digits."""
    if nodes is None:
        return f"there are {count(lattice)} nodes"
    about = "about " * (nodes >= 100)
    return f"{about}{count(nodes)} of {count(lattice)} nodes were examined"


def _proof(found: Mapping[str, Any]) -> str:
    name = found["objective"]
    if found["optimal"] is None:
        return (
            "Whether other levels lose less is not public, because it depends on removed rows, too."
        )
    if found["optimal"]:
        return f"Proven optimal: no other levels that meet the requirements have a lower {name}."
    if found["gap"] is not None:
        return f"Not proven optimal: the lowest {name} may be up to {value(found['gap'])} lower."
    return "Not proven optimal: other levels may lose less."


def _rung(name: str, level: int, top: int | None, example: str | None) -> Rung:
    if level == 0:
        meaning = "original values"
    elif level == top:
        meaning = "the root of its hierarchy: all values look the same"
    else:
        meaning = f"{level} level{'s' * (level > 1)} up its hierarchy"
    if example is not None:
        meaning += f", such as {example}"
    return Rung(name, str(level) if top is None else f"{level} of {top}", meaning)
