"""A release in five sentences, for people who will not read its report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.plural import counted
from shoal.release.promise import Promise, named

__all__ = ["explain"]


def explain(facts: Mapping[str, Any]) -> list[str]:
    """Say what a release is, what holds, what that means, what it cost and what it leaves open.

    Parameters
    ----------
    facts
        The public facts of a release: what ``release.json`` holds. Nothing else is told.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1).drop("name")
    >>> release = shoal.anonymize(
    ...     patients, k=2, quasi=["age", "sex", "zip"], sensitive="disease", method="mondrian")
    >>> for sentence in explain(release.facts()):
    ...     print(sentence)
    5 rows are published, none was suppressed; 'age', 'sex' and 'zip' are generalized.
    2-anonymity (every group holds at least 2) holds: it was counted again, by separate code.
    Who looks for a person by these columns finds 2 rows or more that fit; if nobody has two rows,
    these are 2 people.
    That cost 50.0% of the information.
    It does not promise that nobody learns 'disease' of a person whose class shares it, nor as much
    to a person who has several rows, nor protection against someone who knows more of a person
    than the quasi-identifiers.
    """
    rows, proof = facts["rows"], facts["verification"]
    by_role = {
        role: [name for name, each in facts["columns"].items() if each == role]
        for role in ("identifier", "quasi")
    }
    return [
        f"{_published(rows)}; {named(by_role['quasi'])} "
        f"{'is' if len(by_role['quasi']) == 1 else 'are'} generalized"
        + (f", {named(by_role['identifier'])} left out" if by_role["identifier"] else "")
        + ".",
        _verdict(proof),
        _meaning(proof),
        _cost(facts["measures"]),
        Promise.told_by(facts).leaves_open,
    ]


def _published(rows: Mapping[str, Any]) -> str:
    left = [
        f"{'none' if not rows[why] else rows[why]} {'were' if rows[why] not in (0, 1) else 'was'} "
        f"{why}"
        for why in ("suppressed", "dropped")
        if why == "suppressed" or rows[why]
    ]
    made = counted(rows["published"], "row is", "rows are")
    return f"{made} published, {' and '.join(left)}"


def _verdict(proof: Mapping[str, Any]) -> str:
    asked = [each["description"] for each in proof["judgements"]]
    said = "; ".join(asked)
    said = said[:1].upper() + said[1:]
    several = len(asked) > 1
    if not proof["passed"]:
        return f"{said} {'DO' if several else 'DOES'} NOT HOLD: do not publish it."
    return (
        f"{said} hold{'s' * (not several)}: {'they were' if several else 'it was'} counted again, "
        "by separate code."
    )


def _meaning(proof: Mapping[str, Any]) -> str:
    k = proof["achieved"].get("k")
    if k is None:
        return f"The rows form {counted(proof['classes'], 'class')} of rows that look alike."
    finds = "Who looks for a person by these columns finds"
    if proof["counted"] == "people":
        return f"{finds} {k} people or more that fit, and not which one it is."
    return f"{finds} {k} rows or more that fit; if nobody has two rows, these are {k} people."


def _cost(measures: Mapping[str, float]) -> str:
    if "iloss_rate" in measures:
        return f"That cost {measures['iloss_rate']:.1%} of the information."
    if "sse" in measures:
        return f"That cost {measures['sse']:.1%} of the variance."
    return "What that cost is not said."
