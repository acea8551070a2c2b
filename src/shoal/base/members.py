"""What there is of a kind: found by being in its folder, or declared by another package.

A method, a requirement, a measure, an attack, a builder, a form of publication or a command is a
file in the folder of its kind, named like the member: `gaa_cp.py` holds the method ``gaa-cp``. A
file whose name begins with an underscore is a helper. Another package declares members as entry
points of the group that is called like the room::

    [project.entry-points."shoal.methods"]
    nearest = "their_package.nearest:Nearest"

Nothing is imported before it is asked for by name.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from shoal.errors import ParameterError, did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


@dataclass(eq=False, repr=False)
class Members(Mapping[str, T]):
    """The members of a kind by name, imported one by one when asked for.

    `room`: the package whose folder holds them, such as ``"shoal.methods"``.
    `noun`: what to call one of them in a message.
    `fits`: tells a member from anything else that a file may define; a class: what can be made of
    it.
    `folders`: where in the room the files are; ``None`` for each of its folders.
    `separator`: what stands between the words of a name; in a file's name it is ``_``.
    `packages`: whether a folder in the room is a member, too, such as a group of commands.
    `group`: the group of entry points in which other packages declare theirs, if it is not called
    like the package.

    Examples
    --------
    >>> from shoal.methods import METHODS
    >>> "gaa-cp" in METHODS, METHODS["gaa-cp"].__name__
    (True, 'GAACP')
    """

    room: str
    _: KW_ONLY
    noun: str
    fits: Callable[[object], bool] | type
    folders: tuple[str, ...] | None = ("",)
    separator: str = "-"
    packages: bool = False
    group: str | None = None
    _loaded: dict[str, T] = field(default_factory=dict, init=False)

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            if name in self.files:
                self._loaded[name] = self._of_file(name)
            elif name in self.declared:
                self._loaded[name] = self._of_package(name)
            else:
                raise KeyError(name)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._loaded or name in self.files or name in self.declared

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self.files, *self.declared, *self._loaded}))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"Members({', '.join(self)})"

    @cached_property
    def files(self) -> dict[str, str]:
        """The module of each member that is a file in the room, by name; none is imported."""
        found = {}
        for package in self._packages():
            spec = find_spec(package)
            places = [] if spec is None else spec.submodule_search_locations
            for each in pkgutil.iter_modules(places):
                wanted = self.packages or not each.ispkg
                if wanted and each.name != "base" and not each.name.startswith("_"):
                    name = each.name.replace("_", self.separator)
                    found[name] = f"{package}.{each.name}"
        return found

    def _packages(self) -> list[str]:
        if self.folders is not None:
            return [f"{self.room}.{folder}".rstrip(".") for folder in self.folders]
        spec = find_spec(self.room)
        places = [] if spec is None else spec.submodule_search_locations
        found = [each.name for each in pkgutil.iter_modules(places) if each.ispkg]
        return [f"{self.room}.{name}" for name in found if not name.startswith("_")]

    @cached_property
    def declared(self) -> dict[str, EntryPoint]:
        """The members that other packages declare; one with the name of ours is refused."""
        from importlib.metadata import entry_points

        found: dict[str, EntryPoint] = {}
        for each in entry_points(group=self.group or self.room):
            if each.name in self.files or each.name in found:
                raise ParameterError(
                    f"The package '{_package(each)}' declares a {self.noun} '{each.name}', "
                    "but that name is taken.",
                    "Remove the package, or ask its authors for another name.",
                )
            found[each.name] = each
        return found

    def _of_file(self, name: str) -> T:
        module = import_module(self.files[name])
        found = [each for each in vars(module).values() if self._is(each, name)]
        if not found:
            raise ParameterError(
                f"The file of the {self.noun} '{name}' does not define it.",
                f"The name of a file without a {self.noun} must begin with an underscore.",
            )
        made: T = found[0]
        return made

    def _of_package(self, name: str) -> T:
        entry = self.declared[name]
        try:
            made: T = entry.load()
        except Exception as error:
            raise ParameterError(
                f"The {self.noun} '{name}' of the package '{_package(entry)}' cannot be loaded: "
                f"{type(error).__name__}.",
                "Repair or remove the package.",
            ) from error
        if not self._is(made, name):
            raise ParameterError(
                f"The package '{_package(entry)}' declares the {self.noun} '{name}', but the "
                f"object it names is not that {self.noun}.",
                f"It must be a {self.noun} whose name is '{name}'.",
            )
        return made

    def _is(self, thing: object, name: str) -> bool:
        fits = _made_of(self.fits) if isinstance(self.fits, type) else self.fits
        if not fits(thing):
            return False
        own = getattr(thing, "__name__", "").replace("_", self.separator)
        return bool(getattr(thing, "name", own) == name)

    def called(self, word: str) -> T | None:
        """Find the member that Python calls ``word``, such as ``GAACP``; ``None`` if there is none.

        It is sought in the file of that name: the same letters, whatever their case, without
        underscores.

        Examples
        --------
        >>> from shoal.methods import METHODS
        >>> METHODS.called("KMember").name
        'k-member'
        """
        plain = _plain(word)
        for name in self.files:
            if _plain(name) == plain and python_name(self[name]) == word:
                return self[name]
        return None

    def modules(self) -> dict[str, str]:
        """Give the module of each member in the room, by what Python calls the member."""
        return {python_name(self[name]): module for name, module in self.files.items()}


def python_name(member: object) -> str:
    """Say what a member is called in Python: a class by its own name, others by their ``name``."""
    return str(getattr(member, "__name__", None) or getattr(member, "name", ""))


def first_line(member: object) -> str:
    """Read what a member is from its docstring; one without any says nothing."""
    return (member.__doc__ or "").strip().partition("\n")[0]


def lazily(
    package: str, members: Members[Any], own: Sequence[str], others: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make ``__getattr__`` and ``__dir__`` of a package whose names are imported when used.

    `members`: what is found in its folders.
    `own`: the public names that the package defines by itself.
    `others`: the module of each further public name: below the package, or in full if elsewhere.
    """

    def get(word: str) -> object:
        if word == "__all__":
            return listed()
        if word in others:
            home = others[word]
            place = home if home.startswith("shoal.") else f"{package}.{home}"
            return getattr(import_module(place), word)
        found = None if word.startswith("_") else members.called(word)
        if found is None:
            raise no_attribute(package, word, listed)
        return found

    def listed() -> list[str]:
        return sorted({*own, *others, *members.modules()})

    return get, listed


def no_attribute(package: str, word: str, known: Callable[[], Iterable[str]]) -> AttributeError:
    """Make the error about a name that a package lacks, with the nearest that it has.

    Examples
    --------
    >>> no_attribute("shoal", "KAnonimity", lambda: ["KAnonymity", "KMap"])
    AttributeError("module 'shoal' has no attribute 'KAnonimity'. Did you mean 'KAnonymity'?")
    """
    problem = f"module '{package}' has no attribute '{word}'"
    if word.startswith("_"):  # tools look for such names; no user misspells them
        return AttributeError(problem)
    hint = did_you_mean(word, known())
    return AttributeError(f"{problem}. {hint}" if hint.startswith("Did") else problem)


def _made_of(kind: type) -> Callable[[object], bool]:
    """Tell the classes of a kind that are not abstract."""
    return lambda thing: (
        inspect.isclass(thing) and issubclass(thing, kind) and not inspect.isabstract(thing)
    )


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value.partition(":")[0]
