"""Public names of this room, for type checkers alone; written by `make docs`."""

from shoal import checks as checks
from shoal import datasets as datasets
from shoal import errors as errors
from shoal import measures as measures
from shoal import methods as methods
from shoal import models as models
from shoal import publications as publications
from shoal.api import anonymize as anonymize
from shoal.engines import spark as spark
from shoal.engines.pipeline import run as run
from shoal.improve import Refinement as Refinement
from shoal.improve.loss_bound import Bounding as Bounding
from shoal.io.sql import SQL as SQL
from shoal.judging import risk as risk
from shoal.judging import utility as utility
from shoal.judging.verification import Verification as Verification, verify as verify
from shoal.methods.buckets.anatomy import Anatomy as Anatomy
from shoal.methods.buckets.gca import GCA as GCA
from shoal.methods.buckets.leveled_gca import LeveledGCA as LeveledGCA
from shoal.methods.clustering.gaa_cp import GAACP as GAACP
from shoal.methods.clustering.k_member import KMember as KMember
from shoal.methods.clustering.kaim import KAIM as KAIM
from shoal.methods.clustering.mdav import MDAV as MDAV
from shoal.methods.combined.auto import Auto as Auto
from shoal.methods.inverse.decomposition import Decomposition as Decomposition
from shoal.methods.inverse.decomposition_plus import DecompositionPlus as DecompositionPlus
from shoal.methods.inverse.micd import MICD as MICD
from shoal.methods.lattice.datafly import Datafly as Datafly
from shoal.methods.lattice.full_domain import FullDomain as FullDomain
from shoal.methods.lattice.incognito import Incognito as Incognito
from shoal.methods.lattice.local_recoding import LocalRecoding as LocalRecoding
from shoal.methods.lattice.samarati import Samarati as Samarati
from shoal.methods.merging.ebkc import EBKC as EBKC
from shoal.methods.merging.kaca import KACA as KACA
from shoal.methods.partition.mondrian import Mondrian as Mondrian
from shoal.methods.partition.top_down import TopDown as TopDown
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
from shoal.plan import Plan as Plan
from shoal.publications.groups.grouping import Grouping as Grouping
from shoal.release import OpenedRelease as OpenedRelease, Release as Release, open_release as open_release
from shoal.release import query as query
from shoal.steward.advice import Advice as Advice, advise as advise
from shoal.steward.comparison import Comparison as Comparison, compare as compare
from shoal.steward.proposal import Proposal as Proposal, propose as propose
from shoal.table import hierarchies as hierarchies
from shoal.table import levels as levels
from shoal.table.hierarchies import Hierarchy as Hierarchy
from shoal.table.schema import Schema as Schema, identifier as identifier, other as other, quasi as quasi, sensitive as sensitive
