"""Verdicts follow from the numbers, whatever they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from shoal_papers import Case, Results
from shoal_papers.claims import between
from shoal_papers.gaa_cp.experiment import GaaCpExperiment
from shoal_papers.samples import Comparison
from shoal_papers.verdicts import (
    DOES_NOT_HOLD,
    HOLDS,
    HOLDS_EXCEPT,
    NOT_MEASURED,
    WITHIN_NOISE,
    judge,
    places,
)
from tests.papers.small import made_up

N = 45_222
Formula = Callable[[Mapping[str, Any]], float]


NOISE = Comparison(0.1, -0.1, 0.3, None)


def cases(*holds: bool | None, part: str = "a > b") -> list[Case]:
    return [
        Case(part, {"|QI|": 2, "k": k}, NOISE if each is None else each)
        for k, each in enumerate(holds)
    ]


@pytest.mark.parametrize(
    ("holds", "verdict"),
    [
        ((True, True, True, True), HOLDS),
        ((True, True, True, False), HOLDS_EXCEPT),
        ((True, True, False), DOES_NOT_HOLD),
        ((True, True, False, False), DOES_NOT_HOLD),
        ((False,), DOES_NOT_HOLD),
        ((True, True, True, None), HOLDS_EXCEPT),
        ((True, True, None, None), WITHIN_NOISE),
        ((None, None), WITHIN_NOISE),
        ((True, True, None, False), DOES_NOT_HOLD),
        ((None, None, None, False), DOES_NOT_HOLD),
        ((), NOT_MEASURED),
    ],
)
def test_verdict_counts_cases(holds: tuple[bool | None, ...], verdict: str) -> None:
    assert judge(cases(*holds)).verdict == verdict


@pytest.mark.parametrize(
    ("slowly", "verdict"),
    [
        ((True,) * 3, HOLDS),
        ((True, True, True, False), HOLDS_EXCEPT),
        ((None,) * 3, WITHIN_NOISE),
        ((False,) * 3, DOES_NOT_HOLD),
    ],
)
def test_the_worst_part_decides(slowly: tuple[bool | None, ...], verdict: str) -> None:
    falls = cases(*[True] * 27, part="falls")
    found = judge([*falls, *cases(*slowly, part="slowly")])
    assert found.verdict == verdict
    assert [part.verdict for part in found.parts] == [HOLDS, verdict]
    assert judge([*cases(*slowly, part="slowly"), *falls]).verdict == verdict


def test_the_sentence_names_the_parts_that_decide() -> None:
    some = [*cases(True, True, part="b"), *cases(None, True, part="c")]
    assert judge(some).sentence == "within noise: c"
    assert judge([*some, *cases(False, part="d")]).sentence == "does not hold: d"
    assert judge(cases(False, part="d")).sentence == DOES_NOT_HOLD


def test_exceptions_are_named_by_part() -> None:
    found = judge([*cases(True, False, *[True] * 5, None), *cases(*[True] * 4, part="b > c")])
    assert found.sentence == (
        "holds except: a > b at |QI| = 2, k = 1; a > b within noise at |QI| = 2, k = 7"
    )
    assert found.measured == "a > b: 6 of 8, 1 within noise; b > c: 4 of 4."
    first, second = (part.reported for part in found.parts)
    assert first == (
        "a > b: holds except, 6 of 8; not at |QI| = 2, k = 1; "
        "within noise at |QI| = 2, k = 7 (-0.1 to 0.3)"
    )
    assert second == "b > c: holds, 4 of 4"


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
        return (1.06 if cell["seed"] == 1 else 1) / loss_as_in_the_paper(cell) ** 3

    def time(cell: Mapping[str, Any]) -> float:
        return 1e9 if cell["k"] == 25 else 1 / time_as_in_the_paper(cell) ** 3

    results = made_up(loss, time)
    found = {c.words: c.judge(results).verdict for c in GaaCpExperiment(repetitions=2).claims()}
    assert found.pop("With growing k, KACA's time rises slightly.") == HOLDS
    assert set(found.values()) == {DOES_NOT_HOLD}


def test_order_with_an_exception_names_the_place() -> None:
    def loss(cell: Mapping[str, Any]) -> float:
        odd = (cell["quasi"], cell["k"]) in ((2, 2), (2, 5)) and cell["method"] == "ebkc"
        return loss_as_in_the_paper(cell) * (0.5 if odd else 1)

    texts = verdict("KACA > EBKC > GAA-CP in loss", loss, time_as_in_the_paper)
    assert texts == "holds except: EBKC > GAA-CP at |QI| = 2, k = 2 and 5"


def test_equal_losses_are_no_order() -> None:
    texts = verdict("KACA > EBKC > GAA-CP in loss", lambda c: 1.0, time_as_in_the_paper)
    assert texts == DOES_NOT_HOLD


def test_quadratic_time_does_not_double() -> None:
    def time(cell: Mapping[str, Any]) -> float:
        return time_as_in_the_paper(cell) * cell["rows"] / N

    assert verdict("about doubles", loss_as_in_the_paper, time) == DOES_NOT_HOLD


def shaky(formula: Formula, method: str, by: float) -> Formula:
    """Let a method's number be larger with one seed, and smaller with the other."""

    def of(cell: Mapping[str, Any]) -> float:
        shift = (by if cell["seed"] == 1 else -by) if cell["method"] == method else 0
        return formula(cell) * (1 + shift)

    return of


def test_an_order_within_noise_is_called_that() -> None:
    """EBKC loses 1.2 times what GAA-CP loses, give or take a half."""
    loss = shaky(loss_as_in_the_paper, "ebkc", 0.5)
    texts = verdict("KACA > EBKC > GAA-CP in loss", loss, time_as_in_the_paper)
    assert texts == WITHIN_NOISE
    once = GaaCpExperiment(repetitions=1)
    results = made_up(loss_as_in_the_paper, time_as_in_the_paper, once)
    (order,) = [c for c in once.claims() if "EBKC > GAA-CP in loss" in c.words]
    assert order.judge(results).verdict == WITHIN_NOISE


def test_noise_that_both_sides_share_does_no_harm() -> None:
    """Seeds that are hard for all methods tell them apart as well as others."""

    def loss(cell: Mapping[str, Any]) -> float:
        return loss_as_in_the_paper(cell) + 1e6 * cell["seed"]

    assert verdict("KACA > EBKC > GAA-CP in loss", loss, time_as_in_the_paper) == HOLDS


def test_one_method_that_fails_fails_a_claim_about_all() -> None:
    def time(cell: Mapping[str, Any]) -> float:
        return 1.0 if cell["method"] == "kaca" else time_as_in_the_paper(cell)

    texts = verdict("grows markedly", loss_as_in_the_paper, time)
    assert texts == "does not hold: KACA step by step, KACA markedly"


def test_claims_about_absent_methods_are_not_measured() -> None:
    alone = GaaCpExperiment(repetitions=2, methods=("gaa-cp",))
    results = made_up(loss_as_in_the_paper, time_as_in_the_paper, alone)
    found = {c.words: c.judge(results).verdict for c in alone.claims()}
    unknown = [words for words, verdict in found.items() if verdict == NOT_MEASURED]
    assert len(unknown) == 4
    assert all("KACA" in words or "EBKC" in words for words in unknown)


def test_losses_of_zero_are_no_trouble() -> None:
    assert set(sentences(made_up(lambda c: 0.0, time_as_in_the_paper)).values()) > {DOES_NOT_HOLD}
