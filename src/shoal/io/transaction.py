"""Folders that take each other's place: all of them, or none, whenever the process stops.

What is to be written waits in a folder beside the targets::

    .release.tmp-x1y2z3/        mode 0700
        new/release             what takes a target's place
        new/release.private
        old/…                   what stood there, until all is done
        commit                  from its making on, the next start finishes; before, it undoes

The mark is made when everything in ``new`` is on the disk. What is left to do is read from the
disk: a folder that is still in ``new`` is still to be moved. So every step can be repeated, and
nothing has to be believed that a journal says.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import OutputError
from shoal.io.disk import sync_folder
from shoal.io.lock import lock_file

__all__ = ["Target", "Transaction", "check_free", "clear_remains", "remains"]

_NEW, _OLD, _MARK = "new", "old", "commit"
_KINDS = ("tmp", "old")
"""Folders of ours beside a target; 0.1.0 moved what it replaced to one of the second kind."""


@dataclass(frozen=True)
class Target:
    """A folder to replace.

    Parameters
    ----------
    path
        Where it stands, without links.
    owned
        Whether a folder that is not empty may be replaced.
    private
        Whether nobody else may read it (folders 0700, files 0600).
    """

    path: Path
    owned: Callable[[Path], bool]
    private: bool = False


def check_free(target: Path, owned: Callable[[Path], bool]) -> None:
    """Refuse a target that is a link, a file, or a folder with files that are not ours."""
    if target.is_symlink():
        raise OutputError(
            f"'{target}' is a link, which is not followed.", "Name the folder itself, or remove it."
        )
    if not target.exists():
        return
    if not target.is_dir():
        raise OutputError(f"'{target}' is a file, not a folder.", "Choose another name.")
    if any(target.iterdir()) and not owned(target):
        raise OutputError(
            f"The folder '{target}' exists and holds other files.",
            "Choose another folder, or empty this one yourself.",
        )


@dataclass(frozen=True)
class Transaction:
    """The folder of one exchange; see the module."""

    folder: Path
    targets: Sequence[Target]
    """All in one folder; private ones are moved first."""

    @classmethod
    def begin(cls, targets: Sequence[Target]) -> Transaction:
        """Make the folder, with an empty new one for each target."""
        place = targets[0].path
        folder = Path(tempfile.mkdtemp(prefix=f".{place.name}.tmp-", dir=place.parent))
        made = cls(folder, sorted(targets, key=lambda target: not target.private))
        for path in (folder / _NEW, folder / _OLD, *map(made.new, targets)):
            path.mkdir(mode=0o700)
        return made

    def new(self, target: Target) -> Path:
        """Where the new folder waits."""
        return self.folder / _NEW / target.path.name

    def old(self, target: Target) -> Path:
        """Where the old folder goes."""
        return self.folder / _OLD / target.path.name

    @property
    def decided(self) -> bool:
        """Whether the next start finishes it."""
        return (self.folder / _MARK).exists()

    def commit(self) -> None:
        """Put all new folders in place; on an error or an interrupt, put all old ones back."""
        try:
            self._decide()
            self.move()
        except BaseException:
            self._move_back()
            raise
        self.close()

    def _decide(self) -> None:
        sync_folder(self.folder / _NEW)
        handle = os.open(self.folder / _MARK, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        sync_folder(self.folder)
        sync_folder(self.folder.parent)

    def move(self) -> None:
        """Put in place what is not there yet."""
        for target in self.targets:
            new = self.new(target)
            if not new.is_dir():
                continue
            check_free(target.path, target.owned)
            if target.path.exists():
                target.path.rename(self.old(target))
            new.rename(target.path)
        for folder in (self.folder.parent, self.folder / _NEW, self.folder / _OLD):
            sync_folder(folder)

    def _move_back(self) -> None:
        """Undo what was moved. If that fails too, the mark stays and the next start finishes."""
        with contextlib.suppress(OSError):
            for target in reversed(self.targets):
                if not self.new(target).exists():
                    target.path.rename(self.new(target))
                if self.old(target).exists():
                    self.old(target).rename(target.path)
            sync_folder(self.folder.parent)
            self.close()

    def close(self) -> None:
        """Say that nothing is left to do; only then may anything in the folder be removed."""
        (self.folder / _MARK).unlink(missing_ok=True)
        sync_folder(self.folder)

    def remove(self) -> None:
        """Remove the folder, unless there is something to finish."""
        if not self.decided:
            shutil.rmtree(self.folder, ignore_errors=True)


def remains(target: Target) -> list[Path]:
    """List what a stopped process, or one that still runs, has beside a target."""
    # A name such as ".x.tmp-1.tmp-2" belongs to a target of another name.
    ours = re.compile(rf"\.{re.escape(target.path.name)}\.(?:{'|'.join(_KINDS)})-\w+")
    lock = lock_file(target.path).name
    try:
        with os.scandir(target.path.parent) as found:
            names = sorted(each.name for each in found)
    except OSError:
        return []
    return [target.path.parent / n for n in names if n == lock or ours.fullmatch(n)]


def clear_remains(targets: Sequence[Target]) -> None:
    """Finish or undo what a stopped process left, and remove its folders.

    Only for whoever holds the locks of all targets: then no folder belongs to a process that
    is still alive. Folders of other people are left alone.
    """
    for target in targets:
        for folder in _own_folders(target):
            if folder.name.startswith(f".{target.path.name}.{_KINDS[1]}-"):
                _put_back(folder, target)
            stopped = Transaction(folder, sorted(targets, key=lambda each: not each.private))
            if stopped.decided:
                stopped.move()
                stopped.close()
            stopped.remove()


def _own_folders(target: Target) -> Iterator[Path]:
    for path in remains(target):
        if path.is_symlink():
            raise OutputError(f"'{path}' is a link, which is not followed.", "Remove it.")
        if path.is_dir() and (os.name != "posix" or path.stat().st_uid == os.geteuid()):
            yield path


def _put_back(aside: Path, target: Target) -> None:
    """Put back what 0.1.0 had moved aside, where nothing has taken its place."""
    if (aside / _OLD).is_dir() and not os.path.lexists(target.path):
        (aside / _OLD).rename(target.path)
