"""The same plan with more or less work for its groups, and with other weights of its columns.

A budget is said in times of the usual one, never in seconds: the same plan gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shoal.errors import ParameterError, did_you_mean
from shoal.plan import Plan
from shoal.plan.compatibility import refusals
from shoal.table.schema import Role

WEIGHED = "loss"
"""The measure that counts columns by their weights: refinement by another one undoes them."""

DEFAULT = "auto"
"""The method that refines and bounds by itself."""


def can_be_refined(plan: Plan) -> bool:
    """Say whether the groups of a plan's method may be refined."""
    return plan.linkage != "all-rows" and not _refused(plan, "refine")


def budgeted(plan: Plan, times: float) -> Plan:
    """Let a plan refine and compute a bound for a multiple of the usual time; 0 turns it off.

    What cannot be refined or bounded is left as its method makes it.
    """
    data = plan.to_dict()
    for part in ("refine", "bound"):
        data.pop(part, None)
    _measure_by_weights(data)
    bare = Plan.from_dict(data, folder=plan.folder)
    by_itself = data["method"]["name"] == DEFAULT
    if (times == 1 and by_itself) or (not times and not by_itself):
        return bare  # what the method does anyhow
    measure = _measure(data)
    option: dict[str, Any] = {"times": short_number(times)}
    if measure is not None and times:
        option["measure"] = measure
    if can_be_refined(bare) or not times:
        data["refine"] = dict(option)
    if not _refused(bare, "bound") or not times:
        data["bound"] = dict(option)
    return Plan.from_dict(data, folder=plan.folder)


def reweighed(plan: Plan, weights: Mapping[str, float]) -> Plan:
    """Let some quasi-identifiers count more or less; where weights differ, refine by them."""
    data = plan.to_dict()
    if weights:  # what is said column by column replaces what is found in the table
        data.pop("weights", None)
    quasi = [name for name, column in plan.columns.items() if column.role is Role.QUASI]
    for name, weight in weights.items():
        if name not in quasi:
            raise ParameterError(
                f"'{name}' is not a quasi-identifier of the plan.", did_you_mean(name, quasi)
            )
        data["columns"][name]["weight"] = float(weight)
    _measure_by_weights(data)
    return Plan.from_dict(data, folder=plan.folder)


def _measure_by_weights(data: dict[str, Any]) -> None:
    """Refine by the measure that weights speak of, if there are any, and else as is usual."""
    parts = [data[name] for name in ("refine", "bound") if name in data]
    if data["method"]["name"] == DEFAULT:
        parts.append(data["method"])
    for part in parts:
        if _differ(data):
            part["measure"] = WEIGHED
        elif part.get("measure") == WEIGHED:
            del part["measure"]


def _measure(data: Mapping[str, Any]) -> str | None:
    """Say by which measure groups are refined; ``None``: by the usual one."""
    if data["method"]["name"] == DEFAULT and "measure" in data["method"]:
        option: str = data["method"]["measure"]
        return option
    return WEIGHED if _differ(data) else None


def _differ(data: Mapping[str, Any]) -> bool:
    """Whether columns count differently."""
    columns = data["columns"].values()
    weights = {each.get("weight", 1.0) for each in columns if each["role"] == Role.QUASI}
    return len(weights) > 1 or "weights" in data


def _refused(plan: Plan, part: str) -> bool:
    combination = replace(plan.combination(), refined=True, bounded=True)
    return any(each.part == part for each in refusals(combination))


def short_number(times: float) -> float:
    """Write a whole number as people do."""
    return int(times) if times == int(times) else times
