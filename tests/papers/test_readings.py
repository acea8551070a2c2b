"""Readings: claims judged again on what each shows, on the page and in the overview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl
import pytest

import shoal_papers as papers
from shoal_papers import Claim, OpenPoint, Quote, Reading, Results, page
from shoal_papers.overview import overview
from shoal_papers.readings import best, counting, judge_readings, only, replacing, turned
from tests.papers.small import Toy, measured

QUOTE = Quote("section 1", "平方", "square")


@dataclass(frozen=True)
class Doubtful(Toy):
    """Squares grow; read as their negatives, they do not."""

    def readings(self) -> Sequence[OpenPoint]:
        other = Reading("the squares' negatives", (QUOTE,), view=counting({"square": "minus"}))
        few = Reading("one k", (QUOTE,), view=only(pl.col("k") == 2))
        return [OpenPoint("Which squares?", (Reading("squares", (QUOTE,)), other, few), "Plainly.")]

    def offers(self) -> Sequence[str]:
        return ["cubes"]


def results(sign: float = 1.0) -> Results:
    runs = pl.DataFrame(
        {"method": "toy", "k": [2, 5, 10] * 2, "seed": [1, 1, 1, 2, 2, 2]}
    ).with_columns(square=pl.col("k").cast(pl.Float64) ** 2)
    squares = runs.with_columns(square=sign * pl.col("square"), minus=-sign * pl.col("square"))
    return Results(squares, ("square", "minus"))


def test_a_reading_judges_the_claims_on_what_it_shows() -> None:
    toy = Doubtful()
    [read] = judge_readings(toy.readings(), toy.claims(), results())
    assert [found[0].verdict for found in read.findings] == ["holds", "does not hold", "holds"]
    assert turned(read, 0) == {"the squares' negatives": "does not hold"}


def test_the_page_shows_readings_and_where_verdicts_turn() -> None:
    text = page.texts(Doubtful(), measured(results())).files["README.md"]
    assert "| **holds**<br>does not hold with: the squares' negatives |" in text
    assert "### 1. Which squares?" in text
    assert "section 1: “平方” (square)" in text
    assert "| 1: holds → does not hold |" in text


def test_a_page_without_open_points_has_no_such_section() -> None:
    text = page.texts(Toy(), measured(results())).files["README.md"]
    assert "How we read it" not in text


def test_the_page_says_why_a_claim_holds_under_no_reading() -> None:
    class Explained(Toy):
        def claims(self) -> Sequence[Claim]:
            return [replace(claim, why_not="Negatives fall.") for claim in super().claims()]

    text = page.texts(Explained(), measured(results(-1.0))).files["README.md"]
    assert "| **does not hold**<br>Negatives fall. |" in text
    assert "Negatives" not in page.texts(Explained(), measured(results())).files["README.md"]


def test_the_overview_counts_what_some_reading_saves() -> None:
    toy = Doubtful()
    text = overview([(toy, page.texts(toy, measured(results(-1.0))))])
    assert "| [A toy](toy/README.md) | 1 | 0 | 1 | 0 |" in text
    assert "**holds** with: the squares' negatives" in text
    assert "- cubes" in text


def test_a_view_that_replaces_a_method_drops_the_one_it_replaces() -> None:
    runs = pl.DataFrame({"method": ["a", "b", "c"], "seed": 1, "loss": [1.0, 2.0, 3.0]})
    shown = replacing("method", {"a": "b"})(Results(runs, ("loss",)))
    assert shown.runs.select("method", "loss").rows() == [("a", 2.0), ("c", 3.0)]


def test_the_best_verdict_leaves_out_what_was_not_measured() -> None:
    assert best(["within noise", "not measured"]) == "within noise"
    assert best(["not measured"]) == "not measured"


@pytest.mark.parametrize("name", papers.EXPERIMENTS)
def test_every_reading_has_a_name_of_its_own_and_words_that_speak_for_it(name: str) -> None:
    wanted = papers.experiment(name)
    claims = wanted.claims()
    readings = [reading for point in wanted.readings() for reading in point.readings]
    names = [reading.name for reading in readings]
    assert len(set(names)) == len(names)
    assert all(reading.support for reading in readings)
    assert all(len(r.claims) == len(claims) for r in readings if r.claims is not None)
