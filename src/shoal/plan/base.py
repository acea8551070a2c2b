"""What all parts of a plan have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """A part of a plan: every key is known, and nothing changes after it was read."""

    # Built when a plan is read: each part is then built once, inside the plan.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
