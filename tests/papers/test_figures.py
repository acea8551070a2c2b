"""Figures are whole SVG files, the same every time, for print and for everyone."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from shoal_papers import Figure, Panel, Point, draw
from shoal_papers.figures import COLOURS, DASHES, MARKERS

NAMES = ("KACA", "EBKC", "GAA-CP")
PANEL = Panel(
    "(a) k = 5",
    tuple(
        Point(name, x, i + x / 2, i + x / 3, i + x)
        for i, name in enumerate(NAMES)
        for x in (2, 5, 8)
    ),
)
FIGURE = Figure("figure-2", "Loss", "|QI|", "loss (thousands)", NAMES, (PANEL, PANEL))


@pytest.mark.parametrize(
    "figure", [FIGURE, replace(FIGURE, log_x=True, log_y=True), replace(FIGURE, shared_y=False)]
)
def test_figure_is_whole(figure: Figure) -> None:
    made = draw(figure)
    root = ElementTree.fromstring(made)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = [element.text for element in root.iter() if element.tag.endswith("text")]
    for word in (*NAMES, "(a) k = 5", "|QI|", "loss (thousands)"):
        assert word in words
    sizes = re.findall(r'font-size="([\d.]+)px"', made)
    assert sizes
    assert min(map(float, sizes)) >= 11


def test_series_differ_in_colour_dash_and_marker() -> None:
    made = draw(FIGURE)
    assert all(f'"{colour}"' in made for colour in COLOURS[:3])
    assert {f'stroke-dasharray="{a},{b}"' for a, b in DASHES[:2]} <= set(
        re.findall(r'stroke-dasharray="[^"]+"', made)
    )
    assert len(set(COLOURS)) == len(set(MARKERS)) == len({*map(tuple, DASHES)}) == 6


def test_four_panels_stand_in_two_rows() -> None:
    titles = [f"({letter}) k = 5" for letter in "abcd"]
    four = replace(FIGURE, panels=tuple(replace(PANEL, title=title) for title in titles))
    three = replace(FIGURE, panels=four.panels[:3])
    tall, flat = (ElementTree.fromstring(draw(figure)) for figure in (four, three))
    assert {*titles} <= {element.text for element in tall.iter()}
    assert float(tall.attrib["height"]) > 1.5 * float(flat.attrib["height"])
    assert float(tall.attrib["width"]) < 800


def test_a_vertical_axis_may_start_above_zero() -> None:
    points = tuple(Point("KACA", x, 0.8 + x / 100, 0.8, 0.9) for x in (1, 2))
    high = replace(FIGURE, series=("KACA",), panels=(Panel("one", points),))
    assert ">0<" in draw(high)
    assert ">0<" not in draw(replace(high, zero_y=False))


def test_a_long_key_is_broken_into_lines() -> None:
    names = tuple(f"a method with a long name {letter}" for letter in "abcdef")
    points = tuple(Point(name, x, 1, 1, 1) for name in names for x in (1, 2))
    made = draw(replace(FIGURE, series=names, panels=(Panel("one", points),)))
    root = ElementTree.fromstring(made)
    assert {*names} <= {element.text for element in root.iter()}
    assert float(root.attrib["width"]) < 800
    assert len(re.findall(r"concat_\d_layer_2_marks", made)) >= 3


def test_places_between_whole_numbers_are_written_out() -> None:
    points = tuple(Point("KACA", x, 1, 1, 1) for x in (1.65, 5, 30))
    made = draw(replace(FIGURE, series=("KACA",), panels=(Panel("one", points),)))
    assert all(f">{place}<" in made for place in ("1.65", "5", "30"))


def test_nothing_outside_is_referred_to() -> None:
    made = draw(FIGURE)
    assert set(re.findall(r"https?://[^\"'\s<>)]+", made)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert not re.search(r"<(script|image|style|foreignObject)|@import|url\((?!#)", made)


def test_bytes_are_the_same_in_every_process() -> None:
    code = "from tests.papers.test_figures import FIGURE, draw; print(draw(FIGURE), end='')"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert draw(FIGURE) == draw(FIGURE) == other.stdout.decode()


def test_the_drawing_library_is_loaded_only_to_draw() -> None:
    code = "import sys, shoal_papers; print('altair' in sys.modules, 'vl_convert' in sys.modules)"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert other.stdout.split() == ["False", "False"]
