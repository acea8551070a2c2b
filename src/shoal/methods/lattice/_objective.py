"""What a search of levels aims at: an objective, and how much each column counts in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from shoal.base.arguments import one_of
from shoal.errors import ParameterError
from shoal.measures._weighing import INFORMED, KINDS, weighed
from shoal.methods.base import OwnMethod
from shoal.methods.lattice._losses import OBJECTIVES
from shoal.methods.lattice._method import LatticeMethod, lattice_of
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table

Weights: TypeAlias = (
    Literal["equal", "entropy", "mutual-information", "gain-ratio"] | Mapping[str, float] | None
)
"""A kind of `shoal.measures.weights`, a weight per column, or ``None``: the schema's."""

OWN_WEIGHTS = {
    "entropy-loss": "entropy",
    "mutual-information-loss": "mutual-information",
    "gain-ratio-loss": "gain-ratio",
}
"""The losses of Gu and Dong (2022) as objectives: ``loss``, with weights of this kind."""

AMBIGUOUS = "mi-loss"
"""The name of Gu and Dong (2022) for two losses, of equation 4 and of table 2: neither is meant."""

Objectives: TypeAlias = Literal[
    "loss",
    "loss-geometric",
    "precision",
    "non-uniform-entropy",
    "height",
    "discernibility",
    "average-class-size",
    "entropy-loss",
    "mutual-information-loss",
    "gain-ratio-loss",
]
"""Every name of an objective; the same with underscores, as measures are called, will do."""

AIMS = (*OBJECTIVES, *OWN_WEIGHTS)
"""Every objective that can be named."""


@dataclass(frozen=True)
class AimingMethod(OwnMethod):
    """What methods share that compare nodes by an objective."""

    objective: Objectives = "loss"
    weights: Weights = None
    label: str | None = None

    def validate(self) -> None:
        """Refuse objectives and weights that make no sense."""
        super().validate()
        self._require_aim()

    @property
    def aim(self) -> str:
        """The objective as it is spelt here; measures have underscores in their names."""
        return str(self.objective).replace("_", "-")

    @property
    def scored(self) -> str:
        """Which of `OBJECTIVES` scores the nodes."""
        return "loss" if self.aim in OWN_WEIGHTS else self.aim

    @property
    def weighing(self) -> str | Mapping[str, float] | None:
        """Where the weights come from; ``None``: from the schema."""
        return OWN_WEIGHTS.get(self.aim, self.weights)

    def _require_aim(self) -> None:
        """Refuse an objective, weights and a label that do not fit together."""
        if self.aim == AMBIGUOUS:
            raise ParameterError(
                f"The objective '{AMBIGUOUS}' may mean two losses of Gu and Dong (2022).",
                "Write 'mutual-information-loss' (their equation 4; what "
                f"'{AMBIGUOUS}' was before) or 'gain-ratio-loss' (their table 2, for which their "
                "claims hold).",
            )
        one_of("objective", self.aim, AIMS)
        if self.weights is not None:
            self._require_weights()
        needs = isinstance(self.weighing, str) and self.weighing in INFORMED
        if needs and self.label is None:
            what = (
                f"The objective '{self.aim}' needs"
                if self.aim in OWN_WEIGHTS
                else f"The weights '{self.weighing}' need"
            )
            raise ParameterError(f"{what} a label.", "Name the column to predict as label.")
        if self.label is not None and not needs:
            raise ParameterError(
                "A label is only used by the weights 'mutual-information' and 'gain-ratio', and by "
                "the objectives 'mutual-information-loss' and 'gain-ratio-loss'.",
                "Leave label out, or choose one of these.",
            )

    def _require_weights(self) -> None:
        if self.aim in OWN_WEIGHTS:
            raise ParameterError(
                f"The objective '{self.aim}' has its own weights.",
                "Leave weights out, or use the objective 'loss' with them.",
            )
        if OBJECTIVES[self.scored].kind != "cells":
            weighing = [name for name, each in OBJECTIVES.items() if each.kind == "cells"]
            raise ParameterError(
                f"The objective '{self.aim}' uses no weights.",
                f"Leave weights out, or choose one of: {', '.join(weighing)}.",
            )
        if not isinstance(self.weights, Mapping):
            one_of("weights", str(self.weights), KINDS)

    def weigh(self, table: Table) -> Table:
        """Give the columns of a table the weights that the search goes by."""
        kind = self.weighing
        if kind is None:
            return table
        if self.label in table.set_aside:
            raise ParameterError(
                f"The label '{self.label}' is a quasi-identifier.", "Choose another column."
            )
        if isinstance(kind, Mapping):
            kind = {name: each for name, each in kind.items() if name not in table.set_aside}
        return table.with_weights(weighed(table.coded, table.schema, kind, self.label))

    def search_facts(self, table: Table) -> dict[str, Any]:
        """Say what was aimed at, and which weights a weighed table has; they sum to 1."""
        if OBJECTIVES[self.scored].kind != "cells":
            return {"objective": self.aim, "weights": None}
        kind = self.weighing
        total = sum(column.weight for column in table.quasi)
        weights = {
            "kind": "schema" if kind is None else kind if isinstance(kind, str) else "given",
            "label": self.label,
            "columns": {column.name: column.weight / total for column in table.quasi},
        }
        return {"objective": self.aim, "weights": weights}


@dataclass(frozen=True)
class ObjectiveMethod(AimingMethod, LatticeMethod):
    """What methods share that choose one node by an objective."""

    suppression_limit: float | None = None

    def one_group(self, table: Table, require: Sequence[Requirement]) -> Grouping | None:
        """Take every column at its top level, and say how good that is."""
        lattice = lattice_of(self.weigh(table), require, self.scored)
        return self.grouping_at(lattice, lattice.full, self.scored)
