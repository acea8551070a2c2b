"""Verdicts follow from the numbers, whatever they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from shoal.papers import Case, Results
from shoal.papers.claims import (
    DOES_NOT_HOLD,
    HOLDS,
    HOLDS_EXCEPT,
    NOT_MEASURED,
    between,
    judge,
    places,
)
from shoal.papers.gaacp import GaaCpExperiment
from tests.papers.small import made_up

N = 45_222
Formula = Callable[[Mapping[str, Any]], float]


def cases(*holds: bool) -> list[Case]:
    return [Case("a > b", {"|QI|": 2, "k": k}, each) for k, each in enumerate(holds)]


@pytest.mark.parametrize(
    ("holds", "verdict"),
    [
        ((True, True, True, True), HOLDS),
        ((True, True, True, False), HOLDS_EXCEPT),
        ((True, True, False), DOES_NOT_HOLD),
        ((True, True, False, False), DOES_NOT_HOLD),
        ((False,), DOES_NOT_HOLD),
        ((), NOT_MEASURED),
    ],
)
def test_verdict_counts_cases(holds: tuple[bool, ...], verdict: str) -> None:
    assert judge(cases(*holds)).verdict == verdict


def test_exceptions_are_named_by_part() -> None:
    found = judge([*cases(True, False, True, False), *[Case("b > c", {"k": 1}, True)] * 4])
    assert found.sentence == "holds except: a > b at |QI| = 2, k = 1 and 3"
    assert found.measured == "a > b: 2 of 4; b > c: 4 of 4."


def test_many_exceptions_are_cut_short() -> None:
    text = places([{"|QI|": q, "k": 2} for q in range(20)])
    assert text.endswith("; and 14 more (see the numbers)")


def test_between_writes_equal_ends_once() -> None:
    assert between([2.0, 2.0001], " times") == "2 times"
    assert between([]) == "nothing"


def loss_as_in_the_paper(cell: Mapping[str, Any]) -> float:
    worse = {"kaca": 1.5, "ebkc": 1.2, "gaa-cp": 1.0}[cell["method"]]
    return worse * cell["quasi"] ** 0.5 * cell["k"] ** 0.5 * 1000


def time_as_in_the_paper(cell: Mapping[str, Any]) -> float:
    method, k = cell["method"], cell["k"]
    slower = {"ebkc": 8.0, "kaca": 4.0, "gaa-cp": 1.0}[method]
    bend = {"ebkc": 1 - k / 200, "kaca": 1 + k / 200, "gaa-cp": 1 - abs(k - 10) / 120}[method]
    return slower * bend * cell["rows"] / N * cell["quasi"] ** 2


def sentences(results: Results) -> dict[str, str]:
    judged = ((c.words, c.judge(results)) for c in GaaCpExperiment(repetitions=2).claims())
    return {words: found.sentence for words, found in judged}


def verdict(word: str, loss: Formula, time: Formula) -> str:
    found = sentences(made_up(loss, time))
    (mine,) = [sentence for words, sentence in found.items() if word in words]
    return mine


def test_all_claims_hold_where_numbers_are_the_papers() -> None:
    found = sentences(made_up(loss_as_in_the_paper, time_as_in_the_paper))
    assert len(found) == 13
    assert set(found.values()) == {HOLDS}


def test_no_claim_holds_where_numbers_are_the_opposite() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        return (10 if cell["seed"] == 1 else 1) / loss_as_in_the_paper(cell) ** 3

    def time(cell: Mapping[str, Any]) -> float:
        return 1e9 if cell["k"] == 25 else 1 / time_as_in_the_paper(cell) ** 3

    found = sentences(made_up(loss, time))
    assert found.pop("With growing k, KACA's time rises slightly.") == HOLDS
    assert set(found.values()) == {DOES_NOT_HOLD}


def test_order_with_an_exception_names_the_place() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        odd = (cell["quasi"], cell["k"]) in ((2, 2), (2, 5)) and cell["method"] == "ebkc"
        return loss_as_in_the_paper(cell) * (0.5 if odd else 1)

    said = verdict("KACA > EBKC > GAA-CP in loss", loss, time_as_in_the_paper)
    assert said == "holds except: EBKC > GAA-CP at |QI| = 2, k = 2 and 5"


def test_equal_losses_are_no_order() -> None:
    said = verdict("KACA > EBKC > GAA-CP in loss", lambda c: 1.0, time_as_in_the_paper)
    assert said == DOES_NOT_HOLD


def test_quadratic_time_does_not_double() -> None:
    def time(cell: Mapping[str, Any]) -> float:
        return time_as_in_the_paper(cell) * cell["rows"] / N

    assert verdict("about doubles", loss_as_in_the_paper, time) == DOES_NOT_HOLD


def test_small_falls_of_a_time_are_noise() -> None:
    def time(factor: float) -> Formula:
        def of(cell: Mapping[str, Any]) -> float:
            width = 3 if cell["quasi"] == 4 else cell["quasi"]
            return width**2 * (factor if cell["quasi"] == 4 else 1) * cell["rows"]

        return of

    assert verdict("grows markedly", loss_as_in_the_paper, time(0.96)) == HOLDS
    said = verdict("grows markedly", loss_as_in_the_paper, time(0.9))
    assert said.startswith("holds except: KACA step by step at k = 5, |QI| = 3→4; k = 10")


def test_claims_about_absent_methods_are_not_measured() -> None:
    alone = GaaCpExperiment(repetitions=2, methods=("gaa-cp",))
    results = made_up(loss_as_in_the_paper, time_as_in_the_paper, alone)
    found = {c.words: c.judge(results).verdict for c in alone.claims()}
    unknown = [words for words, verdict in found.items() if verdict == NOT_MEASURED]
    assert len(unknown) == 4
    assert all("KACA" in words or "EBKC" in words for words in unknown)


def test_losses_of_zero_are_no_trouble() -> None:
    assert set(sentences(made_up(lambda c: 0.0, time_as_in_the_paper)).values()) > {DOES_NOT_HOLD}
