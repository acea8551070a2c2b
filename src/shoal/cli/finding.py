"""Open what was published, with the plan, the roles and the files that were named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from shoal.errors import ParameterError
from shoal.plan import Plan
from shoal.release import OpenedRelease, open_published
from shoal.table.schema import Column, Role, Schema


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


def opened_as_named(
    published: Path,
    plan: Path | None,
    private: Path | None = None,
    sensitive_tables: Sequence[Path] | None = None,
    class_column: str | None = None,
) -> OpenedRelease:
    """Open a publication by the options of a command."""
    return open_published(
        published,
        private=private,
        sensitive_tables=sensitive_tables or (),
        class_column=class_column,
        plan=None if plan is None else Plan.read(plan),
    )


def listed(text: str) -> list[str]:
    """Read names with commas between."""
    return [name.strip() for name in text.split(",") if name.strip()]


def named_roles(opened: OpenedRelease, quasi: Sequence[str], sensitive: Sequence[str]) -> Schema:
    """Make a schema of the columns that are named; all others are ``other``."""
    roles = dict.fromkeys(quasi, Column(Role.QUASI))
    roles |= dict.fromkeys(sensitive, Column(Role.SENSITIVE))
    columns = opened.files.columns([*quasi, *sensitive])
    rest = {name: Column(Role.OTHER) for name in columns if name not in roles}
    return Schema({**roles, **rest})


def require_one_role_each(quasi: Sequence[str], sensitive: Sequence[str]) -> None:
    """Refuse a column that is named twice (raises `ParameterError`)."""
    both = [name for name in sensitive if name in quasi]
    if both:
        raise ParameterError(
            f"Column '{both[0]}' is named as both quasi-identifier and sensitive.", "Name it once."
        )
