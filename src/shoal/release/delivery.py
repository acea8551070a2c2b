"""The tables of a release in a database: written, read back and verified before they are seen."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from shoal.base.cells import texts
from shoal.errors import OutputError, ParameterError, ShoalError, VerificationError
from shoal.io.frames import Coded
from shoal.io.sql import SQL, Address, Delivery, declared_types, deliver, owners, require_free
from shoal.judging.verification import verify
from shoal.publications import Publication
from shoal.release.signing import read_private_key

if TYPE_CHECKING:
    from shoal.plan import Plan
    from shoal.release import Release

UNWRITTEN = "Nothing was written."


def table_names(
    plan: Plan, publication: Publication, sensitive: list[str]
) -> dict[str | None, str]:
    """Name the tables of a database after the files that they stand for.

    The only table has the name that the plan gives; of several, names begin with it.
    """
    assert plan.output.sql is not None
    base = plan.output.sql.table
    files = publication.file_names(sensitive)
    if len(files) == 1:
        return dict.fromkeys(files, base)
    return {name: f"{base}_{file.replace('-', '_')}" for name, file in files.items()}


def require_deliverable(plan: Plan, source: object) -> None:
    """Refuse, before any work, a key that cannot sign, or a database that would not take tables.

    ``source``: what the release is made from.
    """
    _require_no_catalog(plan)
    read_private_key(plan.signing_key)
    target = plan.output.sql
    if target is None:
        return
    address = Address(target.url).below(plan.folder)
    names = table_names(plan, plan.publication.build(plan.build_method()), plan.schema_().sensitive)
    _require_apart(source, address, names.values())
    require_free(address, names.values(), replace=target.replace)


def _require_apart(source: object, address: Address, names: Iterable[str]) -> None:
    """Refuse to write to a table that is read, by name or by a query that says its name."""
    if not isinstance(source, SQL) or source.address is None or not source.address.same(address):
        return
    read = source.statement.casefold() if source.table is None else _bare(source.table)
    for name in names:
        named = re.escape(_bare(name))
        if re.search(rf"(?<!\w){named}(?!\w)" if source.table is None else rf"\A{named}\Z", read):
            raise OutputError(
                f"The release would overwrite '{name}', the table it is made from.",
                "Choose another name under [output] sql; Shoal never writes to its source.",
            )


@dataclass(frozen=True)
class DatabaseTables:
    """The tables of a release on their way into a database; nobody else sees them yet."""

    release: Release
    delivery: Delivery
    address: Address

    def write(self, tables: Mapping[str | None, Coded]) -> None:
        """Write the tables, read them back, and judge what came back.

        Raises `VerificationError` if what the database gives back does not hold, or is not what was
        written.
        """
        release = self.release
        names = table_names(release.plan, release.publication, release.schema.sensitive)
        found: dict[str | None, Coded] = {}
        types = self._types()
        for name, rows in tables.items():
            self.delivery.write(names[name], rows, types)
            found[name] = self.delivery.read(names[name])
            _require_same(rows, found[name], names[name])
        proof = verify(
            release.published.together(found.pop(None), found),
            release.schema,
            release.require,
            counterfeits=release.published.counterfeits,
            population=release.population,
        )
        if proof.passed is False:
            raise VerificationError(
                f"The tables in the database do not verify: {'; '.join(proof.reasons())}.",
                UNWRITTEN,
            )

    def _types(self) -> dict[str, str]:
        """Say what untouched columns are in the database they come from, if this one knows it."""
        source, untouched = self.release.original, self.release.schema.untouched
        if not isinstance(source, SQL) or source.address is None:
            return {}
        source = source.below(self.release.plan.folder)
        if source.address is None or source.address.database != self.delivery.database:
            return {}
        return {name: kind for name, kind in declared_types(source).items() if name in untouched}

    def record(self) -> str:
        """Write down by what a later start knows whether the tables are there: see `committed`."""
        delivery = self.delivery
        recorded = {"url": self.address.given, "tables": delivery.written, "id": delivery.release}
        return json.dumps(recorded)

    def commit(self) -> None:
        """Let others see the tables."""
        self.delivery.commit()


def committed(record: str) -> bool:
    """Ask a database whether it holds the tables of a release that was stopped (`OutputError`)."""
    recorded = json.loads(record)
    address = Address(recorded["url"])
    try:
        if address.file is not None and not address.file.is_file():
            return False
        return owners(address, recorded["tables"]) == {recorded["id"]}
    except ShoalError:
        raise OutputError(
            "A run was stopped while it wrote to a folder and to a database, and the "
            "database cannot be reached to learn how far it got.",
            f"Make {address.shown} reachable, and start again: the folder is then brought in "
            "line with it.",
        ) from None


@contextlib.contextmanager
def delivering(release: Release) -> Iterator[DatabaseTables | None]:
    """Begin the transaction that the plan's output asks for; ``None`` if it asks for none."""
    _require_no_catalog(release.plan)
    target = release.plan.output.sql
    if target is None:
        yield None
        return
    address = Address(target.url).below(release.plan.folder)
    names = table_names(release.plan, release.publication, release.schema.sensitive)
    _require_apart(release.original, address, names.values())
    with deliver(address, replace=target.replace) as delivery:
        yield DatabaseTables(release, delivery, address)


def _require_no_catalog(plan: Plan) -> None:
    """Refuse a table of Spark's catalog where there is no Spark."""
    if plan.output.spark_table is not None:
        raise ParameterError(
            "The plan writes a table of Spark's catalog, but this run does not use Spark.",
            "Add --engine spark, or leave spark_table out under [output].",
        )


def _require_same(written: Coded, read: Coded, name: str) -> None:
    """Refuse rows that came back otherwise than they were written; their order may differ."""
    same = list(read.columns) == list(written.columns) and read.height == written.height
    if same:
        left, right = (_counted(each) for each in (written, read))
        same = left.height == right.height
        same = same and left.join(right, on=left.columns, how="anti", nulls_equal=True).is_empty()
    if not same:
        raise VerificationError(
            f"The rows that the database returns for '{name}' are not those that were written.",
            f"{UNWRITTEN} Its types or its encoding may not hold them: write files instead.",
        )


def _counted(table: Coded) -> pl.DataFrame:
    """Count rows that are alike, as texts."""
    frame = pl.DataFrame([texts(table.cells(name)).alias(name) for name in table.columns])
    return frame.group_by(pl.all()).agg(pl.len().alias("\0rows"))


def _bare(table: str) -> str:
    return table.rpartition(".")[2].casefold()
