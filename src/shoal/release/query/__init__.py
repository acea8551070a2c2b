"""What readers can do with a release: join its tables, and count.

`join` sets every row beside the values it may have, `count` estimates how many records meet
some conditions, and `true_count` gives the exact, private count. All three take conditions and
columns by name, and work on published tables alone.
"""

from shoal.release.query.count import count, true_count
from shoal.release.query.join import join
from shoal.release.query.reading import columns
from shoal.release.query.where import Where, read_where

__all__ = ["Where", "columns", "count", "join", "read_where", "true_count"]
