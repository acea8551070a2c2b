"""The private parts of Numba that kernels rely on: a test for each.

All were tried with the oldest and the newest Numba that pyproject.toml allows, `TRIED`. A newer
one gets in by running this folder and `python -m shoal.checks` with it, and writing it here.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numba
import pytest

from shoal.kernels import keeping
from shoal.kernels.compiled import compiled

TRIED = ("0.61.0", "0.68.1")

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep kernels in a folder that is empty at first."""
    monkeypatch.setattr(keeping, "own_folder", lambda: tmp_path)
    return tmp_path


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")[:2]))


def test_no_other_versions_are_allowed_than_were_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest, newest = map(_numbers, TRIED)
    limits = f"numba>={oldest[0]}.{oldest[1]},<{newest[0]}.{newest[1] + 1}"
    assert [each for each in project["dependencies"] if each.startswith("numba")] == [limits]
    assert oldest <= _numbers(numba.__version__) <= newest


def test_a_dispatcher_asks_our_cache_and_gives_it_what_it_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`Dispatcher._cache`, with `load_overload` and `save_overload`."""
    called: list[str] = []
    for name in ("load_overload", "save_overload"):
        told = lambda *_, name=name: called.append(name)  # noqa: E731
        monkeypatch.setattr(keeping.KernelCache, name, told)
    kernel = compiled(lambda number: number + 1)
    assert kernel(1) == 2
    assert called == ["load_overload", "save_overload"]


def test_the_seventh_of_nine_parts_that_are_kept_is_words() -> None:
    """`CompileResult._reduce`."""
    kernel: Any = compiled(lambda number: number + 1)
    assert kernel(1) == 2
    ((_, made),) = kernel.dispatcher.overloads.items()
    parts = made._reduce()
    assert len(parts) == 9
    assert parts[keeping._WORDS] == str(made.type_annotation) != ""


def test_what_is_kept_is_run_and_makes_arrays(folder: Path) -> None:
    """`CompileResult._rebuild`, and `rtsys.initialize`, without which arrays cannot be made."""
    code = (
        "import numpy as np\nfrom shoal.kernels.compiled import *\n"
        "kernel = compiled_with_arrays(lambda number: np.full(3, number))\n"
        "print(kernel(7).tolist(), sum(kernel.dispatcher.stats.cache_misses.values()))"
    )
    found = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PATH": "", "PYTHONPATH": ":".join(sys.path), "NUMBA_CACHE_DIR": str(folder)},
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(done.stdout.strip())
    assert found == ["[7, 7, 7] 1", "[7, 7, 7] 0"]


def test_a_kernel_within_another_is_compiled_once_for_all_whole_numbers() -> None:
    """`Dispatcher.get_call_template`, `_numba_type_`: Numba takes a literal for another type."""

    @compiled
    def inner(number: int, more: int) -> int:
        return number + more

    @compiled
    def outer(number: int) -> int:
        return inner(number, 0) + inner(number, 1) + inner(0, number)

    within: Any = inner
    assert outer(2) == 2 + 3 + 2
    assert len(within.inner.overloads) == 1
