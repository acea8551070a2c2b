"""Numbers as people read them; a guarded count such as "1 to 9" stays the text it is."""

from __future__ import annotations

from shoal.base.plural import counted


def count(number: int | str | None) -> str:
    """Write a count, or the text that hides it.

    >>> count(48842), count("1 to 9"), count(None)
    ('48,842', '1 to 9', 'not shown')
    """
    if number is None:
        return "not shown"
    return number if isinstance(number, str) else f"{number:,}"


def rows(number: int | str | None) -> str:
    """Write a count of rows, with the word.

    >>> rows(1), rows("about 3,600"), rows("1 to 4 people")
    ('1 row', 'about 3,600 rows', 'the rows of 1 to 4 people')
    """
    if isinstance(number, str) and number.endswith("people"):
        return f"the rows of {number}"
    return counted(count(number), "row")


def share(part: float | None) -> str:
    """Write a share; what is there is never 0%, and what is not all is never 100%.

    >>> share(0.0573), share(0.00001), share(0.99999), share(1.0), share(None)
    ('5.7%', '<0.1%', '>99.9%', '100.0%', 'not shown')
    """
    if part is None:
        return "not shown"
    if 0 < part < 0.001:
        return "<0.1%"
    if 0.999 < part < 1:
        return ">99.9%"
    return f"{part:.1%}"


def value(number: float) -> str:
    """Write a measure.

    >>> value(123456.7), value(0.20791)
    ('123,457', '0.2079')
    """
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.4g}"


def level(number: float) -> str:
    """Write what a requirement reached.

    >>> level(10), level(0.25)
    ('10', '0.25')
    """
    return f"{number:,}" if isinstance(number, int) else f"{number:.4g}"
