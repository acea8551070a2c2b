"""What a release cost: one headline figure, the same in every interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shoal.base.rounding import percent
from shoal.publications import Publication, from_facts

if TYPE_CHECKING:
    from shoal.release import Release

OF_PUBLISHED = "measures_of_published"
"""Where public facts hold measures of the published rows alone, if others must be left out."""


@dataclass(frozen=True)
class Cost:
    """The headline: which share a release lost, with two digits.

    It is the measure that the form of publication names: `iloss_rate`, in which a removed row is
    lost and a cell that was missing before lost nothing; of centres `sse`. Where a small count
    could be worked out from it, it is not public. Then public files tell another figure by a name
    of its own: the same measure of the published rows alone, every ``*`` counted as lost.

    ``share``: its value; ``None`` if it is not told.
    ``whole``: of what it is a share, such as "of the information".
    ``of_published``: the same measure of the published rows alone, where public files tell that
        instead.

    >>> import shoal
    >>> patients = shoal.datasets.patients(1).drop("name")
    >>> release = shoal.anonymize(
    ...     patients, k=2, quasi=["age", "sex", "zip"], sensitive="disease", method="mondrian")
    >>> str(Cost.of(release)), str(Cost.from_facts(release.facts()))
    ('50% of the information', '50% of the information')
    """

    measure: str
    share: float | None
    whole: str
    of_published: float | None = None

    @classmethod
    def of_measures(cls, measures: Mapping[str, float], form: Publication) -> Cost:
        """Take the headline from all measures of a release (private)."""
        return cls(form.cost_measure, measures.get(form.cost_measure), form.lost)

    @classmethod
    def of(cls, release: Release) -> Cost:
        """Take the headline of a release (private)."""
        return cls.of_measures(release.measures, release.publication)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Cost:
        """Take the headline from the facts of a release, public or exact."""
        form, reported = from_facts(facts), facts["measures"]
        if "measures_note" in facts and OF_PUBLISHED not in facts:  # an older release
            return cls(form.cost_measure, None, form.lost, reported.get(form.cost_measure))
        beside = facts.get(OF_PUBLISHED, {}).get(form.cost_measure)
        return cls(form.cost_measure, reported.get(form.cost_measure), form.lost, beside)

    @property
    def figure(self) -> str:
        """The figure alone: the headline, or the one that public files tell instead."""
        reported = self.of_published if self.share is None else self.share
        return "not public" if reported is None else percent(reported)

    @property
    def lost(self) -> str:
        """What was lost, as what follows the figure."""
        if self.share is None and self.of_published is not None:
            return f"{self.whole} in the published rows alone, counting every * as lost"
        return self.whole

    def __str__(self) -> str:
        return f"{self.figure} {self.lost}"

    @property
    def sentence(self) -> str:
        """The same as a sentence."""
        if self.share is not None:
            return f"That cost {self}."
        hidden = "is not public, because a small count could be derived from it"
        if self.of_published is None:
            return f"What that cost {hidden}."
        return f"That cost {self}; what the whole release cost {hidden}."
