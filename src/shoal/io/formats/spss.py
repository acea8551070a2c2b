"""SPSS: .sav and .zsav files, and the older portable .por."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from shoal.io.formats.base import Format
from shoal.io.labelled import read_labelled, unpacked_memory

_PORTABLE = (b"ASCII SPSS PORT FILE", "ASCII SPSS PORT FILE".encode("cp037"))


def _reader(path: Path, head: bytes) -> str:
    return "read_sav" if head.startswith(b"$FL") else "read_por"


def _fits(head: bytes, path: Path) -> bool:
    return head.startswith((b"$FL2@(#)", b"$FL3@(#)")) or any(sign in head for sign in _PORTABLE)


SPSS = Format(
    name="spss",
    title="SPSS",
    suffixes=(".sav", ".zsav", ".por"),
    fits=_fits,
    read=partial(read_labelled, name="spss", title="SPSS", fits=_fits, reader=_reader),
    options=("encoding",),
    packages=("pyreadstat",),
    memory=unpacked_memory,
)
