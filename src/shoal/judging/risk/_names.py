"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.judging.risk.attacking.downcoding import downcoding as downcoding
from shoal.judging.risk.attacking.end_points import end_points as end_points
from shoal.judging.risk.attacking.homogeneity import homogeneity as homogeneity
from shoal.judging.risk.attacking.learning import learning as learning
from shoal.judging.risk.attacking.membership import membership as membership
from shoal.judging.risk.attacking.minimality import minimality as minimality
from shoal.judging.risk.attacking.negation import negation as negation
from shoal.judging.risk.attacking.probability import probability as probability
from shoal.judging.risk.attacking.sensitivity import sensitivity as sensitivity
from shoal.judging.risk.attacking.several_rows import several_rows as several_rows
from shoal.judging.risk.attacking.similarity import similarity as similarity
from shoal.judging.risk.attacking.skewness import skewness as skewness
