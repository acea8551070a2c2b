"""Shoal publishes tables without publishing people.

Every record swims in a shoal of at least k::

    import shoal

    plan = shoal.Plan.read("adult.toml")
    release = shoal.anonymize(shoal.datasets.adult(), plan)
    release.write("release/")

Rooms and names are imported when one is first used, so that a command starts at once, and one
that is stopped while it starts can say so. Methods and requirements are found in their rooms.
"""

import sys

TYPE_CHECKING = False  # as in `typing`, which is not loaded yet either
if TYPE_CHECKING:
    from shoal._names import *  # noqa: F403

    __version__: str

ROOMS = {
    "checks": "checks",
    "datasets": "datasets",
    "errors": "errors",
    "hierarchies": "table.hierarchies",
    "levels": "table.levels",
    "measures": "measures",
    "methods": "methods",
    "models": "models",
    "publications": "publications",
    "query": "release.query",
    "risk": "judging.risk",
    "spark": "engines.spark",
    "utility": "judging.utility",
}
"""Rooms that are public as a whole, and where each is at home."""

HOMES = {
    "Advice": "steward.advice",
    "Bounding": "improve.loss_bound",
    "Comparison": "steward.comparison",
    "Grouping": "publications.groups.grouping",
    "Hierarchy": "table.hierarchies",
    "OpenedRelease": "release",
    "Plan": "plan",
    "Proposal": "steward.proposal",
    "Refinement": "improve",
    "Release": "release",
    "SQL": "io.sql",
    "Schema": "table.schema",
    "Verification": "judging.verification",
    "advise": "steward.advice",
    "anonymize": "api",
    "compare": "steward.comparison",
    "identifier": "table.schema",
    "open_release": "release",
    "other": "table.schema",
    "propose": "steward.proposal",
    "quasi": "table.schema",
    "run": "engines.pipeline",
    "sensitive": "table.schema",
    "verify": "judging.verification",
}
"""Where each public name is at home, besides methods and requirements."""


if not TYPE_CHECKING:  # type checkers report names that `_names` lacks

    def __getattr__(name: str) -> object:
        """Import a room or a public name when it is first used."""
        from importlib import import_module

        if name == "__version__":
            return import_module("importlib.metadata").version("shoal")
        if name == "__all__":
            return __dir__()
        if name in HOMES:
            return getattr(import_module(f"shoal.{HOMES[name]}"), name)
        if name in ROOMS:
            return import_module(f"shoal.{ROOMS[name]}")
        if not name.startswith("_"):
            try:
                return import_module(f"shoal.{name}")
            except ModuleNotFoundError as error:
                if error.name != f"shoal.{name}":
                    raise
            for room, members in (("methods", "METHODS"), ("models", "MODELS")):
                found = getattr(import_module(f"shoal.{room}"), members).called(name)
                if found is not None:
                    return found
        from shoal.base.members import no_attribute

        raise no_attribute("shoal", name, __dir__)


class _PublicRooms:
    """Import a public room, and what is below it, by the name that users know it by.

    ``from shoal.risk import reidentification`` works wherever the room is at home.
    """

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        from importlib.machinery import ModuleSpec
        from importlib.util import find_spec

        package, _, rest = name.partition(".")
        room, dot, below = rest.partition(".")
        home = ROOMS.get(room, room)
        if package != "shoal" or home == room:
            return None
        place = f"shoal.{home}{dot}{below}"
        if find_spec(place) is None:  # Python then says that there is no such name
            return None
        spec = ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]
        spec.loader_state = place
        return spec

    def create_module(self, spec: object) -> None:
        """Leave it to Python."""

    def exec_module(self, module: object) -> None:
        from importlib import import_module

        home = import_module(module.__spec__.loader_state)  # type: ignore[attr-defined]
        vars(module).update(
            __doc__=home.__doc__,
            __getattr__=lambda name: getattr(home, name),
            __dir__=lambda: dir(home),
        )


sys.meta_path.append(_PublicRooms())  # type: ignore[arg-type]


def __dir__() -> list[str]:
    from shoal.methods import METHODS
    from shoal.models import MODELS

    return sorted({*ROOMS, *HOMES, *METHODS.modules(), *MODELS.modules()})
