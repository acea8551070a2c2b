"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.risk.attacking.homogeneity import homogeneity as homogeneity
from shoal.risk.attacking.probability import probability as probability
from shoal.risk.attacking.sensitivity import sensitivity as sensitivity
from shoal.risk.attacking.similarity import similarity as similarity
