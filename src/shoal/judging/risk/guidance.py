"""The three questions of the European guidance (Article 29 Working Party, Opinion 05/2014).

Can somebody be singled out? Can records of a person be linked? Can something be inferred about a
person? Each gets a number and a sentence. They are figures for the steward's judgement, not the
judgement: an opinion of a law is not a threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from shoal.judging.risk.attacking.probability import probability
from shoal.judging.risk.identity.reidentification import Reidentification
from shoal.judging.risk.sight import Sight


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
    return [_singling_out(found), _linkability(found), _inference(seen)]


def _singling_out(found: Reidentification) -> Answer:
    share = found.uniques / found.people
    who = "nobody is" if not share else f"{share:.2%} of the people are"
    return Answer(
        "singling out",
        share,
        f"By their quasi-identifiers, {who} unique in the table; the smallest class has "
        f"{found.smallest:,}.",
    )


def _linkability(found: Reidentification) -> Answer:
    whom = "the same people" if found.journalist is None else "the population"
    return Answer(
        "linkability",
        found.marketer,
        f"An attacker who holds a table of {whom} with names links {found.marketer:.2%} of "
        "the records correctly, on average.",
    )


def _inference(seen: Sight | None) -> Answer:
    columns: Sequence[str] = () if seen is None else list(seen.histograms)
    if seen is None or not columns:
        return Answer("inference", None, "No column is sensitive, so there is nothing to infer.")
    gains = []
    for name in columns:
        learned = probability(seen, column=name).details
        gains.append((learned["mean"] - learned["prior"], name, learned["mean"], learned["prior"]))
    gain, name, mean, prior = max(gains)
    return Answer(
        "inference",
        max(gain, 0.0),
        f"The best guess of '{name}' is right for {mean:.2%} of the people, and for {prior:.2%} "
        "of them without the quasi-identifiers.",
    )
