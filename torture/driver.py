"""A driver of Spark as a process of its own: `python -m torture.driver MASTER PLAN FOLDER …`.

It publishes one plan into each folder, one after the other in one session, and writes a line of
JSON for each step that begins or ends, and for each release. As long as there is a file ``wait``
beside the plan, it does not go on from measuring to writing.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import shoal
from shoal.errors import ShoalError

__all__ = ["main"]


def tell(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def main(master: str, plan: str, *folders: str) -> None:
    asked = shoal.Plan.read(plan)
    hold = Path(plan).with_name("wait")
    with shoal.spark.start(master) as session:
        tell(application=session.sparkContext.applicationId)
        source = session.read.parquet(Path(str(asked.input.path)).as_uri())
        for folder in folders:

            def report(step: str, done: int, total: int, folder: str = folder) -> None:
                tell(folder=folder, step=step, done=done)
                while (step, done) == ("measure", 1) and hold.exists():
                    time.sleep(0.02)

            try:
                made = shoal.spark.anonymize(source, asked, output=folder, progress=report)
            except ShoalError as error:
                tell(folder=folder, error=type(error).__name__, said=str(error))
            else:
                tell(folder=folder, id=made.facts["id"])


if __name__ == "__main__":
    main(*sys.argv[1:])
