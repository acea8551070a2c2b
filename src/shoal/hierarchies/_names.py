"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.hierarchies.builders.auto import Auto as Auto
from shoal.hierarchies.builders.csv import CsvFile as CsvFile
from shoal.hierarchies.builders.dates import Dates as Dates
from shoal.hierarchies.builders.flat import Flat as Flat
from shoal.hierarchies.builders.intervals import Intervals as Intervals
from shoal.hierarchies.builders.order import Order as Order
from shoal.hierarchies.builders.prefixes import Prefixes as Prefixes
from shoal.hierarchies.builders.tree import Tree as Tree
