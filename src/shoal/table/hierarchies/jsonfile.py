"""The hierarchy file in JSON: nested objects and lists, see `Hierarchy.from_dict`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shoal.errors import HierarchyError, InputError
from shoal.table.hierarchies.csvfile import read_text


def read_nested(path: Path) -> Any:
    """Read a JSON file; a key that comes twice is refused, not forgotten.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "tree.json")
    >>> _ = file.write_text('{"X": ["a", "c"], "b": null}')
    >>> read_nested(file)
    {'X': ['a', 'c'], 'b': None}
    """
    try:
        return json.loads(read_text(path, "utf-8"), object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        raise InputError(
            f"The hierarchy file '{path}' is not JSON (line {error.lineno}).",
            "Check the brackets, commas and quotes there.",
        ) from None
    except RecursionError:
        raise InputError(
            f"The hierarchy file '{path}' is nested too deeply.", "Leave out levels."
        ) from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if twice := len(pairs) - len(found):
        raise HierarchyError(
            f"{twice} {'key occurs' if twice == 1 else 'keys occur'} twice in one level of "
            "the tree.",
            "List the members under one key.",
        )
    return found


def nested(labels: Sequence[str], parents: Sequence[int]) -> dict[str, Any]:
    """Nest nodes that are numbered depth first; the root is the only key.

    >>> nested(["*", "X", "a", "b"], [-1, 0, 1, 0])
    {'*': {'X': ['a'], 'b': []}}
    """
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(parents[1:], start=1):
        children.setdefault(parent, []).append(node)
    below: dict[int, Any] = {0: []}
    for node in sorted(children, reverse=True):  # children have higher numbers
        if any(child in children for child in children[node]):
            below[node] = {labels[child]: below.get(child, []) for child in children[node]}
        else:
            below[node] = [labels[child] for child in children[node]]
    return {labels[0]: below[0]}
