"""Folders that take each other's place: all of them, or none, whenever the process stops.

What is to be written waits in a folder beside the targets::

    .release.tmp-x1y2z3/        mode 0700
        new/release             what takes a target's place
        new/release.private
        old/…                   what stood there, until all is done
        awaits                  what must be committed elsewhere first: a database's transaction
        commit                  from its making on, the next start finishes; before, it undoes

The mark is made when everything in ``new`` is on the disk. What is left to do is read from the
disk: a folder that is still in ``new`` is still to be moved. So every step can be repeated, and
nothing has to be believed that a journal says.

Where a database takes part, ``awaits`` is made when everything is on the disk, then the database
commits, then the mark is made. Of a start that finds the first without the second, the database
is asked: it has committed or not, and the folders follow.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import OutputError, StoppedWriteWarning
from shoal.io.disk import sync_folder
from shoal.io.lock import lock_file

_NEW, _OLD, _AWAITS, _MARK = "new", "old", "awaits", "commit"
_KINDS = ("tmp", "old")
"""Folders of ours beside a target; 0.1.0 moved what it replaced to one of the second kind."""


@dataclass(frozen=True)
class Target:
    """A folder to replace.

    ``path``: where it stands, without links.
    ``owned``: whether a folder that is not empty may be replaced.
    ``private``: whether nobody else may read it (folders 0700, files 0600).
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

    @property
    def awaited(self) -> str | None:
        """What was to be committed elsewhere; ``None`` if nothing was."""
        try:
            return (self.folder / _AWAITS).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def wait_for(self, elsewhere: str) -> None:
        """Write down what is going to be committed elsewhere; it decides from then on."""
        sync_folder(self.folder / _NEW)
        self._write(_AWAITS, elsewhere)

    def finish(self, committed: Callable[[str], bool]) -> bool:
        """Put in place what a stopped process had decided to; say whether it had.

        Where something is committed elsewhere, ``committed`` is asked, and may raise.
        """
        elsewhere = self.awaited
        if elsewhere is not None and not self.decided:
            if committed(elsewhere):
                self._decide()
            else:
                (self.folder / _AWAITS).unlink()
        if not self.decided:
            return False
        self.move()
        self.close()
        return True

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
        self._write(_MARK)

    def _write(self, name: str, text: str = "") -> None:
        """Make a file whole: under another name first, unless it is empty."""
        place = self.folder / name
        part = place.with_name(f"{name}.part") if text else place
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(handle, text.encode())
            os.fsync(handle)
        finally:
            os.close(handle)
        if text:
            part.rename(place)
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
            (self.folder / _MARK).unlink(missing_ok=True)  # what was committed elsewhere stays so
            sync_folder(self.folder)

    def close(self) -> None:
        """Say that nothing is left to do; only then may anything in the folder be removed."""
        (self.folder / _AWAITS).unlink(missing_ok=True)
        (self.folder / _MARK).unlink(missing_ok=True)
        sync_folder(self.folder)

    def remove(self) -> None:
        """Remove the folder, unless there is something to finish, or to ask elsewhere."""
        if not self.decided and self.awaited is None:
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


def clear_remains(targets: Sequence[Target], committed: Callable[[str], bool]) -> None:
    """Finish or undo what a stopped process left, and remove its folders.

    ``committed`` is asked about what a process had written down to commit elsewhere.

    Only for whoever holds the locks of all targets: then no folder belongs to a process that
    is still alive. Folders of other people are left alone.
    """
    for target in targets:
        for folder in _own_folders(target):
            if folder.name.startswith(f".{target.path.name}.{_KINDS[1]}-"):
                _put_back(folder, target)
            stopped = Transaction(folder, sorted(targets, key=lambda each: not each.private))
            elsewhere = stopped.awaited is not None
            finished = stopped.finish(committed)
            stopped.remove()
            if elsewhere:
                end = "it is in its place now" if finished else "nothing of it is left"
                when = "after" if finished else "before"
                warnings.warn(
                    f"A run that wrote '{target.path.name}' was stopped {when} its tables were in "
                    f"the database: {end}.",
                    StoppedWriteWarning,
                    stacklevel=2,
                )


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
