"""Draw the figures of the pages from the figures measured beside them: `python docs/figures.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import vl_convert

from shoal_papers.figures import COLOURS, FONT, FONT_SIZE

FOLDER = Path(__file__).parent
WIDTH, HEIGHT = 560, 340


def refinement() -> str:
    """Draw the loss of refined groups against time, one colour per k, and the bounds dashed."""
    measured = pl.read_csv(FOLDER / "refinement.csv").with_columns(
        name=pl.format("k = {}", pl.col("k"))
    )
    names = measured["name"].unique(maintain_order=True).to_list()
    colour = alt.Color(
        "name:N", scale=alt.Scale(domain=names, range=list(COLOURS[: len(names)])), legend=None
    )
    refined = measured.filter(pl.col("what") == "refined")
    top = float(refined["seconds"].to_numpy().max())
    x = alt.X(
        "seconds:Q",
        title="seconds of CPU, log scale",
        scale=alt.Scale(type="log", domain=[0.07, top], nice=False),
        axis=alt.Axis(values=[0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30], format="~g", grid=False),
    )
    y = alt.Y(
        "iloss:Q",
        title="iloss, log scale",
        scale=alt.Scale(type="log", domain=[6000, 45000], nice=False),
        axis=alt.Axis(values=[6000, 8000, 10000, 15000, 20000, 30000, 40000], format=",d"),
    )

    def chart(rows: pl.DataFrame) -> Any:
        return alt.Chart(alt.InlineData(values=rows.to_dicts())).encode(color=colour)

    grown = measured.filter(pl.col("what") == "GAA-CP")
    bounds = measured.filter(pl.col("what") == "bound")
    last = refined.group_by("k", maintain_order=True).last()
    layers = [
        chart(bounds).mark_rule(strokeDash=[6, 4], strokeWidth=1.5).encode(y=y),
        chart(refined).mark_line(strokeWidth=2).encode(x=x, y=y),
        chart(refined).mark_point(filled=True, size=18, opacity=1).encode(x=x, y=y),
        chart(grown).mark_point(filled=True, size=70, shape="square", opacity=1).encode(x=x, y=y),
        # White below it, since bounds may run through it.
        _text(chart(grown), "GAA-CP", dx=8, stroke="white", strokeWidth=5).encode(x=x, y=y),
        _text(chart(grown), "GAA-CP", dx=8).encode(x=x, y=y),
        _text(chart(last), None, dx=6, fontWeight="bold").encode(x=x, y=y, text="name:N"),
        _text(chart(bounds), "lower bound", dx=-72, dy=9).encode(x=alt.value(WIDTH), y=y),
    ]
    made = (
        alt.layer(*layers)
        .properties(width=WIDTH, height=HEIGHT)
        .configure(background="white", font=FONT, padding=8)
        .configure_axis(labelFontSize=FONT_SIZE, titleFontSize=FONT_SIZE, gridColor="#DDDDDD")
        .configure_view(stroke="#888888")
    )
    major, minor = alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2]
    drawn: str = vl_convert.vegalite_to_svg(
        made.to_dict(), vl_version=f"{major}.{minor}", allowed_base_urls=[]
    )
    return drawn if drawn.endswith("\n") else f"{drawn}\n"


def _text(chart: Any, text: str | None, dx: int, dy: int = 0, **style: Any) -> Any:
    if text is not None:
        style["text"] = text
    return chart.mark_text(
        align="left", baseline="middle", dx=dx, dy=dy, fontSize=FONT_SIZE, **style
    )


if __name__ == "__main__":
    (FOLDER / "refinement.svg").write_text(refinement(), encoding="utf-8")
