"""`shoal plan`: a plan to edit, drafted from a table."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from shoal.base.plural import counted
from shoal.cli import missing, show
from shoal.cli.options import AsJson
from shoal.cli.safe_text import safe_text
from shoal.errors import ParameterError
from shoal.io import SQL, standard_input
from shoal.plan import Plan
from shoal.steward.proposal import Proposal, propose
from shoal.steward.proposal.people import entity_question
from shoal.steward.proposal.rarity import WARNING, DraftLevels
from shoal.table.schema import NO_ENTITY, Role

_MOST_NAMED = 6


def _columns(what: str) -> Any:
    return typer.Option(metavar="A,B", help=f"{what} Of the others, roles are proposed.")


def plan(
    table: Annotated[
        Path | None,
        typer.Argument(
            help="A CSV, Parquet, Excel, SPSS, Stata or SAS file; - for standard input."
        ),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The plan to write.")] = Path(
        "plan.toml"
    ),
    k: Annotated[int | None, typer.Option(help="The smallest size of a group.")] = None,
    quasi: Annotated[
        list[str] | None, _columns("Columns that an attacker may know (quasi-identifiers).")
    ] = None,
    sensitive: Annotated[
        list[str] | None, _columns("Columns that must stay hidden (sensitive).")
    ] = None,
    drop: Annotated[list[str] | None, _columns("Columns to leave out.")] = None,
    other: Annotated[list[str] | None, _columns("Columns to publish unchanged.")] = None,
    entity: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help='The column that identifies people; "none" if no person has two rows.',
        ),
    ] = None,
    missing_: Annotated[
        list[str] | None,
        typer.Option(
            "--missing",
            metavar="TOKEN",
            help='A text that means missing, besides "" and *; turns off guessing.',
        ),
    ] = None,
    sql: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A database instead of a file: postgresql://user@host/db, sqlite:///FILE, "
            "duckdb:///FILE, or $NAME for an environment variable that holds it.",
        ),
    ] = None,
    query: Annotated[str | None, typer.Option(help="With --sql: the query to read.")] = None,
    sql_table: Annotated[
        str | None, typer.Option("--table", help="With --sql: the table to read.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing plan.")] = False,
    separator: Annotated[str | None, typer.Option(help="CSV: instead of the detected one.")] = None,
    encoding: Annotated[str | None, typer.Option(help="CSV: instead of the detected one.")] = None,
    quote: Annotated[str | None, typer.Option(help="CSV: instead of the detected one.")] = None,
    max_unpacked: Annotated[
        int | None,
        typer.Option(help="The largest unpacked size of a packed file, in bytes (default: 4 GiB)."),
    ] = None,
    sheet: Annotated[
        str | None, typer.Option(help="Excel: the name of the sheet, or its number from 1 on.")
    ] = None,
    decimal: Annotated[
        str | None, typer.Option(help="CSV: the decimal sign, such as a comma.")
    ] = None,
    thousands: Annotated[
        str | None, typer.Option(help="CSV: the thousands separator, such as a point.")
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask about each doubtful column.")] = False,
    json_schema: Annotated[
        bool, typer.Option("--json-schema", help="Print the JSON Schema of plan files and stop.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Profile a table, propose roles, hierarchies and levels, and write a plan to edit."""
    if json_schema:
        show.print_json(Plan.json_schema())
        return
    source = _source(table, sql, query, sql_table)
    lists: dict[str, Any] = {
        "quasi": _listed(quasi),
        "sensitive": _listed(sensitive),
        "drop": _listed(drop),
        "other": _listed(other),
    }
    given: AbstractContextManager[Path | SQL] = (
        standard_input(source) if isinstance(source, Path) else nullcontext(source)
    )
    with given as file:
        if ask and file != source:
            raise ParameterError(
                "Answers are read from standard input, but it holds the table.",
                "Leave out --ask, or name the file.",
            )
        make = partial(
            propose,
            file,
            k=k,
            missing=missing_ or None,
            separator=separator,
            encoding=encoding,
            quote=quote,
            max_unpacked=max_unpacked,
            sheet=sheet,
            decimal=decimal,
            thousands=thousands,
        )
        draft = make(**lists, entity=entity)
        if ask:
            draft = make(**_answers(draft, lists, entity))
    draft.write(output, overwrite=force)
    if json:
        facts = [
            {"column": p.name, "role": p.role.value, "reason": p.reason} for p in draft.columns
        ]
        show.print_json(
            {
                "plan": str(output),
                "columns": facts,
                "missing": missing.facts(draft.missingness, _quasi(draft)),
                "warnings": missing.warning_facts(draft.warnings),
                "levels": _level_facts(draft.levels),
                "entity": draft.entity,
                "maybe_entity": None if draft.doubted is None else draft.doubted.column,
                "drafts": draft.drafts,
                "offers": [asdict(each) for each in draft.offers],
                "told_twice": [
                    {
                        "columns": list(each.columns),
                        "by_name": each.by_name,
                        "problem": each.sentence,
                    }
                    for each in draft.same_information
                ],
                "numbers": {
                    "decimal": draft.numerals.decimal,
                    "thousands": draft.numerals.thousands,
                    "columns": list(draft.numerals.columns),
                    "doubts": list(draft.numerals.doubts),
                },
            }
        )
        return
    show.console().print(f"Read as {draft.read_as}{_numbers(draft)}.")
    rows = [(p.name, p.role.value, p.reason) for p in draft.columns]
    show.grid(f"Proposed roles ({counted(draft.rows, 'row')})", ("column", "role", "why"), rows)
    out = show.console()
    out.print(missing.picture(draft.missingness, out.width, quasi=_quasi(draft)))
    missing.warn(out, draft.warnings)
    _warn_of_levels(draft.levels)
    for doubt in (*draft.numerals.doubts, *(each.sentence for each in draft.same_information)):
        out.print(_check(doubt))
    if draft.doubted is not None:
        out.print(_check(entity_question(draft.doubted)))
    _say_what_is_open(draft)
    named = "" if draft.source is not None else " --input TABLE"
    out.print(f"Wrote {output}. Check the roles, then: shoal run {output}{named}")


def _source(
    table: Path | None, sql: str | None, query: str | None, sql_table: str | None
) -> Path | SQL:
    """Take the file or the table of a database that is named."""
    if sql is None and (query is not None or sql_table is not None):
        raise ParameterError("--query and --table read from a database.", "Name it with --sql.")
    if (table is None) == (sql is None):
        raise ParameterError(
            "No table is named." if sql is None else "Both a file and a database are named.",
            "Call `shoal plan TABLE`, or `shoal plan --sql URL --query …`.",
        )
    return SQL(sql, query, sql_table) if table is None else table


def _listed(given: Sequence[str] | None) -> list[str] | None:
    """Read lists with commas; a name that holds a comma is quoted, as in CSV."""
    if given is None:
        return None
    return [name for line in csv.reader(given, skipinitialspace=True) for name in line]


def _answers(
    draft: Proposal, given: Mapping[str, list[str] | None], entity: str | None
) -> dict[str, Any]:
    """Ask one question about each column that is in doubt; the proposal is the default."""
    lists = {place: list(names or ()) for place, names in given.items()}
    if draft.doubted is not None:
        column = draft.doubted.column
        show.console().print(_check(f"'{column}': {draft.doubted.reason}."))
        yes = typer.confirm(f"Does '{column}' identify people who may have several rows?")
        entity = column if yes else NO_ENTITY
    for made in draft.columns:
        if not made.doubtful or made.name == entity or any(made.name in x for x in lists.values()):
            continue
        show.console().print(_check(f"'{made.name}': {made.reason}"))
        role = typer.prompt(
            f"Which role does '{made.name}' have ({', '.join(Role)})?",
            default=made.role.value,
            value_proc=_role,
        )
        lists["drop" if role == Role.IDENTIFIER else role].append(made.name)
    return {**{place: names or None for place, names in lists.items()}, "entity": entity}


def _role(answer: str) -> Role:
    """Read a role; whoever writes something else is asked again."""
    try:
        return Role(answer.strip().lower())
    except ValueError:
        raise typer.BadParameter(f"It must be one of {', '.join(Role)}.") from None


def _numbers(draft: Proposal) -> str:
    """Say how the file writes numbers, if not as programs do."""
    names = {",": "comma", ".": "point"}
    signs = [f"{key} {names[sign]}" for key, sign in draft.numerals.lines.items()]
    return f"; numbers with {' and '.join(signs)}" if signs else ""


def _say_what_is_open(draft: Proposal) -> None:
    """Name the hierarchies without groups and the lines that are offered, a line each."""
    out = show.console()
    if draft.drafts:
        text = f"without groups, so a cell shows its value or *: {_named(draft.drafts)}. "
        out.print(_check(f"{text}Group values by meaning in hierarchies/.", "Drafts", "bold"))
    if draft.offers:
        offered: dict[str, list[str]] = {}
        for each in draft.offers:
            offered.setdefault(each.key, []).append(each.column)
        text = "; ".join(f"{key} for {_named(names)}" for key, names in offered.items())
        out.print(_check(f"in the plan, as comments: {text}.", "Offers", "bold"))
        for each in (each for each in draft.offers if each.key == "normalize"):
            show.warn(each.reason)


def _named(names: Sequence[str]) -> str:
    """List columns, the first of many."""
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(f"'{name}'" for name in names[:_MOST_NAMED]) + more


def _warn_of_levels(drafts: Sequence[DraftLevels]) -> None:
    """Say which levels were drafted, and that a person must check them."""
    for made in drafts:
        levels = max(made.levels.values())
        text = (
            f"Drafted {counted(levels, 'level')} for {counted(len(made.levels), 'value')} of "
            f"'{made.column}' from "
            f"how rare they are ({made.file}). {WARNING}"
        )
        show.console().print(_check(text))


def _check(text: str, mark: str = "CHECK", style: str = "bold yellow") -> Text:
    """Write what only a person can say, or another line that begins with a mark."""
    return Text.assemble((f"{mark} ", style), safe_text(text))


def _level_facts(drafts: Sequence[DraftLevels]) -> list[dict[str, Any]]:
    """Say the same to a program; no value is named."""
    return [
        {
            "column": made.column,
            "file": made.file,
            "levels": max(made.levels.values()),
            "values": len(made.levels),
            "alphas": list(made.alphas),
            "warning": WARNING,
        }
        for made in drafts
    ]


def _quasi(draft: Proposal) -> list[str]:
    """Name the proposed quasi-identifiers."""
    return [each.name for each in draft.columns if each.role is Role.QUASI]
