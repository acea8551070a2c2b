"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.risk.attacking.downcoding import downcoding as downcoding
from shoal.risk.attacking.end_points import end_points as end_points
from shoal.risk.attacking.homogeneity import homogeneity as homogeneity
from shoal.risk.attacking.learning import learning as learning
from shoal.risk.attacking.membership import membership as membership
from shoal.risk.attacking.minimality import minimality as minimality
from shoal.risk.attacking.negation import negation as negation
from shoal.risk.attacking.probability import probability as probability
from shoal.risk.attacking.sensitivity import sensitivity as sensitivity
from shoal.risk.attacking.several_rows import several_rows as several_rows
from shoal.risk.attacking.similarity import similarity as similarity
from shoal.risk.attacking.skewness import skewness as skewness
