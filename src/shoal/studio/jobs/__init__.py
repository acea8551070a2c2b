"""Long work, a file for each kind, done one by one in a process of its own.

A kind is a file with a function ``work``: what is asked in, what is known of the answer out. It is
found by being here; files that begin with an underscore are helpers.
"""

from shoal.studio.jobs._job import Job, State, reason_of
from shoal.studio.jobs._queue import Queue

__all__ = ["Job", "Queue", "State", "reason_of"]
