"""The command line: thin commands over the public functions, a file of `commands` each.

Exit codes: 0 it worked (for `verify`: it holds); 1 it does not hold; 2 the input or the
call is wrong; 3 a defect of Shoal; 130 stopped by Ctrl-C.
"""

from shoal.cli.app import app, main

__all__ = ["app", "main"]
