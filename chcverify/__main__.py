"""Entry point of `chcverify` and `python -m chcverify`."""

import atexit
import contextlib
import gc
import os
import signal
import sys
import time
from typing import TYPE_CHECKING

from chcverify.garbage import without_collections

if TYPE_CHECKING:
    from collections.abc import Callable

    from chcverify.run.supervisor import Early


def main() -> None:
    started = time.monotonic()
    _open_standard_streams()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _quit)
    status = _command(sys.argv[1:], started)
    if _decides(sys.argv[1:]):
        _end(status)
    sys.exit(status)


def _end(status: int) -> None:
    """Ends the process without freeing what was loaded, which takes 10 ms; returns if something cannot be written."""
    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit(status)


def _quit(number: int, frame: object) -> None:
    """Ends the process on Ctrl-C while modules are loaded; some imports would replace an exception by another one."""
    with contextlib.suppress(OSError):
        os.write(2, b"chcverify: interrupted\n")
    os._exit(130)  # the child dies with its parent


def _command(arguments: list[str], started: float) -> int:
    child = None
    if _decides(arguments):
        from chcverify.run.supervisor import early

        with contextlib.suppress(OSError):  # the run will say so, if it still is so then
            child = early()
    try:
        return _loaded(child is not None)(arguments, started, child)
    finally:
        if child is not None:
            child.kill()


def _loaded(decides: bool) -> "Callable[[list[str], float, Early | None], int]":
    """The command, once its modules are loaded: those of `verify`, too, where it decides."""
    with without_collections():
        from chcverify.cli.app import run

        if decides:
            import chcverify.cli.commands.verify  # noqa: F401
        gc.freeze()
        return run


def _decides(arguments: list[str]) -> bool:
    """True if the arguments suggest that one verdict is asked for. A wrong answer costs time only."""
    first = arguments[0] if arguments else ""
    if _has_entries(arguments):  # whose children are forked when everything is loaded
        return False
    return first in ("verify", "annotate") or (first.startswith("-") and len(arguments) > 1) or os.path.isfile(first)


def _has_entries(arguments: list[str]) -> bool:
    """True if --entry is given."""
    return any(argument == "--entry" or argument.startswith("--entry=") for argument in arguments)


def _open_standard_streams() -> None:
    """Opens the standard streams that the caller closed; otherwise the next open file would get their numbers."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(number, mode))


if __name__ == "__main__":
    main()
