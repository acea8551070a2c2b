"""The private folder of a studio: uploads, runs and nothing else; it is removed in the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InputError
from shoal.io.scratch import scratch_folder

PREFIX = "shoal-studio-"
"""How the names of these folders begin; the number of the process follows."""

LONGEST = 200
"""Bytes of a file's name."""

FORBIDDEN = re.compile(r'[/\\\x00-\x1f\x7f<>:"|?*]')
"""What a name of a file has on no system."""


@dataclass(frozen=True)
class Workspace:
    """Where a studio keeps what it works on."""

    folder: Path
    """Nobody else can read it."""

    @property
    def uploads(self) -> Path:
        """Tables that were sent by the browser."""
        return self._made("uploads")

    @property
    def jobs(self) -> Path:
        """What long work makes, a folder for each."""
        return self._made("jobs")

    def place_of(self, name: str) -> Path:
        """Say where an upload goes, by the name that the browser tells.

        Raises `InputError` if the name is a path, or no name at all.

        Examples
        --------
        >>> import tempfile
        >>> made = Workspace(Path(tempfile.mkdtemp()))
        >>> made.place_of("people.csv").name
        'people.csv'
        >>> made.place_of("../people.csv")
        Traceback (most recent call last):
        shoal.errors.InputError: This is not a file name. Rename it...
        """
        wrong = FORBIDDEN.search(name) or name.startswith(".") or name.strip() != name
        if not name or wrong or len(name.encode()) > LONGEST:
            raise InputError(
                "This is not a file name.",
                "Rename it: letters, digits and a known ending such as .csv.",
            )
        return self.uploads / name

    def _made(self, name: str) -> Path:
        made = self.folder / name
        made.mkdir(mode=0o700, exist_ok=True)
        return made


@contextmanager
def workspace() -> Iterator[Workspace]:
    """Make a workspace, and remove it in the end; those of killed studios are removed, too."""
    with scratch_folder(PREFIX) as folder:
        yield Workspace(folder)
