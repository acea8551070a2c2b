"""A release, opened from the folder it was written to."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal import io, models
from shoal.base.arrays import Ints
from shoal.base.plural import counted
from shoal.errors import InputError, OutputError, ParameterError, ShoalError, a_type
from shoal.io.frames import Coded, to_coded
from shoal.io.frames.source import is_source
from shoal.judging.verification import Finding, Verification, verify
from shoal.judging.verification.signature import PublicKey, check_signature
from shoal.measures import Pair, pair_of_release
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.plan.reading import read, read_population
from shoal.publications import Publication, from_facts
from shoal.publications.generalized import Generalized
from shoal.publications.published import FACTS, PLAN, Published, PublishedFiles
from shoal.publications.sensitive_groups import SensitiveGroups
from shoal.publications.two_table import TwoTable
from shoal.release import query
from shoal.release.again import across
from shoal.release.analysis import Analysis, tables_like
from shoal.release.query import Where
from shoal.release.writing import recover
from shoal.table.schema import Column, Kind, Role, Schema


@dataclass(frozen=True, eq=False, repr=False)
class OpenedRelease(Analysis):
    """A written release, read back: what `open_release` gives.

    From the public folder alone it knows what anyone may know. With the private folder beside it,
    it also knows the plan with its hierarchies and levels, which row is whose, and the measures in
    all their digits.

    Parameters
    ----------
    files
        The files, and what lies beside them.
    plan
        Roles and requirements to go by, instead of those the release claims for itself.
    roles, required
        The same without a plan.
    source
        The table that the release was made from, where it is at hand.
    """

    files: PublishedFiles
    plan: Plan | None = None
    roles: Schema | None = None
    required: Sequence[Requirement] | None = None
    source: pl.DataFrame | None = None

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the release says of itself in public (``release.json``)."""
        return self.files.facts or {}

    @property
    def by_spark(self) -> bool:
        """Whether Spark made it: then original rows have no numbers."""
        return self.facts.get("engine") == "spark"

    @property
    def table(self) -> pl.DataFrame:
        """The published table; of several the one of quasi-identifiers."""
        return self.published.frame

    @property
    def tables(self) -> dict[str, Any]:
        """All published tables by name, as in `Release.tables`."""
        return tables_like(self.published, None, self.table)

    @cached_property
    def published(self) -> Published:
        """The tables, and which column is which."""
        read = self.files.read(self.known_schema)
        if self.facts or self.plan is None:
            return read
        form = self.plan.publication.build(self.plan.build_method())
        return replace(read, centres=form.centre)  # a plan is the word on a table alone

    @property
    def rows(self) -> Ints | None:
        """For each published row, the original one; ``None`` if nobody knows."""
        return self.files.rows

    @property
    def input_rows(self) -> int | None:
        """How many rows the original has, as the private folder says; ``None`` if it does not."""
        recorded = (self.files.manifest or {}).get("rows")
        return recorded.get("input") if isinstance(recorded, Mapping) else None

    @property
    def persons(self) -> Ints | None:
        """For each published row whose it is; ``None`` if nobody knows."""
        return self.files.persons

    @property
    def has_original(self) -> bool:
        """Whether the original is at hand, and the private folder says which row is whose."""
        return self.source is not None and self.rows is not None

    @cached_property
    def pair(self) -> Pair:
        """The original as codes beside what was published of it (private)."""
        if not self.has_original or self.rows is None:
            raise ParameterError(
                "The original of this release, and which row belongs to whom, are unknown.",
                "Give the table it was made from, and keep its private folder beside it.",
            )
        return pair_of_release(self.source, self.published, self.schema, rows=self.rows)

    @property
    def names(self) -> npt.NDArray[np.str_] | None:
        """For each published row the name of its person; ``None`` if nobody knows (private)."""
        names = self.files.names
        return None if names is None else names.to_numpy().astype(np.str_)

    @cached_property
    def private_plan(self) -> Plan | None:
        """The plan in the private folder, if there is one."""
        if self.files.private is None or not (self.files.private / PLAN).is_file():
            return None
        return Plan.read(self.files.private / PLAN)

    @cached_property
    def known_schema(self) -> Schema | None:
        """The roles of the columns, as a plan or the release says them; ``None`` if nobody does."""
        plan = self.plan or self.private_plan
        if self.roles is not None:
            return self.roles
        if plan is not None:
            return plan.schema_()
        return claim(self.facts)[0] if self.facts else None

    @property
    def schema(self) -> Schema:
        """The roles of the columns (raises `ParameterError` if none were given)."""
        if self.known_schema is None:
            raise ParameterError(
                "No column roles were given.",
                "Give a plan or --quasi (to verify, with --k), or name a release's folder.",
            )
        return self.known_schema

    @cached_property
    def require(self) -> Sequence[Requirement]:
        """What must hold."""
        plan = self.plan or self.private_plan
        if self.required is not None:
            return self.required
        if plan is not None:
            return plan.requirements()
        return claim(self.facts)[1] if self.facts else []

    def read_original(self) -> Coded | None:
        """Read the table that the plan names as its input (private); ``None`` if it is gone."""
        plan = self.plan or self.private_plan
        if plan is None or not plan.names_source:
            return None
        return read(plan.source, plan, whole=False)[0]

    @property
    def form(self) -> Publication:
        """The form of publication, for its sentences: as the release or a plan says, or as seen."""
        plan = self.plan or self.private_plan
        if self.facts:
            return from_facts(self.facts)
        if plan is not None:
            return plan.publication.build(plan.build_method())
        published = self.published
        if not published.linked:
            return Generalized()
        # Nobody said that cells of strangers' tables are generalized.
        kind = SensitiveGroups if published.by_column else TwoTable
        return kind(quasi_cells="generalized" if published.exact is False else "exact")

    @property
    def added(self) -> str:
        """What is published that nobody holds, as the release says; empty if nothing is."""
        return self.form.added(self.facts) if self.facts else ""

    @property
    def measures(self) -> dict[str, float]:
        """The measures: as they are public, or in all their digits where the private folder is."""
        return dict((self.files.manifest or self.facts).get("measures", {}))

    def verify(
        self,
        *,
        original: Any = None,
        again: OpenedRelease | None = None,
        population: Any = None,
        table: str | None = None,
        key: str | PathLike[str] | None = None,
    ) -> Verification:
        """Recount the files, from nothing but what is published, and ask whether they changed.

        Parameters
        ----------
        original
            The table that the release was made from, or its path, to compare cell by cell. That
            needs the private folder. With a plan alone, values are only counted: rows are
            shuffled, and what cannot be told stays open.
        again
            An earlier release of the table, with its private folder: whoever is in both must stand
            among the same values. That needs the private folder of this release, too.
        population
            The people whom the table was drawn from, or the path of their table, for requirements
            that count them. That needs the private folder, or a plan, for its hierarchies.
        table
            The address of the database that the release was written to, too (``[output] sql``).
            Its tables are compared with the files, rows in any order, and judged like them.
        key
            A file with the public key (Ed25519, PEM) that must have signed all public files.
            Without one, a signature is mentioned among the remarks, and not trusted.
        """
        signer = self._signer(key)
        if original is not None and self.by_spark:
            raise ParameterError(
                "Rows published by Spark have no numbers that link them to original rows.",
                "Leave the original out: every cell was compared when the release was written.",
            )
        described = self.roles or self.plan or self.private_plan
        if original is not None and described is None:
            raise ParameterError(
                "The original cannot be compared without hierarchies.",
                "Give the plan, or restore the private folder beside the release.",
            )
        original, population = self._read(original), self._read_population(population)
        given = original is not None or population is not None
        specified = self.plan is not None or self.roles is not None or given
        if self.facts and not specified:  # what the files alone claim, whatever lies beside them
            schema, require = claim(self.facts)
        else:
            schema, require = self.schema, list(self.require)
        rows = None if original is None else self.rows
        unknown = original is not None and rows is None and bool(self.facts)  # we shuffle
        found = self._recount(
            schema,
            self.required or require,
            original=original,
            rows="unknown" if unknown else rows,
            as_written=isinstance(self.files.tables, Mapping) and rows is not None,
            population=population,
        )
        findings = (*found.findings, *self._unchanged(), *self.verify_classes())
        if table is not None:
            findings = (*findings, *self._in_database(table, schema, self.required or require))
        accounted, remarks = self._accounted(
            None if specified or self.required else found, original, signer
        )
        return replace(
            found,
            findings=(*findings, *self._kept(again), *accounted),
            remarks=(*found.remarks, *remarks),
        )

    def _signer(self, key: str | PathLike[str] | None) -> PublicKey | None:
        """Read the key that must have signed the release, before any work."""
        if key is None:
            return None
        if not self.files.is_release:
            raise ParameterError(
                "A key checks the signature of a release, but this file does not belong to one.",
                "Name the release's folder, or leave out the key.",
            )
        return PublicKey.read(key)

    def _in_database(
        self, address: str, schema: Schema, require: Sequence[Requirement]
    ) -> list[Finding]:
        """Compare the tables of a database with the files, and judge them."""
        if not self.files.is_release:
            raise ParameterError(
                "Tables of a database can only be compared with the files of a release.",
                "Name the release's folder.",
            )
        from shoal.io.sql import Address
        from shoal.release.delivered import compare_delivered  # only for those who ask

        findings, tables = compare_delivered(self, Address(address))
        if schema.entity is not None:
            return findings  # whose rows they are is known of the files alone
        ids, counterfeits = self.files.class_column, self.files.counterfeits
        try:
            found = verify(tables, schema, require, class_column=ids, counterfeits=counterfeits)
            wrong = found.reasons() if found.failed else []
        except ShoalError as error:
            wrong = [error.problem]
        detail = "; ".join(wrong) or "hold as they do in the files"
        return [*findings, Finding("requirements in the database", not wrong, detail)]

    def _accounted(
        self, proof: Verification | None, original: Any, signer: PublicKey | None
    ) -> tuple[list[Finding], list[str]]:
        """Ask whether every public file and every claim is as it was, as far as can be told.

        ``proof``: the recount by what the release claims, if it was made already.
        ``signer``: the key that must have signed it, if anyone asks.
        """
        if not self.files.is_release:
            return [], []
        from shoal.release.accounting import account
        from shoal.release.claims import check_claims

        signed, recorded = check_signature(self.files.paths[0].parent, signer)
        findings, remarks = account(self.files)
        findings, remarks = [*signed, *findings], [*recorded, *remarks]
        try:
            schema, require = claim(self.facts)
        except ShoalError as error:
            return [*findings, Finding("claims of release.json", False, error.problem)], remarks
        if proof is None:
            with contextlib.suppress(ShoalError):  # people cannot be counted, or a column is gone
                proof = self._recount(schema, require)
        claims = check_claims(self, schema, require, proof=proof, original=original)
        return [*findings, claims], remarks

    def _recount(
        self, schema: Schema, require: Sequence[Requirement], **given: Any
    ) -> Verification:
        """Recount the tables by roles and requirements, and what else is given."""
        return verify(
            self.files.tables,
            schema,
            require,
            people=self.persons,
            class_column=self.files.class_column,
            centres=None if given.get("original") is None else self.published.centres,
            counterfeits=self.files.known_counterfeits,
            **given,
        )

    def _read(self, original: Any) -> Any:
        """Read a table that is named by its path or its place in a database, as the plan says."""
        if not is_source(original):
            return original
        plan = self.plan or self.private_plan
        if plan is not None:
            return read(original, plan)[0]
        if isinstance(original, str | PathLike):
            return io.read(original).table
        return to_coded(original, exact=self.known_schema.other if self.known_schema else ())

    def _read_population(self, population: Any) -> Any:
        plan = self.plan or self.private_plan
        if plan is None or not isinstance(population, str | PathLike):
            return population
        return read_population(population, plan, self.schema)

    def verify_classes(self) -> list[Finding]:
        """Recount classes that one table does not name, where the private folder does (private).

        Only where what is required speaks of several releases: else equal cells are a class.
        """
        required, groups = across(self.require), self.files.groups
        if required is None or groups is None or self.published.linked:
            return []
        from shoal.judging.verification.across import hidden_classes  # only for those who ask

        (column,) = self.schema.sensitive
        return [hidden_classes(self.published, self.schema, column, groups, m=required.least_size)]

    def _kept(self, again: OpenedRelease | None) -> list[Finding]:
        """Say whether everyone stands among the values of an earlier release."""
        if again is None:
            return []
        from shoal.judging.verification.across import same_signatures
        from shoal.release.earlier import recount  # only for those who ask

        (column,) = again.schema.sensitive
        before = [each for each in again.verify_classes() if not each.passed]
        return [*before, same_signatures(recount(self, column), recount(again, column))]

    def query(self, where: Where) -> float:
        """Estimate how many records meet all conditions, as `Release.query` does."""
        return query.count(self.published, where, schema=self.known_schema)

    def _unchanged(self) -> list[Finding]:
        """Say whether the files are still the ones that were released."""
        changed = [each for _, each in self.files.changed]
        # The hash is the release's own claim: the private folder and signatures know more.
        detail = "changed since its release" if any(changed) else f"as hashed in {FACTS}"
        check = "file unchanged" if len(changed) == 1 else "files unchanged"
        return [Finding(check, not any(changed), detail)] if changed else []

    def __repr__(self) -> str:
        beside = "with" if self.files.private is not None else "without"
        form = self.facts.get("publication", "no release")
        rows = counted(self.published.coded.height, "row")
        return f"OpenedRelease({rows}, {form}, {beside} its private folder)"


def open_release(folder: str | PathLike[str]) -> OpenedRelease:
    """Open a release that was written: the published tables and what is known about them.

    Parameters
    ----------
    folder
        The folder that `Release.write` or ``shoal run`` wrote. The private folder beside it is
        used if it is there.

    Examples
    --------
    >>> import shoal, tempfile
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> patients = shoal.datasets.patients(1).select("age", "disease")
    >>> release = shoal.anonymize(patients, schema, require=[shoal.KAnonymity(2)])
    >>> with tempfile.TemporaryDirectory() as place:
    ...     opened = shoal.open_release(release.write(f"{place}/release"))
    ...     opened.verify().passed, opened
    (True, OpenedRelease(5 rows, generalized, with its private folder))
    """
    if not isinstance(folder, str | PathLike):
        raise ParameterError(
            f"A release is opened from its folder, not from {a_type(folder)}.",
            'Name the folder, such as "release".',
        )
    made = open_published(Path(folder))
    if not made.facts:
        raise InputError(f"'{folder}' is not a release.", "Name a release's folder.")
    return made


def open_published(
    path: Path,
    *,
    private: Path | None = None,
    sensitive_tables: Sequence[Path] = (),
    class_column: str | None = None,
    plan: Plan | None = None,
) -> OpenedRelease:
    """Open a release's folder, or anyone's published files: see `PublishedFiles.open`."""
    for place in (path, path.parent):
        # Where it cannot be done, the ids still tell whether the folders belong together.
        with contextlib.suppress(OutputError):
            recover(place)
    files = PublishedFiles.open(
        path, private=private, sensitive_tables=sensitive_tables, class_column=class_column
    )
    return OpenedRelease(files, plan)


def claim(facts: Mapping[str, Any]) -> tuple[Schema, list[Requirement]]:
    """Make the schema and the requirements that a release claims for itself."""
    try:
        recorded = {name: tuple(meant) for name, meant in facts.get("missing_texts", {}).items()}
        kinds = {name: Kind(kind) for name, kind in facts.get("kinds", {}).items()}
        roles = {
            name: Column(Role(role), kinds.get(name), missing=recorded.get(name))
            for name, role in facts["columns"].items()
        }
    except (ValueError, TypeError, AttributeError):
        raise InputError("The release's roles are damaged.", "Give a plan or flags.") from None
    schema = Schema(roles, entity=facts.get("entity"), linkage=facts.get("linkage", "any-row"))
    return schema, [models.from_spec(spec) for spec in facts["require"]]
