"""A PostgreSQL server of the tests' own: started on loopback, and gone afterwards.

The machine's own programs are used where there are some, else those of the package `pgserver`,
which needs no rights and no system packages.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.processes import descendants

USER = "steward"


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    url: str
    password: str
    port: int
    data: Path
    """Where it keeps its databases."""
    call: Callable[..., None] = field(repr=False)
    """Runs one of its programs as the user whom it belongs to."""

    def start(self) -> None:
        """Start it, also after it was killed."""
        folder = self.data.parent
        options = f"-c listen_addresses=127.0.0.1 -p {self.port} -k {folder} -c fsync=off"
        log = str(folder / "log")
        self.call("pg_ctl", "-D", str(self.data), "-w", "-l", log, "-o", options, "start")

    def kill(self) -> None:
        """Kill all of its processes at once, as a machine that fails does."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        for pid in (first, *descendants(first)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """Stop it at once."""
        self.call("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to connect."""
        return {"PGPASSWORD": self.password}


def programs() -> Path:
    """Find the folder of `initdb` and `pg_ctl`."""
    for found in (
        shutil.which("pg_ctl"),
        *sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")),
    ):
        folder = None if found is None else Path(found).resolve().parent
        if folder is not None and (folder / "initdb").exists():
            return folder
    import pgserver

    return Path(pgserver.__file__).parent / "pginstall" / "bin"


@contextlib.contextmanager
def server() -> Iterator[Server]:
    """Start a server with one user and a password; stop and remove it in any case."""
    folder = Path(tempfile.mkdtemp(prefix="shoal-postgres-"))
    password, port = secrets.token_hex(16), _free_port()
    (folder / "password").write_text(password)
    data = folder / "data"
    who = _unprivileged()
    if who is not None:  # PostgreSQL does not run as root
        for path in (folder, folder / "password"):
            os.chown(path, who.pw_uid, who.pw_gid)
    bin_ = programs()

    def call(name: str, *arguments: str) -> None:
        command = [str(bin_ / name), *arguments]
        as_user = {} if who is None else {"user": who.pw_uid, "group": who.pw_gid}
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, cwd=folder, **as_user
        )
        if done.returncode:
            raise RuntimeError(f"{name} failed: {done.stderr[-500:]}")

    try:
        call(
            *("initdb", "-D", str(data), "-U", USER, "-A", "scram-sha-256"),
            *("--pwfile", str(folder / "password"), "-E", "UTF8", "--locale=C", "--no-sync"),
        )
        url = f"postgresql://{USER}@127.0.0.1:{port}/postgres"
        made = Server(url, password, port, data, call)
        made.start()
        try:
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged() -> pwd.struct_passwd | None:
    """The account to run as, if this process is root's."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise RuntimeError("PostgreSQL does not run as root, and there is no account 'nobody'.")


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
