"""Loops of the greedy methods: the index, growth, left-overs."""
