"""`shoal verify`: the independent recount."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from shoal import models
from shoal.base.plural import counted
from shoal.cli import show
from shoal.cli.finding import listed, named_roles, opened_as_named, require_one_role_each
from shoal.cli.guard import HOLDS_NOT
from shoal.cli.options import AsJson, ClassColumn, Manifest, SensitiveTables
from shoal.cli.safe_text import safe_text
from shoal.engines import pipeline
from shoal.errors import ParameterError
from shoal.io import standard_input
from shoal.judging.verification import Judgement, Verification
from shoal.release import OpenedRelease, open_release
from shoal.release.promise import Promise


def verify(
    table: Annotated[
        Path, typer.Argument(help="A published file, or a release's folder; - for standard input.")
    ],
    plan: Annotated[Path | None, typer.Option(help="The plan with roles and requirements.")] = None,
    quasi: Annotated[str, typer.Option(help="Quasi-identifiers, comma-separated.")] = "",
    sensitive: Annotated[str, typer.Option(help="Sensitive columns, comma-separated.")] = "",
    k: Annotated[int | None, typer.Option(help="Require k-anonymity.")] = None,
    alpha: Annotated[
        str | None,
        typer.Option(help="With --k: the largest share of a sensitive value, such as 0.5 or 1/3."),
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
            help="An earlier release of the table: everyone in both must be among the same "
            "values. Both need their private folders."
        ),
    ] = None,
    population: Annotated[
        Path | None,
        typer.Option(
            help="The table of the population, for requirements that count its people. Needs the "
            "plan or the private folder."
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--table",
            metavar="URL",
            help="The database that also holds the release: compare its tables with the files, "
            "cell by cell.",
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="PUBLIC.pem",
            help="The Ed25519 public key that must have signed every public file of the release.",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Recount a published table, or several: exit 0 if it holds, otherwise 1."""
    _require_used(plan, quasi, sensitive, k, alpha)
    with standard_input(table) as file:
        opened = opened_as_named(file, plan, manifest, sensitive_table, class_)
    loose = manifest is not None and not opened.files.is_release
    if loose and original is None and opened.persons is None:
        raise ParameterError(
            "--manifest has no effect here: the file does not belong to a release.",
            "Name the release's folder, or give --original, too.",
        )
    loaded = opened.plan
    if loaded is None and quasi:
        if k is None:
            raise ParameterError("No requirement was given.", "Give --plan, or --quasi with --k.")
        roles = named_roles(opened, listed(quasi), listed(sensitive))
        opened = replace(opened, roles=roles)
    elif loaded is None and (original is not None or population is not None):
        loaded = opened.private_plan
    if loaded is None and (original is not None or population is not None):
        what = "original" if original is not None else "population"
        raise ParameterError(f"The {what} cannot be compared without hierarchies.", "Give --plan.")
    source = people = None
    if loaded is not None and original is not None:
        source, _ = pipeline.read(original, loaded, whole=False)
    if k is not None:
        required = [models.KAnonymity(k) if alpha is None else models.AlphaK(alpha, k)]
        opened = replace(opened, required=required)
    if loaded is not None and population is not None:
        people = pipeline.read_population(population, loaded, opened.schema)
    before = None if again is None else open_release(again)
    result = opened.verify(
        original=source, again=before, population=people, table=database, key=key
    )
    if json:
        show.print_json(result.to_dict())
    else:
        _show(result, opened)
    if not result.passed:
        raise typer.Exit(HOLDS_NOT)


def _require_used(
    plan: Path | None, quasi: str, sensitive: str, k: int | None, alpha: str | None
) -> None:
    """Refuse flags that nothing would come of (raises `ParameterError`)."""
    if alpha is not None and k is None:
        raise ParameterError("alpha limits a share in groups of at least k.", "Give --k, too.")
    for flag, named in (("--quasi", quasi), ("--sensitive", sensitive)):
        if named and plan is not None:
            raise ParameterError(
                f"{flag} is given together with a plan, which already sets the roles.",
                f"Leave out {flag}, or --plan.",
            )
    if sensitive and not listed(quasi):
        raise ParameterError(
            "--sensitive has no effect without --quasi.",
            "Name all roles (--quasi, --sensitive), or leave it out: a release holds its roles.",
        )
    require_one_role_each(listed(quasi), listed(sensitive))


def _show(result: Verification, opened: OpenedRelease) -> None:
    """Show the verdict, what it promises and what it does not, and what was counted."""
    out = show.console()
    if result.passed:
        schema = opened.known_schema
        promise = Promise.of(
            list(opened.required or opened.require),
            opened.form,
            counts=result.counted,
            sensitive=[] if schema is None else schema.sensitive,
        )
        text = f"{promise.holds}. {promise.leaves_open}"
        out.print(Text.assemble(("✓ It holds: ", "bold green"), safe_text(text)))
        if opened.facts:
            show.stated(opened)
        out.print(_counted(result))
    elif result.failed:
        out.print(Text.assemble(("✗ It does not hold. ", "bold red"), _counted(result)))
    else:
        text = "? Some checks need more than was given. "
        out.print(Text.assemble((text, "bold red"), _counted(result)))
    rows = [(_sign(j.passed), j.description, _result(j)) for j in result.judgements]
    rows += [(_sign(f.passed), f.check, f.detail) for f in result.findings]
    show.grid("What was checked", ("", "check", "result"), rows)
    for remark in result.remarks:
        show.warn(remark)
    out.print(Text(result.missing_rule, style="dim"))
    if result.passed:
        text = "The requirements hold; run `shoal risk` to see what attacks can still learn."
        out.print(Text(text, style="dim"))


def _counted(result: Verification) -> str:
    rows, classes = counted(result.rows, "row"), counted(result.classes, "class")
    return f"{rows} in {classes}. {result.counted_rule}"


def _result(judged: Judgement) -> str:
    if judged.passed is None:
        return judged.unrecounted
    reached = show.levels(judged.achieved)
    if not judged.failing_classes:
        return reached
    classes, rows = judged.failing_classes, judged.failing_rows
    return f"{reached}; fails in {counted(classes, 'class')} ({counted(rows, 'row')})"


def _sign(passed: bool | None) -> str:
    return "?" if passed is None else "✓" if passed else "✗"
