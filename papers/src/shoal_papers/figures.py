"""Figures as SVG: for print, for the colour-blind, and the same bytes every time.

Each series has its own colour (of the palette of Okabe and Ito), marker and dash, so that
it can be told apart in black and white too. The picture refers to nothing outside itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt

__all__ = ["Figure", "Panel", "Point", "draw"]

COLOURS = ("#D55E00", "#0072B2", "#000000", "#009E73", "#CC79A7", "#56B4E9")
MARKERS = ("square", "triangle-up", "circle", "diamond", "cross", "triangle-down")
DASHES = ([6, 3], [2, 2], [1, 0], [8, 2, 2, 2], [4, 1], [10, 4])
FONT, FONT_SIZE = "sans-serif", 12
STROKE, MARKER = 1.5, 55
WIDTH, HEIGHT = 640, 230
"""Pixels for all panels of a figure side by side, without axes and titles."""
KEY_START, KEY_END = 40, WIDTH + 60
"""Where a line of the key begins, and where the next one must; text is narrower than planned."""


@dataclass(frozen=True)
class Point:
    """The mean of some repetitions, with the least and the largest."""

    series: str
    x: float
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Panel:
    """One part of a figure."""

    title: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Figure:
    """Panels side by side, four or more in two rows, with the same axes and series.

    Parameters
    ----------
    name
        The file's name without its ending.
    series
        All series, in the order of the legend; at most six.
    log_x, log_y
        Whether an axis is logarithmic.
    zero_y
        Whether a vertical axis that is not logarithmic starts at zero.
    shared_y
        Whether all panels have the same vertical scale.
    """

    name: str
    title: str
    x_title: str
    y_title: str
    series: tuple[str, ...]
    panels: tuple[Panel, ...]
    log_x: bool = False
    log_y: bool = False
    shared_y: bool = True
    zero_y: bool = True

    @property
    def columns(self) -> int:
        """How many panels stand side by side."""
        many = len(self.panels)
        return many if many < 4 else -(-many // 2)


def draw(figure: Figure) -> str:
    """Draw a figure as SVG."""
    # Loading them takes most of a second, which other commands need not pay.
    import altair as alt
    import vl_convert

    drawn = [_panel(figure, panel) for panel in figure.panels]
    panels = (
        alt.hconcat(*drawn, spacing=24)
        if figure.columns == len(drawn)
        else alt.concat(*drawn, columns=figure.columns, spacing=24)
    )
    chart = (
        alt.vconcat(
            *(_key(figure, names) for names in _lines(figure.series)),
            panels.resolve_scale(y="shared" if figure.shared_y else "independent"),
            spacing=6,
        )
        .configure(background="white", font=FONT)
        .configure_axis(labelFontSize=FONT_SIZE, titleFontSize=FONT_SIZE, gridColor="#DDDDDD")
        .configure_title(fontSize=FONT_SIZE + 1)
        .configure_view(stroke="#888888")
    )
    major, minor = alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2]
    made: str = vl_convert.vegalite_to_svg(
        chart.to_dict(), vl_version=f"{major}.{minor}", allowed_base_urls=[]
    )
    return made if made.endswith("\n") else f"{made}\n"


def _panel(figure: Figure, panel: Panel) -> alt.LayerChart | alt.FacetChart:
    """Draw one panel: lines of means, bars from least to largest, markers."""
    import altair as alt

    places = sorted({point.x for point in panel.points})
    whole = all(float(place).is_integer() for place in places)
    x = alt.X(
        "x:Q",
        title=figure.x_title,
        scale=alt.Scale(
            type="log" if figure.log_x else "linear", zero=False, nice=False, padding=9
        ),
        axis=alt.Axis(
            values=places,
            format=",~d" if whole else ",.2~f",
            grid=False,
            labelOverlap=True,
        ),
    )
    y = alt.Y(
        "mean:Q",
        title=figure.y_title,
        scale=alt.Scale(type="log") if figure.log_y else alt.Scale(zero=figure.zero_y),
        axis=alt.Axis(format="~r" if figure.log_y else ",~f", tickCount=5),
    )
    rows = [
        {"series": p.series, "x": p.x, "mean": p.mean, "low": p.low, "high": p.high}
        for p in panel.points
    ]
    colour, dash, marker = _styles(figure)
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=x, color=colour)
    lines = base.mark_line(strokeWidth=STROKE).encode(y=y, strokeDash=dash)
    spread = base.mark_rule(strokeWidth=1).encode(y="low:Q", y2="high:Q")
    points = base.mark_point(filled=True, size=MARKER, opacity=1).encode(y=y, shape=marker)
    # The mean's axis comes first, so that its title is the axis's.
    return alt.layer(lines, spread, points).properties(
        title=panel.title, width=WIDTH // figure.columns, height=HEIGHT
    )


def _lines(names: Sequence[str]) -> list[list[str]]:
    """Break the key into lines that are no wider than the panels."""
    lines: list[list[str]] = []
    for name in names:
        if lines and KEY_START + sum(map(_key_width, [*lines[-1], name])) <= KEY_END:
            lines[-1].append(name)
        else:
            lines.append([name])
    return lines


def _key_width(name: str) -> int:
    return 34 + 26 + 8 * len(name)


def _key(figure: Figure, names: Sequence[str]) -> alt.LayerChart | alt.FacetChart:
    """Draw a line of the key by hand: the library's own shows markers, but no dashes."""
    import altair as alt

    rows, left = [], KEY_START
    for name in names:
        rows.append({"series": name, "from": left, "mid": left + 17, "to": left + 34})
        left += _key_width(name)

    def at(field: str) -> alt.X:
        return alt.X(f"{field}:Q", axis=None, scale=alt.Scale(domain=[0, WIDTH]))

    colour, dash, marker = _styles(figure)
    base = alt.Chart(alt.InlineData(values=rows))
    lines = base.mark_rule(strokeWidth=STROKE).encode(
        x=at("from"), x2="to:Q", color=colour, strokeDash=dash
    )
    points = base.mark_point(filled=True, size=MARKER, opacity=1).encode(
        x=at("mid"), color=colour, shape=marker
    )
    words = base.mark_text(align="left", dx=6, fontSize=FONT_SIZE).encode(
        x=at("to"), text="series:N"
    )
    return alt.layer(lines, points, words).properties(width=WIDTH, height=16, view={"stroke": None})


def _styles(figure: Figure) -> tuple[alt.Color, alt.StrokeDash, alt.Shape]:
    """Give each series its colour, dash and marker."""
    import altair as alt

    known = list(figure.series)

    def scale(styles: Sequence[Any]) -> alt.Scale:
        return alt.Scale(domain=known, range=list(styles[: len(known)]))

    return (
        alt.Color("series:N", legend=None, scale=scale(COLOURS)),
        alt.StrokeDash("series:N", legend=None, scale=scale(DASHES)),
        alt.Shape("series:N", legend=None, scale=scale(MARKERS)),
    )
