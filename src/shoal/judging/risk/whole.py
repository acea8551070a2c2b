"""Attacks on a publication as a whole name no sensitive column."""

from __future__ import annotations

from shoal.errors import ParameterError

__all__ = ["require_whole"]


def require_whole(name: str, column: str | None) -> None:
    """Refuse a column where an attack is about none (raises `ParameterError`)."""
    if column is not None:
        raise ParameterError(
            f"The attack '{name}' is not about a sensitive column.", "Leave column out."
        )
