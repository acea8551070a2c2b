"""Random tables, plans and command lines: a verified release or a `ShoalError`, nothing else.

Every case follows from its seed alone. `make test` tries some, `make fuzz` many.
"""
