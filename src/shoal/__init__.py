"""Shoal publishes tables without publishing people.

Every record swims in a shoal of at least k::

    import shoal

    plan = shoal.Plan.read("adult.toml")
    release = shoal.anonymize(shoal.datasets.adult(), plan)
    release.write("release/")

The names (see `shoal._public`) are imported when one is first used, so that a command that is
stopped while it starts can say so.
"""

TYPE_CHECKING = False  # as in `typing`, which is not loaded yet either
if TYPE_CHECKING:
    from shoal._public import *  # noqa: F403

    __version__: str


def __getattr__(name: str) -> object:
    """Import a room or a public name when it is first used."""
    from importlib import import_module

    if name == "__version__":
        return import_module("importlib.metadata").version("shoal")
    if not name.startswith("_"):
        try:
            return import_module(f"shoal.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"shoal.{name}":
                raise
    public = import_module("shoal._public")
    if name != "__all__" and name not in public.__all__:
        raise AttributeError(f"module 'shoal' has no attribute '{name}'")
    return getattr(public, name)


def __dir__() -> list[str]:
    from shoal._public import __all__ as public

    return [*globals(), *public, "__version__"]
