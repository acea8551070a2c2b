"""Hierarchies: the tree of each quasi-identifier, edited by hand or made by a builder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends, Form, Request
from fastapi.responses import FileResponse, Response
from starlette.background import BackgroundTask

from shoal.errors import HierarchyError, InputError, ShoalError
from shoal.io import file_names
from shoal.plan import Plan
from shoal.studio.pages import Here, Sent, go_to, page, part
from shoal.studio.panels import Panel
from shoal.studio.panels._hierarchies_edits import EDITS, RANGES_STAY, Edit
from shoal.studio.panels._hierarchies_forms import builder_of, builders, options
from shoal.studio.panels._hierarchies_view import PAGE, TreeView, levels, places
from shoal.studio.studio import Studio
from shoal.studio.trees import ColumnTree, same_nodes
from shoal.table.hierarchies import Hierarchy, tree_spec
from shoal.table.schema import Kind, Role

panel = Panel("hierarchies", 3)

MOST_LISTED = 200
"""The most values missing from the tree that are listed."""

MOST_LINES = 40
"""The number of lines of a tree in a preview."""


# -- pages --------------------------------------------------------------------------------


@panel.router.get("")
def show(request: Request, studio: Here) -> Response:
    """Show the first quasi-identifier that waits for somebody, or the first of all."""
    if not studio.has_table:
        return go_to(request, "/table")
    listed = _listed(studio)
    waiting = [each for each in listed if each["draft"]] or listed
    if not waiting:
        return page(request, panel.name, "hierarchies/none.html")
    return _page(request, studio, waiting[0]["number"])


@panel.router.get("/{number}")
def show_column(request: Request, studio: Here, number: int) -> Response:
    """Show the tree of one column."""
    return _page(request, studio, number)


@panel.router.get("/{number}/below/{node}")
def below(
    request: Request, studio: Here, number: int, node: int, version: str, start: int = 0
) -> Response:
    """Show members of a group, from one on."""
    found = _shown(studio, number, version)
    tree = _held(found)
    if not 0 <= node < tree.n_nodes or start < 0:
        raise InputError("There is no such group.", "Load the page again.")
    rows = TreeView(found.coverage, {}).below(node, start)
    return part(request, "hierarchies/rows.html", rows=rows, active=-1, found=found)


@panel.router.post("/{number}/tree")
def filtered(
    request: Request,
    studio: Here,
    number: int,
    version: str = Form(""),
    text: str = Form("", alias="filter"),
) -> Response:
    """Show what of the tree holds a text."""
    found = _shown(studio, number, version)
    _held(found)
    rows = TreeView.first(found.coverage).rows(text)
    return part(
        request, "hierarchies/tree.html", found=found, rows=rows, active=0, filter=text,
        number=number,
    )  # fmt: skip


@panel.router.post("/{number}/places")
def choose_place(
    request: Request,
    studio: Here,
    number: int,
    version: str = Form(""),
    nodes: str = Form(""),
    text: str = Form("", alias="place-filter"),
) -> Response:
    """List the groups that nodes may be moved to."""
    tree = _held(_shown(studio, number, version))
    listed, others = places(tree, _numbers(nodes), text)
    return part(request, "hierarchies/places.html", places=listed, others=others)


# -- changes ------------------------------------------------------------------------------


@panel.router.post("/{number}/edit")
def edit(
    request: Request,
    studio: Here,
    number: int,
    action: str = Form(""),
    nodes: str = Form(""),
    to: int = Form(0),
    label: str = Form(""),
    version: str = Form(""),
    opened: str = Form("", alias="open"),
    text: str = Form("", alias="filter"),
) -> Response:
    """Edit the tree by hand; the plan then holds it as a whole."""
    shown = _opened(opened)
    with studio.lock:
        page_tree = _held(_shown(studio, number, version))
        plan = studio.plan
        found = studio.table.trees.of(plan, _name(plan, number))
        before = _held(found)
        # Edits may follow each other more quickly than pages: numbers are those of the page's tree.
        chosen, (below,) = (same_nodes(page_tree, before, each) for each in (_numbers(nodes), [to]))
        wanted = Edit(chosen, below, label.strip())
        if action not in EDITS:
            raise InputError("The studio does not know this edit.", "Load the page again.")
        if found.ranges and action not in RANGES_STAY:
            raise HierarchyError(
                "Nodes of a column of numbers or dates are ranges, which cannot be moved by hand.",
                "Dissolve groups, or build the hierarchy with other widths or levels.",
            )
        after, at = EDITS[action](before, wanted, found)
        made = _write(studio, number, after, tree_spec(after))
    view = TreeView.after(made.coverage, page_tree, shown, at)
    done = (action, len(wanted.nodes))
    return part(
        request, "hierarchies/edited.html",
        **_context(studio, number, made, view, text=text, active=at[0], done=done),
    )  # fmt: skip


@panel.router.get("/{number}/options")
def show_options(request: Request, studio: Here, number: int, builder: str) -> Response:
    """Show the form of a builder."""
    return part(request, "hierarchies/options.html", **_form(studio, number, builder))


@panel.router.post("/{number}/preview")
def preview(request: Request, studio: Here, number: int, sent: Sent) -> Response:
    """Show what a builder would make, while its options are changed."""
    try:
        made, _ = _built(studio, number, sent)
    except ShoalError as error:
        return part(request, "hierarchies/preview.html", error=error)
    drawn = _held(made).show(6).split("\n", MOST_LINES)
    return part(
        request, "hierarchies/preview.html", error=None, found=made,
        levels=levels(made.coverage), drawn="\n".join(drawn[:MOST_LINES]),
        more=len(drawn) > MOST_LINES,
    )  # fmt: skip


@panel.router.post("/{number}/build")
def build(request: Request, studio: Here, number: int, sent: Sent) -> Response:
    """Take what a builder makes; the plan then names the builder."""
    with studio.lock:
        had_tree = _has_tree(studio, number)
        found, spec = _built(studio, number, sent)
        made = _write(studio, number, _held(found), spec)
    if not had_tree:  # more of the page changes than the editor
        return go_to(request, f"/hierarchies/{number}")
    context = _context(studio, number, made, TreeView.first(made.coverage), done=("build", 0))
    return part(request, "hierarchies/edited.html", **context)


@panel.router.post("/{number}/remove")
def remove(request: Request, studio: Here, number: int) -> Response:
    """Let numbers or dates become ranges again, without a tree."""
    name = _name(studio.plan, number)

    def change(data: dict[str, Any]) -> None:
        data["columns"][name].pop("hierarchy", None)

    studio.change(change)
    return go_to(request, f"/hierarchies/{number}")


async def _body(request: Request) -> bytes:
    return await request.body()


@panel.router.post("/{number}/import")
def take_file(
    request: Request, studio: Here, number: int, body: Annotated[bytes, Depends(_body)]
) -> Response:
    """Take a hierarchy that somebody wrote, in the layout of ARX, into the plan."""
    _name(studio.plan, number)
    place = studio.workspace.place_of(f"hierarchy-{number}.csv")
    try:
        place.write_bytes(body)
        tree = Hierarchy.from_csv(place)
    finally:
        place.unlink(missing_ok=True)
    with studio.lock:
        _write(studio, number, tree, tree_spec(tree))
    return go_to(request, f"/hierarchies/{number}")


@panel.router.get("/{number}/export")
def give_file(request: Request, studio: Here, number: int) -> Response:
    """Give the tree as a file in the layout of ARX."""
    name = _name(studio.plan, number)
    tree = _held(studio.table.trees.of(studio.plan, name))
    called = file_names([name])[name]
    place = studio.workspace.place_of(f"export-{number}.csv")
    tree.to_csv(place)
    done = BackgroundTask(place.unlink, missing_ok=True)
    return FileResponse(place, media_type="text/csv", filename=called, background=done)


# -- what routes share --------------------------------------------------------------------


def _name(plan: Plan, number: int) -> str:
    """Find a quasi-identifier by its place among the plan's columns."""
    names = list(plan.columns)
    if not 0 <= number < len(names) or plan.columns[names[number]].role is not Role.QUASI:
        raise InputError("There is no such quasi-identifier.", "Choose a column from the list.")
    return names[number]


def _shown(studio: Studio, number: int, version: str) -> ColumnTree:
    """Find the tree that a page shows: numbers of nodes are about this one."""
    plan = studio.plan
    name = _name(plan, number)
    studio.table.trees.of(plan, name)
    found = studio.table.trees.shown(name, version)
    if found is None:
        raise InputError("The tree has changed since this page was loaded.", "Load the page again.")
    return found


def _has_tree(studio: Studio, number: int) -> bool:
    plan = studio.plan
    try:
        return studio.table.trees.of(plan, _name(plan, number)).tree is not None
    except ShoalError:
        return False


def _held(found: ColumnTree) -> Hierarchy:
    if found.tree is None:
        raise InputError("This column has no hierarchy.", "Build one first.")
    return found.tree


def _write(studio: Studio, number: int, tree: Hierarchy, spec: dict[str, Any]) -> ColumnTree:
    """Put a tree into the plan; with groups, it is a draft no longer."""
    name = _name(studio.plan, number)

    def change(data: dict[str, Any]) -> None:
        column = data["columns"][name]
        column["hierarchy"] = spec
        if tree.height > 1:
            column.pop("draft", None)

    studio.change(change)
    return studio.table.trees.keep(studio.plan, name, tree)


def _built(
    studio: Studio, number: int, sent: Mapping[str, str]
) -> tuple[ColumnTree, dict[str, Any]]:
    """Build what a form asks for."""
    plan = studio.plan
    values = studio.table.trees.values(plan, _name(plan, number))
    builder = builder_of(sent.get("builder", ""), sent, values)
    return ColumnTree(values, values.build(builder)), builder.to_spec()


def _numbers(text: str) -> list[int]:
    parts = [part for part in text.split(",") if part]
    if not all(part.isascii() and part.isdecimal() and len(part) < 10 for part in parts):
        raise InputError("This cannot be read.", "Load the page again.")
    return [int(part) for part in parts]


def _opened(text: str) -> dict[int, int]:
    """Read open groups and how many members each shows: ``0:200,7:400``."""
    pairs = [_numbers(pair.replace(":", ",")) for pair in text.split(",") if pair]
    return {pair[0]: max(pair[1], PAGE) for pair in pairs if len(pair) == 2}


def _listed(studio: Studio) -> list[dict[str, Any]]:
    """List the quasi-identifiers with what stands beside them."""
    return [
        {
            "number": number,
            "name": name,
            "draft": bool(column.draft),
            "ranges": column.hierarchy is None and column.kind not in (None, Kind.CATEGORICAL),
        }
        for number, (name, column) in enumerate(studio.plan.columns.items())
        if column.role is Role.QUASI
    ]


def _page(request: Request, studio: Studio, number: int) -> Response:
    plan = studio.plan
    name = _name(plan, number)
    error: ShoalError | None = None
    found: ColumnTree | None = None
    try:
        found = studio.table.trees.of(plan, name)
    except ShoalError as caught:  # such as a file that is not there, or cells that are no numbers
        error = caught
    view = TreeView.first(found.coverage) if found is not None and found.tree is not None else None
    context = _context(studio, number, found, view)
    try:
        context |= _form(studio, number)
    except ShoalError:
        context["options"] = None
    return page(request, panel.name, "hierarchies/page.html", **context, error=error)


def _context(
    studio: Studio,
    number: int,
    found: ColumnTree | None,
    view: TreeView | None,
    *,
    text: str = "",
    active: int = 0,
    done: tuple[str, int] | None = None,
) -> dict[str, Any]:
    plan = studio.plan
    name = _name(plan, number)
    shown = found is not None and found.tree is not None and view is not None
    return {
        "columns": _listed(studio),
        "number": number,
        "name": name,
        "draft": bool(plan.columns[name].draft),
        "found": found,
        "levels": levels(found.coverage) if shown and found is not None else [],
        "rows": view.rows(text) if view is not None else [],
        "active": active,
        "filter": text,
        "done": done,
        "most_listed": MOST_LISTED,
    }


def _form(studio: Studio, number: int, builder: str | None = None) -> dict[str, Any]:
    """Fill the form of a builder: the one that the plan names, if none is asked for."""
    plan = studio.plan
    name = _name(plan, number)
    values = studio.table.trees.values(plan, name)
    known = builders(values)
    given = plan.columns[name].hierarchy
    spec = given if isinstance(given, dict) else None
    named = builder or (spec or {}).get("builder")
    chosen = named if named in known else known[0]
    return {
        "number": number,
        "builders": known,
        "builder": chosen,
        "options": options(chosen, values, spec),
    }
