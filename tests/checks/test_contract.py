"""Everything that Shoal ships keeps the contract; what breaks it is noticed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from shoal import GAACP, Grouping, checks
from shoal.checks import Case, ContractError, cases
from shoal.measures import Pair
from shoal.measures.base import measure
from shoal.publications import Generalized, Made, SensitiveGroups, TwoTable


@pytest.mark.parametrize("case", [*cases()], ids=lambda case: case.name)
def test_contract(case: Case) -> None:
    case.run()


def failing(things: tuple[Any, ...], thing: Any) -> set[str]:
    broken = set()
    for check in things:
        try:
            check(thing)
        except ContractError:
            broken.add(check.__name__)
    return broken


@dataclass(frozen=True)
class Careless(GAACP):
    """Puts the last row on its own, and draws from the global generator."""

    name: ClassVar[str] = "careless"

    def group(self, table: Any, require: Any, **rest: Any) -> Grouping:
        np.random.rand()  # noqa: NPY002
        labels = super().group(table, require, **rest).labels.copy()
        labels[-1] = labels.max() + 1
        return Grouping(labels)


def test_a_method_that_breaks_the_contract_is_noticed() -> None:
    broken = failing(checks.METHOD_CHECKS, Careless())
    assert {"global_random_untouched", "output_verifies"} <= broken
    with pytest.raises(ContractError, match="global_random_untouched"):
        checks.check_method(Careless())


def test_a_measure_that_breaks_the_contract_is_noticed() -> None:
    @measure(better="lower")
    def upside_down(pair: Pair) -> float:
        """Gets better the coarser the table is."""
        return -float(pair.class_sizes.max())

    assert {"finite", "coarser_is_not_better"} <= failing(checks.MEASURE_CHECKS, upside_down)


def test_a_measure_that_says_anyone_can_recompute_it_is_held_to_that() -> None:
    @measure(better="lower", public="recomputable")
    def removed(pair: Pair) -> float:
        """Tells of rows that nobody sees."""
        return float(pair.n_removed)

    @measure(better="lower", of_published=True)
    def holes(pair: Pair) -> float:
        """Tells missing cells from hidden ones."""
        return float(pair.table.missing.sum())

    assert "public_means_it" in failing(checks.MEASURE_CHECKS, removed)
    assert "published_rows_are_enough" in failing(checks.MEASURE_CHECKS, holes)


@dataclass(frozen=True)
class Telling(TwoTable):
    """Numbers classes in the order of the input, and keeps a file to itself."""

    name: ClassVar[str] = "telling"

    def make(self, table: Any, grouping: Grouping, ids: Any, **rest: Any) -> Made:
        return super().make(table, grouping, np.arange(len(ids)) + 1, **rest)

    def file_names(self, sensitive: Any) -> dict[str | None, str]:
        return {None: "quasi", sensitive[0]: "quasi"}


def test_a_form_that_breaks_the_contract_is_noticed() -> None:
    broken = failing(checks.PUBLICATION_CHECKS, Telling())
    assert broken == {"labels_stay_hidden", "names_its_files", "tells_readers"}


@pytest.mark.parametrize("quasi", ["exact", "generalized"])
@pytest.mark.parametrize("values", ["values", "rows", "counts"])
def test_every_option_of_a_form_keeps_the_contract(quasi: Any, values: Any) -> None:
    checks.check_publication(SensitiveGroups(quasi, values))
    if values != "values":
        checks.check_publication(TwoTable(quasi, values))


def test_observed_ends_keep_the_contract() -> None:
    checks.check_publication(Generalized("observed"))
