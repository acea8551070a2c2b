"""All commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from shoal import datasets, io, pipeline
from shoal import measures as measures_
from shoal import methods as methods_
from shoal import models as models_
from shoal import query as query_
from shoal.cli import files, hierarchy, lattice, missing, paper, risk, show, utility
from shoal.cli.guard import HOLDS_NOT, Guarded
from shoal.cli.progress import bar
from shoal.errors import ParameterError
from shoal.plan import Plan
from shoal.plural import counted
from shoal.propose import propose
from shoal.published import read_facts
from shoal.release import open_published
from shoal.table.table import resolve

__all__ = ["app", "main"]

app = typer.Typer(
    cls=Guarded,
    name="shoal",
    help="Publish tables without publishing people.",
    epilog="Exit codes: 0 it worked, 1 it does not hold, 2 wrong input, 3 a defect, 130 stopped.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(hierarchy.app, name="hierarchy")
app.command(name="lattice")(lattice.lattice)
app.command(name="paper")(paper.paper)
app.command(name="risk")(risk.risk)
app.command(name="utility")(utility.utility)

AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
SensitiveTables = Annotated[
    list[Path] | None,
    typer.Option(
        "--sensitive-table",
        help="The second file of two, with class ids and sensitive values; may be repeated, "
        "once for each sensitive column.",
    ),
]
ClassColumn = Annotated[
    str | None,
    typer.Option(
        "--class",
        metavar="COLUMN",
        help="Of several files: the class id; found by itself if it can.",
    ),
]
Manifest = Annotated[
    Path | None,
    typer.Option(help="The release's private folder; found by itself beside a release."),
]


def main() -> None:
    """Run the command line."""
    app()


def _version(wanted: bool) -> None:
    if wanted:
        print(f"shoal {version('shoal')}")
        raise typer.Exit


@app.callback()
def shoal(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Publish tables without publishing people."""


@app.command()
def demo(
    folder: Annotated[Path, typer.Option(help="Where the release goes.")] = Path("shoal-demo"),
    k: Annotated[int, typer.Option(help="The least size of a group.")] = 10,
    json: AsJson = False,
) -> None:
    """Publish the bundled Adult census table: 48,842 people, one command."""
    bundled = Plan.read(datasets.folder("adult") / "adult.toml")
    settings = bundled.model_dump(mode="json", exclude_none=True)
    settings["require"] = [{"model": "k-anonymity", "k": k}]
    plan = Plan.from_dict(settings, folder=bundled.folder)
    with bar() as report:
        made = pipeline.run(plan, data=datasets.adult(), output=folder, progress=report)
    if json:
        show.print_json(read_facts(folder))
        return
    steps = [
        (f"shoal verify {folder}", "count it again, from the written file alone"),
        (f"shoal demo --k {5 * k}", "more protection: see what it costs"),
        ("shoal plan your-table.csv", "draft a plan for a table of your own"),
    ]
    show.release(made, folder, next_steps=steps)


@app.command()
def plan(
    table: Annotated[Path | None, typer.Argument(help="A CSV or Parquet file.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The plan to write.")] = Path(
        "plan.toml"
    ),
    k: Annotated[int | None, typer.Option(help="The least size of a group.")] = None,
    missing_: Annotated[
        list[str] | None,
        typer.Option(
            "--missing",
            metavar="TOKEN",
            help='A text that means missing, besides "" and *; nothing is guessed then.',
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing plan.")] = False,
    separator: Annotated[str | None, typer.Option(help="CSV: instead of the detected one.")] = None,
    encoding: Annotated[str | None, typer.Option(help="CSV: instead of the detected one.")] = None,
    quote: Annotated[str | None, typer.Option(help="CSV: instead of the detected one.")] = None,
    max_unpacked: Annotated[
        int | None, typer.Option(help="Bytes that a packed file may unpack to; 4 GiB if left out.")
    ] = None,
    json_schema: Annotated[
        bool, typer.Option("--json-schema", help="Print the JSON Schema of plan files and stop.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Look at a table, propose roles, hierarchies and levels, and write a plan to edit."""
    if json_schema:
        show.print_json(Plan.json_schema())
        return
    if table is None:
        raise ParameterError("No table is named.", "Call `shoal plan TABLE`.")
    given = {"separator": separator, "encoding": encoding, "quote": quote}
    read = io.read(table, max_unpacked=max_unpacked, **given)
    said = {**given, "max_unpacked": max_unpacked}
    reading = {name: value for name, value in said.items() if value is not None}
    draft = propose(
        read.frame,
        source=str(table),
        folder=output.parent,
        k=k,
        reading=reading,
        missing=missing_ or None,
    )
    draft.write(output, overwrite=force)
    if json:
        facts = [
            {"column": p.name, "role": p.role.value, "reason": p.reason} for p in draft.proposals
        ]
        show.print_json(
            {
                "plan": str(output),
                "columns": facts,
                "missing": missing.facts(draft.missingness),
                "warnings": missing.warning_facts(draft.warnings),
                "levels": show.level_facts(draft.levels),
            }
        )
        return
    show.console().print(f"Read as {read.describe()}.")
    rows = [(p.name, p.role.value, p.reason) for p in draft.proposals]
    show.grid(
        f"Proposed roles ({counted(read.frame.height, 'row')})", ("column", "role", "why"), rows
    )
    out = show.console()
    out.print(missing.picture(draft.missingness, out.width))
    missing.warn(out, draft.warnings)
    show.warn_of_levels(draft.levels)
    out.print(f"Wrote {output}. Check the roles, then: shoal run {output}")


@app.command()
def run(
    plan: Annotated[Path, typer.Argument(help="A plan file.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the release goes, instead of the plan's."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Make the release a plan describes, verify it, and write it."""
    loaded = Plan.read(plan)
    target = loaded.output_path if output is None else output
    with bar() as report:
        made = pipeline.run(loaded, output=target, progress=report)
    if json:
        show.print_json(read_facts(target))
        return
    steps = [(f"shoal verify {target}", "count it again, from the written file alone")]
    show.release(made, target, next_steps=steps)


@app.command()
def verify(
    table: Annotated[Path, typer.Argument(help="A published file, or a release's folder.")],
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
    json: AsJson = False,
) -> None:
    """Recount a published table, or several: exit 0 if it holds, 1 if it does not."""
    opened = open_published(
        table,
        private=manifest,
        sensitive_tables=sensitive_table or (),
        class_column=class_,
        plan=None if plan is None else Plan.read(plan),
    )
    if alpha is not None and k is None:
        raise ParameterError("alpha bounds a share of groups of at least k.", "Give --k, too.")
    loaded = opened.plan
    if loaded is None and quasi:
        known = [*files.named(quasi), *files.named(sensitive)]
        roles, asked = files.flags(quasi, sensitive, k, opened.files.columns(known))
        opened = replace(opened, roles=roles, asked=asked)
    elif loaded is None and original is not None:
        loaded = opened.private_plan
    source = None
    if original is not None:
        if loaded is None:
            raise ParameterError(
                "The original cannot be compared without hierarchies.", "Give --plan."
            )
        source, _ = pipeline.read(original, loaded)
    if k is not None:
        asked = [models_.KAnonymity(k) if alpha is None else models_.AlphaK(alpha, k)]
        opened = replace(opened, asked=asked)
    result = opened.verify(original=source)
    if json:
        show.print_json(result.to_dict())
    else:
        show.verification(result)
    if not result.passed:
        raise typer.Exit(HOLDS_NOT)


@app.command()
def measure(
    published: Annotated[Path, typer.Argument(help="A published file, or a release's folder.")],
    plan: Annotated[Path, typer.Option(help="The plan with roles and hierarchies.")],
    original: Annotated[
        Path | None, typer.Option(help="The original table, if not the plan's input.")
    ] = None,
    manifest: Manifest = None,
    json: AsJson = False,
) -> None:
    """Measure what a publication lost against its original."""
    loaded = Plan.read(plan)
    opened = open_published(published, private=manifest, plan=loaded)
    source, _ = pipeline.read(original or loaded.input_path, loaded)
    both = measures_.pair(source, opened, loaded.weighed_schema(source), rows=opened.rows)
    values = measures_.measure_all(both)
    values |= pipeline.measure_informed(source, both, loaded, loaded.build_method())
    if json:
        show.print_json(values)
    else:
        show.measures(values)


@app.command()
def query(
    published: Annotated[Path, typer.Argument(help="A release's folder, or a published file.")],
    where: Annotated[
        list[str],
        typer.Option(help="A condition, column=value or column=lo..hi; may be repeated."),
    ],
    plan: Annotated[Path | None, typer.Option(help="The plan with roles and hierarchies.")] = None,
    original: Annotated[
        Path | None, typer.Option(help="The original table, to count what is true.")
    ] = None,
    sensitive_table: SensitiveTables = None,
    class_: ClassColumn = None,
    json: AsJson = False,
) -> None:
    """Estimate from a publication how many records meet all conditions."""
    opened = open_published(
        published,
        sensitive_tables=sensitive_table or (),
        class_column=class_,
        plan=None if plan is None else Plan.read(plan),
    )
    loaded, source = opened.plan or opened.private_plan, None
    if original is not None:
        if loaded is None:
            raise ParameterError(
                "The original cannot be read without roles and hierarchies.", "Give --plan."
            )
        source, _ = pipeline.read(original, loaded)
        opened = replace(opened, roles=resolve(source, opened.schema))
    asked = query_.read_where(where, query_.columns(opened.published, schema=opened.known_schema))
    expected = opened.query(asked)
    answer: dict[str, float | None] = {"expected": expected}
    if source is not None:
        true = query_.true_count(source, opened.schema, asked)
        answer |= {"true": true, "relative_error": abs(expected - true) / true if true else None}
    if json:
        show.print_json(answer)
    else:
        show.answer(answer)


@app.command()
def methods(json: AsJson = False) -> None:
    """List the methods: how groups are found."""
    rows = [
        (name, each.__name__, _first_line(each), _carries(each))
        for name, each in methods_.METHODS.items()
    ]
    _list("Methods", ("name", "in Python", "what it does", "carries"), rows, json)


@app.command()
def models(json: AsJson = False) -> None:
    """List the requirements: what can be asked of a release."""
    rows = [
        (name, each.__name__, _first_line(each), "yes" if each.monotone else "no")
        for name, each in models_.MODELS.items()
    ]
    _list("Requirements", ("name", "in Python", "what it asks", "monotone"), rows, json)


@app.command()
def measures(json: AsJson = False) -> None:
    """List the measures: numbers about what a release lost and keeps."""
    rows = [
        (name, f"measures.{name}", each.summary, each.better)
        for name, each in measures_.MEASURES.items()
    ]
    _list("Measures", ("name", "in Python", "what it says", "better"), rows, json)


def _carries(method: type[methods_.Method]) -> str:
    return "any requirement" if method.carries is None else ", ".join(sorted(method.carries))


def _first_line(thing: type) -> str:
    return (thing.__doc__ or "").strip().splitlines()[0]


def _list(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], json: bool) -> None:
    if json:
        show.print_json([dict(zip(head, row, strict=True)) for row in rows])
    else:
        show.grid(title, head, rows)
