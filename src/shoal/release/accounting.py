"""Is every public byte of a written release accounted for?

The private folder has a digest of every public file, and a copy of what ``release.json`` said.
From the public folder alone, less can be told: which files belong there, whether the report is
the one that ``release.json`` gives, and whether Parquet files carry more than their table.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from shoal.base.plural import counted
from shoal.errors import ShoalError, require_extra
from shoal.judging.verification import Finding
from shoal.publications.published import FACTS, PublishedFiles
from shoal.publications.published.files import digest
from shoal.publications.published.folder import RELEASE_SIGNATURE

REPORT = "report.html"
UNDATED = (
    "The private folder is from before digests were kept, so public files were not compared "
    "with it."
)
"""What is reported for releases whose private folder holds no digests of the public files."""
_OTHER_VERSION = (
    f"Another version of Shoal wrote the release: {REPORT} and the sentences of {FACTS} were not "
    "compared."
)
"""What is said of releases whose report cannot be drawn again."""
_WRITER = re.compile(
    r"parquet-cpp-arrow version [\d.]{1,20}|parquet-mr version [\d.]{1,20} \(build [\da-f]{40}\)"
)
"""What writes Parquet files for us: pyarrow and Spark."""
_SPARK = {
    "org.apache.spark.version": re.compile(r"\d+(\.\d+){1,3}(-[a-zA-Z0-9]{1,12})?"),
    "org.apache.spark.legacyDateTime": re.compile(""),
    "org.apache.spark.legacyINT96": re.compile(""),
    "org.apache.spark.timeZone": re.compile(
        r"[A-Za-z_]{1,20}(/[A-Za-z_]{1,20}){0,2}|[+-]\d\d:\d\d"
    ),
}
"""What Spark writes into the metadata of a file, beside the types of its columns."""
_SPARK_TYPES = "org.apache.spark.sql.parquet.row.metadata"
_SPARK_TYPE = re.compile(r"[a-z_]{1,16}(\(\d{1,2},\d{1,2}\))?")
_MOST = 5
_SHEET = {
    *("[Content_Types].xml", "_rels/.rels", "docProps/app.xml", "docProps/core.xml"),
    *("xl/_rels/workbook.xml.rels", "xl/sharedStrings.xml", "xl/styles.xml"),
    *("xl/theme/theme1.xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"),
}
"""The members of an Excel file with one sheet."""


def public_record(outside: Path, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Give what the private folder keeps of the public one: digests, and all that is claimed."""
    files = {path.name: digest(path) for path in sorted(outside.iterdir())}
    return {"files": files, "claims": dict(facts)}


def same_version(facts: Mapping[str, Any]) -> bool:
    """Say whether this version wrote the release: only then can texts be made again."""
    return facts.get("shoal") == version("shoal")


def account(files: PublishedFiles) -> tuple[list[Finding], list[str]]:
    """Look at all that lies in the public folder; also give what people must know of it."""
    assert files.facts is not None, "it was asked before"
    folder = files.paths[0].parent
    kept = (files.manifest or {}).get("public")
    known = {FACTS, REPORT, RELEASE_SIGNATURE, *files.facts["files"]}
    findings, remarks = [], []
    if kept is None:
        findings.append(_belonging(folder, known))
        remarks += [UNDATED] if files.manifest is not None else []
        remarks += [] if same_version(files.facts) else [_OTHER_VERSION]
    else:
        findings.append(_as_released(folder, kept["files"]))
        changed = sorted(_differences(kept["claims"], files.facts))
        have = "has" if len(changed) == 1 else "have"
        text = f"{_listed(changed)} {have} changed" if changed else "unchanged"
        findings.append(Finding("release.json", not changed, f"{text} since the release"))
    findings += _report(folder, files.facts) if kept is None else []
    findings += [_alone(path) for path in files.paths if path.suffix in (".parquet", ".xlsx")]
    return findings, remarks


def _belonging(folder: Path, known: set[str]) -> Finding:
    """Look for files that no release has."""
    strange = sorted(path.name for path in folder.iterdir() if path.name not in known)
    text = f"{_listed(strange)} {'does' if len(strange) == 1 else 'do'} not belong to it"
    return Finding("files of the release", not strange, text if strange else "no other files")


def _as_released(folder: Path, kept: Mapping[str, str]) -> Finding:
    """Compare every file of the public folder with its digest in the private one."""
    there = {path.name for path in folder.iterdir()}
    changed = [name for name in kept if name in there and digest(folder / name) != kept[name]]
    wrong = [
        f"{_listed(names)} {one if len(names) == 1 else many}"
        for names, one, many in (
            (changed, "has changed since the release", "have changed since the release"),
            (sorted(set(kept) - there), "is missing", "are missing"),
            (sorted(there - set(kept)), "does not belong to it", "do not belong to it"),
        )
        if names
    ]
    text = f"{counted(len(kept), 'file')}, each the same bytes as in the private folder's digests"
    return Finding("files of the release", not wrong, "; ".join(wrong) or text)


def _differences(before: Any, now: Any, name: str = "") -> Iterator[str]:
    """Name what two answers in JSON say differently, down to the first that is no table."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in {*before, *now}:
            place = f"{name}.{key}" if name else str(key)
            if key not in before or key not in now:
                yield place
            else:
                yield from _differences(before[key], now[key], place)
    elif type(before) is not type(now) or before != now:
        yield name


def _report(folder: Path, facts: Mapping[str, Any]) -> list[Finding]:
    """Draw the report again, where this version drew it."""
    if not same_version(facts) or not (folder / REPORT).is_file():
        return []
    from jinja2 import TemplateError

    from shoal.release import report  # most who open a release do not look at it

    try:
        same = report.page(facts).encode() == (folder / REPORT).read_bytes()
    except (KeyError, TypeError, ValueError, AttributeError, TemplateError, ShoalError):
        same = False
    detail = "made from release.json" if same else "not the page that release.json produces"
    return [Finding("report.html", same, detail)]


def _alone(path: Path) -> Finding:
    """Look for what a file carries besides its table."""
    parts = [p for p in path.glob("*.parquet") if p.is_file()] if path.is_dir() else [path]
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as book:
            carried = int(not set(book.namelist()) <= _SHEET)
    else:
        require_extra("arrow", "pyarrow")
        carried = sum(not is_bare(part) for part in parts)
        carried += int(not path.is_dir() and _unread_bytes(path) > 0)
    strange = {p.name for p in path.iterdir()} - {p.name for p in parts} if path.is_dir() else set()
    text = f"{counted(carried, 'file holds', 'files hold')} more than the table"
    if strange:
        text = f"{_listed(sorted(strange))} in it does not belong to the table"
    wrong = bool(carried or strange)
    return Finding(f"{path.name} alone", not wrong, text if wrong else "nothing besides its cells")


def _unread_bytes(path: Path) -> int:
    """Count the bytes of a Parquet file, as we write it, that belong to no column."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        metadata = file.metadata
        groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
        cells: int = sum(
            each.column(at).total_compressed_size
            for each in groups
            for at in range(metadata.num_columns)
        )
    with path.open("rb") as raw:
        raw.seek(-8, 2)
        footer = int.from_bytes(raw.read(4), "little")
    return path.stat().st_size - (len(b"PAR1") + cells + footer + 8)


def is_bare(part: Path) -> bool:
    """Say whether a file's metadata hold nothing but its writer, and what Spark says of types."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(part) as file:
        writer, names = file.metadata.created_by, file.schema_arrow.names
    if not _WRITER.fullmatch(writer):
        return False
    metadata = dict(pl.read_parquet_metadata(part))
    types = metadata.pop(_SPARK_TYPES, None)
    if not all(key in _SPARK and _SPARK[key].fullmatch(text) for key, text in metadata.items()):
        return False
    return types is None or _is_list_of_types(types, names)


def _is_list_of_types(text: str, names: list[str]) -> bool:
    """Say whether a text lists the type of each column, as Spark writes it, and no more."""
    try:
        (_, (_, fields)) = pairs = json.loads(text, object_pairs_hook=tuple)
        types = [str(dict(each)["type"]) for each in fields]
    except (ValueError, KeyError, TypeError, RecursionError):
        return False
    alone = [
        (("name", name), ("type", each), ("nullable", True), ("metadata", ()))
        for name, each in zip(names, types, strict=False)
    ]
    known = len(types) == len(names) and all(map(_SPARK_TYPE.fullmatch, types))
    return known and pairs == (("type", "struct"), ("fields", alone))


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:_MOST])
    return f"{shown} and {len(names) - _MOST} more" if len(names) > _MOST else shown
