"""What can be asked of a release, whether it was just made or opened from its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from shoal.base.arguments import one_of
from shoal.io.frames import like
from shoal.publications.published import Published, Released, with_interval_ends

if TYPE_CHECKING:
    from shoal.judging.risk import Attack, Reidentification
    from shoal.release.query import Where


class Analysis(Released):
    """Attacks, queries and numbers for analysts, of published tables with known roles."""

    def risk(
        self, *, alpha: float | str | None = None, original: Any = None, outside: Any = None
    ) -> list[Attack]:
        """Try every attack that makes sense; the answers are private.

        Parameters
        ----------
        alpha
            A guess counts above this share; else above what is required (see
            `shoal.risk.attacks`).
        original
            The table that it was made from, which some attacks count right guesses in; a release
            that was just made has it.
        outside
            People who are not in the table (see `shoal.risk.membership`).
        """
        from shoal.judging.risk import attacks  # only for those who ask

        return attacks(self, alpha=alpha, original=original, outside=outside)

    def reidentification(
        self,
        *,
        original: Any = None,
        population: Any = None,
        sampling_fraction: float | None = None,
    ) -> Reidentification:
        """Say how likely people are found in the release, and were in its original; private.

        Parameters
        ----------
        original
            The original, where the release does not know it: it was opened, not just made.
        population, sampling_fraction
            As in `shoal.risk.reidentification`, which also takes tables of others.

        Examples
        --------
        >>> import shoal
        >>> patients = shoal.datasets.patients(1).select("age", "sex", "disease")
        >>> schema = shoal.Schema(
        ...     {"age": shoal.quasi(), "sex": shoal.quasi(), "disease": shoal.sensitive()})
        >>> release = shoal.anonymize(patients, schema, require=[shoal.KAnonymity(2)])
        >>> found = release.reidentification()
        >>> found.before.prosecutor.highest, found.prosecutor.highest
        (1.0, 0.5)
        """
        from shoal.judging.risk import reidentification  # only for those who ask

        return reidentification(
            self, original=original, population=population, sampling_fraction=sampling_fraction
        )

    def query(self, where: Where) -> float:
        """Estimate how many records meet all conditions, as a reader must.

        Parameters
        ----------
        where
            Per column a value, a list or set of values, or a range of numbers as a tuple
            ``(lo, hi)`` with both ends inside (see `shoal.query.count`).
        """
        from shoal.release.query import count

        return count(self, where)

    def table_as(self, cells: Literal["bounds"]) -> Any:
        """Give the table in numbers that analysts can work with, in the type that came in.

        Parameters
        ----------
        cells
            ``"bounds"``: each numeric quasi-identifier becomes three columns, ``NAME_lo``,
            ``NAME_hi`` and ``NAME_mid``: where its interval begins and ends, and the middle.
            They are null where ``*`` is published.

        Examples
        --------
        >>> import shoal
        >>> patients = shoal.datasets.patients(1).select("age", "sex", "disease")
        >>> schema = shoal.Schema(
        ...     {"age": shoal.quasi(), "sex": shoal.quasi(), "disease": shoal.sensitive()})
        >>> release = shoal.anonymize(patients, schema, require=[shoal.KAnonymity(2)])
        >>> release.table_as("bounds").columns
        ['age_lo', 'age_hi', 'age_mid', 'sex', 'disease']
        """
        one_of("cells", cells, ("bounds",))
        made = with_interval_ends(self.published, self.schema)
        return like(made, self.published.given, untouched=self.schema.untouched)


def tables_like(published: Published, original: Any, first: Any) -> dict[str, Any]:
    """Give all published tables by name, in the type of a frame; the first is given."""
    if not published.linked:
        return {"table": first}
    sensitive = {
        name: like(table.frame, original, untouched=[table.sensitive_column])
        for name, table in published.value_tables.items()
    }
    made: dict[str, Any] = published.together(first, sensitive)
    return made
