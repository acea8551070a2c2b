"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.judging.risk.assessment import Answer as Answer, Assessment as Assessment, assess as assess, three_questions as three_questions
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
from shoal.judging.risk.base import Attack as Attack, AttackFunction as AttackFunction, PRIVATE_NOTE as PRIVATE_NOTE, attack as attack
from shoal.judging.risk.identity.individual import individual_risk as individual_risk
from shoal.judging.risk.identity.reidentification import Reidentification as Reidentification, RiskFigures as RiskFigures, THRESHOLDS as THRESHOLDS, reidentification as reidentification
from shoal.judging.risk.identity.separation import Separation as Separation, separation as separation
from shoal.judging.risk.identity.unique_sets import UniqueSet as UniqueSet, UniqueSets as UniqueSets, unique_sets as unique_sets
from shoal.judging.risk.joining import two_releases as two_releases
from shoal.judging.risk.linking import Linkage as Linkage, linkage as linkage
from shoal.judging.risk.uniqueness.population import PopulationUniqueness as PopulationUniqueness, population_uniqueness as population_uniqueness
from shoal.models.estimates.estimate import Estimate as Estimate
