"""The experiments of Zhang, Yang, Zhang and Xie, 2014: MICD and two Decompositions."""
