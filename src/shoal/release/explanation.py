"""A release in five sentences, for people who will not read its report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.base.plural import counted
from shoal.errors import InputError
from shoal.publications import from_facts
from shoal.release.cost import Cost
from shoal.release.promise import Promise, attacker_finds, cells_stated, named, suppressed_columns


def explain(facts: Mapping[str, Any]) -> list[str]:
    """Say what a release is, what holds, what that means, what it cost and what it leaves open.

    ``facts``: the public facts of a release: what ``release.json`` holds. Nothing else is told.

    >>> import shoal
    >>> patients = shoal.datasets.patients(1).drop("name")
    >>> release = shoal.anonymize(
    ...     patients, k=2, quasi=["age", "sex", "zip"], sensitive="disease", method="mondrian")
    >>> for sentence in explain(release.facts()):
    ...     print(sentence)
    5 rows are published, none was suppressed; the cells of 'age', 'sex' and 'zip' are generalized.
    2-anonymity (every group holds at least 2) holds: it was counted again, by separate code.
    An attacker who knows these columns for a person finds at least 2 matching rows; if no person
    has two rows, these are 2 people.
    That cost 50% of the information.
    k-anonymity does not hide a value of 'disease' that everyone in a class shares, protects people
    with several rows less well, and does not protect against an attacker who knows more about a
    person than the quasi-identifiers.
    """
    try:
        return _sentences(facts)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise InputError("The facts of the release are damaged.", "Restore its folder.") from None


def _sentences(facts: Mapping[str, Any]) -> list[str]:
    rows, proof, form = facts["rows"], facts["verification"], from_facts(facts)
    roles, starred, added = facts["columns"].items(), suppressed_columns(facts), form.added(facts)
    dropped = [name for name, role in roles if role == "identifier"]
    others = [name for name, role in roles if role == "quasi" and name not in starred]
    return [
        f"{_published(rows)}; the cells of {named(others)} are {cells_stated(form, starred)}"
        + (f"; {named(dropped)} left out." if dropped else "."),
        _verdict(proof),
        attacker_finds(facts) + f" {added}" * bool(added),
        Cost.from_facts(facts).sentence,
        Promise.from_facts(facts).leaves_open,
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
    text = "; ".join(each["description"] for each in proof["judgements"])
    text, several = text[:1].upper() + text[1:], len(proof["judgements"]) > 1
    if not proof["passed"]:
        return f"{text} {'DO' if several else 'DOES'} NOT HOLD: do not publish it."
    hold, they = ("hold", "they were") if several else ("holds", "it was")
    return f"{text} {hold}: {they} counted again, by separate code."
