"""Compiled kernels are kept where they can be, and an old copy never runs for a new text."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from shoal.kernels import keeping
from shoal.kernels.keeping import BASELINES

PACKAGE = Path(shoal.__file__).parent


def run(code: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script with the packages in a folder first, and no other place to write to."""
    shown = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "XDG_"))}
    shown |= {"PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run(
        [sys.executable, "-c", code], env=shown, capture_output=True, text=True, check=False
    )


def without_a_folder(tmp_path: Path) -> dict[str, str]:
    """Copy the package to where nothing can be kept, by root neither; give the environment."""
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "shoal", ignore=skipped)
    (tmp_path / "shoal" / "kernels" / "__pycache__").write_text("a file, not a folder")
    return {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache"}


def test_without_a_writable_folder_kernels_are_compiled_in_memory(tmp_path: Path) -> None:
    environment = without_a_folder(tmp_path)
    code = (
        "import numpy as np, shoal, shoal.cli\n"
        "from shoal.kernels.lattice.above import least\n"
        "print(shoal.__file__, least.dispatcher.stats.cache_path)\n"
        "levels = np.array([[0, 1], [2, 1]], dtype=np.int16)\n"
        "print(least(levels, np.array([5.0, 3.0]), levels[1]))\n"
    )
    done = run(code, tmp_path, **environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{tmp_path / 'shoal' / '__init__.py'} None", "3.0"]
    assert done.stderr.count("No folder is writable") == 1
    assert done.stderr.count("\n") == 1, done.stderr  # one line, once


def test_commands_that_call_no_kernel_say_nothing(tmp_path: Path) -> None:
    environment = without_a_folder(tmp_path)
    code = "import sys; sys.argv = ['shoal', 'models']; from shoal.cli import main; main()"
    done = run(code, tmp_path, **environment)
    assert done.returncode == 0, done.stderr
    assert "k-anonymity" in done.stdout
    assert done.stderr == ""


OUTER = (
    "from shoal.kernels.compiled import compiled\nfrom small.inner import number\n@compiled\n"
    "def answer():\n    return number() + 1\n"
)


def two_files(home: Path, number: int) -> None:
    """A package of kernels: one calls what lies in another file."""
    home.mkdir(exist_ok=True)
    (home / "__init__.py").write_text("")
    (home / "inner.py").write_text(
        "from shoal.kernels.compiled import compiled\n@compiled\n"
        f'def number():\n    """Give it."""\n    return {number}\n'
    )
    (home / "outer.py").write_text(OUTER)


def ask(home: Path, code: str = "from small.outer import answer; print(answer())") -> str:
    """Run a script that calls the package's kernels, and keep them in a folder of its own."""
    done = run(code, home, NUMBA_CACHE_DIR=str(home / "kept"))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def kept(home: Path) -> list[str]:
    """List the kernels that are kept."""
    return sorted(path.name for path in (home / "kept" / "shoal").iterdir())


def test_an_old_copy_of_another_file_never_runs(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    assert ask(tmp_path) == "2"
    (first,) = kept(tmp_path)
    assert first.startswith("outer.answer-")
    two_files(tmp_path / "small", 5)
    assert ask(tmp_path) == "6"
    assert len(kept(tmp_path)) == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def number():\n    return LIMIT", "from math import inf\nLIMIT = 7\n"),
        ("def number(limit=LIMIT):\n    return limit", "from math import inf\nLIMIT = 7\n"),
        ("def number():\n    return LIMIT.one", "LIMIT = Pair(7)\n"),
    ],
)
def test_a_changed_constant_is_another_kernel(tmp_path: Path, before: str, after: str) -> None:
    two_files(tmp_path / "small", 1)
    inner = tmp_path / "small" / "inner.py"
    head = (
        "from typing import NamedTuple\nfrom shoal.kernels.compiled import compiled\n"
        "class Pair(NamedTuple):\n    one: int\nLIMIT = {first}\n{more}@compiled\n{code}\n"
    )
    first = "Pair(1)" if ".one" in before else "1"
    inner.write_text(head.format(first=first, more="", code=before))
    assert ask(tmp_path) == "2"
    inner.write_text(head.format(first=first, more=after, code=before))
    assert ask(tmp_path) == "8"


def test_comments_places_and_times_compile_nothing(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    assert ask(tmp_path, TOLD) == "compiling\n2 2"
    before = kept(tmp_path)
    inner = tmp_path / "small" / "inner.py"
    text = inner.read_text().replace('Give it."""', 'Give a number."""\n    # here')
    inner.write_text(f"\n# A comment.\n\n{text}")
    os.utime(tmp_path / "small" / "outer.py", (1, 1))
    assert ask(tmp_path, TOLD) == "2 2"
    assert kept(tmp_path) == before


def test_a_file_that_is_not_whole_is_compiled_anew(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    assert ask(tmp_path, TOLD) == "compiling\n2 2"
    (name,) = kept(tmp_path)
    file = tmp_path / "kept" / "shoal" / name
    for data in (b"", file.read_bytes()[:100]):
        file.write_bytes(data)
        assert ask(tmp_path, TOLD) == "compiling\n2 2"
        assert ask(tmp_path, TOLD) == "2 2"


def test_what_is_kept_of_a_class_that_is_gone_is_not_read(tmp_path: Path) -> None:
    for name in ("Pair", "Couple"):
        two_files(tmp_path / "small", 1)
        (tmp_path / "small" / "outer.py").write_text(
            "from typing import NamedTuple\nfrom shoal.kernels.compiled import compiled\n"
            f"class {name}(NamedTuple):\n    one: int\n    other: int\n"
            "@compiled\ndef total(pair):\n    return pair.one + pair.other\n"
            f"def answer():\n    return total({name}(1, 2))\n"
        )
        assert ask(tmp_path) == "3"
    assert len(kept(tmp_path)) == 2


TOLD = """
from shoal.kernels.compiled import on_compiling
from small.outer import answer
with on_compiling(lambda: print("compiling")):
    print(answer(), answer())
"""


def test_what_is_compiled_is_told_once_and_what_is_kept_is_not(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    assert ask(tmp_path, TOLD).splitlines() == ["compiling", "2 2"]
    assert ask(tmp_path, TOLD).splitlines() == ["2 2"]


MEANWHILE = """
import os, pathlib, shutil
from shoal.kernels.compiled import on_missing
from small.outer import answer
kept = pathlib.Path(os.environ["NUMBA_CACHE_DIR"])
looks = [True, False]
def bring(module):
    print(module)
    if not looks.pop():
        return True
    return shutil.copytree(kept.with_name("elsewhere"), kept / "shoal", dirs_exist_ok=True)
with on_missing(bring):
    print(answer(), sum(answer.dispatcher.stats.cache_misses.values()))
"""


def test_what_is_brought_while_a_kernel_is_missing_is_loaded(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    assert ask(tmp_path) == "2"
    (tmp_path / "kept" / "shoal").rename(tmp_path / "elsewhere")
    assert ask(tmp_path, MEANWHILE).splitlines() == ["small.outer", "small.outer", "2 0"]


WITH_ARRAYS = """
import numpy as np
from shoal.kernels.compiled import compiled, compiled_with_arrays

@compiled
def largest(numbers):
    found = numbers[0]
    for number in numbers:
        found = max(found, number)
    return found

@compiled_with_arrays
def raised(numbers):
    return np.exp(numbers * 0) + numbers
"""

LOADED = """
import sys
import numpy as np
from small.arrays import raised, largest
print(largest(np.array([1.0, 4.0])), *raised(np.array([1.0, 4.0])))
print("numba.np.linalg" in sys.modules)
"""


def test_what_is_kept_is_loaded_without_the_compiler(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    (tmp_path / "small" / "arrays.py").write_text(WITH_ARRAYS)
    numbers = "4.0 2.0 5.0"
    assert ask(tmp_path, LOADED).splitlines() == [numbers, "True"]
    assert ask(tmp_path, LOADED).splitlines() == [numbers, "False"]
    other = f"{LOADED}print(largest(np.array([3, 7])))"  # of another type: compiled after all
    assert ask(tmp_path, other).splitlines() == [numbers, "False", "7"]


def test_numba_is_imported_when_a_kernel_is_called() -> None:
    code = (
        "import sys, shoal.methods.clustering.gaa_cp, shoal.methods.buckets.gca\n"
        "import shoal.methods.inverse.micd, shoal.methods.lattice.full_domain\n"
        "import shoal.methods.merging.kaca, shoal.methods.partition.top_down\n"
        "print(*[name for name in ('numba', 'scipy') if name in sys.modules])"
    )
    assert run(code, PACKAGE.parent).stdout.split() == []


LEAST = """
import numpy as np
from shoal.kernels.compiled import on_compiling
from shoal.kernels.lattice.above import least
levels = np.array([[0, 1], [2, 1]], dtype=np.int16)
with on_compiling(lambda: print("compiling")):
    print(least(levels, np.array([5.0, 3.0]), levels[1]))
"""


@pytest.mark.skipif(platform.machine() not in BASELINES, reason="no baseline processor is known")
def test_what_a_wheel_brings_is_loaded_where_nothing_can_be_kept(tmp_path: Path) -> None:
    name, _ = BASELINES[platform.machine()]
    built = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    assert run(LEAST, PACKAGE.parent, **built).stdout.splitlines() == ["compiling", "3.0"]
    nowhere = without_a_folder(tmp_path / "site")
    shutil.move(tmp_path / "shoal", tmp_path / "site" / "shoal" / "kernels" / "brought")
    done = run(LEAST, tmp_path / "site", **nowhere)
    assert done.stdout.splitlines() == ["3.0"], done.stdout
    assert done.stderr == ""


def test_what_a_wheel_brings_is_left_alone_by_a_lesser_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "BROUGHT", tmp_path)
    cache = keeping.KernelCache(run, with_arrays=False, missed=lambda: None)
    machine = platform.machine()
    for features, n_places in ((("sse2",), 2), (("none such",), 1)):
        monkeypatch.setitem(keeping.BASELINES, machine, ("baseline", features))
        assert len([*cache._places("()")]) == n_places
