"""The private report: what the public one says with all digits, and what only the house may see."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from shoal.measures.coarseness import coarseness
from shoal.published.folder import MANIFEST, PLAN, private_folder
from shoal.release.report.page import shared_context
from shoal.release.report.private.attempts import Attempts
from shoal.release.report.private.example_rows import ExampleRows
from shoal.release.report.private.margins import Margins
from shoal.release.report.private.relations import Relations
from shoal.release.report.private.risks import Risks
from shoal.release.report.rendering import render

if TYPE_CHECKING:
    from shoal.release import Release

__all__ = ["private_page"]

SECTIONS = (
    *("asked", "counted", "risk", "attacks", "sizes", "columns", "bound", "coarseness", "rows"),
    *("margins", "relations", "search", "weights", "cost", "missing", "repeat", "files"),
)
"""The sections of the private report, in their order."""


def private_page(release: Release, facts: Mapping[str, Any], folder: Path) -> str:
    """Write the report of a release for its own house, as one HTML page.

    Parameters
    ----------
    facts
        What the public report is made from, with nothing rounded and nothing hidden.
    folder
        Where the release goes: commands name it.

    Examples
    --------
    >>> import shoal
    >>> from shoal.release.public_facts import exact_facts
    >>> plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    >>> release = shoal.anonymize(shoal.datasets.adult().head(200), plan)
    >>> made = private_page(release, exact_facts(release), Path("release"))
    >>> "Keep the page in the house" in made, "shoal verify release" in made
    (True, True)
    """
    about = release.plan.about
    said = {} if about is None else about.model_dump(exclude={"title"}, exclude_none=True)
    centres = release.published.centres is not None
    return render(
        "private.html",
        sections=SECTIONS,
        private=True,
        about=said,
        risks=Risks.of(release),
        attempts=Attempts.of(release),
        coarse=None if centres else coarseness(release.pair),
        bound=release.bound,
        unbounded=release.publication.unbounded,
        examples=ExampleRows.of(release),
        margins=Margins.of(release.pair),
        relations=Relations.of(release.pair, release.seed),
        repeat=_commands(release, folder),
        versions=_versions(facts["shoal"]),
        seeded=release.plan.publication.fixed_seed(release.method) is not None,
        manifest=MANIFEST,
        **shared_context(facts),
    )


def _commands(release: Release, folder: Path) -> list[tuple[str, str]]:
    """Say what to type to see all this again, beside the release's folder."""
    name = shlex.quote(folder.name)
    plan = shlex.quote(str(Path(private_folder(folder).name) / PLAN))
    made = [
        (f"shoal verify {name}", "count the written files again"),
        (f"shoal risk {name}", "try all attacks, without a limit of time"),
    ]
    if isinstance(release.original, str | PathLike):  # else the plan names no table
        made.append((f"shoal run {plan} --output again", "make the release again"))
    return made


def _versions(shoal: str) -> str:
    """Name what made the page."""
    used = f"polars {pl.__version__}, numpy {np.__version__}"  # metadata of packages takes long
    return f"Shoal {shoal}, {used}, Python {platform.python_version()}"
