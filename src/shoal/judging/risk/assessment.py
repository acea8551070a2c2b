"""All risks of a publication: which people are found, and what is learned about them.

The three questions of the European guidance (Article 29 Working Party, Opinion 05/2014) are among
them. Can somebody be singled out? Can records of a person be linked? Can something be inferred
about a person? Each gets a number and a sentence. They are figures for the steward's judgement,
not the judgement: an opinion of a law is not a threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from shoal.errors import ParameterError, ShoalError
from shoal.judging.risk.attacking.probability import probability
from shoal.judging.risk.base import ATTACKS, PRIVATE_NOTE, Attack, attacks
from shoal.judging.risk.identity.records import records
from shoal.judging.risk.identity.reidentification import (
    THRESHOLDS,
    Reidentification,
    reidentification,
)
from shoal.judging.risk.identity.separation import Separation, separation
from shoal.judging.risk.identity.unique_sets import UniqueSets, largest_size, unique_sets
from shoal.judging.risk.linking import Linkage, linkage
from shoal.judging.risk.sight import Sight, sight


@dataclass(frozen=True)
class Assessment:
    """What `assess` found; all of it is private.

    Parameters
    ----------
    reidentification
        How likely people are found, and were in the original.
    questions
        The three questions of the European guidance, answered.
    separation, unique_sets
        Which columns identify people.
    attacks
        What each attack gets, beside what chance gets.
    linkage
        What one sensitive column reveals about another, where there are several.
    seen
        What the attacks saw.
    """

    reidentification: Reidentification
    questions: Sequence[Answer]
    separation: Sequence[Separation]
    unique_sets: UniqueSets
    attacks: Sequence[Attack]
    linkage: Sequence[Linkage]
    seen: Sight

    def to_dict(self) -> dict[str, Any]:
        """Write it for programs."""
        return {
            "note": PRIVATE_NOTE,
            "reidentification": self.reidentification.to_dict(),
            "questions": [each.to_dict() for each in self.questions],
            "separation": [each.to_dict() for each in self.separation],
            "unique_sets": self.unique_sets.to_dict(),
            "attacks": [each.to_dict() for each in self.attacks],
            "linkage": [each.to_dict() for each in self.linkage],
        }


def assess(
    published: Any,
    *,
    original: Any = None,
    rows: Any = None,
    trusted: bool = True,
    quasi: Sequence[str] | None = None,
    population: Any = None,
    sampling_fraction: float | None = None,
    thresholds: Sequence[float] = THRESHOLDS,
    alpha: float | str | None = None,
    outside: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Assessment:
    """Measure all risks of a release, as ``shoal risk`` shows them.

    Parameters
    ----------
    published
        A release, just made or opened, or anyone's published table with known roles.
    original
        The table that it was made from.
    rows
        For each published row the original one, where it is known: attacks then count right
        guesses.
    trusted
        Whether the original is surely the one of this release; else attacks that find it is not
        do without it.
    quasi
        The quasi-identifiers, instead of those of the release.
    population, sampling_fraction, thresholds
        As in `shoal.risk.reidentification`.
    alpha, outside
        As in `shoal.risk.attacks`.
    progress
        Called with the number of column sets examined so far and in all.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1).select("age", "sex", "disease")
    >>> release = shoal.anonymize(patients, k=2, quasi=["age", "sex"], sensitive="disease")
    >>> found = assess(release)
    >>> found.reidentification.prosecutor.highest, [each.question for each in found.questions]
    (0.5, ['singling out', 'linkability', 'inference'])
    """
    found = records(published, quasi=quasi)
    who = reidentification(
        found,
        original=original,
        population=population,
        sampling_fraction=sampling_fraction,
        thresholds=thresholds,
    )
    seen = sight(published)
    sets = unique_sets(found, largest=largest_size(len(found.names)), progress=progress)
    learned = _learned(published, seen, original, rows, alpha, outside, trusted=trusted)
    links: list[Linkage] = []
    if len(seen.histograms) > 1:
        numbered = not getattr(published, "by_spark", False)  # rows have an order to go by
        given = original if trusted and numbered else None
        links = linkage(seen, original=given, rows=None if given is None else rows)
    answers = three_questions(who, seen)
    return Assessment(who, answers, separation(found), sets, learned, links, seen)


def _learned(
    published: Any,
    seen: Sight,
    original: Any,
    rows: Any,
    alpha: float | str | None,
    outside: Any,
    *,
    trusted: bool,
) -> list[Attack]:
    """Try all attacks; those that count right guesses where it is known whose row is whose."""
    if original is None or rows is None:
        if outside is not None:
            raise ParameterError(
                "Matches to a class are counted in the original, which is unknown here.",
                "Name a release with its private folder, and its original with --original.",
            )
        return _tried(seen, alpha)
    try:
        return _tried(sight(published, original=original, rows=rows, outside=outside), alpha)
    except ShoalError:
        if trusted or outside is not None:
            raise
        return _tried(seen, alpha)  # the file is not what it was when it was published


def _tried(seen: Sight, alpha: float | str | None) -> list[Attack]:
    """Try all attacks that make sense; there may be none."""
    columns = (*seen.histograms, None)
    if any(each.applies(seen, name) for each in ATTACKS.values() for name in columns):
        return attacks(seen, alpha=alpha)
    return []


@dataclass(frozen=True)
class Answer:
    """An answer to one of the three questions.

    Parameters
    ----------
    question
        ``"singling out"``, ``"linkability"`` or ``"inference"``.
    share
        The number: a share of people; ``None`` where the question has no answer.
    sentence
        What it means.
    """

    question: str
    share: float | None
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Write it for programs."""
        return asdict(self)


def three_questions(found: Reidentification, seen: Sight | None = None) -> list[Answer]:
    """Answer the three questions of the European guidance with numbers; the result is private.

    Parameters
    ----------
    found
        What `reidentification` says of the table.
    seen
        What `sight` sees of it: for inference, which needs a sensitive column.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["30"] * 3 + ["*"], "ill": ["flu", "flu", "flu", "HIV"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    >>> found = shoal.risk.reidentification(table, schema)
    >>> for each in shoal.risk.three_questions(found, shoal.risk.sight(table, schema)):
    ...     print(each.question, each.share)
    singling out 0.25
    linkability 0.5
    inference 0.25
    """
    share = found.uniques / found.people
    who = "nobody is" if not share else f"{share:.2%} of the people are"
    whom = "the same people" if found.journalist is None else "the population"
    alone = (
        f"By their quasi-identifiers, {who} unique in the table; the smallest class has "
        f"{found.smallest:,}."
    )
    linked = (
        f"An attacker who holds a table of {whom} with names links {found.marketer:.2%} of "
        "the records correctly, on average."
    )
    return [
        Answer("singling out", share, alone),
        Answer("linkability", found.marketer, linked),
        _inference(seen),
    ]


def _inference(seen: Sight | None) -> Answer:
    if seen is None or not seen.histograms:
        return Answer("inference", None, "No column is sensitive, so there is nothing to infer.")
    gains = []
    for name in seen.histograms:
        learned = probability(seen, column=name).details
        gains.append((learned["mean"] - learned["prior"], name, learned["mean"], learned["prior"]))
    gain, name, mean, prior = max(gains)
    return Answer(
        "inference",
        max(gain, 0.0),
        f"The best guess of '{name}' is right for {mean:.2%} of the people, and for {prior:.2%} "
        "of them without the quasi-identifiers.",
    )
