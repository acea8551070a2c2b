"""A k and a method to try, and the plan that asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from numbers import Integral
from typing import Any

from shoal.base.arguments import plain
from shoal.errors import ParameterError, PlanError, a_type, did_you_mean
from shoal.methods import METHODS
from shoal.plan import Plan
from shoal.plan.compatibility import refusals

KS = (3, 5, 10, 20, 50)
"""The values of k that are tried by default."""

USUAL = ("auto", "gaa-cp", "mondrian", "full-domain")
"""The methods that are tried beside the plan's own."""


@dataclass(frozen=True, order=True)
class Setting:
    """What is tried.

    Examples
    --------
    >>> Setting(5, "kaca").name
    'k5-kaca'
    """

    k: int
    """The smallest size of a group."""
    method: str

    @property
    def name(self) -> str:
        """What its plan and its release are called."""
        return f"k{self.k}-{self.method}"

    def plan(self, plan: Plan) -> Plan:
        """Ask a plan for this k and this method; a method of the plan keeps its options."""
        data = plan.to_dict()
        data["require"] = [
            {**spec, "k": self.k} if "k" in spec else spec for spec in data["require"]
        ]
        if data["method"]["name"] != self.method:
            data["method"] = {"name": self.method}
        data.setdefault("output", {})["path"] = f"release-{self.name}"
        return Plan.from_dict(data, folder=plan.folder)


def settings(plan: Plan, k: Any = None, method: Any = None) -> list[Setting]:
    """List what is tried: every k with every method.

    Left out, some usual k are tried, and the plan's method with some usual ones that can carry what
    the plan asks for.
    """
    if not any("k" in spec for spec in plan.require):
        raise PlanError(
            "No requirement of the plan has a k to vary.", "Add one that has, such as k-anonymity."
        )
    ks = KS if k is None else _each("k", k, int)
    for each in ks:
        if isinstance(each, bool) or each < 2:
            raise ParameterError(f"k must be at least 2, not {each!r}.", "3 to 50 are usual.")
    own = plan.method["name"]
    names = [own, *USUAL] if method is None else _each("method", method, str)
    for name in names:
        if name not in METHODS:
            raise ParameterError(f"There is no method '{name}'.", did_you_mean(name, METHODS))
    names = list(dict.fromkeys(names))
    if method is None:
        names = [name for name in names if name == own or carries(Setting(ks[0], name).plan(plan))]
    return [Setting(each, name) for name, each in product(names, dict.fromkeys(ks))]


def carries(plan: Plan) -> bool:
    """Say whether a plan's method can carry what the plan asks for."""
    return not refusals(plan.combination(), plan.schema_())


def _each(name: str, given: Any, kind: type) -> Sequence[Any]:
    listed = [given] if isinstance(given, Integral | str) else given
    if not isinstance(listed, Iterable) or isinstance(listed, bytes):
        raise ParameterError(f"{name} must be a list, not {a_type(given)}.", "[3, 5]")
    made = [plain(each) for each in listed]
    if not made or any(not isinstance(each, kind) for each in made):
        raise ParameterError(
            f"{name} must list at least one {'number' if kind is int else 'name'}.",
            "Such as k=[3, 5, 10]." if kind is int else 'Such as method=["auto", "kaca"].',
        )
    return made
