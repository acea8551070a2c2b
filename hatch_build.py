"""The build step of wheels: with `SHOAL_KERNELS=1`, compile the kernels and pack them.

A wheel is then for one platform and one Python. Without it a wheel is for all, and compiles a
kernel when it is first called. `make release` sets it; it needs what Shoal needs in the environment
that builds (`--no-isolation`).
"""

from __future__ import annotations

import os
import platform
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path(__file__).parent / "src"


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
        }
        subprocess.run(
            [sys.executable, "-m", "shoal", "warm-up"], env=os.environ | environment, check=True
        )
        build_data["force_include"][str(Path(self.made.name) / "shoal")] = "shoal/kernels/brought"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        if hasattr(self, "made"):
            self.made.cleanup()
