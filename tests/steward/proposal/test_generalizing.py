import polars as pl
import pytest

from shoal.steward.proposal import profile, propose
from shoal.steward.proposal.generalizing import ColumnProposal, generalize
from shoal.steward.proposal.orders import KnownOrder, known_order
from shoal.table.hierarchies import Dates, Flat, Prefixes
from shoal.table.schema import Kind, Role
from shoal.table.written_dates import WrittenDates


def way(name: str, values: list[str]) -> ColumnProposal:
    return generalize(profile(pl.DataFrame({name: values}))[0])


def test_words_without_a_meaning_are_not_joined() -> None:
    towns = way("town", [f"town {chr(97 + i % 20)}" for i in range(200)])
    assert towns.hierarchy == Flat()
    assert towns.draft
    few = way("colour", ["red", "green", "blue"] * 30)
    assert few.hierarchy == Flat()
    assert not few.draft


def test_codes_and_numbers_have_a_meaning() -> None:
    assert way("plz", [f"0{1000 + i % 40}" for i in range(200)]).hierarchy == Prefixes()
    assert way("ward", [f"A{100 + i % 40}" for i in range(200)]).hierarchy == Prefixes()
    numbers = way("points", [str(i % 40) for i in range(200)])
    assert (numbers.kind, numbers.hierarchy) == (Kind.NUMERIC, None)
    assert not numbers.draft


@pytest.mark.parametrize(
    "order",
    [
        ["S", "M", "L", "XL"],
        ["small", "medium", "large"],
        ["nie", "selten", "manchmal", "oft", "immer"],
        ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"],
        ["1st-4th", "9th", "HS-grad", "Some-college", "Bachelors", "Doctorate"],
        ["小学", "初中", "高中", "本科"],
    ],
)
def test_known_orders(order: list[str]) -> None:
    assert known_order(sorted(order)) == tuple(order)
    made = way("x", order * 40)
    assert made.hierarchy == KnownOrder()
    assert not made.draft
    tree = KnownOrder().build(pl.Series(order))
    assert list(tree.leaves) == order
    assert f"{order[0]}..{order[1]}" in tree.labels


def test_unknown_orders() -> None:
    assert known_order(["small", "large"]) is None
    assert known_order(["small", "medium", "blue"]) is None
    assert way("x", ["low", "high", "odd"] * 40).hierarchy == Flat()


def test_what_cannot_be_joined_is_a_draft() -> None:
    """Values that are named like groups get a hierarchy without any."""
    zips = ["1011*", "10115", "10117", "10***"]
    made = propose(pl.DataFrame({"zip": zips * 50, "age": [20 + i % 40 for i in range(200)]}))
    assert made.builders["zip"] == Flat()
    assert made.drafts == ["zip"]


DAYS = [f"{1 + i % 28:02}.{1 + i % 12:02}.{1990 + i % 20}" for i in range(200)]


def test_dates_become_ranges() -> None:
    made = way("visit", DAYS)
    assert (made.kind, made.hierarchy, made.date_format) == (Kind.DATE, None, "%d.%m.%Y")
    iso = [f"{day[6:]}-{day[3:5]}-{day[:2]}" for day in DAYS]
    assert way("visit", iso) == ColumnProposal(
        "visit",
        Role.QUASI,
        f"{len(set(iso))} different dates. An attacker may know it, so it becomes a range of "
        "dates.",
        Kind.DATE,
    )
    # Months and times of day are no days, and climb the calendar.
    assert way("visit", [day[:7] for day in iso]).hierarchy == Dates()
    assert way("visit", [f"{day} 10:00" for day in iso]).hierarchy == WrittenDates("%Y-%m-%d")
    text = propose(pl.DataFrame({"dob": DAYS, "sex": ["f", "m"] * 100})).to_toml()
    part = text[text.index("[columns.dob]") : text.index("[columns.sex]")]
    assert 'kind = "date"\nformat = "%d.%m.%Y"\n' in part
    assert "hierarchy" not in part
    assert '# age_at = "YYYY-MM-DD"' in part
