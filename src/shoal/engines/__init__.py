"""The way of a table to its release, and the engines that take it."""
