"""A table of Spark's catalog that a release is saved as, besides its folder.

A catalog has no transactions. So rows go into a new table of another name, are read back, and get
their name last; what fails is undone, and an older table comes back.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shoal.engines.spark.columns import quoted
from shoal.engines.spark.recount import hash_sum
from shoal.errors import OutputError, ParameterError, VerificationError
from shoal.plan import Plan
from shoal.release.writing import UNWRITTEN

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RELEASE = "shoal.release"
"""The property of a table that says which release wrote it."""

OTHER_NAME = "Choose another name for spark_table under [output]"


@dataclass
class CatalogTable:
    """A table on its way into a catalog; `saving` begins and ends it."""

    session: SparkSession
    target: str
    """Its name, such as ``clinic.published``."""
    replace: bool = False
    """Whether a table that an earlier release wrote may be replaced."""
    replaced: str | None = None
    """The name of the table that was replaced, until the release is whole."""
    undoing: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def require_free(self, source: DataFrame, read: str | None) -> None:
        """Refuse a table that could not be written (raises `OutputError`).

        `source`, `read`: the table that the release is made from, and its name if it has one.
        """
        where = self.target.rpartition(".")[0]
        if where and not self.session.catalog.databaseExists(_quoted(where)):
            raise OutputError(
                f"The catalog has no database '{where}'.", "Make it, or name another."
            )
        there = self._there(self.target)
        same = read is not None and self._whole(read) == self._whole(self.target)
        if same or (there and self._is_read_by(source)):
            raise OutputError(
                f"The release would overwrite '{self.target}', the table it is made from.",
                f"{OTHER_NAME}; Shoal never writes to its source.",
            )
        if there:
            self._require_replaceable()

    def write(self, rows: DataFrame, release: str) -> None:
        """Save rows, read them back, and give the table its name.

        Raises `VerificationError` if the catalog gives back other rows than were written.
        """
        mark = f"_shoal_{secrets.token_hex(4)}"
        new, old = f"{self.target}{mark}", f"{self.target}{mark}_old"
        self.undoing.callback(self._drop, new)
        rows.writeTo(_quoted(new)).tableProperty(RELEASE, release).create()
        found = self.session.table(_quoted(new))
        if found.dtypes != rows.dtypes or hash_sum(found) != hash_sum(rows):
            raise VerificationError(
                f"The rows that the catalog returns for '{self.target}' are not those that were "
                "written.",
                f"{UNWRITTEN} Its types may not hold them: leave spark_table out under [output].",
            )
        if self._there(self.target):  # perhaps since a moment ago
            self._require_replaceable()
            self.undoing.callback(self._rename, old, self.target)
            self._rename(self.target, old)
            self.replaced = old
        self._rename(new, self.target)
        self.undoing.callback(self._drop, self.target)

    def undo(self) -> None:
        """Leave the catalog as it was, as far as it still answers."""
        with _unanswered():
            self.undoing.close()

    def finish(self) -> None:
        """Remove the table that was replaced; the release is whole without that."""
        if self.replaced is not None:
            with _unanswered():
                self._drop(self.replaced)

    def _require_replaceable(self) -> None:
        if self._owner() is None:
            raise OutputError(
                f"The catalog has a table '{self.target}' that Shoal did not write.",
                f"{OTHER_NAME}; Shoal never replaces it.",
            )
        if not self.replace:
            raise OutputError(
                f"The catalog has a table '{self.target}' of an earlier release.",
                f"{OTHER_NAME}, or write replace = true there.",
            )

    def _owner(self) -> str | None:
        """The release that the table belongs to; ``None`` if nobody of us wrote it."""
        from pyspark.errors import AnalysisException

        try:
            found = self.session.sql(f"SHOW TBLPROPERTIES {_quoted(self.target)}").collect()
        except AnalysisException:  # a view of the session has none
            return None
        return next((str(each["value"]) for each in found if each["key"] == RELEASE), None)

    def _there(self, name: str) -> bool:
        return bool(self.session.catalog.tableExists(_quoted(name)))

    def _is_read_by(self, source: DataFrame) -> bool:
        """Whether rows come from the files of the table, by whatever way."""
        own = self.session.table(_quoted(self.target)).inputFiles()
        return not set(own).isdisjoint(source.inputFiles())

    def _drop(self, name: str) -> None:
        self.session.sql(f"DROP TABLE IF EXISTS {_quoted(name)}")

    def _rename(self, name: str, to: str) -> None:
        parts = to.split(".")
        within = ".".join(parts[1:] if len(parts) > 2 else parts)  # a table stays in its catalog
        self.session.sql(f"ALTER TABLE {_quoted(name)} RENAME TO {_quoted(within)}")

    def _whole(self, name: str) -> tuple[str, ...]:
        """Say of what catalog and database a table is."""
        catalog = self.session.catalog
        parts = name.replace("`", "").split(".")
        here = [catalog.currentCatalog(), catalog.currentDatabase()]
        return tuple(part.casefold() for part in [*here[: max(3 - len(parts), 0)], *parts])


@contextlib.contextmanager
def saving(table: CatalogTable | None) -> Iterator[None]:
    """Let a table be written; if something fails, before it or after, there is none."""
    try:
        yield
    except BaseException:
        if table is not None:
            table.undo()
        raise
    if table is not None:
        table.finish()


def require_lasting(session: SparkSession, plan: Plan) -> None:
    """Refuse a catalog that ends with the session, where nobody else has that session."""
    target = plan.output.spark_table
    if target is None or session.conf.get("spark.sql.catalogImplementation") != "in-memory":
        return
    ours = CatalogTable(session, target)._whole(target)[0]
    if ours == "spark_catalog":
        raise ParameterError(
            f"The table '{target}' would vanish after this run, because Spark's catalog is in "
            "memory.",
            "Configure a persistent catalog in Spark, or call shoal.spark.anonymize in your "
            "own session.",
        )


def _unanswered() -> contextlib.suppress:
    """Go on where Spark refuses, or is gone."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    return contextlib.suppress(PySparkException, Py4JError, OSError)


def _quoted(name: str) -> str:
    return ".".join(quoted(part) for part in name.replace("`", "").split("."))
