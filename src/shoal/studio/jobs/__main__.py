"""``python -m shoal.studio.jobs FOLDER``: the process that the queue starts for its work."""

import sys

from shoal.studio.jobs._worker import serve_jobs

if __name__ == "__main__":
    serve_jobs(sys.argv[1])
