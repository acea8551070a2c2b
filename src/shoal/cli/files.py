"""Roles and requirements from flags."""

from __future__ import annotations

from collections.abc import Sequence

from shoal import models
from shoal.errors import ParameterError
from shoal.models import Requirement
from shoal.schema import Column, Role, Schema

__all__ = ["flags", "named"]


def flags(
    quasi: str, sensitive: str, k: int | None, columns: Sequence[str]
) -> tuple[Schema, list[Requirement]]:
    """Make a schema and a requirement from flags; all other columns are ``other``."""
    if k is None:
        raise ParameterError("Nothing is required.", "Give --plan, or --quasi with --k.")
    roles = dict.fromkeys(named(quasi), Column(Role.QUASI))
    roles |= dict.fromkeys(named(sensitive), Column(Role.SENSITIVE))
    rest = {name: Column(Role.OTHER) for name in columns if name not in roles}
    return Schema({**roles, **rest}), [models.KAnonymity(k)]


def named(text: str) -> list[str]:
    """Read names with commas between."""
    return [name.strip() for name in text.split(",") if name.strip()]
