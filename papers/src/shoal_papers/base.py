"""The contract of an experiment: settings to measure, and what to make of the numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar, TypeAlias

from shoal_papers.adult import SAMPLE_SEED
from shoal_papers.claims import Claim
from shoal_papers.figures import Figure
from shoal_papers.lines import Settings
from shoal_papers.paperfile import PaperFile
from shoal_papers.readings import OpenPoint
from shoal_papers.results import Results
from shoal_papers.tables import PageTable

__all__ = ["Cell", "Experiment", "SampledExperiment", "of_run"]

Cell: TypeAlias = dict[str, int | float | str]
"""One thing to measure: a value per setting, `seed` among them."""


class Experiment(ABC):
    """An experiment of a paper: cells to measure, figures and claims to check.

    Subclasses are frozen dataclasses. The runner measures the cells one by one, in their
    order, and keeps each as soon as it is done; the page is made from the numbers alone, so
    it can be made again without measuring.

    ``file``
        Its data file: claims, questions, readings, and what a reader must know.
    ``name``
        The spelling on the command line.
    ``title``, ``reference``
        The heading of the page, and the paper.
    ``numbers``
        What `measure` gives, in the order of the CSV columns.
    ``quick``
        Whether this is the short form: fewer rows, settings and repetitions.
    """

    file: ClassVar[PaperFile] = PaperFile({})
    name: ClassVar[str]
    title: ClassVar[str]
    reference: ClassVar[str]
    numbers: ClassVar[tuple[str, ...]]
    quick: bool

    @abstractmethod
    def cells(self) -> Sequence[Cell]:
        """List what to measure, in order; all cells have the same settings."""

    @abstractmethod
    def prepare(self) -> None:
        """Get ready before the first cell: load, compile, refuse what cannot be measured."""

    @abstractmethod
    def measure(self, cell: Cell) -> Mapping[str, float]:
        """Measure one cell: a value for each of ``numbers``."""

    def about(self) -> Sequence[tuple[str, str]]:
        """Report what was run, as pairs of a label and a text."""
        return self.file.about(self.facts())

    def facts(self) -> dict[str, Any]:
        """Collect what texts name of the run."""
        return {}

    @abstractmethod
    def figures(self, results: Results) -> Sequence[Figure]:
        """Lay out the figures of the paper with the measured points."""

    @property
    def judged(self) -> Settings:
        """The settings by which claims are judged, which the rules are given."""
        return Settings({}, {}, {})

    @property
    def question_settings(self) -> Settings:
        """The same of questions."""
        return self.judged

    def claims(self) -> Sequence[Claim]:
        """List what the paper says, each with the rule that judges it."""
        return self.file.claims(self.judged)

    def questions(self) -> Sequence[Claim]:
        """List statements of ours, which the paper does not make, judged in the same way."""
        return self.file.claims(self.question_settings, "questions")

    def readings(self) -> Sequence[OpenPoint]:
        """List where the paper can be read in more than one way, and how we read it."""
        return self.file.points(self.judged)

    def offers(self) -> Sequence[str]:
        """Say what Shoal has where the paper's own procedure does not reach its aim."""
        return self.file.texts("offers", self.facts())

    def tables(self, results: Results) -> Sequence[PageTable]:
        """Add tables that are no figure's numbers."""
        return ()

    def remarks(self, results: Results) -> Sequence[str]:
        """Add what a reader must know to judge the numbers."""
        return self.file.texts("remarks", self.facts())

    def configuration(self) -> dict[str, Any]:
        """Collect what the numbers depend on; where it changes, the run starts anew."""
        return {
            "experiment": self.name,
            "shoal": version("shoal"),
            "quick": self.quick,
            "numbers": list(self.numbers),
        }


@dataclass(frozen=True)
class SampledExperiment(Experiment):
    """An experiment on a sample of rows, with repetitions that differ in their seed.

    ``usual_rows`` and ``usual_repetitions`` are those of a full run; a quick one has
    ``1 / quick_divisor`` of the rows.

    Parameters
    ----------
    quick
        Fewer rows, two repetitions, fewer settings.
    rows, repetitions
        Instead of the usual ones, for tests.
    """

    quick: bool = False
    rows: int | None = None
    repetitions: int | None = None

    usual_rows: ClassVar[int]
    quick_divisor: ClassVar[int] = 4
    usual_repetitions: ClassVar[int] = 10

    @property
    def n_rows(self) -> int:
        """Rows of the largest table."""
        return self.rows or self.usual_rows // (self.quick_divisor if self.quick else 1)

    @property
    def seeds(self) -> range:
        """One seed per repetition."""
        return range(1, (self.repetitions or (2 if self.quick else self.usual_repetitions)) + 1)

    def configuration(self) -> dict[str, Any]:
        """Add the data that the numbers depend on."""
        data = {"table": "adult", "rows": self.n_rows, "sample_seed": SAMPLE_SEED}
        return {**super().configuration(), **data}


def of_run(seeds: Sequence[int], rows: int, usual: int) -> dict[str, Any]:
    """Collect what texts name of every run: its repetitions, and its rows if they are a sample."""
    return {
        "repetitions": len(seeds),
        "first_seed": seeds[0],
        "last_seed": seeds[-1],
        "sample": "" if rows == usual else f"; here a sample of {rows:,}",
    }
