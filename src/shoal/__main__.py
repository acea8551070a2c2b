"""The `shoal` command: from its first line on, Ctrl-C and a closed pipe end it quietly."""

import gc
import os
import sys

__all__ = ["main"]

DEFECT, NO_MEMORY, STOPPED, UNREAD = 3, 6, 130, 141

_LACK = b"Error: There is not enough memory for this table, and a library ended Shoal"


def main() -> None:
    """Run the command line; no traceback is shown even while it is being loaded or leaves."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a sign that the terminal lacks is no defect
                stream.reconfigure(errors="backslashreplace")
        _start_quickly()
        _leave_if_libraries_end()
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
    except Exception as error:  # while the command is loaded, or for whoever sets SHOAL_DEBUG
        from shoal.errors import of_memory

        if of_memory(error):
            _leave(NO_MEMORY, "Error: There is not enough memory to start Shoal.\n")
        sys.excepthook(type(error), error, error.__traceback__)
        _leave(DEFECT)
    else:
        _leave(code)  # to clear up every module would take a tenth of a second


def _start_quickly() -> None:
    """Spare what a short process does not need."""
    gc.set_threshold(1_000_000, 50, 100)  # modules are not garbage
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads cost more than they bring
    # Polars' allocator would try for ever to start a thread for which there is no memory.
    os.environ.setdefault("_RJEM_MALLOC_CONF", "background_thread:false")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # none is used
    sys.meta_path.insert(0, _NoBlas())


def _leave_if_libraries_end() -> None:
    """Leave with `NO_MEMORY` where a library aborts or exits, as they do for want of memory.

    No Python may run then. So C does it: what is registered for a module whose handle is the
    number of the signal is called when `__cxa_finalize` handles that signal, the last one first.
    Shoal's own way out is another, see `_leave`.
    """
    import signal

    if sys.platform != "linux":
        return
    import ctypes

    system = ctypes.CDLL(None)
    handle = ctypes.c_void_p(signal.SIGABRT)
    system.__cxa_atexit(system._exit, ctypes.c_void_p(NO_MEMORY), handle)
    system.__cxa_atexit(system.perror, ctypes.c_char_p(_LACK), handle)
    system.signal(signal.SIGABRT, system.__cxa_finalize)


class _NoBlas:
    """Tells Numba that there is no SciPy, which it loads to multiply matrices; no kernel does.

    Others find it as always. Only this process, which is ours, is spared.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Refuse SciPy to Numba, and leave the search to others."""
        if name != "scipy":
            return
        asking = sys._getframe(1)
        while asking.f_back is not None and "importlib" in asking.f_code.co_filename:
            asking = asking.f_back
        if asking.f_globals.get("__name__", "").partition(".")[0] == "numba":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


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
