"""Another writer in the place of one of ours, to see what a release does about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from shoal import io


def write_csv_by(monkeypatch: pytest.MonkeyPatch, write: Callable[..., None]) -> None:
    """Have CSV files written by another function."""
    other = dataclasses.replace(io.FORMATS["csv"], write=write)
    monkeypatch.setitem(io.FORMATS._loaded, "csv", other)
