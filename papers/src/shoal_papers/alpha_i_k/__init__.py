"""The experiments of the paper on (αᵢ, k)-anonymity: Top-Down and the two GCA."""
