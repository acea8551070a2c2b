"""What to do with a release that was just written: a command and its meaning each."""

from __future__ import annotations

import shlex
from pathlib import Path

from shoal.models import private_columns
from shoal.release import Release


def next_steps(
    made: Release, plan: Path, folder: Path, again: Path | None = None
) -> list[tuple[str, str]]:
    """Say how to count it again, what it hides, what it is worth, and what else could be asked.

    `plan`, `folder`: where its plan is, and where it was written.
    `again`: the release that it goes on from.
    """
    place, plan_file = shlex.quote(str(folder)), shlex.quote(str(plan))
    steps = [_recount(made, place), (f"shoal risk {place}", "see what attacks can still learn")]
    if again is not None:
        earlier = shlex.quote(str(again))
        steps.append((f"shoal verify {place} --again {earlier}", "compare the two releases"))
    label = _label(made)
    if label is not None:
        steps.append(
            (f"shoal utility {place} --label {shlex.quote(label)}", "see what models learn from it")
        )
    if any("k" in spec for spec in made.plan.require):
        steps.append((f"shoal compare {plan_file}", "compare k and methods: loss and risk"))
    return steps


def _recount(made: Release, place: str) -> tuple[str, str]:
    if private_columns(made.require):
        original = shlex.quote(str(made.original))
        return f"shoal verify {place} --original {original}", "count it again"
    if made.population is not None:
        return f"shoal verify {place} --population FILE", "count it again, with the population"
    return f"shoal verify {place}", "count it again, from the written file alone"


def _label(made: Release) -> str | None:
    """Name a column worth predicting: the plan's label, or the first sensitive one.

    Values that are published apart from their rows cannot be predicted from them.
    """
    if made.published.linked:
        return None
    named = [made.method.label, made.plan.weights and made.plan.weights.label]
    return next((each for each in (*named, *made.schema.sensitive) if each), None)
