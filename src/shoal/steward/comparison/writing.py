"""Write a comparison: its page, and the plan of each point, in a private folder."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from shoal.errors import OutputError
from shoal.steward.comparison.page import page
from shoal.steward.comparison.result import Comparison


def write(found: Comparison, folder: str | PathLike[str]) -> Path:
    """Write the page and the plans; gives where the page is.

    Raises `OutputError` if the disk refuses.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        for point in found.made:
            made = point.setting.plan(found.plan)
            _put(place / f"{point.setting.name}.toml", _moved(made.to_toml(), found, place))
        target = place / "comparison.html"
        _put(target, page(found))
    except OSError as error:
        raise OutputError(
            f"The comparison cannot be written to '{place}': {error.strerror}.",
            "Name another folder with --output.",
        ) from None
    return target


def _put(path: Path, text: str) -> None:
    """Replace a file at once."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.chmod(0o600)
    part.replace(path)


def _moved(text: str, found: Comparison, place: Path) -> str:
    """Say where the plan belongs, since its paths start there."""
    return f"# Copy it to '{found.plan.folder.resolve()}': its paths start there.\n{text}"
