"""Environments with what one step of a release needs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["Environment", "pythons"]


class Environment:
    """A new environment of a Python.

    Parameters
    ----------
    folder
        Where it is made.
    base
        The Python that it is made of.
    """

    def __init__(self, folder: Path, base: str) -> None:
        self.folder, self.base = folder, base
        subprocess.run([base, "-m", "venv", "--without-pip", str(folder)], check=True)
        self.python = str(folder / "bin" / "python")
        self.tag = self.answer("-c", "import sys; print('cp%d%d' % sys.version_info[:2])").strip()

    def install(self, *packages: str) -> None:
        """Install packages, with the pip of the Python that runs this: none is in there itself."""
        self._pip("install", "--quiet", *packages)

    def remove(self, package: str) -> None:
        """Remove a package."""
        self._pip("uninstall", "--quiet", "--yes", package)

    def _pip(self, *arguments: str) -> None:
        pip = [sys.executable, "-m", "pip", "--python", self.python]
        subprocess.run([*pip, "--disable-pip-version-check", *arguments], check=True)

    def run(self, *arguments: str, cwd: Path | None = None, **surroundings: str) -> None:
        """Run its Python."""
        env = os.environ | surroundings
        subprocess.run([self.python, *arguments], check=True, env=env, cwd=cwd)

    def answer(self, *arguments: str) -> str:
        """Run its Python, and give what it printed."""
        return subprocess.run([self.python, *arguments], check=True, stdout=-1, text=True).stdout


def pythons() -> Iterator[tuple[str, str]]:
    """Give the Pythons of the classifiers that this machine has, the running one first."""
    project = Path(__file__).parents[1] / "pyproject.toml"
    classifiers = tomllib.loads(project.read_text("utf-8"))["project"]["classifiers"]
    here = "{}.{}".format(*sys.version_info[:2])
    yield here, sys.executable
    for name in re.findall(r"Python :: (3\.\d+)", "\n".join(classifiers)):
        found = shutil.which(f"python{name}")
        works = found and subprocess.run([found, "--version"], capture_output=True).returncode == 0
        if name != here and found and works:
            yield name, found
        elif name != here:
            print(f"No Python {name} on this machine: no wheel with kernels for it.")
