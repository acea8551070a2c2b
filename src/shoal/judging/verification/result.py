"""What a verification found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from typing import Any

from shoal.base.plural import counted

MISSING_RULE = "A missing cell is published as * and equals only *."
COUNTED_RULE = {
    "rows": "Counted in rows: correct only if no person has two rows.",
    "people": "Counted in people: several rows of a person count once.",
}
"""What it means that rows, or people, are counted."""
UNRECOUNTED = "cannot be recounted: it needs the original table and the private folder"
"""What is reported for a requirement that reads unpublished columns."""
UNCOUNTED = "cannot be recounted: it needs a table of the population (--population)"
"""What is reported for a requirement that counts people outside the table."""
UNORDERED = (
    "cannot be compared: rows are shuffled, and only the private folder links them to original rows"
)
"""What is reported where nothing links published rows to the original."""


@dataclass(frozen=True)
class Judgement:
    """One requirement, judged on the recounted classes."""

    requirement: str
    description: str
    passed: bool | None
    """``None``: what was given does not decide it."""
    achieved: dict[str, float | int]
    failing_classes: int = 0
    failing_rows: int = 0
    unrecounted: str = ""
    """Of what cannot be told: why."""


@dataclass(frozen=True)
class Finding:
    """One further check: identifiers, coverage, sensitive values."""

    check: str
    passed: bool | None
    """``None``: what was given does not decide it."""
    detail: str

    @classmethod
    def of(cls, check: str, wrong: object, problem: str, fine: str) -> Finding:
        """Say the problem where something is wrong, and else that all is fine."""
        return cls(check, not wrong, problem if wrong else fine)


@dataclass(frozen=True, repr=False)
class Verification:
    """Yes or no, with what was counted.

    Examples
    --------
    >>> result = Verification(rows=4, classes=2, counted="rows", judgements=(), findings=())
    >>> result, bool(result)
    (Verification(passed, 4 rows in 2 classes), True)
    """

    rows: int
    classes: int
    counted: str
    """What k counts here: rows, or people."""
    judgements: tuple[Judgement, ...]
    findings: tuple[Finding, ...]
    missing_rule: str = MISSING_RULE
    remarks: tuple[str, ...] = ()
    """Remarks, such as values that differ only in spelling."""

    @property
    def counted_rule(self) -> str:
        """What it means that these are counted; of rows, when that is right."""
        return COUNTED_RULE[self.counted]

    @property
    def passed(self) -> bool:
        """Whether every requirement and every check holds; what was not recounted does not."""
        return all(j.passed for j in self.judgements) and all(f.passed for f in self.findings)

    @property
    def failed(self) -> bool:
        """Whether a requirement or a check was found not to hold."""
        held = (*(j.passed for j in self.judgements), *(f.passed for f in self.findings))
        return any(each is False for each in held)

    @property
    def uncounted(self) -> tuple[str, ...]:
        """Requirements and checks that need more than was given."""
        open_ = [j.description for j in self.judgements if j.passed is None]
        return (*open_, *(f.check for f in self.findings if f.passed is None))

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        verdict = "passed" if self.passed else "FAILED" if self.failed else "NOT RECOUNTED"
        reached = [f"{name} = {level}" for name, level in self.achieved.items()]
        shape = f"{counted(self.rows, 'row')} in {counted(self.classes, 'class')}"
        return f"Verification({', '.join([verdict, *reached, shape])})"

    @property
    def achieved(self) -> dict[str, float | int]:
        """The levels reached, over all requirements."""
        return {name: level for j in self.judgements for name, level in j.achieved.items()}

    def reasons(self) -> list[str]:
        """Say in words what does not hold, and what cannot be recounted."""
        failed = [
            f"{j.description} does not hold in {j.failing_classes} of "
            f"{counted(self.classes, 'class')}"
            f" ({j.failing_rows} of {counted(self.rows, 'row')})"
            for j in self.judgements
            if j.passed is False
        ]
        failed += [f"{j.description} {j.unrecounted}" for j in self.judgements if j.passed is None]
        return failed + [f"{f.check}: {f.detail}" for f in self.findings if not f.passed]

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        made = {
            "passed": self.passed,
            "achieved": self.achieved,
            **asdict(self),
            "counted_rule": self.counted_rule,
        }
        for each in made["judgements"]:
            if each["passed"] is not None:
                del each["unrecounted"]
        return made


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
