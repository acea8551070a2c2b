"""A table, encoded once: columns as small integer codes, missing cells, sensitive values."""

from shoal.table.columns import (
    CategoricalColumn as CategoricalColumn,
    NumericColumn as NumericColumn,
    QuasiColumn as QuasiColumn,
)
from shoal.table.coverage import ColumnValues as ColumnValues, Coverage as Coverage
from shoal.table.missingness import Missingness as Missingness, Pattern as Pattern
from shoal.table.population import Population as Population
from shoal.table.sensitive import SensitiveColumn as SensitiveColumn, binned as binned
from shoal.table.table import Table as Table
