"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.table.hierarchies.builders.auto import Auto as Auto
from shoal.table.hierarchies.builders.csv import CsvFile as CsvFile
from shoal.table.hierarchies.builders.dates import Dates as Dates
from shoal.table.hierarchies.builders.flat import Flat as Flat
from shoal.table.hierarchies.builders.intervals import Intervals as Intervals
from shoal.table.hierarchies.builders.order import Order as Order
from shoal.table.hierarchies.builders.prefixes import Prefixes as Prefixes
from shoal.table.hierarchies.builders.tree import Tree as Tree
