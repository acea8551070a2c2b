"""`shoal demo`: a release of a bundled table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal import datasets
from shoal.cli import show, summary
from shoal.cli.options import AsJson
from shoal.cli.progress import bar
from shoal.engines import pipeline
from shoal.plan import Plan
from shoal.publications.published import read_facts


def demo(
    folder: Annotated[Path, typer.Option(help="The folder to write the release to.")] = Path(
        "shoal-demo"
    ),
    k: Annotated[int, typer.Option(help="The smallest size of a group.")] = 10,
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
        (f"shoal risk {folder}", "see what attacks can still learn"),
        (f"shoal demo --k {5 * k}", "see what more protection costs"),
        ("shoal plan your-table.csv", "draft a plan for your own table"),
    ]
    summary.release(made, folder, next_steps=steps)
