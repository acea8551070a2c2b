"""A release to go on from: whom it, and those before it, showed among which values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
import polars as pl

from shoal.base.arrays import Ints
from shoal.errors import InfeasibleError, InputError, ParameterError, a_type
from shoal.judging.verification.across import Signature, same_signatures, signatures
from shoal.judging.verification.result import Finding
from shoal.methods._invariance import NEW, Signatures
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.publications.published import Published
from shoal.publications.published.folder import NAME, SIGNATURES
from shoal.release.again import digests, names_of
from shoal.release.opened import OpenedRelease, open_release
from shoal.table import Table
from shoal.table.schema import Schema


@dataclass(frozen=True, eq=False)
class Earlier:
    """A release that was made before, and whom it and those before it showed among which values.

    ``release``: the release, with its private folder.
    ``recorded``: what its private manifest says for the next one.
    """

    release: OpenedRelease
    recorded: Mapping[str, Any]

    @classmethod
    def of(cls, previous: OpenedRelease | str | PathLike[str]) -> Earlier:
        """Take the release to go on from; refuse one that says too little of itself."""
        if isinstance(previous, str | PathLike):
            previous = open_release(previous)
        if not isinstance(previous, OpenedRelease):
            raise ParameterError(
                f"again must be a release that was written, not {a_type(previous)}.",
                'Such as again=shoal.open_release("release"), or the name of its folder.',
            )
        manifest = previous.files.manifest
        if manifest is None:
            raise InputError(
                "The private folder of the earlier release is missing, so it is unknown "
                "which people were in it.",
                "Restore it: a release that does not continue the earlier one may reveal "
                "what each hides on its own.",
            )
        recorded = manifest.get("again")
        if not isinstance(recorded, Mapping):
            raise InputError(
                "The earlier release was not made with m-invariance, so a new release cannot "
                "continue its classes.",
                'Require it from the first release on: model = "m-invariance".',
            )
        if any(changed for _, changed in previous.files.changed):
            raise InputError(
                "The files of the earlier release have changed since it was made.",
                "Restore the published files.",
            )
        return cls(previous, recorded)

    def require_fitting(self, requirement: Requirement | None, schema: Schema) -> None:
        """Refuse what cannot go on from the earlier release."""
        if requirement is None:
            raise ParameterError(
                "A release that continues an earlier one needs m-invariance.",
                f'Require model = "m-invariance" alone, with m = {self.recorded["m"]} or less.',
            )
        required = requirement.least_size
        if required > self.recorded["m"]:
            raise InfeasibleError(
                f"The plan requires m = {required}, but the earlier release shows each person "
                f"among {self.recorded['m']} values, and these must stay.",
                f"Set m = {self.recorded['m']} or less.",
            )
        if [self.recorded["column"]] != list(schema.sensitive):
            raise ParameterError(
                f"The sensitive column of the earlier release is '{self.recorded['column']}', but "
                "this plan names another.",
                "Make it the only sensitive column.",
            )
        if self.recorded["entity"] != schema.entity:
            recorded = self.recorded["entity"]
            raise ParameterError(
                "The earlier release identified people by "
                f"{'their rows' if recorded is None else repr(recorded)}, but this one identifies "
                f"them by {'their rows' if schema.entity is None else repr(schema.entity)}.",
                "Name the same entity column in both.",
            )

    def known(self, table: Table) -> Signatures:
        """Find what earlier releases showed of the rows of a table."""
        if self.recorded["entity"] is None:
            self._require_same_rows(table)
        numbers: dict[Signature, int] = {}
        of_row = np.full(table.n_rows, NEW, dtype=np.int64)
        for row, name in enumerate(names_of(table)):
            found = self.shown.get(name)
            if found is not None:
                of_row[row] = numbers.setdefault(found, len(numbers))
        return Signatures(of_row, list(numbers))

    def _require_same_rows(self, table: Table) -> None:
        """Without names, people are known by their place: refuse rows that may be other ones."""
        mine, recorded = digests(table), self.recorded["digests"]
        both = [name for name in recorded if name in mine]
        if table.n_rows != self.recorded["rows"] or any(
            mine[name] != recorded[name] for name in both
        ):
            raise InfeasibleError(
                "The rows of the table are not those of the earlier release, and no entity "
                "column matches the people.",
                'Name an entity column from the first release on, such as entity = "patient".',
            )

    @cached_property
    def shown(self) -> dict[str, Signature]:
        """Among which values each person was shown by this release, or by one before it."""
        private = self.release.files.private
        assert private is not None
        try:
            found = pl.read_parquet(private / SIGNATURES)
            return dict(
                zip(found[NAME].to_list(), map(frozenset, found["values"].to_list()), strict=True)
            )
        except (OSError, pl.exceptions.PolarsError, TypeError):
            raise InputError(
                f"'{private / SIGNATURES}' is missing or damaged.", "Restore it completely."
            ) from None

    @cached_property
    def recounted(self) -> dict[str, Signature]:
        """The same, counted again from the published tables for those whom this release shows."""
        if not all(each.passed for each in self.release.verify_classes()):
            raise InputError(
                "The classes in the private folder of the earlier release do not fit its table.",
                "Restore the private folder that was written with it.",
            )
        return self.shown | recount(self.release, self.recorded["column"])

    def verify(
        self, published: Published, names: pl.Series, schema: Schema, groups: Ints | None = None
    ) -> Finding:
        """Ask whether everyone stands among the same values as before; no method is asked.

        The parameters are those of `shoal.judging.verification.across.signatures`.
        """
        now = signatures(published, names, schema, self.recorded["column"], groups=groups)
        return same_signatures(now, self.recounted)

    def counts(self, known: Signatures, grouping: Grouping) -> dict[str, int]:
        """Count whom the release shows again, or first, and leaves out (private)."""
        shown, before = grouping.labels >= 0, known.of_row != NEW
        return {
            "again": int((shown & before).sum()),
            "first": int((shown & ~before).sum()),
            "left_out_again": int((~shown & before).sum()),
            "left_out_first": int((~shown & ~before).sum()),
        }


def recount(release: OpenedRelease, column: str) -> dict[str, Signature]:
    """Count among which values of a column a written release shows each person."""
    names = release.files.names
    if names is None:
        raise InputError(
            "The private folder does not name the people of the release.",
            "Only releases made with m-invariance can be compared this way.",
        )
    return signatures(release.published, names, release.schema, column, groups=release.files.groups)
