"""SAS: .sas7bdat files and transport files (.xpt)."""

from __future__ import annotations

from pathlib import Path

from shoal.io.labelled import labelled_format

_SAS7BDAT = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
_TRANSPORT = b"HEADER RECORD*******LIB"


def _reader(path: Path, head: bytes) -> str:
    return "read_xport" if head.startswith(_TRANSPORT) else "read_sas7bdat"


def _fits(head: bytes, path: Path) -> bool:
    return head.startswith((_SAS7BDAT, _TRANSPORT))


SAS = labelled_format("sas", "SAS", (".sas7bdat", ".xpt"), _fits, _reader)
