"""Start the studio on this machine alone, open the browser, and clear up in the end."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

from shoal.errors import InputError, OutputError, ParameterError, require_extra
from shoal.plan import Plan

__all__ = ["MOST_UPLOAD", "serve"]

LOOPBACK = "127.0.0.1"

MOST_UPLOAD = 2 * 2**30
"""Bytes of a table that may be dropped; a larger one is named instead."""


def serve(
    given: Path | None = None,
    *,
    port: int = 0,
    language: str = "en",
    most_upload: int = MOST_UPLOAD,
    announce: Callable[[str], None] = print,
) -> None:
    """Serve the studio until it is interrupted.

    It listens on this machine alone. What it works on lies in a private folder, which is removed
    in the end.

    Parameters
    ----------
    given
        A table, a plan or the folder of a release to begin with.
    port
        Where it listens; 0 takes one that is free.
    most_upload
        Bytes of a table that may be sent by the browser.
    announce
        Called with the address when the studio answers. The address holds a secret.
    """
    require_extra("studio", "fastapi", "uvicorn", "python_multipart")
    import uvicorn

    from shoal.studio.app import build
    from shoal.studio.gate import ENTRANCE, Keys
    from shoal.studio.studio import Studio
    from shoal.studio.workspace import workspace

    keys = Keys()
    with _listening(port) as listener, workspace() as own:
        port = listener.getsockname()[1]
        studio = Studio(own, language=language)
        try:
            if given is not None:
                _begin_with(studio, given)
            app = build(studio, keys=keys, port=port, most_upload=most_upload)
            config = uvicorn.Config(
                app, log_config=None, access_log=False, server_header=False, lifespan="off"
            )
            announce(f"http://{LOOPBACK}:{port}{ENTRANCE}?token={keys.token}")
            uvicorn.Server(config).run(sockets=[listener])
        finally:
            studio.close()


def _listening(port: int) -> socket.socket:
    """Listen on this machine alone (raises `OutputError`)."""
    if not 0 <= port <= 65535:
        raise ParameterError(f"port must be a number from 0 to 65535, not {port}.", "Leave it out.")
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((LOOPBACK, port))
    except OSError as error:
        made.close()
        raise OutputError(
            f"Port {port} cannot be had: {error.strerror}.", "Take another one, or leave it out."
        ) from None
    made.listen()  # so that a browser that is quicker than the server waits
    return made


def _begin_with(studio: object, given: Path) -> None:
    """Open what was named: a table, a plan or a release."""
    from shoal.studio.studio import Studio

    assert isinstance(studio, Studio)
    if not given.exists():
        raise InputError(f"There is no '{given}'.", "Check the name and the folder.")
    if given.suffix.lower() == ".toml":
        plan = Plan.read(given)
        studio.load(plan.source, plan=plan)
        return
    studio.load(given.resolve())
