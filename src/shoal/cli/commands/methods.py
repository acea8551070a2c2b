"""`shoal methods`: which methods there are, and what goes together with each."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Annotated, Any

import typer

from shoal.base.members import first_line
from shoal.cli import show
from shoal.cli.options import AsJson
from shoal.methods import METHODS, Method
from shoal.plan.compatibility import Matrix, Row, Verdict
from shoal.publications.groups.missing_policy import POLICIES

AT_ONCE = 8
"""The most requirements that fit side by side on a narrow terminal."""


def methods(
    matrix: Annotated[
        bool,
        typer.Option(
            "--matrix",
            help="Show which requirements, publications and missing policies work with each "
            "method.",
        ),
    ] = False,
    json: AsJson = False,
) -> None:
    """List the methods: how groups are found."""
    if matrix:
        found = Matrix.of()
        if json:
            show.print_json([_facts(row) for row in found.rows])
        else:
            _show(found)
        return
    rows = [
        (name, each.__name__, first_line(each), _carries(each)) for name, each in METHODS.items()
    ]
    show.listing("Methods", ("name", "in Python", "what it does", "carries"), rows, as_json=json)


def _carries(method: type[Method]) -> str:
    return "any requirement" if method.carries is None else ", ".join(sorted(method.carries))


def _show(found: Matrix) -> None:
    """Show a letter per requirement, so that the table fits a narrow terminal."""
    letters = dict(zip(found.requirements, ascii_uppercase, strict=False))
    names = list(letters)
    for start in range(0, len(names), AT_ONCE):
        shown = names[start : start + AT_ONCE]
        rows = [
            (
                row.method,
                " ".join([row.publication, *(found.conditions[each] for each in row.conditions)]),
                *(_mark(found, row.require[name]) for name in shown),
                _policies(found, row),
                _mark(found, row.refine),
            )
            for row in found.rows
        ]
        marks = [letters[name] for name in shown]
        head = ("method", "publication", *marks, "missing", "refine")
        show.grid(f"What goes together: {marks[0]} to {marks[-1]}", head, rows, dense=True)
    show.console().print(
        "+: works; a small letter: works on the condition below; a number: refused for the "
        "reason below. Each requirement stands alone. All policies for missing cells: "
        f"{', '.join(POLICIES)}.\n"
    )
    notes = (letters, found.conditions, found.reasons)
    show.footnotes(*({mark: text for text, mark in each.items()} for each in notes))


def _mark(found: Matrix, verdict: Verdict) -> str:
    if verdict.reason is not None:
        return found.reasons[verdict.reason]
    return "+" + "".join(found.conditions[each] for each in verdict.conditions)


def _policies(found: Matrix, row: Row) -> str:
    refused = {name: each.reason for name, each in row.missing.items() if each.reason is not None}
    if not refused:
        return "all"
    numbers = sorted({found.reasons[reason] for reason in refused.values()})
    return f"all but {', '.join(refused)} {' '.join(numbers)}"


def _facts(row: Row) -> dict[str, Any]:
    """Say a row for programs: ``null`` or the reason why not."""
    return {
        "method": row.method,
        "publication": row.publication,
        "conditions": list(row.conditions),
        "require": {
            name: {"reason": each.reason, "conditions": list(each.conditions)}
            for name, each in row.require.items()
        },
        "missing": {policy: each.reason for policy, each in row.missing.items()},
        "refine": row.refine.reason,
    }
