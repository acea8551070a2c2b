"""What starting must not wait for."""

from __future__ import annotations

import subprocess
import sys

LATE = (
    "altair",
    "charset_normalizer",
    "jinja2",
    "pandas",
    "pyarrow.parquet",
    "shoal.papers",
    "shoal.utility",
    "sklearn",
    "vl_convert",
)
"""Imported by what needs them, when it is called."""


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = f"import sys, shoal.cli; print(*[n for n in {LATE!r} if n in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout.split() == []
