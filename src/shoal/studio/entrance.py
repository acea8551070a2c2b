"""How a browser gets in: by a private file that sends a secret, or by an address; each works once.

Other users of the machine can read the arguments of programs and, sometimes, logs. So the browser
is given the name of a file that only its owner can read. The file sends the secret in a form, so
that no address holds it, and is removed when the secret was used.
"""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

from shoal.studio.gate import ENTRANCE, Keys

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Shoal</title>
<meta name="referrer" content="no-referrer">
<form method="post" action="{action}"><input type="hidden" name="token" value="{token}">
<button>Open the studio</button></form>
<script>document.forms[0].submit()</script>
"""


class Entrance:
    """The ways into a studio that is served.

    `base`: where it is served; this is no secret.
    `keys`: the secrets.
    `folder`: a folder that nobody else can read.
    """

    def __init__(self, base: str, keys: Keys, folder: Path) -> None:
        self.base = base
        self._keys = keys
        self._file = folder / "open.html"

    def address(self) -> str:
        """Make an address that works once; one that was made before works no longer."""
        return f"{self.base}{ENTRANCE}?token={self._keys.issue('address')}"

    def write_file(self) -> Path:
        """Write a file that opens the studio once; only its owner can read it."""
        self.close()
        token = self._keys.issue("file", used=self.close)
        page = PAGE.format(action=f"{self.base}{ENTRANCE}", token=token)
        made = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(made, "w", encoding="utf-8") as out:
            out.write(page)
        return self._file

    def open_browser(self) -> bool:
        """Open a browser; say whether there is one."""
        try:
            opened = webbrowser.open(self.write_file().as_uri())
        except (OSError, webbrowser.Error):
            opened = False
        if not opened:
            self.close()
        return opened

    def close(self) -> None:
        """Remove the file."""
        self._file.unlink(missing_ok=True)
