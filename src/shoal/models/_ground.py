"""How far apart the values of a sensitive column are: their places in a row, or their tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache

import numpy as np

from shoal.base.arrays import Ints, numbered
from shoal.errors import ParameterError
from shoal.models._compared import Labels
from shoal.table.hierarchies.values import as_number

HIDDEN = "not published"


@lru_cache(maxsize=16)
def places(name: str, labels: Labels, order: tuple[str, ...] | None = None) -> Ints:
    """Number texts by their order: the given one, that of numbers, or that of dates.

    The same number, or date, has the same place.

    Examples
    --------
    >>> places("pay", ("10", "9", "9.0")).tolist()
    [1, 0, 0]
    >>> places("seen", ("2024-02-01", "2023-12-31")).tolist()
    [1, 0]
    >>> places("pain", ("none", "strong", "weak"), ("none", "weak", "strong")).tolist()
    [0, 2, 1]
    """
    if order is not None:
        at = {label: place for place, label in enumerate(order)}
        lacking = sum((label or "") not in at for label in labels)
        if lacking:
            raise ParameterError(
                f"order lacks {lacking} of {len(labels)} values of '{name}'.",
                'Write every value of the column, in order; "" is the missing one.',
            )
        return numbered([at[label or ""] for label in labels])
    numbers = [None if label is None else as_number(label) for label in labels]
    read = numbers if None not in numbers else [_when(label) for label in labels]
    if None in read:
        bare = sum(number is None for number in numbers)
        raise ParameterError(
            f"An ordered distance needs numbers or dates, but {bare} of {len(labels)} values "
            f"of '{name}' are something else or missing.",
            'Give their order, use distance = "equal", or leave those rows out.',
        )
    place = {value: at for at, value in enumerate(sorted(set(read)))}  # type: ignore[type-var]
    return np.array([place[value] for value in read], dtype=np.int64)


def _when(label: str | None) -> Fraction | None:
    """Read a date, with or without a time of day, as seconds; no time zone."""
    try:
        when = datetime.fromisoformat(label or "")
    except ValueError:
        return None
    if when.tzinfo is not None:
        return None
    since = when - datetime.combine(date(1, 1, 1), datetime.min.time())
    return Fraction(since.days * 86_400 + since.seconds) + Fraction(since.microseconds, 10**6)


@dataclass(frozen=True, eq=False)
class TreePaths:
    """The nodes from each value up to below the root.

    ``nodes`` has a row per value, with −1 where the path is shorter; ``weight`` says of each node
    by how much the one above it is higher, and ``height`` how high the root is.
    """

    nodes: Ints
    weight: Ints
    height: int


@lru_cache(maxsize=16)
def tree_paths(name: str, labels: Labels, parents: tuple[tuple[str, str], ...]) -> TreePaths:
    """Find the way of each value up its tree; values must be leaves."""
    above = dict(parents)
    high = heights(above)
    strange = sum(high.get(label or "", -1) != 0 for label in labels)
    if strange:
        raise ParameterError(
            f"parents lacks {strange} of {len(labels)} values of '{name}' as leaves.",
            'Write every value with the node above it; "" is the missing one.',
        )
    number = {label or "": code for code, label in enumerate(labels)}
    paths = [  # the root tells nothing: all rows are below it
        [number.setdefault(node, len(number)) for node in upward(label or "", above)[:-1]]
        for label in labels
    ]
    nodes = np.full((len(labels), max(map(len, paths), default=1)), -1, dtype=np.int64)
    for row, path in enumerate(paths):
        nodes[row, : len(path)] = path
    weight = [high[above[node]] - high[node] for node in number]
    return TreePaths(nodes, np.array(weight, dtype=np.int64), max(high.values()))


def heights(parents: Mapping[str, str]) -> dict[str, int]:
    """Say how many steps each node is above its lowest leaf; refuse what is no tree."""
    above = dict(parents)
    roots = {node for node in above.values() if node not in above}
    high = dict.fromkeys([*above, *above.values()], 0)
    circle = False
    for start in above:
        path = upward(start, above)
        circle |= path[-1] in above and len(high) > 1
        for steps, node in enumerate(path):
            high[node] = max(high[node], steps)
    if len(roots) != 1 or circle:
        raise ParameterError(
            f"parents is not a tree: it has {len(roots)} roots{' and a cycle' * circle}.",
            "For each value and each node but one, write the node above it.",
        )
    return high


def upward(node: str, above: Mapping[str, str]) -> list[str]:
    """List a node and all that lie above it; of a circle as many as there are."""
    passed = [node]
    while passed[-1] in above and len(passed) <= len(above):
        passed.append(above[passed[-1]])
    return passed


def require_tree(given: object, problem: str, hint: str) -> None:
    """Refuse anything but a tree: the node above each, by texts (raises `ParameterError`)."""
    tree = given if isinstance(given, Mapping) else {}
    if not tree or not all(isinstance(each, str) for pair in tree.items() for each in pair):
        raise ParameterError(problem, hint)
    heights(tree)


def hidden(parents: Mapping[str, str], values: Collection[str | None]) -> dict[str, str]:
    """Leave out the names of leaves that are not published; their heights stay."""
    inner = set(parents.values())
    made: dict[str, str] = {}
    stand_in: dict[str, str] = {}
    for node, above in parents.items():
        # An empty text is the missing value, or a value where the schema says so.
        if node in inner or node in values or (node or None) in values:
            made[node] = above
        else:  # one for each node above is enough
            made[stand_in.setdefault(above, f"{HIDDEN} {len(stand_in) + 1}")] = above
    return made
