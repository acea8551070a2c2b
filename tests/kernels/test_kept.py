"""Compiled kernels are kept where they can be, and an old copy never runs for a new text."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import shoal
from shoal.kernels import compiled as module

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
    for package in (tmp_path / "shoal" / "kernels").rglob("__init__.py"):
        package.with_name("__pycache__").write_text("a file, not a folder")
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


def two_files(home: Path, number: int) -> None:
    """A package of kernels: one calls what lies in another file."""
    home.mkdir(exist_ok=True)
    (home / "__init__.py").write_text("")
    shutil.copy(Path(module.__file__), home / "compiled.py")
    (home / "inner.py").write_text(
        f"from small.compiled import compiled\n@compiled\ndef number():\n    return {number}\n"
    )
    (home / "outer.py").write_text(
        "from small.compiled import compiled\nfrom small.inner import number\n@compiled\n"
        "def answer():\n    return number() + 1\n"
    )


def ask(home: Path, before: str = "") -> tuple[str, str]:
    done = run(f"{before}\nfrom small.outer import answer; print(answer())", home)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


def test_an_old_copy_of_another_file_never_runs(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    assert ask(tmp_path) == ("2", "")
    assert list((tmp_path / "small" / "__pycache__").glob("outer.answer*.nbc"))
    two_files(tmp_path / "small", 5)
    assert ask(tmp_path) == ("6", "")


def test_what_is_kept_of_a_class_that_is_gone_is_not_read(tmp_path: Path) -> None:
    for name in ("Pair", "Couple"):
        two_files(tmp_path / "small", 1)
        (tmp_path / "small" / "outer.py").write_text(
            "from typing import NamedTuple\nfrom small.compiled import compiled\n"
            f"class {name}(NamedTuple):\n    one: int\n    other: int\n"
            "@compiled\ndef total(pair):\n    return pair.one + pair.other\n"
            f"def answer():\n    return total({name}(1, 2))\n"
        )
        assert ask(tmp_path) == ("3", "")
        assert list((tmp_path / "small" / "__pycache__").glob("outer.total*.nbc"))


STAMP_UNDER_ANOTHER_NAME = """
from numba.core import caching
kind = caching.IndexDataCacheFile
def begin(self, cache_path, filename_base, source_stamp, real=kind.__init__):
    real(self, cache_path, filename_base, source_stamp)
    self._freshness = self.__dict__.pop("_source_stamp")
kind.__init__ = begin
def renamed(name, real):
    def call(self, *rest):
        given = self.__dict__.pop("_source_stamp", None)  # what nobody reads any more
        self.__dict__["_source_stamp"] = self._freshness
        try:
            return real(self, *rest)
        finally:
            del self.__dict__["_source_stamp"]
            if given is not None:
                self._source_stamp = given
    setattr(kind, name, call)
for name in ("_load_index", "_save_index"):
    renamed(name, getattr(kind, name))
"""


def test_if_numba_renames_the_stamp_nothing_is_kept(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    assert ask(tmp_path, STAMP_UNDER_ANOTHER_NAME)[0] == "2"
    two_files(tmp_path / "small", 5)
    answer, said = ask(tmp_path, STAMP_UNDER_ANOTHER_NAME)
    assert answer == "6"
    assert said.count("does not know") == said.count("\n") == 1


def test_a_text_in_a_folder_below_counts_too(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    (tmp_path / "small" / "below").mkdir()
    shutil.move(tmp_path / "small" / "inner.py", tmp_path / "small" / "below" / "inner.py")
    outer = tmp_path / "small" / "outer.py"
    outer.write_text(outer.read_text().replace("small.inner", "small.below.inner"))
    assert ask(tmp_path) == ("2", "")
    inner = tmp_path / "small" / "below" / "inner.py"
    inner.write_text(inner.read_text().replace("return 1", "return 5"))
    assert ask(tmp_path) == ("6", "")


TOLD = """
from small.compiled import on_compiling
from small.outer import answer
with on_compiling(lambda: print("compiling")):
    print(answer(), answer())
"""


def test_what_is_compiled_is_told_once_and_what_is_kept_is_not(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    assert run(TOLD, tmp_path).stdout.splitlines() == ["compiling", "2 2"]
    assert run(TOLD, tmp_path).stdout.splitlines() == ["2 2"]


WITH_ARRAYS = """
import numpy as np
from small.compiled import compiled, compiled_with_arrays

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
    assert run(LOADED, tmp_path).stdout.splitlines() == [numbers, "True"]
    assert run(LOADED, tmp_path).stdout.splitlines() == [numbers, "False"]
    other = f"{LOADED}print(largest(np.array([3, 7])))"  # of another type: compiled after all
    assert run(other, tmp_path).stdout.splitlines() == [numbers, "False", "7"]


LOADED_OTHERWISE = """
from numba.core import caching
caching.Cache._look_up = caching.Cache._load_overload
def load_overload(self, sig, target_context):
    target_context.refresh()
    return self._look_up(sig, target_context)
caching.Cache.load_overload = load_overload
del caching.Cache._load_overload
"""


def test_if_numba_loads_otherwise_it_is_left_alone(tmp_path: Path) -> None:
    two_files(tmp_path / "small", 1)
    (tmp_path / "small" / "arrays.py").write_text(WITH_ARRAYS)
    for _ in range(2):
        done = run(LOADED_OTHERWISE + LOADED, tmp_path)
        assert done.stdout.splitlines() == ["4.0 2.0 5.0", "True"], done.stderr


def test_numba_is_imported_when_a_kernel_is_called() -> None:
    code = (
        "import sys, shoal.methods.clustering.gaa_cp, shoal.methods.buckets.gca\n"
        "import shoal.methods.inverse.micd, shoal.methods.lattice.full_domain\n"
        "import shoal.methods.merging.kaca, shoal.methods.partition.top_down\n"
        "print(*[name for name in ('numba', 'scipy') if name in sys.modules])"
    )
    assert run(code, PACKAGE.parent).stdout.split() == []
