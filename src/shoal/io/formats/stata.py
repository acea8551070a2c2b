"""Stata: .dta files."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from shoal.io.formats.base import Format
from shoal.io.labelled import read_labelled, unpacked_memory

_RELEASES = range(104, 116)
"""Releases of the format that begin with their number, and then say the order of bytes."""


def _fits(head: bytes, path: Path) -> bool:
    older = len(head) > 3 and head[0] in _RELEASES and head[1] in (1, 2) and head[2:4] == b"\1\0"
    return head.startswith(b"<stata_dta>") or older


STATA = Format(
    name="stata",
    title="Stata",
    suffixes=(".dta",),
    fits=_fits,
    read=partial(
        read_labelled, name="stata", title="Stata", fits=_fits, reader=lambda path, head: "read_dta"
    ),
    options=("encoding",),
    packages=("pyreadstat",),
    memory=unpacked_memory,
)
