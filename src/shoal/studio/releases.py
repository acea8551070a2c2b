"""The releases of a studio: those that it made, and those that it was given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import ParameterError
from shoal.publications.published import private_folder, read_facts
from shoal.publications.published.folder import PLAN
from shoal.release.explanation import explain
from shoal.studio.jobs import Job, State
from shoal.studio.jobs.release import RELEASE

if TYPE_CHECKING:
    from shoal.studio.studio import Studio

REPORT = "report.html"


@dataclass(frozen=True)
class Shown:
    """A release that can be shown, attacked and kept."""

    job: Job
    """What made it or opened it; its number names it in addresses."""
    run: int
    """Which run it is, as people count them; 0 if it was given."""

    @property
    def number(self) -> int:
        """What names it in addresses."""
        return self.job.number

    @property
    def was_given(self) -> bool:
        """Whether it was there before the studio."""
        return self.job.kind == "opened"

    @property
    def folder(self) -> Path:
        """Its public folder."""
        return Path(self.job.request["release"]) if self.was_given else self.job.folder / RELEASE

    @property
    def private(self) -> Path | None:
        """Its private folder, if there is one."""
        found = private_folder(self.folder)
        return found if found.is_dir() else None

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What it says of itself in public."""
        return dict(read_facts(self.folder) or {})

    @cached_property
    def explained(self) -> list[str]:
        """What it is, what holds and what it leaves open, as `shoal explain` says."""
        return explain(self.facts) if self.facts else []

    @property
    def report(self) -> Path:
        """The page that may go out with it."""
        return self.folder / REPORT

    @property
    def private_report(self) -> Path | None:
        """The private page, if there is one."""
        found = None if self.private is None else self.private / REPORT
        return found if found is not None and found.is_file() else None

    @property
    def files(self) -> list[Path]:
        """The files that may go out, in a fixed order."""
        return sorted(path for path in self.folder.rglob("*") if path.is_file())

    @property
    def plan_text(self) -> str | None:
        """The plan that made it, as `shoal run` reads it; ``None`` if nobody knows it."""
        place = self.job.folder / PLAN
        if self.was_given:
            place = private_folder(self.folder) / PLAN
        return place.read_text(encoding="utf-8") if place.is_file() else None


def releases(studio: Studio) -> list[Shown]:
    """List what can be shown, the newest first."""
    jobs = [job for job in studio.queue.jobs if job.kind == "release"]
    run = {job.number: number for number, job in enumerate(jobs, 1)}
    return [
        Shown(job, run.get(job.number, 0))
        for job in reversed(studio.queue.jobs)
        if job.kind in ("release", "opened") and job.state is State.DONE and not job.removed
    ]


def release_of(studio: Studio, number: int) -> Shown:
    """Find a release by its number (raises `ParameterError` if there is none)."""
    for each in releases(studio):
        if each.number == number:
            return each
    raise ParameterError(
        f"There is no release {number}.", "Make one first, or load the page again."
    )
