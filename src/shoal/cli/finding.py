"""Open what was published, with the plan that was named or that lies beside it."""

from __future__ import annotations

from pathlib import Path

from shoal.errors import ParameterError
from shoal.plan import Plan
from shoal.release import OpenedRelease, open_published


def opened_with_plan(
    published: Path, plan: Path | None, private: Path | None
) -> tuple[OpenedRelease, Plan]:
    """Open a publication by a plan; by that of its private folder if none is named.

    Raises `ParameterError` if there is none.
    """
    if plan is not None:
        loaded = Plan.read(plan)
        return open_published(published, private=private, plan=loaded), loaded
    opened = open_published(published, private=private)
    if opened.private_plan is None:
        raise ParameterError(
            f"No plan is named, and '{published}' has no private folder beside it.",
            "Name the plan with --plan, or the private folder with --manifest.",
        )
    return opened, opened.private_plan
