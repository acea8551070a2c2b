"""A lever: what may be changed in a plan to lose less, and how to write it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from shoal.plan import Plan
from shoal.plan.changing import change_of, changed, parts_of


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
