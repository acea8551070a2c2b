"""2,000 random plans over random tables: a verified release or a proper refusal, nothing else."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import polars as pl
import pytest

import shoal
from fuzz.judge import count_again, judge_refusal
from fuzz.trial import Case, draw, try_plan
from shoal.errors import InputError
from shoal.methods import METHODS
from shoal.models import MODELS
from shoal.publications import FORMS

CHUNKS, SIZE = 40, 50


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_verified_release_or_a_refusal(chunk: int, tmp_path: Path) -> None:
    seeds = range(chunk * SIZE, (chunk + 1) * SIZE)
    made = [try_plan(seed, tmp_path / str(seed)) for seed in seeds]
    # Counted here, so that the plans cannot come to be refused all together.
    released = [each for each in made if each.released]
    assert len(released) >= SIZE / 5
    assert any(each.written for each in released)


def released(folder: Path, wanted: str, *, by: str) -> bool:
    """Look for a plan that names something and ends in a release, as one in three does."""
    tries = 0
    for seed in count():
        place = folder / str(seed)
        case: Case = draw(seed, place)
        if wanted in (case.method if by == "method" else case.models):
            tries += 1
            found = try_plan(seed, place)
            if found is not None and found.released:
                return True
            if tries == 25:
                return False
    return False


@pytest.mark.parametrize("name", METHODS)
def test_every_method_publishes(name: str, tmp_path: Path) -> None:
    assert released(tmp_path, name, by="method")


@pytest.mark.parametrize("name", MODELS)
def test_every_requirement_is_published(name: str, tmp_path: Path) -> None:
    assert released(tmp_path, name, by="model")


def test_a_third_is_released_in_every_form(tmp_path: Path) -> None:
    made = [
        try_plan(seed, tmp_path / str(seed)) for seed in range(CHUNKS * SIZE, CHUNKS * SIZE + 150)
    ]
    forms = [each.form for each in made if each.released]
    assert len(forms) >= len(made) / 3
    assert set(forms) == set(FORMS)


def test_a_seed_is_enough(tmp_path: Path) -> None:
    one, other = draw(7, tmp_path / "a"), draw(7, tmp_path / "b")
    assert str(one) == str(other)
    assert one.table.frame.equals(other.table.frame)


AGES = pl.DataFrame({"age": ["1", "1", "2"], "ill": ["a", "b", "a"]})
ROLES = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})


@pytest.mark.parametrize(
    ("require", "people", "found"),
    [
        (shoal.KAnonymity(2), None, "a class holds 1, not 2"),
        (shoal.KAnonymity(2), [1, 1, 2], "a class holds 1, not 2"),
        (shoal.AlphaK(0.5, 1), None, "a value has the share 1, not 0.5"),
        (shoal.LDiversity(2), None, "a class holds 1 values, not 2"),
    ],
)
def test_the_count_of_its_own_refuses(
    require: shoal.models.Requirement, people: list[int] | None, found: str
) -> None:
    assert count_again(AGES, ROLES, [require], None, people, AGES) == found
    assert count_again(AGES.head(2), ROLES, [shoal.KAnonymity(2)], None, None, AGES.head(2)) == ""


@pytest.mark.parametrize("error", [InputError("Wrong."), InputError("Holds PERSON-1.", "Mend it.")])
def test_a_poor_refusal_is_a_fault(error: InputError) -> None:
    with pytest.raises(AssertionError):
        judge_refusal(error)
