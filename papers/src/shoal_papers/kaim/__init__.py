"""The experiments of Gong, Yang and Luo, 2013: KAIM and k-member on tables with missing cells."""
