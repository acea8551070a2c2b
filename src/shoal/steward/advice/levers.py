"""Levers: what may be changed in a plan to lose less; a function per kind of lever.

A new kind is a function of the release and the columns in question, named in `KINDS`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shoal.improve import Refinement
from shoal.measures import MEASURES
from shoal.methods import METHODS
from shoal.plan import Plan
from shoal.plan.changing import change_of, changed, parts_of
from shoal.release import Release
from shoal.steward.comparison.budget import WEIGHED, short_number
from shoal.steward.comparison.setting import KS, carries
from shoal.table import CategoricalColumn


@dataclass(frozen=True)
class Lever:
    """What is changed in a plan.

    Examples
    --------
    >>> lever = Lever("weight 5", ('columns."birth date".weight=5',), column="birth date")
    >>> lever.edit
    'weight = 5 under [columns."birth date"]'
    >>> print(lever.options)
    --set 'columns."birth date".weight=5'
    """

    what: str
    """What it is called."""
    changes: tuple[str, ...]
    """The changes, as ``shoal run --set`` takes them."""
    column: str | None = None
    """The column that it is meant for; ``None``: it is there for all."""
    also: str = ""
    """What must be changed beside it, in words."""
    leaves_out: str | None = None
    """The column that is not published with it."""
    weakens: bool = False
    """Whether people are less well protected with it."""

    def plan(self, plan: Plan) -> Plan:
        """Change a plan."""
        return Plan.from_dict(changed(plan.to_dict(), self.changes), folder=plan.folder)

    @property
    def keeps_all(self) -> bool:
        """Whether all columns are published with it, and people as well protected."""
        return not self.weakens and self.leaves_out is None

    @property
    def name(self) -> str:
        """What it is called where its column is named already."""
        return ", ".join(filter(None, (self.what, self.also)))

    @property
    def title(self) -> str:
        """What it is called anywhere."""
        meant = self.what if self.column is None else f"{self.what} for '{self.column}'"
        return ", ".join(filter(None, (meant, self.also)))

    @property
    def options(self) -> str:
        """The options of ``shoal run`` that ask for it once."""
        return " ".join(f"--set {shlex.quote(change)}" for change in self.changes)

    @property
    def edit(self) -> str:
        """What to write into the plan to ask for it for good."""
        return " and ".join(map(_edit, self.changes))


AS_IT_IS = Lever("as it is", ())
"""Nothing is changed."""


def _edit(change: str) -> str:
    """Say one change as lines of a plan."""
    _, keys, value = parts_of(change)
    *above, key = keys
    if above[:1] == ["require"]:
        return f"{key} = {value} in [[require]] number {int(above[1]) + 1}"
    if not above or value.startswith("{"):
        table = change_of(keys, 0).removesuffix("=0")
        return f"[{table}] with only {value.strip('{}')}"
    return f"{key} = {value} under [{change_of(above, 0).removesuffix('=0')}]"


WEIGHTS = (2, 5, 10)
"""How many times its own weight a column is given."""

LONGER = 4
"""How many times as long groups are refined."""

LEFT_OUT = 3
"""How many columns are left out, one at a time."""

UNGROUPED_VALUES = 3
"""A column of so few values needs no groups between its values and ``*``."""


def levers(made: Release, columns: Sequence[str]) -> list[Lever]:
    """List what may help some columns of a release, and the table as a whole."""
    return [lever for find in KINDS for lever in find(made, columns)]


def flat_columns(made: Release, columns: Sequence[str]) -> list[str]:
    """List the columns that nothing lies between for: a cell is a value or ``*``."""
    return [
        column.name
        for column in made.pair.table.quasi
        if column.name in columns
        and isinstance(column, CategoricalColumn)
        and column.hierarchy.height < 2
        and column.hierarchy.n_leaves > UNGROUPED_VALUES
    ]


def _weights(made: Release, columns: Sequence[str]) -> Iterator[Lever]:
    """Let a column count more; what is refined must then be what the weights speak of."""
    if made.plan.weights is not None or made.method.weighing is not None:
        return
    beside = _refined_by(made, WEIGHED)
    also = f"refining by {WEIGHED}" if beside else ""
    for name in columns:
        for times in WEIGHTS:
            weight = made.plan.columns[name].weight * times
            change = change_of(("columns", name, "weight"), short_number(weight))
            yield Lever(f"weight {weight:g}", (change, *beside), column=name, also=also)


def _another_measure(made: Release, columns: Sequence[str]) -> Iterator[Lever]:
    """Refine by the values that cells cover, instead of the steps up to them."""
    changes = _refined_by(made, WEIGHED)
    if changes:
        yield Lever(f"refining by {WEIGHED}", changes)


def _longer(made: Release, columns: Sequence[str]) -> Iterator[Lever]:
    """Refine longer, or at all."""
    found, plan = made.refinement, made.plan
    if found is not None:
        spent = {"steps": found.steps, "seconds": found.seconds}
        more: dict[str, Any] = {
            n: LONGER * value for n, value in spent.items() if value is not None
        }
        if found.measure != Refinement.measure:
            more["measure"] = found.measure
        budget = {name: value for name, value in (plan.refine or {}).items() if name != "times"}
        spec = {**budget, **more}
        yield Lever(f"refining {LONGER} times as long", (change_of(("refine",), spec),))
        return
    usual = METHODS["auto"]().refinement(made.pair.table, made.require)
    if usual is None or made.schema.linkage == "all-rows":
        return
    lever = Lever("refining the groups", (change_of(("refine",), {"steps": usual.steps}),))
    if carries(lever.plan(plan)):
        yield lever


def _method(made: Release, columns: Sequence[str]) -> Iterator[Lever]:
    """Group by the method that loses least, where another one is asked for."""
    lever = Lever("the method auto", (change_of(("method",), {"name": "auto"}),))
    if made.method.name != "auto" and carries(lever.plan(made.plan)):
        yield lever


def _suppression(made: Release, columns: Sequence[str]) -> Iterator[Lever]:
    """Leave out more rows, where the method leaves out those that fit nowhere."""
    limit = getattr(made.method, "suppression_limit", None)
    if limit is None or limit >= 1:
        return
    more = min(2 * limit or 0.05, 1.0)
    change = change_of(("publication", "suppression_limit"), more)
    yield Lever(f"suppressing up to {more:.0%} of the rows", (change,))


def _columns_left_out(made: Release, columns: Sequence[str]) -> Iterator[Lever]:
    """Leave out a column: those in question, then those that lost most."""
    losses = MEASURES["iloss_rate"].by_column_of(made.pair)
    if len(losses) < 2:
        return
    ranked = sorted(losses, key=lambda name: (name not in columns, -losses[name]))
    for name in [each for each in ranked if losses[each] > 0][:LEFT_OUT]:
        change = change_of(("columns", name), {"role": "identifier"})
        yield Lever(f"leaving out '{name}'", (change,), leaves_out=name)


def _smaller_k(made: Release, columns: Sequence[str]) -> Iterator[Lever]:
    """Ask for the next smaller usual k: less protection."""
    changes, ks = [], []
    for place, spec in enumerate(made.plan.require):
        below = [k for k in (2, *KS) if "k" in spec and k < spec["k"]]
        if below:
            changes.append(change_of(("require", str(place), "k"), max(below)))
            ks.append(f"k = {max(below)}")
    if changes:
        yield Lever(", ".join(dict.fromkeys(ks)), tuple(changes), weakens=True)


KINDS: tuple[Callable[[Release, Sequence[str]], Iterator[Lever]], ...] = (
    _longer,  # takes longest, so that others can run beside it
    _method,
    _weights,
    _another_measure,
    _suppression,
    _columns_left_out,
    _smaller_k,
)
"""The kinds of levers, in the order in which they are tried."""


def _refined_by(made: Release, measure: str) -> tuple[str, ...]:
    """Say what makes refinement go by another measure; nothing if there is none to change."""
    found, plan = made.refinement, made.plan
    if found is None or found.measure == measure:
        return ()
    changes = []
    if made.method.name == "auto":
        changes.append(change_of(("method", "measure"), measure))
    if plan.refine is not None:
        changes.append(change_of(("refine", "measure"), measure))
    if not changes:  # the method refines by itself, and says no more about it
        changes.append(change_of(("refine",), {**found.to_spec(), "measure": measure}))
    if plan.bound is not None:
        changes.append(change_of(("bound", "measure"), measure))
    return tuple(changes)
