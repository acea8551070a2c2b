"""Copy a written release to another place, with its private folder: whole, and verified there."""

from __future__ import annotations

import shutil
from os import PathLike
from pathlib import Path

from shoal import io
from shoal.errors import OutputError
from shoal.publications.published import private_folder
from shoal.release.opened import open_published
from shoal.release.writing import UNWRITTEN, require_passed, require_writable, targets


def copy_release(folder: str | PathLike[str], to: str | PathLike[str]) -> Path:
    """Copy a release and what lies in private beside it; an older release there is replaced.

    The files that were copied are recounted before they appear.

    Raises `VerificationError` or `OutputError` if what was copied does not hold what it promises,
    the place holds other files, or the disk refuses. Nothing is left there then.

    >>> import shoal, tempfile
    >>> release = shoal.anonymize(shoal.datasets.patients(1).select("age", "disease"), k=2,
    ...     quasi=["age"], sensitive="disease")
    >>> place = Path(tempfile.mkdtemp())
    >>> made = copy_release(release.write(place / "first"), place / "second")
    >>> shoal.open_release(made).verify().passed
    True
    """
    source = Path(folder)
    require_writable(to)
    if Path(to).resolve() == source.resolve():
        raise OutputError("The release is already in that folder.", "Name another folder.")
    inside = private_folder(source)
    with io.replace_folders(targets(to)[: 2 if inside.is_dir() else 1]) as places:
        for place, old in zip(places, (source, inside), strict=False):
            shutil.copytree(old, place, dirs_exist_ok=True, copy_function=shutil.copyfile)
        beside = places[1] if len(places) > 1 else None  # it knows who the people are
        require_passed(open_published(places[0], private=beside).verify(), UNWRITTEN)
    return Path(to)
