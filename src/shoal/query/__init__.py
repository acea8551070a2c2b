"""What readers can do with a release: join its tables, and count.

`join` sets every row beside the values it may have, `count` estimates how many records meet
some conditions, and `true_count` says, in the house, how many do. All three take conditions and
columns by name, and work on published tables alone.
"""

from shoal.query.count import count, true_count
from shoal.query.join import join
from shoal.query.reading import columns
from shoal.query.where import Where, read_where

__all__ = ["Where", "columns", "count", "join", "read_where", "true_count"]
