"""The overview of all papers: how many of their claims hold, by default and however read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal_papers.base import Experiment
from shoal_papers.markdown import bullets, rows
from shoal_papers.page import Written
from shoal_papers.readings import best, turned
from shoal_papers.verdicts import HOLDS, HOLDS_EXCEPT, WORST_FIRST

__all__ = ["overview"]

HEAD = """\
# The papers, run again

Written by `make docs` from the runs in these folders; do not edit it.

Each page sets a paper's claims beside what we measured. A claim counts as held if its verdict is
*holds*, or *holds except* in places that the page names. Where the text of a paper can be read in
more than one way, the default is what the text supports best; other readings that it supports are
measured, too, one point at a time, and count here under "some supported reading". Nothing was
tuned: a claim that fails is reported as failing, and its page says what keeps it from holding, as
far as we know."""


@dataclass(frozen=True)
class _Line:
    """A claim: its verdict by default, the best one, and the reading that gives it."""

    words: str
    ours: str
    best: str
    reading: str

    @property
    def held(self) -> bool:
        return self.ours in (HOLDS, HOLDS_EXCEPT)

    @property
    def held_somehow(self) -> bool:
        return self.best in (HOLDS, HOLDS_EXCEPT)


def overview(pages: Sequence[tuple[Experiment, Written]]) -> str:
    """Write the page, with the papers in their order."""
    counted, parts = [], []
    for experiment, written in pages:
        lines = _lines(written)
        held = sum(line.held for line in lines)
        somehow = sum(line.held_somehow for line in lines)
        link = f"[{experiment.title}]({experiment.name}/README.md)"
        counts = (len(lines), held, somehow, len(lines) - somehow)
        counted.append((link, *(str(count) for count in counts)))
        parts += _paper(experiment, lines)
    head = ("paper", "claims", "hold by default", "under some supported reading", "under none")
    return "\n\n".join([HEAD, rows(head, counted, numbers=True), *parts]) + "\n"


def _lines(written: Written) -> list[_Line]:
    """Find the best verdict of each claim; ours, where no reading gives a better one."""
    made = []
    for at, (claim, found) in enumerate(written.claims):
        others = {name: v for read in written.readings for name, v in turned(read, at).items()}
        top = best([found.verdict, *others.values()])
        better = top in WORST_FIRST and top != found.verdict
        name = next(name for name, v in others.items() if v == top) if better else ""
        made.append(_Line(claim.words, found.verdict, top, name))
    return made


def _paper(experiment: Experiment, lines: Sequence[_Line]) -> list[str]:
    table = [
        (
            str(place),
            line.words,
            f"**{line.ours}**",
            f"**{line.best}** with: {line.reading}" if line.reading else "",
        )
        for place, line in enumerate(lines, start=1)
    ]
    head = ("", "the paper says", "by default", "best other reading")
    offers = experiment.offers()
    return [
        f"## {experiment.title}",
        experiment.reference,
        rows(head, table),
        *(["Where the paper's own procedure does not reach its aim, Shoal has:"] if offers else []),
        *bullets(offers),
    ]
