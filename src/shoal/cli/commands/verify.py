"""`shoal verify`: the independent recount."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from shoal import models, pipeline
from shoal.cli import show
from shoal.cli.guard import HOLDS_NOT
from shoal.cli.options import AsJson, ClassColumn, Manifest, SensitiveTables
from shoal.cli.safe_text import safe_text
from shoal.errors import ParameterError
from shoal.io import standard_input
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.plural import counted
from shoal.release import OpenedRelease, open_published, open_release
from shoal.release.promise import Promise
from shoal.schema import Column, Role, Schema
from shoal.verification import Judgement, Verification

__all__ = ["verify"]


def verify(
    table: Annotated[
        Path,
        typer.Argument(help="A published file, or a release's folder; - for standard input."),
    ],
    plan: Annotated[Path | None, typer.Option(help="The plan with roles and requirements.")] = None,
    quasi: Annotated[str, typer.Option(help="Quasi-identifiers, with commas between.")] = "",
    sensitive: Annotated[str, typer.Option(help="Sensitive columns, with commas between.")] = "",
    k: Annotated[int | None, typer.Option(help="Require k-anonymity.")] = None,
    alpha: Annotated[
        str | None,
        typer.Option(help="With --k: the largest share of a sensitive value, as 0.5 or 1/3."),
    ] = None,
    sensitive_table: SensitiveTables = None,
    class_: ClassColumn = None,
    original: Annotated[
        Path | None, typer.Option(help="The original table, to compare cell by cell.")
    ] = None,
    manifest: Manifest = None,
    again: Annotated[
        Path | None,
        typer.Option(
            help="An earlier release of the table: whoever is in both must stand among the same "
            "values. Both need their private folders."
        ),
    ] = None,
    population: Annotated[
        Path | None,
        typer.Option(
            help="The table of the population, for requirements that count its people. Needs the "
            "plan, or the private folder."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Recount a published table, or several: exit 0 if it holds, 1 if that was not shown."""
    with standard_input(table) as file:
        opened = open_published(
            file,
            private=manifest,
            sensitive_tables=sensitive_table or (),
            class_column=class_,
            plan=None if plan is None else Plan.read(plan),
        )
    if alpha is not None and k is None:
        raise ParameterError("alpha bounds a share of groups of at least k.", "Give --k, too.")
    loaded = opened.plan
    if loaded is None and quasi:
        known = [*_named(quasi), *_named(sensitive)]
        roles, asked = _flags(quasi, sensitive, k, opened.files.columns(known))
        opened = replace(opened, roles=roles, asked=asked)
    elif loaded is None and (original is not None or population is not None):
        loaded = opened.private_plan
    source = None
    if original is not None:
        if loaded is None:
            raise ParameterError(
                "The original cannot be compared without hierarchies.", "Give --plan."
            )
        source, _ = pipeline.read(original, loaded, whole=False)
    if k is not None:
        asked = [models.KAnonymity(k) if alpha is None else models.AlphaK(alpha, k)]
        opened = replace(opened, asked=asked)
    people = None
    if population is not None:
        if loaded is None:
            raise ParameterError(
                "The population cannot be compared without hierarchies.", "Give --plan."
            )
        people = pipeline.read_population(population, loaded, opened.schema)
    before = None if again is None else open_release(again)
    result = opened.verify(original=source, again=before, population=people)
    if json:
        show.print_json(result.to_dict())
    else:
        require = list(opened.asked or opened.require)
        _show(result, Promise.of(require, counts=result.counted, **_shape(opened)))
    if not result.passed:
        raise typer.Exit(HOLDS_NOT)


def _flags(
    quasi: str, sensitive: str, k: int | None, columns: Sequence[str]
) -> tuple[Schema, list[Requirement]]:
    """Make a schema and a requirement from flags; all other columns are ``other``."""
    if k is None:
        raise ParameterError("Nothing is required.", "Give --plan, or --quasi with --k.")
    roles = dict.fromkeys(_named(quasi), Column(Role.QUASI))
    roles |= dict.fromkeys(_named(sensitive), Column(Role.SENSITIVE))
    rest = {name: Column(Role.OTHER) for name in columns if name not in roles}
    return Schema({**roles, **rest}), [models.KAnonymity(k)]


def _named(text: str) -> list[str]:
    """Read names with commas between."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _shape(opened: OpenedRelease) -> dict[str, Any]:
    """Say what of a publication decides what is promised."""
    schema, told = opened.known_schema, opened.published
    return {
        "sensitive": [] if schema is None else schema.sensitive,
        "exact": bool(told.exact),
    }


def _show(result: Verification, promise: Promise) -> None:
    """Show the verdict, what it promises and what it does not, and what was counted."""
    out = show.console()
    if result.passed:
        said = f"{promise.holds}. {promise.leaves_open}"
        out.print(Text.assemble(("✓ It holds: ", "bold green"), safe_text(said)))
        out.print(_counted(result))
    elif result.failed:
        out.print(Text.assemble(("✗ It does not hold. ", "bold red"), _counted(result)))
    else:
        out.print(Text.assemble(("? Not all can be recounted. ", "bold red"), _counted(result)))
    rows = [(_sign(j.passed), j.description, _result(j)) for j in result.judgements]
    rows += [(_sign(f.passed), f.check, f.detail) for f in result.findings]
    show.grid("What was checked", ("", "check", "result"), rows)
    out.print(Text(result.missing_rule, style="dim"))
    if result.passed:
        out.print(Text("What was asked holds; `shoal risk` says what attacks get.", style="dim"))


def _counted(result: Verification) -> str:
    rows, classes = counted(result.rows, "row"), counted(result.classes, "class")
    return f"{rows} in {classes}. {result.counted_rule}"


def _result(judged: Judgement) -> str:
    if judged.passed is None:
        return judged.unrecounted
    reached = ", ".join(f"{name} = {show.number(level)}" for name, level in judged.achieved.items())
    if not judged.failing_classes:
        return reached
    classes, rows = judged.failing_classes, judged.failing_rows
    return f"{reached}; fails in {counted(classes, 'class')} ({counted(rows, 'row')})"


def _sign(passed: bool | None) -> str:
    return "?" if passed is None else "✓" if passed else "✗"
