"""The `shoal` command: from its first line on, Ctrl-C and a closed pipe end it quietly."""

import gc
import os
import sys

__all__ = ["main"]

STOPPED, UNREAD = 130, 141


def main() -> None:
    """Run the command line; no traceback is shown even while it is being loaded or leaves."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a sign that the terminal lacks is no defect
                stream.reconfigure(errors="backslashreplace")
        _start_quickly()
        from shoal.cli import main as run

        code = 0
        try:
            run()
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
        _finish()
    except KeyboardInterrupt:
        _leave(STOPPED, "Error: Stopped.\n")
    except BrokenPipeError:
        _leave(UNREAD)
    else:
        _leave(code)  # to clear up every module would take a tenth of a second


def _start_quickly() -> None:
    """Spare what a short process does not need."""
    gc.set_threshold(100_000, 50, 100)  # modules are not garbage
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads cost more than they bring
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # none is used


def _finish() -> None:
    """Write what is left; from then on, nothing can be interrupted."""
    import signal

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed by the shell, as in `>&-`
            stream.flush()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave(code: int, last_word: str = "") -> None:
    """End at once: what was not written until now is gone."""
    import contextlib

    with contextlib.suppress(OSError):
        os.write(2, last_word.encode())
    os._exit(code)


if __name__ == "__main__":
    main()
