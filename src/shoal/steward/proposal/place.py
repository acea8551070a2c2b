"""Put several files in their places together, or none of them."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from shoal.errors import OutputError
from shoal.io.disk import cannot_write, sync_file, sync_folder

Writer = Callable[[Path], object]


def place_files(folder: Path, files: Mapping[str, Writer], *, overwrite: bool = False) -> None:
    """Write files beside their places, then move them there in the given order.

    After an error or an interrupt, what was there before is there again, and nothing else.

    `folder`: where the names start.
    `files`: for each name relative to ``folder``, a function that writes the file to a path.
    `overwrite`: replace files that are there already.
    Raises `OutputError` if a file is there already, or the disk refuses.
    """
    _refuse_present(folder, list(files), overwrite)
    made: list[Path] = []
    work: Path | None = None
    try:
        for parent in sorted({(folder / name).parent for name in files}):
            for path in reversed([each for each in (parent, *parent.parents) if not each.exists()]):
                path.mkdir()
                made.append(path)
        work = Path(tempfile.mkdtemp(prefix=".shoal-plan-", dir=folder))
        moves = [
            (work / f"new-{i}", folder / name, work / f"old-{i}") for i, name in enumerate(files)
        ]
        for (new, _, _), write in zip(moves, files.values(), strict=True):
            write(new)
            sync_file(new)
        _move(moves)
        made.clear()
    except OSError as error:
        raise cannot_write(folder, error) from None
    finally:
        if work is not None:
            shutil.rmtree(work, ignore_errors=True)
        for parent in reversed(made):
            with contextlib.suppress(OSError):
                parent.rmdir()


def _refuse_present(folder: Path, names: list[str], overwrite: bool) -> None:
    there = [name for name in names if (folder / name).exists()]
    if folders := [name for name in there if (folder / name).is_dir()]:
        raise OutputError(f"'{folders[0]}' is a folder, not a file.", "Choose another name.")
    if there and not overwrite:
        more = f" (and {len(there) - 1} more)" if len(there) > 1 else ""
        raise OutputError(
            f"'{there[0]}' already exists{more}.", "Choose another folder, or allow overwriting."
        )


def _move(moves: list[tuple[Path, Path, Path]]) -> None:
    try:
        for new, target, old in moves:
            if target.exists():
                target.replace(old)
            new.replace(target)
        for parent in {target.parent for _, target, _ in moves}:
            sync_folder(parent)
    except BaseException:
        # From what is on the disk: an interrupt can strike between two lines.
        for new, target, old in moves:
            if old.exists():
                old.replace(target)
            elif not new.exists():
                target.unlink(missing_ok=True)
        raise
