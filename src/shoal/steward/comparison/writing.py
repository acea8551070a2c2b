"""Write a comparison: its page for a board, and the plan of each point, in a private folder."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from shoal.base.rounding import percent
from shoal.errors import OutputError
from shoal.release.report.rendering import render
from shoal.steward.comparison.plot import plot
from shoal.steward.comparison.result import Comparison

PRIVATE = "Private: these figures are exact. Keep this page private."


def page(found: Comparison) -> str:
    """Write a comparison as one HTML page without scripts and outside requests; it is private."""
    methods = list(dict.fromkeys(point.setting.method for point in found.made))
    texts = [
        f"k = {point.setting.k} by {point.setting.method}: {percent(point.loss)} lost, risk "
        f"{point.highest:.1%}"
        for point in found.made
    ]
    shapes = [methods.index(point.setting.method) for point in found.made]
    return render(
        "comparison.html",
        Path(__file__).with_name("templates"),
        found=found,
        plot=plot(found.made, texts, shapes),
        methods=methods,
        plans={point.setting: point.setting.plan(found.plan).to_toml() for point in found.made},
        private=PRIVATE,
    )


def write(found: Comparison, folder: str | PathLike[str]) -> Path:
    """Write the page and the plans; gives where the page is.

    Raises `OutputError` if the disk refuses.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        for point in found.made:
            made = point.setting.plan(found.plan).to_toml()
            home = f"# Copy it to '{found.plan.folder.resolve()}': its paths start there.\n"
            _put(place / f"{point.setting.name}.toml", home + made)
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
