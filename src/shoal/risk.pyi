"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.judging.risk import *
