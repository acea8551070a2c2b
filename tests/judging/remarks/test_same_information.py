import numpy as np
import polars as pl
import pytest

from shoal.io.frames import Coded
from shoal.judging.remarks.same_information import find_same_information
from shoal.judging.remarks.twins import find_rising, rise_together
from shoal.judging.remarks.words import Name
from shoal.table.schema import Role

WAGE = pl.Series("wage", np.random.default_rng(1).lognormal(8, 0.6, 3_000))


def rising(**columns: pl.Series) -> dict[str, tuple[str, ...]]:
    frame = pl.DataFrame(columns)
    distinct = {name: frame[name].n_unique() for name in frame.columns}
    return find_rising(Coded(frame), distinct, dict.fromkeys(frame.columns, ("", "NA")))


def test_a_few_wrong_cells_do_not_hide_a_twin() -> None:
    wrong = WAGE.log().to_numpy().copy()
    wrong[[3, 700]] = wrong[[700, 3]]
    assert rise_together(WAGE, pl.Series(wrong))
    wrong[::40] = wrong[::-40]
    assert not rise_together(WAGE, pl.Series(wrong))


def test_a_coarser_column_is_a_twin() -> None:
    coarse = (WAGE.log() * 7).round()
    assert coarse.n_unique() < 40
    assert rise_together(WAGE, coarse)


def test_twins_are_found_in_texts_with_missing_cells() -> None:
    texts = WAGE.log().cast(pl.String)
    texts[5] = "NA"
    other = WAGE.shuffle(seed=2)
    assert rising(wage=WAGE, log=texts, other=other) == {"wage": ("log",), "log": ("wage",)}


def test_what_rises_only_at_first_is_no_twin() -> None:
    """The samples at the head of the table do not decide alone."""
    rows = pl.Series(range(3_000)).cast(pl.Float64)
    later = rows.to_numpy().copy()
    later[2_500:] = later[2_500:][::-1] - 2_400
    assert rising(a=rows, b=pl.Series(later)) == {}


@pytest.mark.parametrize(
    ("a", "b", "kin"),
    [
        ("wage", "lwage", True),
        ("log_wage", "wage", True),
        ("exper", "expersq", True),
        ("Diagnose", "Diagnose-Code", True),
        ("age", "AgeGroup", True),
        ("land", "and", True),
        ("wage", "wage", False),
        ("age", "wage", False),
        ("ab", "lab", False),
        ("age", "sewage", False),
    ],
)
def test_names(a: str, b: str, kin: bool) -> None:
    assert Name(a).is_kin_of(Name(b)) is kin
    assert Name(b).is_kin_of(Name(a)) is kin


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        (Role.SENSITIVE, Role.QUASI, "'age' is published unchanged"),
        (Role.OTHER, Role.QUASI, "'age' is published unchanged"),
        (Role.IDENTIFIER, Role.OTHER, "'age_group' is published unchanged"),
        (Role.SENSITIVE, Role.OTHER, "both are published"),
        (Role.QUASI, Role.IDENTIFIER, None),
        (Role.SENSITIVE, Role.SENSITIVE, None),
    ],
)
def test_only_roles_at_odds_matter(one: Role, other: Role, sentence: str | None) -> None:
    roles = {"age": one, "age_group": other}
    by_values = find_same_information(roles, {"age_group": ("age",)})
    by_names = find_same_information(roles, {}, names=True)
    assert not find_same_information(roles, {})
    if sentence is None:
        assert by_values == by_names == []
        return
    assert sentence in by_values[0].sentence
    assert "hold the same information" in by_values[0].sentence
    assert "by their names" in by_names[0].sentence


def test_the_way_out_is_one() -> None:
    """Whoever does what is said is not told again."""
    same = {"wage": ("pay",)}

    def sentence(wage: Role, pay: Role) -> list[str]:
        return [found.sentence for found in find_same_information({"wage": wage, "pay": pay}, same)]

    assert "or make one an identifier" in sentence(Role.SENSITIVE, Role.QUASI)[0]
    assert not sentence(Role.IDENTIFIER, Role.QUASI)
    assert not sentence(Role.SENSITIVE, Role.IDENTIFIER)
    assert "or make 'pay' an identifier" in sentence(Role.QUASI, Role.OTHER)[0]
    assert not sentence(Role.QUASI, Role.IDENTIFIER)
    assert "or make 'pay' an identifier" in sentence(Role.SENSITIVE, Role.OTHER)[0]
    assert "Make 'pay' an identifier as well" in sentence(Role.IDENTIFIER, Role.OTHER)[0]


def test_a_number_of_people_beside_a_sensitive_column() -> None:
    roles = {"patient id": Role.IDENTIFIER, "case": Role.SENSITIVE}
    found = find_same_information(roles, {"case": ("patient id",)})
    assert "Make 'case' an identifier as well." in found[0].sentence
