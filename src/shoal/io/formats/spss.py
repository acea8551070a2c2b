"""SPSS: .sav and .zsav files, and the older portable .por."""

from __future__ import annotations

from pathlib import Path

from shoal.io.labelled import labelled_format

_PORTABLE = (b"ASCII SPSS PORT FILE", "ASCII SPSS PORT FILE".encode("cp037"))


def _reader(path: Path, head: bytes) -> str:
    return "read_sav" if head.startswith(b"$FL") else "read_por"


def _fits(head: bytes, path: Path) -> bool:
    return head.startswith((b"$FL2@(#)", b"$FL3@(#)")) or any(sign in head for sign in _PORTABLE)


SPSS = labelled_format("spss", "SPSS", (".sav", ".zsav", ".por"), _fits, _reader)
