"""The papers' experiments, run again: figures, numbers, and each claim beside what was measured.

To add one: write a folder with a frozen dataclass that subclasses `Experiment`, and a data file
`paper.toml` with its claims and the readings of its open points. Name it in `EXPERIMENTS`, run it
with ``shoal paper NAME --output docs/papers/NAME`` and link the page in ``docs/index.md``. Where
only a rule changed, ``shoal paper NAME --from docs/papers/NAME`` judges what was measured again.
Cells, figures and claims are the experiment's; running, resuming, drawing and writing are shared.
Results are never tuned: a claim that fails is reported as failing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from shoal.engines.pipeline import Report
from shoal.errors import ParameterError, did_you_mean
from shoal_papers import page, runner
from shoal_papers.alpha_i_k.experiment import AlphaIKExperiment
from shoal_papers.base import Cell, Experiment
from shoal_papers.claims import Claim
from shoal_papers.figures import Figure, Panel, Point, draw
from shoal_papers.gaa_cp.experiment import GaaCpExperiment
from shoal_papers.kaim.experiment import KaimExperiment
from shoal_papers.mi_loss.experiment import MiLossExperiment
from shoal_papers.micd.experiment import MicdExperiment
from shoal_papers.overview import overview
from shoal_papers.readings import OpenPoint, Quote, Read, Reading
from shoal_papers.results import Results
from shoal_papers.runner import measure, recall
from shoal_papers.samples import Sample, above
from shoal_papers.tables import PageTable
from shoal_papers.verdicts import Case, Finding

__all__ = [
    "EXPERIMENTS",
    "Case",
    "Cell",
    "Claim",
    "Experiment",
    "Figure",
    "Finding",
    "OpenPoint",
    "Outcome",
    "PageTable",
    "Panel",
    "Point",
    "Quote",
    "Read",
    "Reading",
    "Results",
    "Sample",
    "above",
    "draw",
    "experiment",
    "judge_again",
    "measure",
    "overview_of",
    "recall",
    "run",
]

EXPERIMENTS: dict[str, Callable[[bool], Experiment]] = {
    GaaCpExperiment.name: lambda quick: GaaCpExperiment(quick=quick),
    KaimExperiment.name: lambda quick: KaimExperiment(quick=quick),
    AlphaIKExperiment.name: lambda quick: AlphaIKExperiment(quick=quick),
    MicdExperiment.name: lambda quick: MicdExperiment(quick=quick),
    MiLossExperiment.name: lambda quick: MiLossExperiment(quick=quick),
}
"""Every experiment by its name; the argument asks for the quick form."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a run gave.

    Parameters
    ----------
    folder
        Where page, figures and numbers are.
    claims
        Each claim with what was measured.
    questions
        The same of statements that are ours.
    readings
        What each reading of the paper's open points makes of the claims.
    found
        How many cells were found done, from a run that was stopped.
    restarted
        Whether an older run of another configuration was thrown away.
    """

    folder: Path
    results: Results
    claims: page.Judged
    questions: page.Judged
    readings: list[Read]
    found: int
    restarted: bool

    @property
    def page(self) -> Path:
        """The page with claims, figures and numbers."""
        return self.folder / runner.PAGE


def experiment(name: str, *, quick: bool = False) -> Experiment:
    """Get an experiment by its name.

    Examples
    --------
    >>> experiment("gaa-cp", quick=True).quick
    True
    >>> experiment("gaa-pc")
    Traceback (most recent call last):
    shoal.errors.ParameterError: There is no experiment 'gaa-pc'. Did you mean 'gaa-cp'?
    """
    if name not in EXPERIMENTS:
        raise ParameterError(f"There is no experiment '{name}'.", did_you_mean(name, EXPERIMENTS))
    return EXPERIMENTS[name](quick)


def run(
    wanted: Experiment,
    folder: str | Path,
    *,
    fresh: bool = False,
    progress: Report | None = None,
) -> Outcome:
    """Measure what is not yet measured, and write figures, numbers and the page.

    Parameters
    ----------
    folder
        Where everything goes; a run that was stopped there goes on.
    fresh
        Start anew, whatever the folder holds.
    progress
        Called with the step's name, the work done and the work in all.
    """
    measured = measure(wanted, folder, fresh=fresh, progress=progress)
    if progress:
        progress("write", 0, 1)
    made = _write(wanted, measured, folder)
    if progress:
        progress("write", 1, 1)
    return made


def judge_again(wanted: Experiment, folder: str | Path) -> Outcome:
    """Judge what was measured in a folder, by whichever version, and write its page anew.

    Nothing is measured; a run that is not finished is refused.
    """
    return _write(wanted, recall(wanted, folder), folder)


def overview_of(folder: str | Path) -> str:
    """Write the overview of all papers from the runs in a folder's folders, named as they are."""
    wanted = [EXPERIMENTS[name](False) for name in EXPERIMENTS]
    measured = [recall(each, Path(folder) / each.name) for each in wanted]
    written = [page.texts(each, runs) for each, runs in zip(wanted, measured, strict=True)]
    return overview(list(zip(wanted, written, strict=True)))


def _write(wanted: Experiment, measured: runner.Measured, folder: str | Path) -> Outcome:
    written = page.write(wanted, measured, folder)
    return Outcome(
        folder=Path(folder),
        results=measured.results,
        claims=written.claims,
        questions=written.questions,
        readings=written.readings,
        found=measured.found,
        restarted=measured.restarted,
    )
