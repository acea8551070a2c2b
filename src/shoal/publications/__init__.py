"""How groups are released: a form of publication per file, found by being here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal import options
from shoal.publications.base import Made, Publication
from shoal.publications.generalized import Generalized
from shoal.publications.sensitive_groups import SensitiveGroups
from shoal.publications.two_table import TwoTable

__all__ = [
    "FORMS",
    "Generalized",
    "Made",
    "Publication",
    "SensitiveGroups",
    "TwoTable",
    "from_spec",
]

FORMS: Mapping[str, type[Publication]] = {
    form.name: form for form in (Generalized, SensitiveGroups, TwoTable)
}
"""Every form by its name in plans."""


def from_spec(spec: Mapping[str, Any]) -> Publication:
    """Make a form of publication from a plan's table.

    Examples
    --------
    >>> from_spec({"form": "two-table", "sensitive_cells": "counts"})
    TwoTable(quasi_cells='exact', sensitive_cells='counts', bounds=None)
    """
    made = options.from_spec(FORMS, "form", spec, noun="form of publication")
    made.validate()
    return made
