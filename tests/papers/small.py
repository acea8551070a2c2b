"""A small experiment without data, and results made up for the claims about GAA-CP."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import polars as pl
import pytest

from shoal.methods import METHODS
from shoal_papers import (
    Case,
    Cell,
    Claim,
    Experiment,
    Figure,
    Outcome,
    Panel,
    Point,
    Results,
    page,
    runner,
)
from shoal_papers.claims import line, steps
from shoal_papers.figures import draw
from shoal_papers.gaa_cp.experiment import GaaCpExperiment
from shoal_papers.verdicts import judge


@dataclass(frozen=True)
class Toy(Experiment):
    """Squares; stops as if by Ctrl-C once ``stop_after`` cells are measured."""

    quick: bool = False
    ks: tuple[int, ...] = (2, 5, 10)
    stop_after: int | None = None
    calls: list[Cell] = field(default_factory=list)

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "A toy"
    reference: ClassVar[str] = "Nobody: Nothing."
    numbers: ClassVar[tuple[str, ...]] = ("square",)

    def cells(self) -> list[Cell]:
        return [{"method": "toy, quoted", "k": k, "seed": seed} for seed in (1, 2) for k in self.ks]

    def prepare(self) -> None:
        pass

    def measure(self, cell: Cell) -> Mapping[str, float]:
        if self.stop_after is not None and len(self.calls) == self.stop_after:
            raise KeyboardInterrupt
        self.calls.append(cell)
        return {"square": int(cell["k"]) ** 2 + int(cell["seed"]) / 3}

    def about(self) -> list[tuple[str, str]]:
        return [("Data", "none")]

    def figures(self, results: Results) -> list[Figure]:
        rows = results.of("square").iter_rows(named=True)
        points = tuple(Point("Toy", r["k"], r["mean"], r["min"], r["max"]) for r in rows)
        return [
            Figure("figure-1", "Figure 1: Squares", "k", "k²", ("Toy",), (Panel("(a)", points),))
        ]

    def claims(self) -> Sequence[Claim]:
        return [Claim("figure 1", "Squares grow.", "means", lambda results: _grows(results))]


def _grows(results: Results) -> Any:
    squares = line(results, "square", "k", (2, 5, 10))
    return judge([*steps(squares, "k²", {}, "k"), Case("whole", {"k": "all"}, True)])


def forget(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """Hide a method from experiments; a copy, since taking it out and back changes the order."""
    left = {name: kind for name, kind in METHODS.items() if name != method}
    monkeypatch.setattr("shoal_papers.trial.METHODS", left)


def measured(results: Results) -> runner.Measured:
    """Say that numbers which were made up were measured somewhere."""
    machine = {"processor": "abacus", "cores": "2", "system": "Linux", "python": "3"}
    return runner.Measured(results, machine, "0.0.7")


def made_up(
    loss: Callable[[Mapping[str, Any]], float],
    seconds: Callable[[Mapping[str, Any]], float],
    experiment: GaaCpExperiment | None = None,
) -> Results:
    """Fill every cell of the experiment of GAA-CP from two formulas; variants do as methods do."""
    wanted = experiment or GaaCpExperiment(repetitions=2)
    rows = []
    for cell in wanted.cells():
        plain = {**cell, "method": wanted.series[str(cell["method"])].method}
        losses = dict.fromkeys(("iloss", "iloss_age_interval", "iloss_age_steps"), loss(plain))
        times = {"cpu_seconds": seconds(plain), "wall_seconds": 1.0}
        rows.append({**cell, **losses, "classes": 1.0, **times})
    return Results(pl.DataFrame(rows), wanted.numbers)


def require_whole(made: Outcome, figures: Iterable[str | int]) -> str:
    """Require of a quick run's folder that all files are there, and those that the page names."""
    files = {path.name for path in made.folder.iterdir()}
    drawn = {f"figure-{number}.svg" for number in figures}
    assert files == {
        "README.md",
        "comparisons.csv",
        "numbers.csv",
        "run.json",
        "runs.csv",
        *drawn,
    }
    text = made.page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)]+)\)", text):
        assert link.startswith("#") or (made.folder / link).is_file()
    assert "quick run" in text
    return text


def draw_fullest(written: page.Written) -> None:
    """Draw the figure with the most series; small runs draw all, with fewer of them."""
    fullest = max(written.figures, key=lambda figure: len(figure.series))
    drawn = draw(fullest)
    assert all(name in drawn for name in fullest.series)
