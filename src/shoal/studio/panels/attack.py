"""What an intruder would still learn: the attacks of `shoal risk`, each beside its control."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import Response

from shoal.studio.jobs import Job, State
from shoal.studio.pages import Here, go_to, page, part, studio_of
from shoal.studio.panels import Panel
from shoal.studio.releases import release_of, releases
from shoal.studio.studio import Studio

panel = Panel("attack", 6, needs_table=False)


@panel.router.get("")
def newest(request: Request) -> Response:
    """Show the newest release, or say that there is none."""
    known = releases(studio_of(request))
    if known:
        return go_to(request, f"/attack/{known[0].number}")
    return page(request, panel.name, "attack/page.html", known=[], shown=None, **_found(None))


@panel.router.get("/{number}")
def show(request: Request, studio: Here, number: int) -> Response:
    """Show what attacks on a release got."""
    shown = release_of(studio, number)
    more = {"known": releases(studio), **_found(_attack_on(studio, number))}
    return page(request, panel.name, "attack/page.html", shown=shown, **more)


@panel.router.post("/{number}")
def attack(request: Request, studio: Here, number: int) -> Response:
    """Attack a release; one that was attacked already is not attacked again."""
    shown, job = release_of(studio, number), _attack_on(studio, number)
    if job is None or job.state in (State.FAILED, State.STOPPED):
        job = studio.queue.add("attack", {"release": str(shown.folder), "number": number})
    return part(request, "attack/found.html", shown=shown, **_found(job))


@panel.router.get("/{number}/found")
def found(request: Request, studio: Here, number: int) -> Response:
    """Say how far the attacks are, or what they got."""
    shown = release_of(studio, number)
    return part(request, "attack/found.html", shown=shown, **_found(_attack_on(studio, number)))


@panel.router.post("/{number}/stop")
def stop(request: Request, studio: Here, number: int) -> Response:
    """Stop the attacks on a release."""
    shown, job = release_of(studio, number), _attack_on(studio, number)
    if job is not None:
        studio.queue.stop(job.number)
        studio.queue.wait(job.number, 2)
    return part(request, "attack/found.html", shown=shown, **_found(job))


def _attack_on(studio: Studio, number: int) -> Job | None:
    """Find the last attack on a release."""
    made = [job for job in studio.queue.of_kind("attack") if job.request["number"] == number]
    return made[-1] if made else None


def _found(job: Job | None) -> dict[str, Any]:
    """Give the template what was found: what goes farthest beyond its control first."""
    if job is None or job.result is None:
        return {"job": job, "who": None, "attempts": [], "nothing": []}
    tried = sorted(job.result["attacks"], key=lambda each: (each["control"] or 0) - each["share"])
    return {
        "job": job,
        "who": job.result["reidentification"],
        "questions": job.result["questions"],
        "attempts": [each for each in tried if each["people"]],
        "nothing": [each for each in tried if not each["people"]],
        "sets": job.result["unique_sets"],
        "links": job.result["linkage"],
    }
