"""Stata: .dta files."""

from __future__ import annotations

from pathlib import Path

from shoal.io.labelled import labelled_format

_RELEASES = range(104, 116)
"""Releases of the format that begin with their number, and then say the order of bytes."""


def _fits(head: bytes, path: Path) -> bool:
    older = len(head) > 3 and head[0] in _RELEASES and head[1] in (1, 2) and head[2:4] == b"\1\0"
    return head.startswith(b"<stata_dta>") or older


STATA = labelled_format("stata", "Stata", (".dta",), _fits, lambda path, head: "read_dta")
