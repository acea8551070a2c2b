"""What a build does besides packing files: compile the kernels, and write the long description.

With `SHOAL_KERNELS=1` a wheel brings compiled kernels, and is for one platform and one Python.
Without it a wheel is for all, and compiles a kernel when it is first called. `make release` builds
both; one with kernels needs what Shoal needs in the environment that builds (`--no-isolation`).
"""

from __future__ import annotations

import os
import platform
import runpy
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent
SOURCE = ROOT / "src"

WARM_UP = """
from numba.core.ir import Loc
from shoal.checks.warm_up import warm_up_here

begin = Loc.__init__

def without_folders(self, filename, *others, **named):
    begin(self, filename.rpartition("site-packages/")[2], *others, **named)

Loc.__init__ = without_folders
warm_up_here()
"""
"""Compile everything; machine code that can fail names files, and shall not name this machine's."""


class LongDescriptionHook(MetadataHookInterface):
    """Give the README without what works in a checkout alone."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the field `readme`, which pyproject.toml declares as dynamic."""
        written = runpy.run_path(str(ROOT / "docs" / "long_description.py"))["long_description"]
        text = written((ROOT / "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class KernelsHook(BuildHookInterface[Any]):
    """Compile the kernels for a baseline processor, so that they are valid on every machine."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile into a temporary folder, and add its files to the wheel."""
        if version == "editable" or os.environ.get("SHOAL_KERNELS") != "1":
            return
        self.made = tempfile.TemporaryDirectory()
        keeping = runpy.run_path(str(SOURCE / "shoal" / "kernels" / "keeping.py"))
        name, _ = keeping["BASELINES"][platform.machine()]
        environment = {
            "PYTHONPATH": str(SOURCE),
            "NUMBA_CACHE_DIR": self.made.name,
            "NUMBA_CPU_NAME": name,
            "NUMBA_CPU_FEATURES": "",
            "PYTHONHASHSEED": "0",  # so that the same text gives the same bytes
        }
        subprocess.run([sys.executable, "-c", WARM_UP], env=os.environ | environment, check=True)
        build_data["force_include"][str(Path(self.made.name) / "shoal")] = "shoal/kernels/brought"
        build_data["pure_python"] = False
        build_data["tag"] = _tag()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        if hasattr(self, "made"):
            self.made.cleanup()


def _tag() -> str:
    """Name the Python and the platform whose machine code was packed.

    It calls nothing of the system's library by version, so what Numba itself needs is the least.
    """
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    where = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if where.startswith("linux_") and platform.libc_ver()[0] == "glibc":
        where = where.replace("linux_", "manylinux_2_17_", 1)
    return f"{python}-{python}-{where}"
