"""Write a combination into a plan's data, such as the nearest one that can work."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any

from shoal.methods import Method
from shoal.models import Requirement
from shoal.plan.compatibility import Combination
from shoal.plan.plan import Plan
from shoal.plan.publication import PublicationPlan
from shoal.publications import Publication


def with_combination(data: Mapping[str, Any], wanted: Combination) -> dict[str, Any]:
    """Change a plan's data so that it puts together what is wanted; all else stays.

    Parts that are as they should be stay as they are written, and seeds are kept.
    """
    made: dict[str, Any] = copy.deepcopy(dict(data))
    now = Plan.from_dict(made).combination()
    if wanted.method != now.method:
        fields = {field.name for field in dataclasses.fields(wanted.method)}  # type: ignore[arg-type]
        seed = {"seed": now.method.seed} if now.method.seed is not None and "seed" in fields else {}
        made["method"] = specified(wanted.method) | seed
    made["require"] = [
        made["require"][place] if now.require[place : place + 1] == (each,) else specified(each)
        for place, each in enumerate(wanted.require)
    ]
    if (wanted.publication, wanted.follows) != (now.publication, now.follows):
        beside = {key for key in PublicationPlan.model_fields if key != "form"}
        kept = {k: v for k, v in made.get("publication", {}).items() if k in beside}
        made["publication"] = kept | ({} if wanted.follows else specified(wanted.publication))
    if wanted.missing != now.missing:
        made.setdefault("publication", {})["missing"] = wanted.missing
    for part, there, stays in (
        ("refine", now.refined, wanted.refined),
        ("bound", now.bounded, wanted.bounded),
        ("blocks", now.blocks, wanted.blocks),
    ):
        if there and not stays:
            del made[part]
    return made


def specified(member: Method | Publication | Requirement) -> dict[str, Any]:
    """Write a member as a plan's table; TOML has no null."""
    return {name: value for name, value in member.to_spec().items() if value is not None}
