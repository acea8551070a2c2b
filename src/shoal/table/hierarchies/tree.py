"""The generalization hierarchy of a column: an immutable rooted tree over text labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn, overload

import numpy as np
import polars as pl

from shoal.base.arguments import path_of, require_kind, require_whole
from shoal.base.arrays import Bools, Ints
from shoal.base.cells import Interval, parse_interval, texts
from shoal.errors import HierarchyError
from shoal.table.hierarchies.arrange import (
    arrange,
    links_of_nested,
    links_of_parents,
    links_of_paths,
)
from shoal.table.hierarchies.csvfile import read_paths, write_rows
from shoal.table.hierarchies.drawing import draw
from shoal.table.hierarchies.jsonfile import nested, read_nested
from shoal.table.hierarchies.shape import IntArray, numbers_of, shape_of
from shoal.table.hierarchies.values import positions_of


class Hierarchy:
    """A rooted tree over a column's values, of uneven depth if need be.

    Nodes are numbered depth first with the root as 0; leaves are numbered in the same order,
    and that number is the *code* of a value. So the leaves below a node are a range of codes,
    and a group of records needs only its lowest and highest code to find its node. A missing
    value has the code -1 and stands at the root.

    Most callers use a builder of `shoal.hierarchies` or one of the ``from_…`` constructors.

    Parameters
    ----------
    labels
        One label per node, each only once. Siblings keep this order.
    parents
        For each label the position of its parent, -1 for the root.
    intervals
        The numbers that labels stand for, as far as the builder knows them; the ends of any
        other label are read from its text.

    Attributes
    ----------
    labels : tuple of str
        Label of each node.
    parent, depth : int32 arrays
        Parent (-1 at the root) and number of edges from the root, per node.
    first_leaf, last_leaf, leaf_counts : int32 arrays
        Lowest code, highest code and number of leaves below each node.
    leaf_nodes : int32 array
        Node of each code.
    leaves : tuple of str
        Label of each code.
    ancestors : int32 array of shape (n_nodes, height + 1)
        Ancestor of each node at each depth; the node itself at its own depth and below.
    n_nodes, n_leaves, height : int
        Number of nodes, number of leaves, and the greatest depth.

    Examples
    --------
    >>> tree = Hierarchy.from_dict({"Europe": ["France", "Spain"], "Asia": ["Japan"]})
    >>> tree
    Hierarchy(leaves=3, nodes=6, height=2)
    >>> tree.leaves
    ('France', 'Spain', 'Japan')
    >>> tree.labels[tree.lca_of_codes(0, 1)], tree.labels[tree.lca_of_codes(0, 2)]
    ('Europe', '*')
    """

    _ids: dict[str, int]
    _known: dict[str, Interval]
    labels: tuple[str, ...]
    leaves: tuple[str, ...]
    parent: IntArray
    depth: IntArray
    first_leaf: IntArray
    last_leaf: IntArray
    leaf_counts: IntArray
    leaf_nodes: IntArray
    ancestors: IntArray
    n_nodes: int
    n_leaves: int
    height: int

    def __init__(
        self,
        labels: Sequence[str],
        parents: Sequence[int],
        intervals: Mapping[str, Interval] | None = None,
    ) -> None:
        ordered, above = arrange(labels, parents)
        shape = shape_of(above)
        leaves = tuple(ordered[node] for node in shape["leaf_nodes"].tolist())
        vars(self).update(
            shape,
            labels=tuple(ordered),
            leaves=leaves,
            n_nodes=len(ordered),
            n_leaves=len(leaves),
            height=shape["ancestors"].shape[1] - 1,
            _ids={label: node for node, label in enumerate(ordered)},
            _known=dict(intervals or {}),
        )

    # -- constructors ---------------------------------------------------------------------

    @classmethod
    def from_paths(
        cls, paths: Iterable[Sequence[str]], *, lines: Sequence[int] | None = None
    ) -> Hierarchy:
        """Build from one path per value, each from the leaf up to the root.

        A label that follows itself counts once; ARX files fill uneven trees this way.

        Parameters
        ----------
        paths
            Sequences of labels, leaf first, root last.
        lines
            Line number of each path, named in error messages.

        Examples
        --------
        >>> Hierarchy.from_paths([("a", "X", "*"), ("b", "b", "*")]).labels
        ('*', 'X', 'a', 'b')
        """
        return cls(*links_of_paths(paths, lines))

    @classmethod
    def from_parents(cls, parent_of: Mapping[str, str | None]) -> Hierarchy:
        """Build from a mapping of each label to its parent.

        Examples
        --------
        >>> Hierarchy.from_parents({"a": "X", "X": "*", "b": "*"}).labels
        ('*', 'X', 'a', 'b')
        """
        return cls(*links_of_parents(parent_of))

    @classmethod
    def from_dict(cls, nested: Any, root: str | None = "*") -> Hierarchy:
        """Build from nested mappings and lists.

        Parameters
        ----------
        nested
            Keys are groups, lists hold values; ``None`` or ``[]`` marks a value beside groups.
        root
            Label put above all. If the only key is this label already, or if ``root`` is
            ``None``, the only key is the root.

        Examples
        --------
        >>> Hierarchy.from_dict({"X": ["a", "c"], "b": None}).labels
        ('*', 'X', 'a', 'c', 'b')
        """
        return cls(*links_of_nested(nested, root))

    @classmethod
    def from_json(cls, path: str | Path, *, root: str | None = "*") -> Hierarchy:
        """Read a JSON file that holds the nested form of `from_dict`.

        Examples
        --------
        >>> import tempfile
        >>> file = Path(tempfile.mkdtemp(), "tree.json")
        >>> _ = file.write_text('{"X": ["a", "c"], "b": null}')
        >>> Hierarchy.from_json(file).leaves
        ('a', 'c', 'b')
        """
        return cls.from_dict(read_nested(path_of(path, "hierarchy")), root)

    @classmethod
    def flat(cls, values: Iterable[str], root: str = "*") -> Hierarchy:
        """Put every value directly below the root; without values the root stands alone.

        Examples
        --------
        >>> Hierarchy.flat(["yes", "no"]).labels
        ('*', 'yes', 'no')
        """
        require_kind("values", values, Iterable, "a list of texts", 'Such as ["yes", "no"].')
        return cls.from_paths([(value, root) for value in values] or [(root,)])

    @classmethod
    def from_csv(
        cls, path: str | Path, *, separator: str | None = None, encoding: str = "utf-8"
    ) -> Hierarchy:
        r"""Read a file in ARX layout: one line per value, leaf first, root last, no header.

        Parameters
        ----------
        path
            The file.
        separator
            One character; found among ``; , tab |`` if not given.
        encoding
            Encoding of the file; a byte order mark is dropped.

        Examples
        --------
        >>> import tempfile
        >>> file = Path(tempfile.mkdtemp(), "sex.csv")
        >>> Hierarchy.flat(["Female", "Male"]).to_csv(file)
        >>> file.read_text()
        'Female;*\nMale;*\n'
        >>> Hierarchy.from_csv(file).leaves
        ('Female', 'Male')
        """
        rows, lines = read_paths(path_of(path, "hierarchy"), separator, encoding)
        return cls.from_paths(rows, lines=lines)

    # -- values and codes -----------------------------------------------------------------

    def uncovered(self, values: Iterable[str | None] | pl.Series) -> int:
        """Count the distinct values that are not leaves; nulls do not count.

        Examples
        --------
        >>> Hierarchy.flat(["a", "b"]).uncovered(["a", "c", "c", "d", None])
        2
        """
        if isinstance(values, pl.Series):
            values = texts(values.unique()).to_list()
        require_kind(
            "values", values, Iterable, "a list or a Series", "Take a column of the table."
        )
        return len({value for value in values if value is not None} - set(self.leaves))

    def covers(self, values: Iterable[str | None] | pl.Series) -> bool:
        """Say whether every value is a leaf; nulls are covered by the root.

        Examples
        --------
        >>> Hierarchy.flat(["a", "b"]).covers(pl.Series(["b", None]))
        True
        """
        return self.uncovered(values) == 0

    def codes(self, values: pl.Series) -> IntArray:
        """Turn values into codes, null into -1.

        Raises
        ------
        HierarchyError
            If a value is not a leaf.

        Examples
        --------
        >>> Hierarchy.flat(["a", "b"]).codes(pl.Series(["b", "a", None, "b"])).tolist()
        [1, 0, -1, 1]
        """
        found = positions_of(values, self.leaves)
        if found.size and found.min() == -2:
            raise HierarchyError(
                f"The hierarchy misses {self.uncovered(values)} of "
                f"{values.drop_nulls().n_unique()} distinct values.",
                "Add the missing values to the hierarchy as leaves.",
            )
        return found

    def node(self, label: str) -> int:
        """Find the node of a label.

        Examples
        --------
        >>> Hierarchy.flat(["a", "b"]).node("b")
        2
        """
        if not isinstance(label, str) or label not in self._ids:
            raise HierarchyError(
                "The hierarchy has no node with this label.", "Compare it with `labels`."
            )
        return self._ids[label]

    def nodes(self, labels: pl.Series) -> IntArray:
        """Find the nodes of published labels: -1 for null, -2 for a label not in the tree.

        Examples
        --------
        >>> Hierarchy.flat(["a", "b"]).nodes(pl.Series(["*", "b", None, "x"])).tolist()
        [0, 2, -1, -2]
        """
        return positions_of(labels, self.labels)

    # -- the shape ------------------------------------------------------------------------

    @overload
    def lca(self, a: int, b: int) -> int: ...
    @overload
    def lca(self, a: Ints, b: Ints | int) -> IntArray: ...
    @overload
    def lca(self, a: int, b: Ints) -> IntArray: ...
    def lca(self, a: Ints | int, b: Ints | int) -> IntArray | int:
        """Find the lowest common ancestor of two nodes, or of two arrays of nodes.

        Examples
        --------
        >>> tree = Hierarchy.from_dict({"X": ["a", "b"], "c": None})
        >>> tree.lca(tree.node("a"), tree.node("b")), tree.lca(np.array([2, 2]), 4).tolist()
        (1, [0, 0])
        """
        left, right = np.broadcast_arrays(numbers_of(a, self.n_nodes), numbers_of(b, self.n_nodes))
        result = np.zeros(left.shape, dtype=np.int32)
        for level in range(1, self.height + 1):
            one = self.ancestors[left, level]
            np.copyto(result, one, where=one == self.ancestors[right, level])
        return int(result) if result.ndim == 0 else result

    @overload
    def lca_of_codes(self, lo: int, hi: int) -> int: ...
    @overload
    def lca_of_codes(self, lo: Ints, hi: Ints | int) -> IntArray: ...
    @overload
    def lca_of_codes(self, lo: int, hi: Ints) -> IntArray: ...
    def lca_of_codes(self, lo: Ints | int, hi: Ints | int) -> IntArray | int:
        """Find the lowest node above all leaves from ``lo`` to ``hi``.

        A missing value (-1) pulls the result to the root.

        Examples
        --------
        >>> tree = Hierarchy.from_dict({"X": ["a", "b"], "c": None})
        >>> tree.lca_of_codes(np.array([0, 0, 1, -1]), np.array([1, 2, 1, 1])).tolist()
        [1, 0, 3, 0]
        """
        low, high = numbers_of(lo, self.n_leaves), numbers_of(hi, self.n_leaves)
        return self.lca(
            np.where(low < 0, np.int32(0), self.leaf_nodes[low]),
            np.where(high < 0, np.int32(0), self.leaf_nodes[high]),
        )

    @overload
    def covers_code(self, node: int, code: int) -> bool: ...
    @overload
    def covers_code(self, node: Ints, code: Ints | int) -> Bools: ...
    @overload
    def covers_code(self, node: int, code: Ints) -> Bools: ...
    def covers_code(self, node: Ints | int, code: Ints | int) -> Bools | bool:
        """Say whether a code lies below a node; only the root covers a missing value (-1).

        Examples
        --------
        >>> tree = Hierarchy.from_dict({"X": ["a", "b"], "c": None})
        >>> tree.covers_code(1, np.array([0, 1, 2, -1])).tolist(), tree.covers_code(0, -1)
        ([True, True, False, False], True)
        """
        nodes, codes = numbers_of(node, self.n_nodes), numbers_of(code)
        inside = (self.first_leaf[nodes] <= codes) & (codes <= self.last_leaf[nodes])
        result: Bools = np.asarray(inside | ((codes == -1) & (nodes == 0)))
        return bool(result) if result.ndim == 0 else result

    @property
    def even(self) -> bool:
        """Whether all leaves are equally far from the root.

        Examples
        --------
        >>> Hierarchy.from_dict({"X": ["a", "b"], "c": None}).even, Hierarchy.flat("ab").even
        (False, True)
        """
        return bool((self.depth[self.leaf_nodes] == self.height).all())

    def level_labels(self, level: int) -> tuple[str, ...]:
        """Label of each leaf after climbing ``level`` steps; the climb ends at the root.

        Examples
        --------
        >>> tree = Hierarchy.from_dict({"X": ["a", "b"], "c": None})
        >>> tree.level_labels(1), tree.level_labels(2)
        (('X', 'X', '*'), ('*', '*', '*'))
        """
        require_whole("level", level, 0)
        depth = np.maximum(self.depth[self.leaf_nodes] - level, 0)
        return tuple(self.labels[node] for node in self.ancestors[self.leaf_nodes, depth].tolist())

    def at_level(self, level: int) -> IntArray:
        """Node of each code at a level of the whole tree, 0 being the leaves.

        Where the tree is of uneven depth, a leaf that lies less deep stays as it is until the
        level of its own parent. One more entry is for a missing value: the root.

        Examples
        --------
        >>> tree = Hierarchy.from_dict({"X": ["a", "b"], "c": None})
        >>> [tree.labels[node] for node in tree.at_level(1)]
        ['X', 'X', 'c', '*']
        """
        require_whole("level", level, 0)
        return np.append(self.ancestors[self.leaf_nodes, max(self.height - level, 0)], np.int32(0))

    @cached_property
    def intervals(self) -> tuple[Interval | None, ...]:
        """The range of numbers that each node stands for; ``None`` where its label is a word.

        Examples
        --------
        >>> Hierarchy.from_dict({"[0, 10)": ["3", "7"]}).intervals[:2]
        (None, Interval(lo=0, hi=10, open_end=True))
        """
        return tuple(self._known.get(label) or parse_interval(label) for label in self.labels)

    # -- out ------------------------------------------------------------------------------

    def to_csv(self, path: str | Path, separator: str = ";") -> None:
        r"""Write the ARX layout, leaf first; short paths repeat the root.

        Examples
        --------
        >>> import tempfile
        >>> file = Path(tempfile.mkdtemp(), "tree.csv")
        >>> Hierarchy.from_dict({"X": ["a"], "b": None}).to_csv(file, ",")
        >>> file.read_text()
        'a,X,*\nb,*,*\n'
        """
        levels = [self.level_labels(level) for level in range(max(self.height, 1) + 1)]
        write_rows(path_of(path, "hierarchy"), zip(*levels, strict=True), separator)

    def to_dict(self) -> dict[str, Any]:
        """Give the nested form that `from_dict` reads; the root is the only key.

        Examples
        --------
        >>> Hierarchy.from_dict({"X": ["a", "c"], "b": None}).to_dict()
        {'*': {'X': ['a', 'c'], 'b': []}}
        """
        return nested(self.labels, self.parent.tolist())

    def show(self, max_children: int = 12) -> str:
        """Draw the tree, with the number of leaves at each group.

        Examples
        --------
        >>> print(Hierarchy.from_dict({"X": ["a", "b", "c"], "d": None}).show(2))
        * (4)
        ├── X (3)
        │   ├── a
        │   ├── b
        │   └── … 1 more
        └── d
        """
        require_whole("max_children", max_children, 1)
        return draw(self.labels, self.parent.tolist(), self.leaf_counts.tolist(), max_children)

    def __len__(self) -> int:
        return self.n_leaves

    def __repr__(self) -> str:
        return f"Hierarchy(leaves={self.n_leaves}, nodes={self.n_nodes}, height={self.height})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hierarchy):
            return NotImplemented
        same = self.labels == other.labels and np.array_equal(self.parent, other.parent)
        return same and self.intervals == other.intervals

    def __hash__(self) -> int:
        return hash((self.labels, self.parent.tobytes()))

    def __reduce__(self) -> tuple[type[Hierarchy], tuple[Any, ...]]:
        return Hierarchy, (self.labels, self.parent.tolist(), self._known)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("A hierarchy cannot be changed; build a new one.")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("A hierarchy cannot be changed; build a new one.")
