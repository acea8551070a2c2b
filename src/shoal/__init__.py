"""Shoal publishes tables without publishing people.

Every record swims in a shoal of at least k::

    import shoal

    plan = shoal.Plan.read("adult.toml")
    release = shoal.anonymize(shoal.datasets.adult(), plan)
    release.write("release/")

Rooms and names are imported when one is first used, so that a command starts at once, and one
that is stopped while it starts can say so. Methods and requirements are found in their rooms.
"""

TYPE_CHECKING = False  # as in `typing`, which is not loaded yet either
if TYPE_CHECKING:
    from shoal._names import *  # noqa: F403

    __version__: str

ROOMS = (
    "checks",
    "datasets",
    "errors",
    "hierarchies",
    "measures",
    "methods",
    "models",
    "publications",
    "query",
    "risk",
    "spark",
    "utility",
)
"""Rooms that are public as a whole."""

HOMES = {
    "Advice": "advice",
    "Bounding": "measures.loss_bound",
    "Comparison": "comparison",
    "Grouping": "grouping",
    "Hierarchy": "hierarchies",
    "OpenedRelease": "release",
    "Plan": "plan",
    "Proposal": "proposal",
    "Refinement": "methods.refine",
    "Release": "release",
    "SQL": "io.sql",
    "Schema": "schema",
    "Verification": "verification",
    "advise": "advice",
    "anonymize": "api",
    "compare": "comparison",
    "identifier": "schema",
    "open_release": "release",
    "other": "schema",
    "propose": "proposal",
    "quasi": "schema",
    "run": "pipeline",
    "sensitive": "schema",
    "verify": "verification",
}
"""Where each public name is at home, besides methods and requirements."""


def __getattr__(name: str) -> object:
    """Import a room or a public name when it is first used."""
    from importlib import import_module

    if name == "__version__":
        return import_module("importlib.metadata").version("shoal")
    if name == "__all__":
        return __dir__()
    if name in HOMES:
        return getattr(import_module(f"shoal.{HOMES[name]}"), name)
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
    raise AttributeError(f"module 'shoal' has no attribute '{name}'")


def __dir__() -> list[str]:
    from shoal.methods import METHODS
    from shoal.models import MODELS

    return sorted({*ROOMS, *HOMES, *METHODS.modules(), *MODELS.modules()})
