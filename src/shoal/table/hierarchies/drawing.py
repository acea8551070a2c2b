"""A tree as text, with box characters, for people who check a hierarchy by eye."""

from __future__ import annotations

from collections.abc import Sequence


def draw(
    labels: Sequence[str], parents: Sequence[int], leaf_counts: Sequence[int], max_children: int
) -> str:
    """Draw nodes in depth-first order; groups carry their number of leaves.

    >>> print(draw(["*", "a", "b"], [-1, 0, 0], [2, 1, 1], 12))
    * (2)
    ├── a
    └── b
    """
    children: list[list[int]] = [[] for _ in labels]
    for child, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(child)

    lines: list[str] = []
    # Each entry: node (or None for the line that counts the rest), text, prefix, prefix below.
    todo: list[tuple[int | None, str, str, str]] = [(0, labels[0], "", "")]
    while todo:
        node, text, prefix, below = todo.pop()
        if node is None or not children[node]:
            lines.append(prefix + text)
            continue
        lines.append(f"{prefix}{text} ({leaf_counts[node]})")
        entries: list[tuple[int | None, str]] = [
            (child, labels[child]) for child in children[node][:max_children]
        ]
        if rest := len(children[node]) - len(entries):
            entries.append((None, f"… {rest} more"))
        for i in range(len(entries) - 1, -1, -1):
            last = i == len(entries) - 1
            branch, space = ("└── ", "    ") if last else ("├── ", "│   ")
            todo.append((*entries[i], below + branch, below + space))
    return "\n".join(lines)
