"""The private report: what the public one says with all digits, and the private report."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from shoal.measures._coarseness import Coarseness, coarseness
from shoal.publications.published.folder import MANIFEST, PLAN, private_folder
from shoal.release.report.page import shared_context
from shoal.release.report.private.attempts import Attempts
from shoal.release.report.private.example_rows import ExampleRows
from shoal.release.report.private.margins import Margins
from shoal.release.report.private.relations import Relations
from shoal.release.report.private.risks import Risks
from shoal.release.report.rendering import render

if TYPE_CHECKING:
    from shoal.improve.loss_bound import LossBound
    from shoal.plan import AboutPlan
    from shoal.release import Release

SECTIONS = (
    *("asked", "counted", "risk", "attacks", "sizes", "columns", "bound", "coarseness", "rows"),
    *("margins", "relations", "search", "weights", "cost", "missing", "repeat", "files"),
)
"""The sections of the private report, in their order."""


@dataclass(frozen=True)
class Panels:
    """The private sections of a report, ready to be shown.

    ``attempts``: what attacks get; ``None`` if no part of the table is small enough to be attacked.
    ``coarse``: how coarse each column became; ``None`` where cells are centres.
    ``bound``, ``unbounded``: what must be lost; and why nobody can say it.
    ``repeat``: commands and what they do: to verify it first, then to attack it.
    ``seeded``: whether the plan fixes the seed.
    ``made_with``: what made the release besides Shoal.
    """

    about: AboutPlan | None
    risks: Risks
    attempts: Attempts | None
    coarse: Mapping[str, Coarseness] | None
    bound: LossBound | None
    unbounded: str | None
    examples: ExampleRows
    margins: Margins
    relations: Relations | None
    repeat: list[tuple[str, str]]
    seeded: bool
    made_with: str = ""

    @classmethod
    def of(cls, release: Release, folder: Path) -> Panels:
        """Look at a release that goes to a folder."""
        centres = release.published.centres is not None
        run = "shoal run" if isinstance(release.original, str | PathLike) else None
        return cls(
            about=release.plan.about,
            risks=Risks.of(release),
            attempts=Attempts.of(release),
            coarse=None if centres else coarseness(release.pair),
            bound=release.bound,
            unbounded=release.publication.unbounded,
            examples=ExampleRows.of(release),
            margins=Margins.of(release.pair),
            relations=Relations.of(release.pair, release.seed),
            repeat=commands(folder, run),
            seeded=release.plan.publication.fixed_seed(release.method) is not None,
        )

    def page(self, facts: Mapping[str, Any]) -> str:
        """Write the page; facts are those of the public one with nothing rounded or hidden."""
        about = self.about
        shown = {each.name: getattr(self, each.name) for each in fields(self)}
        filled_in = {} if about is None else about.model_dump(exclude={"title"}, exclude_none=True)
        shown |= {"about": filled_in, "versions": _versions(facts["shoal"], self.made_with)}
        return render(
            "private.html",
            sections=SECTIONS,
            private=True,
            manifest=MANIFEST,
            **shown,
            **shared_context(facts),
        )


def private_page(release: Release, facts: Mapping[str, Any], folder: Path) -> str:
    """Write the private report of a release as one HTML page.

    ``facts``: what the public report is made from, with nothing rounded and nothing hidden.
    ``folder``: where the release goes: commands name it.

    >>> import shoal
    >>> from shoal.release.public_facts import exact_facts
    >>> plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    >>> release = shoal.anonymize(shoal.datasets.adult().head(200), plan)
    >>> made = private_page(release, exact_facts(release), Path("release"))
    >>> "Keep it private" in made, "shoal verify release" in made
    (True, True)
    """
    return Panels.of(release, folder).page(facts)


def commands(folder: Path, run: str | None) -> list[tuple[str, str]]:
    """Say what to type to see all this again, beside the release's folder.

    ``run``: what runs a plan; ``None`` if the plan names no table.
    """
    name = shlex.quote(folder.name)
    plan = shlex.quote(str(Path(private_folder(folder).name) / PLAN))
    return [
        (f"shoal verify {name}", "count the written files again"),
        (f"shoal risk {name}", "try all attacks, without a time limit"),
        *([(f"{run} {plan} --output again", "make the release again")] if run is not None else []),
    ]


def _versions(shoal: str, made_with: str) -> str:
    """Name what made the page."""
    used = f"polars {pl.__version__}, numpy {np.__version__}"  # metadata of packages takes long
    also = f", {made_with}" if made_with else ""
    return f"Shoal {shoal}, {used}, Python {platform.python_version()}{also}"
