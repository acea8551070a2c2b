"""Replace whole folders: the new ones stand complete, or the old ones stay untouched."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from shoal.errors import OutputError, ParameterError, ShoalError
from shoal.io.disk import cannot_write, sync_file, sync_folder
from shoal.io.files import PathLike
from shoal.io.lock import hold
from shoal.io.transaction import Target, Transaction, check_free, clear_remains, remains


class Partner(Protocol):
    """What commits together with folders: a transaction of a database."""

    def record(self) -> str:
        """Write down what tells a later start whether it was committed; no password."""

    def commit(self) -> None:
        """Commit."""


def _nowhere(record: str) -> bool:
    raise OutputError(
        "A stopped run also wrote to a database, which is not checked here.",
        "Open the release, or run its plan again.",
    )


def target(path: PathLike, *, owned: Callable[[Path], bool], private: bool = False) -> Target:
    """Name a folder to replace; a link in its place is refused, one on the way there is not.

    ``owned``: whether an existing folder that is not empty may be replaced.
    ``private``: whether nobody else may read it: folders get the mode 0700 and files 0600, whatever
        the umask.
    """
    given = Path(path)
    last = "" if given.name == ".." else given.name
    place = Path(os.path.realpath(given.parent if last else given), last)
    if not place.name:
        raise OutputError(f"'{place}' is the root of the file system.", "Choose a folder below it.")
    return Target(place, owned, private)


@contextlib.contextmanager
def replace_folders(
    targets: Sequence[Target],
    *,
    partner: Partner | None = None,
    committed: Callable[[str], bool] = _nowhere,
) -> Iterator[list[Path]]:
    r"""Fill new folders, and put them all in place together, or none.

    They are filled in a private folder beside the targets. When the block ends well, all is
    synced to the disk and renamed, private folders first. After an error or an interrupt the
    temporary folder is gone and the old folders are as they were. After a kill the next call
    for the same targets, or `recover`, finishes or undoes, and removes what is left.

    ``partner``: what commits when everything is on the disk, and just before it is moved.
    ``committed``: whether the partner of a process that was stopped had committed, by its record.

    Raises `OutputError` if a target is a link or holds files that are not ours, if another process
    is writing to it, or if the disk refuses.

    >>> import tempfile
    >>> release = target(Path(tempfile.mkdtemp()) / "release", owned=lambda folder: False)
    >>> with replace_folders([release]) as [work]:
    ...     _ = (work / "table.csv").write_text("a\n1\n")
    >>> [file.name for file in release.path.iterdir()]
    ['table.csv']
    """
    _check_apart(targets)
    made: list[Path] = []
    current = targets[0].path
    try:
        _make_parents(current.parent, made)
        with contextlib.ExitStack() as held:
            _take_over(targets, held, committed)
            for each in targets:
                current = each.path
                check_free(current, each.owned)
            work = Transaction.begin(targets)
            try:
                yield [work.new(each) for each in targets]
                for each in targets:
                    current = each.path
                    check_free(current, each.owned)
                    _bring_to_disk(work, each)
                if partner is not None:
                    work.wait_for(partner.record())
                    partner.commit()
                work.commit()
                made.clear()
            except (Exception, KeyboardInterrupt):
                with contextlib.suppress(ShoalError):  # the next start asks again
                    if work.finish(committed):
                        made.clear()
                raise
            finally:
                work.remove()
    except OSError as error:
        raise cannot_write(current, error) from error
    finally:
        for folder in reversed(made):
            with contextlib.suppress(OSError):
                folder.rmdir()


def recover(targets: Sequence[Target], committed: Callable[[str], bool] = _nowhere) -> None:
    """Finish or undo what a process that was killed left beside the targets.

    ``committed``: see `replace_folders`.

    Raises `OutputError` if another process is writing to them, or the disk refuses.
    """
    if not any(remains(each) for each in targets):
        return
    try:
        with contextlib.ExitStack() as held:
            _take_over(targets, held, committed)
    except OSError as error:
        raise cannot_write(targets[0].path, error) from error


def _take_over(
    targets: Sequence[Target], held: contextlib.ExitStack, committed: Callable[[str], bool]
) -> None:
    """Lock all targets, and clear up after those who held them before."""
    alone = [held.enter_context(hold(each.path)) for each in targets]
    if all(alone):
        clear_remains(targets, committed)


def _check_apart(targets: Sequence[Target]) -> None:
    places = {each.path for each in targets}
    if not places or len(places) < len(targets):
        raise ParameterError("The output folders are the same.", "Choose one for each.")
    if len({place.parent for place in places}) > 1:
        raise ParameterError(
            "The output folders are not in the same folder.",
            "Choose two folders in the same folder.",
        )


def _make_parents(folder: Path, made: list[Path]) -> None:
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for new in reversed(missing):
        new.mkdir()
        made.append(new)
        sync_folder(new.parent)


def _bring_to_disk(work: Transaction, target: Target) -> None:
    """Give a finished folder its final modes, and bring it to the disk."""
    new = work.new(target)
    new.chmod(0o700 if target.private else _usual_mode(work.folder))
    for folder, names, files in os.walk(new):
        for name in (*names, *files) if target.private else ():
            Path(folder, name).chmod(0o700 if name in names else 0o600)
        for name in files:
            sync_file(Path(folder, name))
        sync_folder(Path(folder))


def _usual_mode(folder: Path) -> int:
    """Find the mode of new folders: asked of the disk, as the umask has no safe getter."""
    probe = folder / "mode"
    probe.mkdir(mode=0o755)
    mode = probe.stat().st_mode & 0o777
    probe.rmdir()
    return mode
