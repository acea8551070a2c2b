"""Tables to try Shoal on: Adult, the papers' small tables, and a synthetic census.

``adult`` is real and bundled, ``patients`` gives the examples the papers print, and
``census`` makes a table like Adult of any size. ``with_missing`` adds missing cells to any
table. ``folder`` names the place of the hierarchies and the plan that come with a bundled
table.
"""

from __future__ import annotations

from shoal.datasets.adult import adult
from shoal.datasets.census import census
from shoal.datasets.files import folder
from shoal.datasets.missing import with_missing
from shoal.datasets.patients import patients

__all__ = ["adult", "census", "folder", "patients", "with_missing"]
