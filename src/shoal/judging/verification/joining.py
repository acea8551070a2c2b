"""Verifications of parts of a table, put together: parts of whole classes, judged apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from shoal.judging.verification.result import Finding, Judgement, Verification

LEAST = frozenset({"k", "l"})
"""Levels of which the least counts."""
LARGEST = frozenset({"alpha", "t"})
"""Levels of which the largest counts."""


def join(parts: Sequence[Verification]) -> Verification:
    """Say of a table what was found of its parts.

    Each class must be in one part as a whole. A level is told where it is known whether the least
    or the largest of the parts' levels counts.
    """
    return reduce(_both, parts)


def _both(one: Verification, other: Verification) -> Verification:
    return replace(
        one,
        rows=one.rows + other.rows,
        classes=one.classes + other.classes,
        judgements=tuple(map(_judged, one.judgements, other.judgements)),
        findings=tuple(map(_found, one.findings, other.findings)),
        remarks=(),  # what parts hold says nothing of the whole
    )


def _judged(one: Judgement, other: Judgement) -> Judgement:
    achieved = {}
    for name in one.achieved.keys() & other.achieved.keys():
        pair = one.achieved[name], other.achieved[name]
        if name in LEAST:
            achieved[name] = min(pair)
        elif name in LARGEST:
            achieved[name] = max(pair)
    held = (one.passed, other.passed)
    return replace(
        one,
        passed=False if False in held else None if None in held else True,
        achieved=achieved,
        failing_classes=one.failing_classes + other.failing_classes,
        failing_rows=one.failing_rows + other.failing_rows,
        unrecounted=one.unrecounted or other.unrecounted,
    )


def _found(one: Finding, other: Finding) -> Finding:
    return other if one.passed and not other.passed else one
