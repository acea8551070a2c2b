"""Commands as files of a folder, or declared by other packages; each is imported when called."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

from shoal.base.members import Members
from shoal.cli.guard import Guarded
from shoal.errors import InstallationError

ORDER_OF_USE = (
    *("demo", "plan", "hierarchy", "run", "compare", "studio", "explain", "verify", "risk"),
    *("measure", "utility", "query", "methods", "models", "measures", "lattice", "paper"),
)


ELSEWHERE = {"paper": "papers"}
"""Commands of other distributions of this repository, each with the distribution's folder."""


class Commands(Guarded):
    """A group whose commands are the files of a folder; a folder in it is a group, too.

    Each file has a function of its own name, whose docstring is the help of the command. Other
    packages declare such functions as entry points of the group ``shoal.commands``. Until a
    command is called, only the first line of its help is read, so that help is quick.
    """

    package = "shoal.cli.commands"

    def __init__(self, *, package: str = "", **settings: Any) -> None:
        super().__init__(**settings)
        self.package = package or self.package
        self.members: Members[Any] = Members(
            self.package,
            noun="command",
            fits=callable,
            packages=True,
            group=self.package.replace("shoal.cli", "shoal"),
        )
        for name, module in self.members.files.items():
            self._list(name, f"{module}:{module.rpartition('.')[2]}")

    def list_commands(self, ctx: Any) -> list[str]:
        """List commands in the order of use; those that have no place in it come last."""
        self._list_declared()
        places = {name: place for place, name in enumerate(ORDER_OF_USE)}
        return sorted(self.commands, key=lambda name: (places.get(name, len(places)), name))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Find a command's name and help; other packages are asked for what is no file here."""
        if cmd_name not in self.commands:
            self._list_declared()
        if cmd_name in ELSEWHERE and cmd_name not in self.commands:
            folder = ELSEWHERE[cmd_name]
            raise InstallationError(
                f"The command '{cmd_name}' comes with shoal-{folder}, which is not installed.",
                f"Call `pip install shoal-{folder}`, or `pip install ./{folder}` in a copy of "
                "Shoal's repository.",
            )
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that is called, and import it."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and self.load(str(name)), rest

    def load(self, name: str) -> Any:
        """Import a command."""
        file = self.members.files.get(name)
        module = import_module(file) if file else None
        if file is None:
            function = self.members[name]
        else:
            module = import_module(file)
            if hasattr(module, "__path__"):
                return Commands(package=file, name=name, help=module.__doc__, no_args_is_help=True)
            function = getattr(module, name.replace("-", "_"))
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(name)(function)
        return typer.main.get_command(alone)

    def _list(self, name: str, value: str) -> None:
        self.commands[name] = TyperCommand(name=name, help=summary(value))

    def _list_declared(self) -> None:
        for name, entry in self.members.declared.items():
            self._list(name, entry.value)


def summary(value: str) -> str:
    """Read the first line of a command's help from its file, which is not run.

    `value`: where the command is, as entry points write it: ``"package.module:function"``.
    """
    module, _, function = value.partition(":")
    top, *inner = module.split(".")
    spec = find_spec(top)  # to find an inner module would import the packages around it
    for place in (spec and spec.submodule_search_locations) or ():
        path, before = Path(place, *inner), rf"^def {function}\(.*?"
        if path.is_dir():
            path, before = path / "__init__", ""
        if (file := path.with_suffix(".py")).is_file():
            found = re.search(
                before + r'"""(.*?)("""|$)', file.read_text("utf-8"), re.DOTALL | re.MULTILINE
            )
            return found[1] if found else ""
    return ""
