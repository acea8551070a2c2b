"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal.models.alpha_k import AlphaK as AlphaK
from shoal.models.average_risk import AverageRisk as AverageRisk
from shoal.models.beta_likeness import BetaLikeness as BetaLikeness
from shoal.models.delta_disclosure import DeltaDisclosure as DeltaDisclosure
from shoal.models.delta_presence import DeltaPresence as DeltaPresence
from shoal.models.guarding_node import GuardingNode as GuardingNode
from shoal.models.highest_risk import HighestRisk as HighestRisk
from shoal.models.k_anonymity import KAnonymity as KAnonymity
from shoal.models.k_map import KMap as KMap
from shoal.models.l_diversity import LDiversity as LDiversity
from shoal.models.leveled_alpha_k import LeveledAlphaK as LeveledAlphaK
from shoal.models.m_invariance import MInvariance as MInvariance
from shoal.models.multi_l_diversity import MultiLDiversity as MultiLDiversity
from shoal.models.p_sensitive_k import PSensitiveK as PSensitiveK
from shoal.models.personal_k import PersonalK as PersonalK
from shoal.models.population_uniqueness import PopulationUniqueness as PopulationUniqueness
from shoal.models.sample_uniqueness import SampleUniqueness as SampleUniqueness
from shoal.models.t_closeness import TCloseness as TCloseness
