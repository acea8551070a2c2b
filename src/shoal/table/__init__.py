"""A table, encoded once: columns as small integer codes, missing cells, sensitive values."""

from shoal.table.columns import CategoricalColumn, NumericColumn, QuasiColumn
from shoal.table.coverage import ColumnValues, Coverage
from shoal.table.missingness import Missingness, Pattern
from shoal.table.population import Population
from shoal.table.sensitive import SensitiveColumn, binned
from shoal.table.table import Table

__all__ = [
    "CategoricalColumn",
    "ColumnValues",
    "Coverage",
    "Missingness",
    "NumericColumn",
    "Pattern",
    "Population",
    "QuasiColumn",
    "SensitiveColumn",
    "Table",
    "binned",
]
