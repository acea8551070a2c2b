"""`shoal explain`: a release in five sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shoal.cli import show
from shoal.cli.options import AsJson
from shoal.cli.safe_text import safe_text
from shoal.errors import InputError
from shoal.release.explanation import explain as explain_
from shoal.release.opened import open_release


def explain(
    release: Annotated[Path, typer.Argument(help="The folder of a release.")], json: AsJson = False
) -> None:
    """Describe a release in five sentences: what it is, what holds and what it leaves open."""
    facts = open_release(release).facts
    if not facts:
        raise InputError(
            f"'{release}' is not a release folder, so there is nothing to explain.",
            "Name a release's folder.",
        )
    sentences = explain_(facts)
    if json:
        show.print_json(sentences)
        return
    for sentence in sentences:
        show.console().print(safe_text(sentence))
