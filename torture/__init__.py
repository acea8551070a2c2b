"""Large tables and violent ends, on real databases and real Spark: what `make torture` runs.

`people`        tables to be published
`commands`      `shoal` as a process of its own, which can be killed
`driver`        a driver of Spark that says how far it is

`TORTURE_ROWS=20000 .venv/bin/pytest torture -s` does the same with fewer rows.
"""
