"""Compiled templates, kept beside their sources as Python keeps compiled modules."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket


class TemplateCache(FileSystemBytecodeCache):
    """Templates compiled once: compiling takes longer than making a small release.

    Where nothing can be written or read, each start compiles anew.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read what was kept, if that is possible."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled, if that is possible."""
        with suppress(OSError):
            Path(self.directory).mkdir(exist_ok=True)
            super().dump_bytecode(bucket)
