import random

import polars as pl
import pytest

from shoal.steward.proposal import propose
from shoal.steward.proposal.offers import Offer

RNG = random.Random(7)


def offers(frame: pl.DataFrame, **options: object) -> dict[str, Offer]:
    made = propose(frame, **options)  # type: ignore[arg-type]
    text = made.to_toml()
    assert made.plan  # commented lines do no harm
    for offer in made.offers:
        assert f"\n# {offer.line}\n" in text
    return {f"{offer.column}.{offer.key}": offer for offer in made.offers}


def ages(*more: int) -> pl.DataFrame:
    return pl.DataFrame({"age": [*(20 + i % 40 for i in range(200)), *more]})


def test_no_end_is_offered_where_many_people_lie() -> None:
    assert not offers(ages())
    assert not offers(ages(*[99] * 5), k=5)


@pytest.mark.parametrize("k", [3, 5, 8])
def test_at_least_k_people_reach_the_bound(k: int) -> None:
    frame = ages(88, 95, 2, 3)
    found = offers(frame, k=k)
    assert set(found) == {"age.top", "age.bottom"}
    top, bottom = (int(found[f"age.{key}"].line.split(" = ")[1]) for key in ("top", "bottom"))
    assert (frame["age"] >= top).sum() >= k
    assert (frame["age"] <= bottom).sum() >= k
    assert top % 5 == bottom % 5 == 0
    assert "Only 2 people lie far out" in found["age.top"].reason
    assert f"{(frame['age'] >= top).sum()} people then share" in found["age.top"].reason


def test_people_are_counted_and_not_rows() -> None:
    """One man with many rows at the end is one man."""
    rows = [(i, 20 + i % 40) for i in range(100) for _ in range(2)] + [(999, 95)] * 20
    frame = pl.DataFrame(rows, schema=["person_id", "age"], orient="row")
    found = offers(frame, k=5)
    assert "Only 1 person lies far out" in found["age.top"].reason


def test_bounds_are_round_decimals_too() -> None:
    values = [round(1.5 + i % 40 / 100, 2) for i in range(200)] + [2.31]
    assert offers(pl.DataFrame({"size": values}), k=5)["size.top"].line == "top = 1.85"


def test_amounts_are_rounded_where_they_are_nearly_unique() -> None:
    wages = [round(RNG.lognormvariate(8, 0.5), 2) for _ in range(400)]
    frame = pl.DataFrame({"age": [20 + i % 40 for i in range(400)], "wage": wages})
    step = float(offers(frame, k=5)["wage.round_to"].line.split(" = ")[1])
    rounded = {round(wage / step) for wage in wages}
    assert len(rounded) <= 400 / 5
    assert (
        len({round(2 * wage / step) for wage in wages}) > 400 / 10
    )  # not much coarser than needed
    few = frame.with_columns(wage=(pl.col("wage") / 1000).round() * 1000)
    assert "wage.round_to" not in offers(few)


@pytest.mark.parametrize(
    ("name", "years", "offered"),
    [
        ("dob", (1940, 2010), True),
        ("birth date", (1940, 2010), True),
        ("Geburtsdatum", (1940, 2010), True),
        ("出生日期", (1940, 2010), True),
        ("admitted", (1940, 2010), False),
        ("birth date", (1700, 2010), False),
        ("birth date", (1870, 2010), False),
    ],
)
@pytest.mark.parametrize("typed", [False, True])
def test_an_age_for_a_birth_date(
    name: str, years: tuple[int, int], offered: bool, typed: bool
) -> None:
    span = years[1] - years[0] + 1
    days = [f"{years[0] + i % span}-0{1 + i % 9}-1{i % 10}" for i in range(300)]
    values = pl.Series(name, days)
    values = values.str.to_date() if typed else values
    found = offers(pl.DataFrame([values, pl.Series("sex", ["f", "m"] * 150)]))
    assert (f"{name}.age_at" in found) is offered
