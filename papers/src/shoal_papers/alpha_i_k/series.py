"""What is measured: the methods of the paper, other readings of them, and ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from shoal.methods import Method
from shoal.models import AlphaK, LeveledAlphaK, Requirement
from shoal.publications import TwoTable
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import Recoded, generalize
from shoal.table import Table
from shoal_papers.alpha_i_k.data import in_decades
from shoal_papers.trial import Series

__all__ = [
    "EVEN",
    "EXACT",
    "LEVELS",
    "LEVEL_ALPHAS",
    "OTHER",
    "PAPER",
    "QUASI_ONLY",
    "READ_SO",
    "SERIES",
    "FormSeries",
]

LEVEL_ALPHAS = (0.2, 0.3, 0.35, 0.4, 0.5)
"""The αᵢ of table 10, level 1 first."""


@dataclass(frozen=True)
class FormSeries(Series):
    """A method, what it must hold, and how its groups are published.

    Parameters
    ----------
    leveled
        Whether it holds the αᵢ of table 10, and not one α.
    scope
        Whether α, or αᵢ, bounds the share of each value, or that of each level.
    exact_ages
        Whether Age goes down to single years, and not to table 9's decades, where it is
        generalized.
    """

    form: Literal["generalized", "two-table"]
    leveled: bool = False
    scope: Literal["value", "level"] = "value"
    exact_ages: bool = False

    def require(self, table: Table, k: int, alpha: float) -> Requirement:
        """Say what groups must hold."""
        if not self.leveled and self.scope == "value":
            return AlphaK(alpha, k)
        alphas = LEVEL_ALPHAS if self.leveled else [alpha] * len(LEVEL_ALPHAS)
        return LeveledAlphaK(None, alphas, k, scope=self.scope).bind(table.schema)

    @property
    def by_decades(self) -> bool:
        """Whether ages go down a tree, and that is the one of table 9."""
        return self.method == "top-down" and not self.exact_ages

    def publish(self, table: Table, grouping: Grouping, method: Method) -> Recoded:
        """Make the published tables of the groups."""
        if self.form == "two-table":
            return TwoTable().make(table, grouping, np.arange(grouping.n_groups) + 1).recoded
        if self.exact_ages:
            return generalize(table, grouping, bounds="observed", numbers=method.numbers)
        return in_decades(table, generalize(table, grouping, bounds="observed"))


Form: TypeAlias = Literal["generalized", "two-table"]


def _top(shown: str = "", form: Form = "generalized", **facts: Any) -> FormSeries:
    return FormSeries(f"Top-Down{shown}", "top-down", form, **facts)


def _gca(shown: str = "", form: Form = "two-table", **facts: Any) -> FormSeries:
    return FormSeries(f"(α,k)-GCA{shown}", "gca", form, **facts)


def _leveled(shown: str = "", form: Form = "two-table", **facts: Any) -> FormSeries:
    return FormSeries(f"(αᵢ,k)-GCA{shown}", "leveled-gca", form, leveled=True, **facts)


NEAR = {"within": "nearest"}

PAPER = {"top-down": _top(), "gca": _gca(), "leveled-gca": _leveled()}
"""The paper's three methods, in the order of its legend, publishing as it says."""

OTHER = {
    "top-down-two": _top(", two tables", "two-table"),
    "gca-one": _gca(", generalized", "generalized", options=NEAR),
    "leveled-gca-one": _leveled(", generalized", "generalized", options=NEAR),
}
"""The same three in the other form of publication: our question."""

EXACT = {"top-down-exact": _top(", exact ages", exact_ages=True)}

LEVELS = {
    "top-down-levels": _top(", α of levels", scope="level"),
    "gca-levels": _gca(", α of levels", scope="level"),
    "leveled-gca-levels": _leveled(", αᵢ of levels", scope="level"),
}
"""All three where α, or αᵢ, bounds the share of a whole level."""

READ_SO = {
    "gca-stop": _gca(", stop as printed", options={"stop": "paper"}),
    "leveled-gca-stop": _leveled(", stop as printed", options={"stop": "paper"}),
    "leveled-gca-largest": _leveled(", largest group again", options={"passes": "largest"}),
    "leveled-gca-record": _leveled(", far from the record", options={"farthest_from": "record"}),
}
"""Both GCA where a line of the algorithm is read in another way."""

EVEN = {"leveled-gca-even": _leveled(", even (ours)", options={"spend": "even"})}


def _by_quasi(shown: str, method: str) -> FormSeries:
    return FormSeries(f"{shown}, (α,k)", method, "generalized", exact_ages=True)


QUASI_ONLY = {
    "kaca": _by_quasi("KACA", "kaca"),
    "mondrian": _by_quasi("Mondrian", "mondrian"),
    "k-member": _by_quasi("k-member", "k-member"),
}
"""Methods that hold (α, k) and look at the quasi-identifiers alone, as Top-Down does; figure 5."""

SERIES = PAPER | OTHER | EXACT | LEVELS | READ_SO | EVEN | QUASI_ONLY
