"""What a format of table files says of itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from shoal.errors import require_extra
from shoal.io.result import Read


@dataclass(frozen=True, eq=False)
class Format:
    """A format of table files: how it is known, read and written.

    ``name``: its name in plans; its file is called so, too.
    ``title``: what people call it.
    ``suffixes``: how the names of its files end.
    ``fits``: whether the first bytes of a file, and the file itself if they do not suffice, tell
        it.
    ``read``: reads a file. It is called with the path, ``categories``, ``needed`` and those of the
        ``options`` that somebody gave.
    ``options``: the options of `shoal.io.read` that say something about its files.
    ``write``: writes a table, called with the table and the path; ``None`` if nothing is written in
        it.
    ``write_options``: what writing can be told besides, by name: see `shoal.io.write_csv`.
    ``missing_cells``: how missing cells and empty texts come back: ``"both"`` as they were, all as
        ``"empty"`` texts, or all as ``"null"``.
    ``packages``: what reading needs besides a plain installation.
    ``write_packages``: what writing needs.
    ``extra``: the extra of Shoal that brings them.
    ``memory``: bytes that a run on a file takes, besides the program; ``None``: as for CSV.

    >>> from shoal.io.formats import FORMATS
    >>> FORMATS["csv"].a_file, FORMATS["xlsx"].a_file
    ('A CSV file', 'An Excel file')
    """

    name: str
    title: str
    suffixes: Sequence[str]
    fits: Callable[[bytes, Path], bool]
    read: Callable[..., Read]
    options: Sequence[str] = ()
    write: Callable[..., None] | None = None
    write_options: Sequence[str] = ()
    missing_cells: Literal["both", "empty", "null"] = "both"
    packages: Sequence[str] = ()
    write_packages: Sequence[str] = ()
    extra: str = "files"
    memory: Callable[[Path], float] | None = None

    @property
    def a_file(self) -> str:
        """What to call a file of it at the beginning of a sentence."""
        spoken = self.title[0] in ("E", "I", "O", "U") or self.title.startswith("SP")
        return f"{'An' if spoken else 'A'} {self.title} file"

    def require_installed(self, *, writing: bool = False) -> None:
        """Refuse work whose packages a plain installation lacks (raises `InstallationError`).

        What is written is read back, so writing needs both.
        """
        require_extra(self.extra, *self.packages, *(self.write_packages if writing else ()))
