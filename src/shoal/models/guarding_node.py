"""Personalised sensitive values: everyone names a node of which nothing may be guessed of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np

from shoal.base.arrays import Bools, Ints, runs
from shoal.base.cells import STAR
from shoal.base.plural import counted
from shoal.errors import InputError, ParameterError
from shoal.models._cases import HandCase, written
from shoal.models._compared import Labels
from shoal.models._ground import require_tree, upward
from shoal.models._private import Private
from shoal.models._statistics import GroupStatistics, Histogram
from shoal.models.base import Outcome
from shoal.models.exact.limits import at_most
from shoal.models.exact.shares import fraction, within
from shoal.table.hierarchies import Hierarchy

Tree = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class GuardingNode(Private):
    """The share of values below a person's own guarding node is limited in every group.

    For people with different wishes: one wants to hide any infection, another only HIV, a third
    nothing. `AlphaK` limits every value, or one, for all people. It sets no size for groups, so
    require k-anonymity, too.

    Parameters
    ----------
    share
        The largest probability, above 0 and at most 1 (p_breach in the paper): of a person's group
        at most this share may hold a value below the person's node. A number is read as a decimal
        (0.3 is exactly 3/10); a text may be a fraction, ``"1/3"``.
    guard
        The column of the input that names each person's guarding node; an empty cell hides
        nothing. It has the role identifier, so it is not published.
    column
        The sensitive column; may be left out where there is one.
    parents
        Its tree: the node above each value and above each node but the root. Left out, it is the
        column's hierarchy; without one, a guarding node is a value.

    Notes
    -----
    A value lies below itself. One that is shown as a node above somebody's guarding node counts as
    if it lay below it, since it may. Where the schema names an entity column, shares are of
    people, who count once per value, and each row's guarding node counts in its group. A missing
    value lies below the root alone, which nobody can guard: everything lies below it.

    A group without a guard holds it whatever its values, so the union of two groups that hold it
    may fail.

    Examples
    --------
    >>> ill = ["flu HIV cold", "HIV HIV flu"]
    >>> groups = written(ill=ill, private={"guard": ["* HIV *", "* * *"]})
    >>> GuardingNode("1/3", "guard").judge(groups).holds.tolist()
    [True, True]
    >>> tree = {"flu": "virus", "HIV": "virus", "virus": "any", "cold": "any"}
    >>> guarded = written(ill=["flu HIV cold"], private={"guard": ["* virus *"]})
    >>> GuardingNode("1/3", "guard", parents=tree).judge(guarded).achieved
    {'share': 0.6666666666666666}

    References
    ----------
    Xiao, Tao: Personalized privacy preservation, SIGMOD 2006.
    """

    share: float | str
    guard: str
    column: str | None = None
    parents: Mapping[str, str] | None = None

    name: ClassVar[str] = "guarding-node"
    limits: ClassVar = {"share": at_most("(0, 1]")}
    monotone: ClassVar[bool] = False
    monotone_in_people: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"people", "histograms", "private"})

    @property
    def private_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The column of guarding nodes."""
        return (self.guard,)

    @property
    def most(self) -> Fraction:
        """The largest share, exactly."""
        return fraction("share", self.share)

    @classmethod
    def example(cls) -> Self:
        tree = {f"i{i}": "grave" if i == 1 else "mild" for i in range(6)}
        return cls(0.7, "guard", parents={**tree, "grave": "any", "mild": "any"})

    @classmethod
    def private_examples(cls) -> dict[str, tuple[str | None, ...]]:
        """Give a leaf and a node of the example's tree."""
        return {"guard": (None, "i0", "grave")}

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Guard values, nodes, what is shown above a node, and people."""
        plain = written(
            ill=["flu HIV", "flu HIV", "flu flu HIV", "HIV HIV", "flu flu cold *"],
            private={"guard": ["* HIV", "* *", "flu * *", "flu *", "* cold flu *"]},
        )
        tree = {"flu": "virus", "HIV": "virus", "ulcer": "gut", "virus": "any", "gut": "any"}
        # A third, two thirds, and none of a group below the guarded nodes; virus may be HIV.
        nodes = written(
            ill=["flu ulcer ulcer", "flu HIV ulcer", "flu HIV flu", "virus virus ulcer"],
            private={"guard": ["virus * *", "virus * *", "gut * *", "* HIV *"]},
        )
        people = written(
            ill=["flu flu flu ulcer", "flu flu ulcer", "flu HIV ulcer ulcer"],
            private={"guard": ["flu * * *", "flu * *", "virus * * *"]},
            people=["ann ann ann bob", "ann bob cid", "ann ann bob cid"],
        )
        return [
            HandCase(cls("1/2", "guard"), plain, [True, True, False, True, True]),
            HandCase(cls("1/3", "guard", "ill", tree), nodes, [True, False, True, False]),
            HandCase(cls("2/3", "guard", None, tree), nodes, [True] * 4),
            HandCase(cls("1/2", "guard", parents=tree), people, [True, False, False]),
        ]

    def validate(self) -> None:
        """Refuse a share outside (0, 1], columns that are not named, and what is no tree."""
        super().validate()
        self.require_columns()
        if self.parents is not None:
            require_tree(
                self.parents,
                "parents must give the node above each value, by texts.",
                'Such as {"flu" = "virus", "HIV" = "virus", "virus" = "any"}.',
            )

    def bind(self, schema: Mapping[str, Any]) -> Self:
        """Take the tree from the schema where none is given, once it is built."""
        made = super().bind(schema)
        if made.parents is not None:
            return made
        names = [name for name in schema if schema[name].role == "sensitive"]
        name = names[0] if made.column is None and len(names) == 1 else made.column
        tree = schema[name].hierarchy if name in names else None
        if not isinstance(tree, Hierarchy) or tree.n_nodes < 2:
            return made
        above = zip(tree.labels[1:], tree.parent[1:].tolist(), strict=True)
        return replace(made, parents={label: tree.labels[node] for label, node in above})

    def ranks(self, name: str, labels: Sequence[str | None], cells: Ints) -> None:
        """Refuse guarding nodes that are not in the tree, and the root."""
        above = self.parents
        root = STAR if above is None else next(n for n in above.values() if n not in above)
        is_root = [label is not None and label in (root, STAR) for label in labels]
        at_root = int(cells[is_root].sum())
        if at_root:
            raise InputError(
                f"Column '{name}' names the root in {counted(at_root, 'cell')}, and every value "
                "lies below it.",
                "Name a node below the root, or leave the cell empty if nothing is to be hidden.",
            )
        strange = [
            label is not None and above is not None and label not in above for label in labels
        ]
        unknown = int(cells[strange].sum())
        if unknown:
            raise InputError(
                f"Column '{name}' names nodes that are not in the tree in "
                f"{counted(unknown, 'cell')}.",
                "Check their spelling: a misspelt node would protect no person.",
            )

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Count who holds a value below each guarding node of a group."""
        name, found = groups.histogram(self.column)
        guards = groups.private_histogram(self.guard)
        below = self._below(name, guards, found)
        guarded = np.array([label is not None for label in guards.labels], dtype=np.bool_)
        entry = np.flatnonzero(guarded[guards.value])
        group, node = guards.group[entry], guards.value[entry]
        # Beside each guard of a group, all values of the group.
        ends = np.searchsorted(found.group, np.arange(len(groups.sizes) + 1))
        which, at = runs(ends[group], ends[group + 1] - ends[group])
        held = np.where(below[node[which], found.value[at]], found.counts[at], 0)
        count = np.bincount(which, held, minlength=len(entry)).astype(np.int64)
        total = groups.counts[group]
        count = np.minimum(count, total)  # nobody counts for more than the whole
        fits = within(count, total, [self.most], np.zeros(len(count), dtype=np.int64))
        holds = np.ones(len(groups.sizes), dtype=np.bool_)
        holds[group[~fits]] = False
        worst = float((count / total).max()) if len(count) else 0.0
        return Outcome(holds, {"share": worst})

    def _below(self, name: str, guards: Histogram, found: Histogram) -> Bools:
        """Say which values lie below which guarding nodes, or above them."""
        self.ranks(self.guard, guards.labels, guards.totals)
        tree = None if self.parents is None else tuple(self.parents.items())
        return _on_one_path(name, guards.labels, found.labels, tree)

    def describe(self) -> str:
        return (
            f"guarding nodes (of every group at most {self.share} hold a value{self._of_column} "
            "below the node that a member guards)"
        )

    def require_fitting(self, whole: GroupStatistics) -> None:
        """Refuse nodes and values outside the tree; without a tree, nodes that are no value."""
        super().require_fitting(whole)
        name, found = whole.histogram(self.column)
        guards = whole.private_histogram(self.guard)
        self._below(name, guards, found)
        if self.parents is not None:
            return
        strange = [label is not None and label not in found.labels for label in guards.labels]
        unknown = int(guards.totals[strange].sum())
        if unknown:
            raise InputError(
                f"Column '{self.guard}' names values that do not occur in column '{name}' in "
                f"{counted(unknown, 'cell')}, and '{name}' has no tree.",
                "Check their spelling, or give the tree: a hierarchy of the column, or parents.",
            )

    def require_feasible(self, whole: GroupStatistics, *, suppression_limit: float = 0.0) -> None:
        """Refuse a table in which too many guard a node for the values that are not below it.

        A group with such a guard has at least the share 1 − share of other values, so all such
        groups together have at most so many rows as the other values allow.
        """
        self.validate()
        self.require_fitting(whole)
        why = ": too few rows hold a value that is not below a guarded node"
        self._refuse_beyond(suppression_limit, self._too_many(whole), whole, why)

    def _too_many(self, whole: GroupStatistics) -> int:
        """Count the rows, at least, that guard a node and have no place in any group."""
        name, found = whole.histogram(self.column)
        guards = whole.private_histogram(self.guard)
        if self.most == 1:
            return 0
        below, needed = self._below(name, guards, found), 0
        values, asking = found.totals, guards.totals.tolist()
        for code, label in enumerate(guards.labels):
            others = int(values[~below[code]].sum())
            if label is None or (others and whole.people is not None):
                continue  # the other values of a person may stand in many groups
            needed += max(asking[code] - int(others / (1 - self.most)), 0)
        return needed

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Say that a larger share, or lower nodes, may do."""
        return f"A larger share may hold, or lower nodes in column '{self.guard}'."

    def published(self, values: Mapping[str, Collection[str | None]]) -> Self:
        """Leave the tree out, since it may name values that are not published."""
        return replace(self, parents=None)


@lru_cache(maxsize=16)
def _on_one_path(name: str, guards: Labels, values: Labels, tree: Tree | None) -> Bools:
    """Say which values lie on one way to the root with which nodes: nodes × values."""
    above = dict(tree or ())
    strange = sum(label is not None and bool(tree) and label not in above for label in values)
    if strange:
        raise ParameterError(
            f"The tree lacks {strange} of {len(values)} values of '{name}'.",
            "Write every value with the node above it.",
        )
    paths: dict[str | None, Sequence[str]] = {
        label: upward(label, above) for label in {*guards, *values} if label is not None
    }
    made = np.array(
        [[g in paths.get(v, ()) or v in paths.get(g, ()) for v in values] for g in guards],
        dtype=np.bool_,
    ).reshape(len(guards), len(values))
    made[:, [value is None for value in values]] = False
    made.flags.writeable = False
    return made
