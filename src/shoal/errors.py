"""Every error Shoal raises on purpose.

A message says what is wrong, with the column, the count and the rule, and then what to
do about it. It never holds a cell value, because logs travel further than tables.

::

    ShoalError
    ├── ParameterError      an argument or option is not allowed
    ├── SchemaError         roles and kinds do not fit the table
    ├── HierarchyError      a hierarchy is not a tree, or misses values
    ├── PlanError           a plan file cannot be read or understood
    ├── InputError          a table or file cannot be used
    ├── InfeasibleError     the requirements cannot be met
    ├── VerificationError   a release does not hold what it promises
    ├── OutputError         a release cannot be written
    ├── OutOfMemoryError    the machine has not enough memory
    └── InstallationError   a package that is needed is not installed
"""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Self

__all__ = [
    "HierarchyError",
    "InfeasibleError",
    "InputError",
    "InstallationError",
    "OutOfMemoryError",
    "OutputError",
    "ParameterError",
    "PlanError",
    "SchemaError",
    "ShoalError",
    "StoppedWriteWarning",
    "VerificationError",
    "a_type",
    "did_you_mean",
    "of_memory",
    "out_of_memory",
    "require_extra",
]


class ShoalError(Exception):
    """Root of all errors of Shoal.

    Parameters
    ----------
    problem
        One sentence: what is wrong.
    hint
        One sentence: what to do.

    Examples
    --------
    >>> str(ShoalError("The table has no rows.", "Check the input file."))
    'The table has no rows. Check the input file.'
    """

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(f"{problem} {hint}".strip())
        self.problem = problem
        self.hint = hint

    def about(self, what: str) -> Self:
        """Say the same of a named thing, such as a column.

        Examples
        --------
        >>> str(HierarchyError("It has 2 roots.").about("Column 'sex'"))
        "Column 'sex': It has 2 roots."
        """
        return type(self)(f"{what}: {self.problem}", self.hint)


class ParameterError(ShoalError, ValueError):
    """An argument or option is not allowed."""


class SchemaError(ShoalError):
    """Roles and kinds do not fit the table."""


class HierarchyError(ShoalError):
    """A hierarchy is not a tree, or misses values of its column."""


class PlanError(ShoalError):
    """A plan file cannot be read or understood."""


class InputError(ShoalError):
    """A table or file cannot be used."""


class InfeasibleError(ShoalError):
    """The requirements cannot be met by this table."""


class VerificationError(ShoalError):
    """A release does not hold what it promises."""


class OutputError(ShoalError):
    """A release cannot be written."""


class OutOfMemoryError(ShoalError, MemoryError):
    """The machine has not enough memory for the work."""


class InstallationError(ShoalError, ImportError):
    """A package that is needed is not installed."""


_NO_MEMORY = (
    "cannot allocate memory",
    "can't start new thread",  # each has a stack of its own
    "failed to map segment from shared object",
    "memory allocation",
    "out of memory",
    "unable to allocate",
)
"""What libraries say that have no class of errors for it, in small letters."""


def out_of_memory() -> OutOfMemoryError:
    """Say that there is not enough memory."""
    return OutOfMemoryError(
        "There is not enough memory for this table.",
        "Close other programs, leave out columns, or use a machine with more memory.",
    )


def of_memory(error: BaseException | None) -> bool:
    """Say whether an error, or one that it came of, is a want of memory.

    Examples
    --------
    >>> of_memory(MemoryError()), of_memory(OSError(12, "")), of_memory(OSError(28, ""))
    (True, True, False)
    >>> try:
    ...     try:
    ...         raise MemoryError
    ...     except MemoryError:
    ...         raise InputError("The file is damaged.") from None
    ... except InputError as error:
    ...     of_memory(error)
    True
    """
    while error is not None:
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        if not isinstance(error, ShoalError):  # ours say it by their class
            message = str(error).lower()
            if any(words in message for words in _NO_MEMORY):
                return True
        error = error.__cause__ or error.__context__
    return False


class StoppedWriteWarning(UserWarning):
    """A write that was stopped half-way was found, and finished or undone."""


def a_type(given: object) -> str:
    """Say of what type an argument is, with its article.

    Examples
    --------
    >>> a_type(3), a_type("x"), a_type(None), a_type(int)
    ('an int', 'a str', 'None', 'the class int')
    """
    if given is None:
        return "None"
    if isinstance(given, type):
        return f"the class {given.__name__}"
    name = type(given).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Suggest the nearest known names, or list them all.

    Examples
    --------
    >>> did_you_mean("gaacp", ["gaa-cp", "kaim"])
    "Did you mean 'gaa-cp'?"
    >>> did_you_mean("kacca", ["GAACP", "KACA"])
    "Did you mean 'KACA'?"
    >>> did_you_mean("x", ["gaa-cp", "kaim"])
    'Known: gaa-cp, kaim.'
    """
    names = sorted(map(str, known))
    for spelt in (str, str.lower):
        of = {spelt(name): name for name in names}
        for near in difflib.get_close_matches(spelt(str(word)), of, n=1, cutoff=0.6):
            return f"Did you mean '{of[near]}'?"
    return f"Known: {', '.join(names)}."


def require_extra(extra: str, *packages: str) -> None:
    """Refuse work whose packages a plain installation does not bring.

    Examples
    --------
    >>> require_extra("utility", "json")
    >>> require_extra("utility", "no_such_package")
    Traceback (most recent call last):
    shoal.errors.InstallationError: This needs no_such_package, which is not installed. Call `pip
    install "shoal[utility]"`.
    """
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise InstallationError(
            f"This needs {' and '.join(missing)}, which {'are' if missing[1:] else 'is'} not "
            "installed.",
            f'Call `pip install "shoal[{extra}]"`.',
        )
