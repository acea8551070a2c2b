"""The experiments of Gu and Dong, 2022: losses weighted by information about a label."""
