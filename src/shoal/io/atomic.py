"""Replace whole folders: the new ones stand complete, or the old ones stay untouched."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import OutputError, ParameterError
from shoal.io.disk import cannot_write, sync_file, sync_folder
from shoal.io.files import PathLike

__all__ = ["check_free", "replace_folder", "replace_folders"]

Owned = Callable[[Path], bool]


@dataclass
class _Move:
    """One folder on its way: ``work`` becomes ``target``, the old target waits in ``aside``."""

    target: Path
    private: bool
    work: Path
    identity: tuple[int, int]
    aside: Path | None = None

    @property
    def old(self) -> Path:
        assert self.aside is not None
        return self.aside / "old"


@contextlib.contextmanager
def replace_folder(target: PathLike, *, owned: Owned, private: bool = False) -> Iterator[Path]:
    r"""Fill a new folder, and put it in the place of ``target`` when all went well.

    See `replace_folders`, which does the same for several folders at once.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "release"
    >>> with replace_folder(target, owned=lambda folder: False) as work:
    ...     _ = (work / "table.csv").write_text("a\n1\n")
    >>> [file.name for file in target.iterdir()]
    ['table.csv']
    """
    with replace_folders([(target, private)], owned=owned) as works:
        yield works[0]


@contextlib.contextmanager
def replace_folders(
    targets: Sequence[tuple[PathLike, bool]], *, owned: Owned
) -> Iterator[list[Path]]:
    """Fill new folders, and put them all in place together, or none.

    Each is filled in a private temporary folder beside its target. When the block ends
    well, all is synced to the disk and renamed, private folders first. After an error or
    an interrupt the temporary folders are gone and the old folders are as they were.

    Parameters
    ----------
    targets
        Pairs of a folder and whether it stays private (mode 0700).
    owned
        Whether an existing folder that is not empty may be replaced.

    Raises
    ------
    OutputError
        If a target holds files that are not ours, or the disk refuses.
    """
    places = [(Path(os.path.realpath(target)), private) for target, private in targets]
    _check_apart([place for place, _ in places])
    moves: list[_Move] = []
    made: list[Path] = []
    current = places[0][0]
    try:
        for current, _ in places:
            check_free(current, owned)
        for current, private in places:
            _make_parents(current.parent, made)
            work = Path(tempfile.mkdtemp(prefix=f".{current.name}.tmp-", dir=current.parent))
            moves.append(_Move(current, private, work, _identity(work)))
        yield [move.work for move in moves]
        for move in moves:
            current = move.target
            check_free(current, owned)
            _settle(move)
        _commit(sorted(moves, key=lambda move: not move.private))
        made.clear()
    except OSError as error:
        raise cannot_write(current, error) from error
    finally:
        for move in moves:
            _remove(move.work)
            # Only a failed roll-back leaves the old folder aside: then it must survive.
            if move.aside is not None and (move.target.exists() or not move.old.exists()):
                _remove(move.aside)
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()


def _check_apart(places: list[Path]) -> None:
    for place in places:
        if any(place != other and other in place.parents for other in places):
            problem = f"The output folder '{place}' lies inside another output folder."
            raise ParameterError(problem, "Choose folders beside each other.")
    if len(set(places)) < len(places) or not places:
        raise ParameterError("The output folders are not different.", "Choose one for each.")


def check_free(target: Path, owned: Owned) -> None:
    """Refuse a target that is a file, or a folder with files that are not ours."""
    if not target.exists():
        return
    if not target.is_dir():
        raise OutputError(f"'{target}' is a file, not a folder.", "Choose another name.")
    if any(target.iterdir()) and not owned(target):
        raise OutputError(
            f"The folder '{target}' exists and holds other files.",
            "Choose another folder, or empty this one yourself.",
        )


def _make_parents(folder: Path, made: list[Path]) -> None:
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for new in reversed(missing):
        new.mkdir()
        made.append(new)


def _settle(move: _Move) -> None:
    """Bring the finished folder to the disk and give it its final mode."""
    for folder, _, files in os.walk(move.work):
        for name in files:
            sync_file(Path(folder, name))
        sync_folder(Path(folder))
    if not move.private:
        probe = move.work / ".mode"  # asked of the disk, as the umask has no safe getter
        probe.mkdir(mode=0o755)
        mode = probe.stat().st_mode & 0o777
        probe.rmdir()
        move.work.chmod(mode)


def _commit(moves: list[_Move]) -> None:
    try:
        for move in moves:
            if move.target.exists():
                prefix = f".{move.target.name}.old-"
                move.aside = Path(tempfile.mkdtemp(prefix=prefix, dir=move.target.parent))
                move.target.rename(move.old)
            move.work.rename(move.target)
        for parent in {move.target.parent for move in moves}:
            sync_folder(parent)
    except BaseException:
        for move in reversed(moves):
            _roll_back(move)
        raise


def _roll_back(move: _Move) -> None:
    """Undo one move, from what is on the disk: an interrupt can strike between two lines."""
    with contextlib.suppress(OSError):
        if move.target.exists() and _identity(move.target) == move.identity:
            move.target.rename(move.work)
        if move.aside is not None and move.old.exists() and not move.target.exists():
            move.old.rename(move.target)


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
