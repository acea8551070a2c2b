"""How pages are made: templates of one set, with every text escaped and nothing left undefined."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.base.plural import counted
from shoal.base.rounding import percent
from shoal.release.promise import named
from shoal.release.report.numbers import count, level, rows, share, value

if TYPE_CHECKING:  # imported when a page is made
    from jinja2 import Environment

SHARED = Path(__file__).with_name("templates")
"""The head and the style that all pages have."""


def render(template: str, folder: Path = SHARED, /, **context: Any) -> str:
    """Make a page of a template.

    ``folder``: where the template lies; what it extends and includes may also be one of the shared
        ones.

    >>> render("base.html").splitlines()[:2]
    ['<!doctype html>', '<html lang="en">']
    """
    return _environment(folder).get_template(template).render(context)


@cache
def _environment(folder: Path) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from shoal.release.report.template_cache import TemplateCache

    made = Environment(
        loader=FileSystemLoader([folder, SHARED]),
        bytecode_cache=TemplateCache(folder / "__pycache__"),
        autoescape=True,  # column names are anyone's text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {
        "count": count,
        "counted": counted,
        "level": level,
        "named": named,
        "percent": percent,
        "rows": rows,
        "share": share,
        "value": value,
    }
    return made
