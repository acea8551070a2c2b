"""A user's program full of mistakes: type checkers report each line that says so."""

import shoal
from shoal.hierarchies import Intervalls  # attr-defined
from shoal.methods import Datafli  # attr-defined

shoal.KAnonimity(3)  # attr-defined
shoal.anonymise()  # attr-defined
shoal.KAnonymity("three")  # arg-type
shoal.KAnonymity()  # call-arg
shoal.KAnonymity(kk=3)  # call-arg
shoal.GAACP(sed=7)  # call-arg
shoal.GAACP(picks="last")  # arg-type
shoal.GAACP(seed="7")  # arg-type
shoal.hierarchies.Prefixes(steps=2)  # call-arg
shoal.publications.TwoTables()  # attr-defined
shoal.measures.iloss_rat  # attr-defined
shoal.risk.homogenity  # attr-defined
shoal.risk.homogeneity(3, colum="disease")  # call-arg
