"""Commands as files of a folder, each imported when it is called."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import typer
from typer.core import TyperCommand

from shoal.cli.guard import Guarded

__all__ = ["Commands", "summary"]

ORDER_OF_USE = (
    "demo",
    "plan",
    "hierarchy",
    "run",
    "compare",
    "studio",
    "explain",
    "verify",
    "risk",
    "measure",
    "utility",
    "query",
    "methods",
    "models",
    "measures",
    "lattice",
    "paper",
)


class Commands(Guarded):
    """A group whose commands are the files of a folder; a folder in it is a group, too.

    Each file has a function of its own name, whose docstring is the help of the command. Until
    a command is called, only the first line of that is read, so that help is quick.
    """

    package = "shoal.cli.commands"

    def __init__(self, *, package: str = "", **settings: Any) -> None:
        super().__init__(**settings)
        self.package = package or self.package
        (folder,) = import_module(self.package).__path__
        for found in iter_modules([folder]):
            if not found.name.startswith("_"):
                help_ = summary(Path(folder, found.name))
                name = found.name.replace("_", "-")
                self.commands[name] = TyperCommand(name=name, help=help_)

    def list_commands(self, ctx: Any) -> list[str]:
        """List commands in the order of use; those that have no place in it come last."""
        places = {name: place for place, name in enumerate(ORDER_OF_USE)}
        return sorted(self.commands, key=lambda name: (places.get(name, len(places)), name))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is called, and import it."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and self.load(str(name)), rest

    def load(self, name: str) -> Any:
        """Import a command."""
        file = name.replace("-", "_")
        module = import_module(f"{self.package}.{file}")
        if hasattr(module, "__path__"):
            return Commands(
                package=module.__name__, name=name, help=module.__doc__, no_args_is_help=True
            )
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(name)(getattr(module, file))
        return typer.main.get_command(alone)


def summary(path: Path) -> str:
    """Read the first line of a command's help from its file, which is not run."""
    file, before = path.with_suffix(".py"), rf"^def {path.name}\(.*?"
    if path.is_dir():
        file, before = path / "__init__.py", ""
    found = re.search(
        before + r'"""(.*?)("""|$)', file.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return found[1] if found else ""
