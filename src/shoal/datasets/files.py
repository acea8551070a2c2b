"""Where the bundled hierarchies and plans lie."""

from __future__ import annotations

from pathlib import Path

from shoal.errors import ParameterError, did_you_mean

DATA = Path(__file__).parent / "data"
"""Everything that is bundled."""


def folder(name: str) -> Path:
    """Path of the folder that comes with a bundled table.

    It holds one hierarchy per column, ``hierarchies/COLUMN.csv`` (leaf;…;root), levels of
    sensitivity, ``levels/COLUMN.csv`` (value;level), and a ready plan, ``NAME.toml``. Treat
    it as read-only: copy what you want to edit. The plan expects the table beside itself.

    Parameters
    ----------
    name
        The table; ``"adult"`` is the only one so far.

    Returns
    -------
    pathlib.Path
        An existing folder.

    Raises
    ------
    ParameterError
        If no folder has this name.

    Examples
    --------
    >>> (folder("adult") / "hierarchies" / "sex.csv").read_text(encoding="utf-8").split()
    ['Female;*', 'Male;*']
    >>> folder("adlut")
    Traceback (most recent call last):
    shoal.errors.ParameterError: There is no bundled folder 'adlut'. Did you mean 'adult'?
    """
    known = sorted(path.name for path in DATA.iterdir() if path.is_dir())
    if name not in known:
        raise ParameterError(f"There is no bundled folder '{name}'.", did_you_mean(name, known))
    return DATA / name
