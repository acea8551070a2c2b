"""Start the studio on this machine alone, say how to get in, and clear up in the end."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from shoal.base.arguments import one_of
from shoal.errors import InputError, OutputError, ParameterError, require_extra

if TYPE_CHECKING:
    from fastapi import FastAPI

    from shoal.studio.entrance import Entrance

LOOPBACK = "127.0.0.1"

MOST_UPLOAD = 2 * 2**30
"""Bytes of a table that may be dropped; a larger one is named instead."""


def serve(
    given: Path | None = None,
    *,
    read_only: bool = False,
    port: int = 0,
    language: str = "en",
    most_upload: int = MOST_UPLOAD,
    announce: Callable[[Entrance], None] | None = None,
) -> None:
    """Serve the studio until it is interrupted.

    It listens on this machine alone. What it works on lies in a private folder, which is removed
    in the end.

    `given`: a table, a plan or the folder of a release to begin with.
    `read_only`: show the report of a release that was given, and nothing else.
    `port`: the port to listen on; 0 picks a free one.
    `language`: in which language it speaks first.
    `most_upload`: bytes of a table that may be sent by the browser.
    `announce`: called when the studio is about to answer, with the ways in: a browser is opened, or
    an address is made, which works once and is a secret. Without it, an address is printed.
    """
    require_extra("studio", "fastapi", "uvicorn", "python_multipart")
    from shoal.studio.app import build, build_read_only
    from shoal.studio.entrance import Entrance
    from shoal.studio.gate import Keys
    from shoal.studio.studio import Studio
    from shoal.studio.texts import LANGUAGES
    from shoal.studio.workspace import workspace

    one_of("language", language, tuple(LANGUAGES))
    if given is not None and not given.exists():
        raise InputError(f"There is no '{given}'.", "Check the name and the folder.")
    if read_only and (given is None or not given.is_dir()):
        raise ParameterError("Only a release can be shown in read-only mode.", "Name its folder.")
    keys = Keys()
    with _listening(port) as listener:
        port = listener.getsockname()[1]
        base = f"http://{LOOPBACK}:{port}"
        if read_only and given is not None:
            app = build_read_only(given, keys=keys, port=port)
            with TemporaryDirectory(prefix="shoal-studio-") as own:
                _answer(app, listener, Entrance(base, keys, Path(own)), announce)
            return
        with workspace() as private:
            studio = Studio(private, language=language)
            try:
                if given is not None:
                    studio.begin_with(given)
                app = build(studio, keys=keys, port=port, most_upload=most_upload)
                _answer(app, listener, Entrance(base, keys, private.folder), announce)
            finally:
                studio.close()


def _answer(
    app: FastAPI,
    listener: socket.socket,
    entrance: Entrance,
    announce: Callable[[Entrance], None] | None,
) -> None:
    """Say where the studio is, and answer until it is interrupted; nothing is logged."""
    import uvicorn

    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, lifespan="off"
    )
    if announce is None:
        print(entrance.address())
    else:
        announce(entrance)
    uvicorn.Server(config).run(sockets=[listener])


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
            f"Port {port} is not available: {error.strerror}.", "Use another one, or leave it out."
        ) from None
    made.listen()  # so that a browser that is quicker than the server waits
    return made
