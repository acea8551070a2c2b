"""What a release lost stands beside what any table loses, and neither is said to be better."""

from __future__ import annotations

import json

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from hypothesis import assume, example, given, settings

import shoal
from shoal.errors import ParameterError, PlanError, ShoalError
from shoal.improve.loss_bound import Bounding, LossBound
from tests.examples import examples
from tests.tables import tables

SCHEMA = {"age": "quasi", "sex": "quasi", "job": "sensitive"}


def people(n: int = 60, seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 80, n),
            "sex": rng.choice(["f", "m"], n),
            "job": rng.choice(["clerk", "cook", "nurse"], n),
        }
    )


@given(st.floats(0, 1), st.floats(0, 1))
@example(0.0, 1.1125369292536007e-308)  # the least numbers of all
@example(5e-324, 5e-324)
@example(0.9999999999999999, 1.0)  # a little below a number of two digits
@example(0.29, 0.29)  # 0.29 * 100 is less than 29
def test_two_digits_never_promise_more(one, other) -> None:
    least, lost = sorted([one, other])
    shown_lost, shown_least = LossBound("iloss", 5, lost=lost, least=least).rounded()
    assert shown_least <= least
    assert shown_least <= shown_lost
    assert shown_lost == pytest.approx(lost, rel=0.05)
    assert shown_least >= min(0.9 * least, shown_lost) * (1 - 1e-9)
    for shown in (shown_lost, shown_least):
        assert float(f"{shown:.1e}") == shown


@pytest.mark.parametrize(
    ("lost", "least", "said"),
    [
        (0.0204, 0.0176, ("2.0 %", " than 1.7 %")),
        (0.5, 0.0999, ("50 %", " than 9.9 %")),
        (0.001, 0.00091, ("0.10 %", " than 0.091 %")),
        (1.0, 1.0, ("100 %", "")),
        (0.0, 0.0, ("0 %", "")),
    ],
)
def test_the_sentence(lost, least, said) -> None:
    words = str(LossBound("iloss", 5, lost=lost, least=least))
    assert words == (
        f"lost {said[0]} by iloss; no 5-anonymous table of this kind loses less{said[1]}"
    )


@given(tables(), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_no_release_loses_less_than_its_bound(drawn, data) -> None:
    table, k, _ = drawn
    method = data.draw(st.sampled_from(["auto", "gaa-cp", "mondrian", "kaca", "full-domain"]))
    measure = data.draw(st.sampled_from(["iloss", "iloss_rate", "loss"]))
    try:
        release = shoal.anonymize(
            table.frame,
            table.schema,
            require=k,
            method=method,
            bounds=data.draw(st.sampled_from(["rounded", "observed"])),
            missing=data.draw(st.sampled_from(["keep", "drop", "suppress-column"])),
            bound={"looks": data.draw(st.sampled_from([1, 2_000_000])), "measure": measure},
            suppression_limit=1.0,
            seed=1,
        )
    except ShoalError:
        assume(False)
    bound = release.bound
    assert bound is not None
    assert bound.measure == measure
    assert bound.k == k
    assert bound.least <= bound.lost * (1 + 1e-9)
    assert bound.partly or not release.n_suppressed
    if not bound.partly and release.measures[measure]:
        # Both speak of the same measure: what the release says of itself.
        again = shoal.measures.lower_bound(
            table, table.schema, k, measure=measure, seconds=None, looks=1
        )
        assert bound.lost * again.most == pytest.approx(release.measures[measure])


def test_where_a_row_is_suppressed_it_speaks_of_what_was_grouped() -> None:
    frame = pl.DataFrame(
        {
            "age": [3, *[None] * 17],
            "day": [*[None] * 13, 0, 0, 0, 1, 4],
            "sex": ["f", *[None] * 17],
        }
    )
    release = shoal.anonymize(
        frame, quasi=["age", "day", "sex"], k=2, method="full-domain", missing="keep",
        bound={"looks": 1, "measure": "iloss"}, suppression_limit=1.0, seed=1,
    )  # fmt: skip
    assert release.n_suppressed == 1
    assert str(release.bound).endswith("(of the rows and columns that were grouped)")


def test_looks_give_the_same_number_each_time() -> None:
    found = {
        shoal.measures.lower_bound(people(200), SCHEMA, 5, seconds=None, looks=300_000).value
        for _ in range(3)
    }
    assert len(found) == 1


def test_more_looks_bound_more() -> None:
    values = [
        shoal.measures.lower_bound(people(400), SCHEMA, 5, seconds=None, looks=looks).value
        for looks in (10_000, 100_000, 5_000_000)
    ]
    assert values[0] < values[1] < values[2]


def test_it_is_told_in_all_places(tmp_path) -> None:
    release = shoal.anonymize(people(), SCHEMA, require=5, bound={"looks": 10**6}, seed=1)
    release.write(tmp_path / "out")
    sentence = str(release.bound)
    facts = json.loads((tmp_path / "out" / "release.json").read_text())
    kept = json.loads((tmp_path / "out.private" / "manifest.json").read_text())
    assert facts["lower_bound"]["says"] == kept["lower_bound"]["says"] == sentence
    assert sentence in (tmp_path / "out" / "report.html").read_text()
    assert kept["lower_bound"]["least"] == release.bound.least
    assert (facts["lower_bound"]["lost"], facts["lower_bound"]["least"]) == release.bound.rounded()


def test_while_a_count_is_hidden_it_is_not_public() -> None:
    frame = people(200).with_columns(
        age=pl.when(pl.int_range(pl.len()) < 2).then(None).otherwise(pl.col("age"))
    )
    release = shoal.anonymize(
        frame, SCHEMA, require=5, missing="drop", bound={"looks": 10**6}, seed=1
    )
    assert release.n_dropped == 2
    assert release.bound is not None
    assert release.facts()["lower_bound"] is None


def test_a_part_is_said_to_be_one() -> None:
    frame = people(200).with_columns(
        age=pl.when(pl.int_range(pl.len()) < 20).then(None).otherwise(pl.col("age"))
    )
    release = shoal.anonymize(
        frame, SCHEMA, require=5, missing="drop", bound={"looks": 10**6}, seed=1
    )
    assert str(release.bound).endswith("(of the rows and columns that were grouped)")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "one of looks, times and seconds"),
        ({"seconds": 1, "looks": 1}, "one of looks, times and seconds"),
        ({"seconds": 0}, "seconds must be a number above 0"),
        ({"looks": 0}, "looks must be a whole number of 1 or more"),
        ({"looks": 1, "measure": "discernibility"}, "measure must be one of"),
        ({"look": 1}, "no option 'look'"),
        (3, "must set how long"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message) -> None:
    with pytest.raises(ParameterError, match=message):
        shoal.anonymize(people(), SCHEMA, require=5, bound=options)
    if isinstance(options, dict):
        plan = {
            "columns": {"age": {"role": "quasi"}},
            "require": [{"model": "k-anonymity", "k": 2}],
        }
        with pytest.raises(PlanError, match=message):
            shoal.Plan.from_dict({**plan, "bound": options})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"publication": "two-table"}, "published unchanged and lose nothing"),
        ({"publication": "microaggregated"}, "centres of their groups"),
        (
            {"publication": shoal.publications.Generalized(categories="sets")},
            "a set of values may lose less",
        ),
    ],
)
def test_where_nothing_is_bounded_a_bound_is_refused(options, message) -> None:
    with pytest.raises(ParameterError, match=message):
        shoal.anonymize(people(), SCHEMA, require=5, bound={"looks": 9}, method="gaa-cp", **options)
    assert shoal.anonymize(people(), SCHEMA, require=5, seed=1, **options).bound is None


def test_a_plan_keeps_it() -> None:
    release = shoal.anonymize(people(), SCHEMA, require=5, bound=Bounding(looks=10**6), seed=1)
    again = shoal.Plan.from_dict(release.plan.model_dump(mode="json"))
    assert again.bounding() == Bounding(looks=10**6)
