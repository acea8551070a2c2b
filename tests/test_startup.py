"""What starting must not wait for."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "jinja2",
    "numba",
    "numpy",
    "polars",
    "pyarrow",
    "pydantic",
    "shoal.engines.pipeline",
    "tomlkit",
)
"""What no question about the command line itself needs."""
LATE = (
    "altair",
    "charset_normalizer",
    "cryptography",
    "fastexcel",
    "jinja2",
    "pandas",
    "pyarrow.parquet",
    "pyreadstat",
    "shoal_papers",
    "shoal.judging.utility",
    "sklearn",
    "vl_convert",
    "xlsxwriter",
)
"""Imported by what needs them, when it is called."""


def imported(code: str, *names: str) -> list[str]:
    """Run some code in a new interpreter, and say which of the modules it imported."""
    watched = f"import sys\n{code}\nprint(*[n for n in {names!r} if n in sys.modules])"
    command = [sys.executable, "-c", watched]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return found.stdout.splitlines()[-1].split()


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    assert imported("import shoal.engines.pipeline, shoal.cli.commands.run", *LATE) == []


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(argument: str) -> None:
    code = f"""
from shoal.cli import main
sys.argv = ["shoal", {argument!r}]
try:
    main()
except SystemExit:
    pass"""
    assert imported(code, *HEAVY) == []


def test_numba_loads_no_linear_algebra_which_others_may() -> None:
    code = """
from shoal.__main__ import _start_quickly
_start_quickly()
import numba.np.arraymath
early = "scipy" in sys.modules
import scipy.linalg
assert not early"""
    assert imported(code, "numba", "scipy") == ["numba", "scipy"]
