"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.publications.generalized import Generalized as Generalized
from shoal.publications.microaggregated import Microaggregated as Microaggregated
from shoal.publications.sensitive_groups import SensitiveGroups as SensitiveGroups
from shoal.publications.two_table import TwoTable as TwoTable
