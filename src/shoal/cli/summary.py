"""What a release is, in a screenful: what was asked, achieved and lost, and where it lies."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.panel import Panel
from rich.text import Text

from shoal.base.plural import counted
from shoal.cli import found_people, missing
from shoal.cli.safe_text import safe_text, visible
from shoal.cli.show import console, facts_grid, grid, levels, number, warn
from shoal.measures import coarseness, summary
from shoal.models import private_columns
from shoal.publications.recoding import UniqueEndPoints
from shoal.release import Release
from shoal.release.cost import Cost
from shoal.release.delivery import table_names
from shoal.release.promise import Promise, cells_stated


def release(
    made: Release,
    folder: Path | None,
    *,
    advisable: Path | None = None,
    next_steps: Sequence[tuple[str, str]] = (),
    verbose: bool = False,
) -> None:
    """Show a release: what was asked, what was achieved, what it cost, where it is.

    `folder`: where it was written; ``None``: nowhere.
    `advisable`: the file of its plan, where `shoal run --advise` is worth naming.
    `verbose`: whether to show all measures, and where values are missing.
    """
    out = console()
    body = facts_grid()
    required = "; ".join(requirement.describe() for requirement in made.require)
    body.add_row("Required", f"{required}, by {made.method.describe()}")
    proof = made.verification
    body.add_row(
        "Achieved",
        f"{levels(proof.achieved)} in {counted(proof.classes, 'class')}; recounted"
        + (": " if folder is None else " from the written file: ")
        + ("it holds" if proof.passed else "IT DOES NOT HOLD"),
    )
    body.add_row("", Text(proof.counted_rule, style="dim"))
    if proof.passed:
        promise = Promise.of(
            made.require, made.publication, counts=proof.counted, sensitive=made.schema.sensitive
        )
        body.add_row("", safe_text(promise.leaves_open, "dim"))
    cells = cells_stated(made.publication, made.suppressed_columns)
    body.add_row("Cells", safe_text(f"{cells[:1].upper()}{cells[1:]}."))
    if made.added:
        body.add_row("Added", safe_text(made.added, "yellow"))
    for name, column in made.schema.items():
        if column.preparation.changes:
            reported = f"{name}: {'; '.join(column.preparation.says())}"
            body.add_row("Prepared", safe_text(reported))
    for remark in made.remarks:
        body.add_row("Remark", safe_text(remark, "yellow"))
    for warning in made.warnings:
        body.add_row("Warning", safe_text(warning, "bold yellow"))
    if made.grouping.search is not None:
        body.add_row("Levels", _searched(made.grouping.search))
        weights = made.grouping.search["weights"]
        if weights is not None and weights["kind"] != "schema":
            body.add_row("Weights", weighed(weights))
    if made.blocks > 1:
        body.add_row(
            "Blocks", f"{made.blocks}, grouped separately, then refined where they lost most"
        )
    if made.refined is not None:
        body.add_row("Refined", _refined(made))
    if made.again:
        body.add_row("Again", _again(made.again))
    if made.unique_end_points is not None:
        body.add_row("Ends", _ends(made.unique_end_points))
    body.add_row("Cost", _cost(made))
    if made.bound is not None:
        body.add_row("Lower bound", str(made.bound))
    if made.read_as:
        body.add_row("Read as", made.read_as)
    body.add_row(
        "Files",
        "none: nothing was written"
        if folder is None
        else f"{folder}/  what may be published: {_tables(made)} (read report.html first)\n"
        f"{folder}.private/  keep it private (report.html there has the exact figures)"
        + "\nsigned: release.sig covers every public file" * (made.plan.signing_key is not None)
        + _database(made),
    )
    slowest = sorted(made.seconds.items(), key=lambda item: -item[1])[:3]
    steps = ", ".join(f"{name} {spent:.1f} s" for name, spent in slowest)
    body.add_row("Time", f"{sum(made.seconds.values()):.1f} s ({steps})")
    rows = counted(made.published.coded.height, "row")
    title = safe_text(f"{rows} {'could be ' * (folder is None)}published", "bold")
    out.print(Panel(body, title=title, title_align="left", border_style="green", expand=False))
    columns(made, advisable)
    if verbose:
        measures(made.measures)
    if verbose and made.missingness.cells:
        out.print(missing.picture(made.missingness, out.width))
        out.print(missing.handled(made))
    if next_steps:
        _steps(next_steps)


def _steps(steps: Sequence[tuple[str, str]]) -> None:
    """Show commands with their meanings below each other, as far as they fit."""
    out = console()
    out.print(Text("What to try next", style="bold"))
    fitting = [len(command) for command, meaning in steps if len(command + meaning) + 4 < out.width]
    width = max(fitting, default=0)
    for command, meaning in steps:
        step = Text.assemble("  ", safe_text(command.ljust(width), "cyan"), "  ", meaning)
        out.print(step, soft_wrap=True)


def columns(made: Release, advisable: Path | None = None) -> None:
    """Show what became of each quasi-identifier; name those that tell next to nothing."""
    if made.published.centres is not None:
        return
    found = coarseness(made.pair)
    rows = [
        (name, each.typical, f"{each.kept:.0%}", f"{each.starred:.0%}")
        for name, each in found.items()
    ]
    grid("What happened to the columns", ("column", "typical cell", "kept", "*"), rows)
    lost = [name for name, each in found.items() if each.is_lost]
    for name in lost:
        warn(f"Column '{visible(name)}' is * in {found[name].starred:.0%} of its known cells.")
    if lost and advisable is not None:
        command = f"shoal run {shlex.quote(str(advisable))} --advise"
        text = f"  Weights and other levers, tried and measured: {command}"
        console().print(safe_text(text))


def dry_run_facts(made: Release) -> dict[str, Any]:
    """Tell a program what a release would cost, and how likely people would be found."""
    return {**made.facts(), "written": False, "reidentification": made.reidentification().to_dict()}


def dry_run(made: Release, advisable: Path | None = None, *, verbose: bool = False) -> None:
    """Show what a release would cost, and how likely people would be found; it is not written."""
    release(made, None, advisable=advisable, verbose=verbose)
    found_people.risks(made.reidentification())


def measures(values: dict[str, float]) -> None:
    """Show measures with what they mean."""
    rows = [(name, number(value), summary(name)) for name, value in values.items()]
    grid("What it cost", ("measure", "value", "meaning"), rows)


def weighed(weights: Mapping[str, Any]) -> str:
    """Say how much each column counts, and where that comes from."""
    shares = ", ".join(f"{visible(name)} {share:.2f}" for name, share in weights["columns"].items())
    about = "" if weights["label"] is None else f" about '{visible(weights['label'])}'"
    return f"{shares} ({weights['kind']}{about})"


def _tables(made: Release) -> str:
    names = made.file_names()
    return ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]


def _database(made: Release) -> str:
    """Name the tables of a database, if the release is in one."""
    text = made.plan.output.sql
    if text is None:
        return ""
    names = ", ".join(table_names(made.plan, made.publication, made.schema.sensitive).values())
    return f"\n{visible(names)} in the database, committed after they were read back"


def _cost(made: Release) -> str:
    """Give the headline, which rows are out, and what public files tell if not the headline."""
    reported = Cost.from_facts(made.facts())
    public = "" if reported.share is not None else f"\nin public files: {reported}"
    dropped = f", {made.n_dropped:,} dropped for missing cells" if made.n_dropped else ""
    return f"{Cost.of(made)} ({counted(made.n_suppressed, 'row')} suppressed{dropped}){public}"


def _refined(made: Release) -> str:
    """Say what refinement gained."""
    required, found = made.refinement, made.refined
    assert required is not None
    assert found is not None
    less = 1 - found.after / found.before if found.before else 0.0
    return (
        f"{required.measure} {number(found.before)} → {number(found.after)}, {less:.1%} less, in "
        f"{counted(found.steps, 'step')} ({found.seconds:.1f} s)"
        + ("; no single move or swap gains more" if found.settled else "; more steps may gain more")
    )


def _again(people: Mapping[str, int]) -> str:
    """Say who was in an earlier release; the terminal is private."""
    left = people["left_out_again"]
    return (
        f"{counted(people['again'], 'person', 'people')} of earlier releases among the same values "
        f"as there, {people['first']:,} for the first time"
        + f"; {left:,} left out, because their value is not among those"
        * bool(left)
    )


def _ends(found: UniqueEndPoints) -> str:
    """Say how many ranges end at one record's value; the terminal is private."""
    return (
        f"{found.unique_ends:,} of {counted(found.intervals, 'range')}, in "
        f"{found.classes_with_unique:,} of {counted(found.classes, 'class')}, end at a "
        "value that only one record holds"
    )


def _searched(found: Mapping[str, Any]) -> str:
    """Say which levels were chosen, and how far they are proven to be the best."""
    levels = ", ".join(f"{visible(name)} {level}" for name, level in found["levels"].items())
    looked = f"{found['looked_at']:,} of {found['lattice']:,} nodes examined"
    if found["optimal"]:
        proof = (
            "PROVEN optimal: no others that meet the requirements have a lower "
            f"{found['objective']} than {number(found['score'])}"
        )
    elif found["gap"] is not None:
        proof = (
            f"{found['objective']} {number(found['score'])}, NOT PROVEN optimal: at most "
            f"{number(found['gap'])} above the optimum"
        )
    else:
        proof = "NOT PROVEN optimal"
    return f"{levels}\n{proof} ({looked})"


def next_steps(
    made: Release, plan: Path, folder: Path, again: Path | None = None
) -> list[tuple[str, str]]:
    """Say how to count it again, what it hides, what it is worth, and what else could be asked.

    `plan`, `folder`: where its plan is, and where it was written.
    `again`: the release that it goes on from.
    """
    place, plan_file = shlex.quote(str(folder)), shlex.quote(str(plan))
    steps = [_recount(made, place), (f"shoal risk {place}", "see what attacks can still learn")]
    if again is not None:
        earlier = shlex.quote(str(again))
        steps.append((f"shoal verify {place} --again {earlier}", "compare the two releases"))
    label = _label(made)
    if label is not None:
        steps.append(
            (f"shoal utility {place} --label {shlex.quote(label)}", "see what models learn from it")
        )
    if any("k" in spec for spec in made.plan.require):
        steps.append((f"shoal compare {plan_file}", "compare k and methods: loss and risk"))
    return steps


def _recount(made: Release, place: str) -> tuple[str, str]:
    if private_columns(made.require):
        original = shlex.quote(str(made.original))
        return f"shoal verify {place} --original {original}", "count it again"
    if made.population is not None:
        return f"shoal verify {place} --population FILE", "count it again, with the population"
    return f"shoal verify {place}", "count it again, from the written file alone"


def _label(made: Release) -> str | None:
    """Name a column worth predicting: the plan's label, or the first sensitive one.

    Values that are published apart from their rows cannot be predicted from them.
    """
    if made.published.linked:
        return None
    named = [made.method.label, made.plan.weights and made.plan.weights.label]
    return next((each for each in (*named, *made.schema.sensitive) if each), None)
