"""The studio: see the table, the risk and the cost while you decide, in a browser on this machine.

It shows and asks, and calls public functions; nothing is computed here.

`serving`    start on this machine alone, say how to get in, clear up
`entrance`   how a browser gets in: a private file, or an address, that works once
`gate`       who may ask: token, cookie, Host, Origin, CSRF token, limits
`app`        the gate, the panels and what they share, put together
`studio`     what is decided: the table, the plan with its history, the jobs
`loaded`     what is known of the table, found once and kept
`numbers`    names of requirements that stay while others are removed
`trees`      the hierarchies of its columns, built once and kept
`workspace`  the private folder of uploads and work, which is removed
`jobs/`      long work, a file for each kind, done one by one in a process of its own
`panels/`    the way through it, a file for each step
`pages`      pages and parts of pages from templates
`texts/`     every word that is shown, a file for each language
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.studio.serving import serve

__all__ = ["serve"]


def __getattr__(name: str) -> object:
    """Import the server when it is used: it needs the extra ``studio``."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from shoal.studio import serving

    return getattr(serving, name)
