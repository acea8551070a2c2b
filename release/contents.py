"""What the archives of a release hold: what is committed, what was compiled, and nothing else."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path

__all__ = ["check_contents"]

KERNELS = "shoal/kernels/brought/"
MADE = {"PKG-INFO"}
"""Files of an archive of the source that a build makes."""


def check_contents(
    path: Path, version: str, files: Collection[str], private: tuple[str, ...]
) -> None:
    """Refuse an archive that lacks a committed file, has more, or names a folder of this machine.

    Parameters
    ----------
    path
        A wheel or an archive of the source.
    version
        The version that it must be of.
    files
        The committed files.
    private
        Folders that no file may name.
    """
    held = dict(_wheel(path) if path.suffix == ".whl" else _source(path, version))
    if path.suffix == ".whl":
        wanted = {name.removeprefix("src/") for name in files if name.startswith("src/shoal/")}
        found = {
            name for name in held if not name.startswith((KERNELS, f"shoal-{version}.dist-info/"))
        }
        packs = any(name.startswith(KERNELS) for name in held)
        if packs == path.name.endswith("-none-any.whl"):
            sys.exit(f"{path.name}: kernels belong into wheels of one platform, and only there.")
    else:
        wanted = {name for name in files if not name.startswith((".ci/", ".github/"))}
        found = set(held) - MADE
    for names, words in (
        (wanted - found, "lacks"),
        (found - wanted, "has besides what is committed"),
    ):
        if names:
            sys.exit(f"{path.name} {words}: {', '.join(sorted(names)[:9])}")
    for name, data in held.items():
        if any(folder.encode() in data for folder in private):
            sys.exit(f"{path.name}: {name} names a folder of this machine.")


def _wheel(path: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            yield name, archive.read(name)


def _source(path: Path, version: str) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            if file is not None:
                yield member.name.removeprefix(f"shoal-{version}/"), file.read()
