"""Arguments of the wrong kind, refused in one place and in one form.

Constructors only store; what they were given is looked at when it is used, and an error says which
argument, what is allowed and what came.
"""

from __future__ import annotations

import dataclasses
import inspect
from abc import ABCMeta
from collections.abc import Collection, Iterable
from math import inf
from numbers import Integral, Rational, Real
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from shoal.errors import ParameterError, a_type, did_you_mean


class Optioned(ABCMeta):
    """The type of dataclasses whose fields are options: a wrong one is refused by name.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Net(metaclass=Optioned):
    ...     mesh: int
    >>> Net(3), Net(mesch=3)
    Traceback (most recent call last):
    shoal.errors.ParameterError: 'Net' has no option 'mesch'. Did you mean 'mesh'?
    """

    @property
    def __signature__(cls) -> inspect.Signature:
        """What a constructor takes, though `__call__` takes anything so that it can refuse."""
        _, *options = inspect.signature(cls.__init__).parameters.values()  # type: ignore[misc]
        return inspect.Signature(options)

    if not TYPE_CHECKING:  # type checkers look at the fields instead

        def __call__(cls, *given, **options):
            """Make one, if every option is known and none that is needed lacks."""
            fields = {
                each.name: each
                for each in getattr(cls, "__dataclass_fields__", {}).values()
                if each.init and each._field_type is dataclasses._FIELD
            }
            named = list(fields)[: len(given)]
            refuse_unknown(cls.__name__, options, fields)
            if twice := [option for option in options if option in named]:
                raise ParameterError(f"'{twice[0]}' is given twice.", "Give it once.")
            if len(given) > len(fields):
                raise ParameterError(
                    f"'{cls.__name__}' takes {len(fields)} options, but {len(given)} were given.",
                    f"They are: {', '.join(fields) or 'none'}.",
                )
            for name, each in fields.items():
                needed = each.default is each.default_factory is dataclasses.MISSING
                if needed and name not in options and name not in named:
                    raise ParameterError(f"'{cls.__name__}' needs the option '{name}'.", "Give it.")
            return super().__call__(*map(plain, given), **plain(options))


def refuse_unknown(name: str, options: Iterable[Any], known: Collection[str]) -> None:
    """Refuse an option that there is not, with the nearest that there is."""
    for option in options:
        if option not in known:
            hint = did_you_mean(str(option), known) if known else "It has none."
            raise ParameterError(f"'{name}' has no option '{option}'.", hint)


def plain(value: Any) -> Any:
    """Give numbers of NumPy as those of Python, also in lists and tables; all else as it is.

    Examples
    --------
    >>> import numpy as np
    >>> plain({"k": np.int64(2), "alphas": [np.float32(0.5)], "name": "flu"})
    {'k': 2, 'alphas': [0.5], 'name': 'flu'}
    """
    if type(value) in (list, tuple):
        return type(value)(map(plain, value))
    if type(value) is dict:
        return {plain(key): plain(each) for key, each in value.items()}
    if is_whole(value):
        return int(value)
    return float(value) if isinstance(value, Real) and not isinstance(value, Rational) else value


def is_whole(value: object) -> TypeGuard[int]:
    """Say whether something is a whole number; True and False are not.

    Examples
    --------
    >>> is_whole(3), is_whole(3.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Say whether something is a number; True and False are not, nor is NaN.

    Examples
    --------
    >>> is_number(0.5), is_number("0.5"), is_number(float("nan"))
    (True, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool) and value == value


def require_whole(name: str, value: object, least: int, hint: str = "") -> None:
    """Refuse anything but a whole number of at least ``least``.

    Examples
    --------
    >>> require_whole("fan_out", 1, 2)
    Traceback (most recent call last):
    shoal.errors.ParameterError: fan_out must be a whole number of 2 or more, not 1. Such as 2.
    """
    if not is_whole(value) or value < least:
        raise ParameterError(
            f"{name} must be a whole number of {least} or more, not {value!r}.",
            hint or f"Such as {least}.",
        )


def require_share(name: str, value: object, hint: str) -> None:
    """Refuse anything but a number from 0 to 1.

    Examples
    --------
    >>> require_share("limit", "a", "0.05 is usual.")
    Traceback (most recent call last):
    shoal.errors.ParameterError: limit must be a number from 0 to 1, not 'a'. 0.05 is usual.
    """
    if not is_number(value) or not 0 <= value <= 1:
        raise ParameterError(f"{name} must be a number from 0 to 1, not {value!r}.", hint)


def require_budget(what: str, *, seconds: object, times: object, **steps: object) -> None:
    """Refuse anything but one of three: steps, under whatever name, a time, or a part of the usual.

    Examples
    --------
    >>> require_budget("A bound", looks=9, seconds=None, times=None)
    >>> require_budget("A bound", looks=9, seconds=3, times=None)
    Traceback (most recent call last):
    shoal.errors.ParameterError: A bound needs one of looks, times and seconds. Looks and times can
    be repeated; seconds depend on the machine.
    """
    [(name, number)] = steps.items()
    if sum(each is not None for each in (number, seconds, times)) != 1:
        raise ParameterError(
            f"{what} needs one of {name}, times and seconds.",
            f"{name.capitalize()} and times can be repeated; seconds depend on the machine.",
        )
    if number is not None:
        require_whole(name, number, 1, "Such as 20000.")
    elif times is not None:
        if not is_number(times) or not 0 <= times < inf:
            raise ParameterError(
                f"times must be a number from 0 on, not {times!r}.",
                "Such as 2: twice the usual time; 0 turns it off.",
            )
    elif not is_number(seconds) or not 0 < seconds < inf:
        raise ParameterError(f"seconds must be a number above 0, not {seconds!r}.", "Such as 10.")


def one_of(name: str, value: object, allowed: Iterable[str]) -> None:
    """Refuse anything but one of the allowed words.

    Examples
    --------
    >>> one_of("noise", "alow", ("allow", "never"))
    Traceback (most recent call last):
    shoal.errors.ParameterError: noise must be one of 'allow', 'never', not 'alow'. Did you mean
    'allow'?
    """
    words = list(map(str, allowed))
    if not isinstance(value, str) or value not in words:
        raise ParameterError(
            f"{name} must be one of {', '.join(map(repr, words))}, not {value!r}.",
            did_you_mean(str(value), words),
        )


def require_kind(name: str, value: object, kinds: Any, what: str, hint: str) -> None:
    """Refuse anything of another type; the message tells the type, since values are private.

    Examples
    --------
    >>> require_kind("columns", 3, dict, "a mapping", "Such as {'age': shoal.quasi()}.")
    Traceback (most recent call last):
    shoal.errors.ParameterError: columns must be a mapping, not an int. Such as {'age':
    shoal.quasi()}.
    """
    if not isinstance(value, kinds):
        raise ParameterError(f"{name} must be {what}, not {a_type(value)}.", hint)


def path_of(given: object, what: str) -> Path:
    """Take the name of a file, and refuse anything else.

    Examples
    --------
    >>> path_of(3, "hierarchy")
    Traceback (most recent call last):
    shoal.errors.ParameterError: The hierarchy file must be named by a text or a path, not by an
    int. Such as "sex.csv".
    """
    if not isinstance(given, str | PathLike):
        raise ParameterError(
            f"The {what} file must be named by a text or a path, not by {a_type(given)}.",
            'Such as "sex.csv".',
        )
    return Path(given)


BLOCK_COUNT = 'must be "auto" or a whole number from 1 on'


def is_block_count(given: object) -> bool:
    """Say whether something says in how many blocks a table is grouped; ``None`` does.

    Examples
    --------
    >>> is_block_count("auto"), is_block_count(16), is_block_count(0), is_block_count(True)
    (True, True, False, False)
    """
    if is_whole(given):
        return given >= 1
    return given is None or (isinstance(given, str) and given == "auto")
