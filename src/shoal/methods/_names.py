"""Public names of this room, for type checkers alone; written by `make docs`."""

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
