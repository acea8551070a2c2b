"""How a release is written: read back, verified as a stranger would, and whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from shoal import io
from shoal.base.cells import texts
from shoal.base.shuffling import ROW_ORDER, SENSITIVE_ORDER, permutation
from shoal.errors import OutputError, ParameterError, VerificationError, a_type
from shoal.io.disk import create_private
from shoal.io.frames import Coded
from shoal.judging.verification import Verification, verify
from shoal.publications import FORMS
from shoal.publications.published import FACTS, Published, private_folder
from shoal.publications.published.files import digest
from shoal.publications.published.folder import (
    MANIFEST,
    PLAN,
    RELEASE_SIGNATURE,
    ROWS,
    SIGNATURES,
    read_table,
)
from shoal.publications.published.tables import COUNTERFEIT
from shoal.release import report
from shoal.release.accounting import REPORT, public_record
from shoal.release.again import across
from shoal.release.delivery import committed, delivering
from shoal.release.private import write_private
from shoal.release.public_facts import exact_facts, public_facts, release_id
from shoal.release.signing import read_private_key, sign_files
from shoal.release.style import require_encodable, style_of

if TYPE_CHECKING:
    from shoal.release import Release

UNWRITTEN = "Nothing was written."


def write(
    release: Release,
    folder: str | os.PathLike[str],
    *,
    kind: str,
    formulas: str,
    style_options: Mapping[str, str | None],
    sign: str | os.PathLike[str] | None = None,
) -> Path:
    """Write a release: see `Release.write`."""
    require_passed(release.verification, UNWRITTEN)
    key = read_private_key(sign)
    form, write_table = _installed(kind)
    _require_folder_name(folder, kind)
    _require_readable_missing(release, form)
    style = style_of(release, form, style_options)
    escaping = _escaping(form, formulas)
    how = {**escaping, **style.facts()}
    options = {**escaping, **style.options()} if form.write_options else {}
    if "bare_empty" in form.write_options:  # an empty cell of a CSV file comes back as one
        options["bare_empty"] = release.dialect is not None
    recover(folder)  # before the database is open
    with (
        delivering(release) as database,
        io.replace_folders(targets(folder), partner=database, committed=committed) as (
            outside,
            inside,
        ),
    ):
        seed = release.plan.publication.fixed_seed(release.method)
        order = permutation(release.published.coded.height, seed, ROW_ORDER)
        names = release.publication.file_names(release.schema.sensitive)
        paths = {name: outside / f"{names[name]}.{kind}" for name in names}
        tables = _shuffled(release, order, seed)
        require_encodable(tables, style.encoding)
        for name, table in tables.items():
            write_table(table, paths[name], **options)
        files = {path.name: digest(path) for path in paths.values()}
        proof = _verify_files(release, paths, order, {"files": files, **how})
        facts = public_facts(release, proof) | how
        if release.published.by_column:
            columns = {name: paths[name].name for name in release.schema.sensitive}
            facts[release.publication.key()]["files"] = columns
        facts["files"] = files
        facts = {"id": release_id(facts), **facts}
        text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
        (outside / FACTS).write_text(text, encoding="utf-8")
        (outside / REPORT).write_text(report.page(facts), encoding="utf-8", newline="\n")
        sign_files(outside, key)
        write_private(release, inside, order, facts["id"], public_record(outside, facts))
        exact = exact_facts(release, proof) | how | {"files": files}
        if release.published.by_column:
            exact[release.publication.key()]["files"] = columns
        from shoal.release.report.private.page import private_page  # only for who writes one

        page = private_page(release, exact, Path(folder))
        create_private(inside / REPORT).write_text(page, encoding="utf-8", newline="\n")
        if database is not None:  # last: what failed before leaves nothing there
            database.write(tables)
            database.delivery.mark(facts["id"], text)
    return Path(folder)


def _require_readable_missing(release: Release, form: io.Format) -> None:
    """Refuse missing cells that a format would turn into values, and values that it would lose."""
    if form.missing_cells == "both":
        return
    for name in release.schema.sensitive:
        found = release.pair.table.coded[name]
        null_only = form.missing_cells == "null"
        missing_cells = texts(found.values) == "" if null_only else found.values.is_null()
        cells = int(found.counts[missing_cells.fill_null(False).to_numpy()].sum())
        if cells and "" not in release.schema.missing_of(name):
            noun, instead = ("empty texts", "no text") if null_only else ("nulls", "the empty text")
            raise OutputError(
                f"Column '{name}' has {cells} {noun}, and {form.title} can only write them as "
                f"{instead}, which is not among the column's missing texts.",
                'Add "" to its missing texts, or write Parquet.',
            )


def _shuffled(
    release: Release, order: npt.NDArray[np.intp], seed: int | None
) -> dict[str | None, Coded]:
    """Put each table into a random order of its own, so that no order links them."""
    made: dict[str | None, Coded] = {None: release.published.coded.take(order)}
    for number, (name, table) in enumerate(release.published.value_tables.items()):
        own = permutation(table.frame.height, seed, SENSITIVE_ORDER + number)
        made[name] = Coded(table.frame[own])
    return made


def _verify_files(
    release: Release,
    paths: Mapping[str | None, Path],
    order: npt.NDArray[np.intp],
    facts: Mapping[str, Any],
) -> Verification:
    """Read what was written and verify it as if it came from a stranger."""
    read = {name: read_table(path, facts) for name, path in paths.items()}
    published = release.published.together(read.pop(None), read)
    rows, nobody = release.stands_for[order], release.published.counterfeit_rows
    counterfeits = release.published.counterfeits if nobody is None else nobody[order]
    proof = verify(
        published,
        release.schema,
        release.require,
        original=release.given,
        rows=rows[rows != COUNTERFEIT],
        as_written=release.published.linked,
        centres=release.published.centres,
        counterfeits=counterfeits,
        population=release.population,
    )
    if across(release.require) is not None:
        tables = Published.read(published, release.schema, counterfeits=counterfeits)
        proof = release.with_earlier(proof, tables, order)
    require_passed(proof, UNWRITTEN)
    return proof


def recover(folder: str | os.PathLike[str]) -> None:
    """Finish or undo a write that was killed, and remove what it left (see `io.recover`)."""
    io.recover(targets(folder), committed)


def require_writable(folder: str | os.PathLike[str], kind: str = "csv") -> None:
    """Refuse, before any work, a folder that holds other files (raises `OutputError`).

    ``kind``: the format that will be written; a package that it needs must be there.
    """
    _installed(kind)
    _require_folder_name(folder, kind)
    recover(folder)
    for each in targets(folder):
        try:
            io.check_free(each.path, each.owned)
        except OSError as error:
            raise io.cannot_write(each.path, error) from None


def _require_folder_name(folder: str | os.PathLike[str], kind: str) -> None:
    if isinstance(folder, str | os.PathLike):
        ending = Path(folder).suffix.lstrip(".").lower()
        known = io.FORMATS.get(ending)
        written = known is not None and known.write is not None and ending != kind
        also = f', and write format = "{ending}" under [output]' if written else ""
        io.require_no_table(
            folder,
            "A release is a folder that holds the table, its facts and its report.",
            f'Name a folder, such as "{Path(folder).stem}"{also}.',
        )


def targets(folder: str | os.PathLike[str]) -> list[io.Target]:
    """Name the folders that a release takes: the public one and the private one beside it."""
    if not isinstance(folder, str | os.PathLike):
        raise ParameterError(
            f"A release is written to a folder, not to {a_type(folder)}.",
            'Name the folder, such as "release".',
        )
    beside = private_folder(Path(folder))
    public = io.target(folder, owned=_is_release)
    return [public, io.target(beside, owned=_is_private, private=True)]


def require_passed(verification: Verification, hint: str) -> None:
    """Refuse a release that does not hold what it promises (raises `VerificationError`)."""
    if not verification.passed:
        reasons = "; ".join(verification.reasons())
        raise VerificationError(f"The release does not verify: {reasons}.", hint)


def _installed(kind: str) -> tuple[io.Format, Callable[..., None]]:
    """Give a format in which tables can be written here, and what writes them."""
    form = io.writer(kind)
    form.require_installed(writing=True)
    assert form.write is not None, "it was asked for a format that is written"
    return form, form.write


def _escaping(form: io.Format, formulas: str) -> dict[str, Any]:
    """Say what becomes of formulas: only where cells have no types, as in CSV."""
    if formulas not in io.FORMULAS:
        raise ParameterError(
            f"formulas must be 'escape' or 'keep', not {formulas!r}.",
            "Escape them unless no spreadsheet will ever open the file.",
        )
    return {"formulas": formulas} if "formulas" in form.write_options else {}


def _is_release(folder: Path) -> bool:
    """Tell an older release, which may be replaced, from a folder with other files."""
    names, listed = {path.name for path in folder.iterdir()}, _listed(folder)
    kinds = [name for name, form in io.FORMATS.items() if form.write is not None]
    tables = {f"{name}.{kind}" for form in FORMS.values() for name in form.files for kind in kinds}
    ours = tables | {n for n in listed if any(fnmatchcase(n, each) for each in tables)}
    return FACTS in names and names <= {FACTS, REPORT, RELEASE_SIGNATURE, *ours}


def _is_private(folder: Path) -> bool:
    """Tell the private folder of an older release from a folder with other files."""
    names = {path.name for path in folder.iterdir()}
    return MANIFEST in names and names <= {MANIFEST, ROWS, PLAN, SIGNATURES, REPORT, "hierarchies"}


def _listed(folder: Path) -> set[str]:
    """List the files that a release says are its own."""
    try:
        return set(json.loads((folder / FACTS).read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
