"""Entry point of `chcverify` and `python -m chcverify`."""

import os
import sys
import time


def main() -> None:
    started = time.monotonic()
    _open_standard_streams()
    try:
        status = _command(sys.argv[1:], started)
    except KeyboardInterrupt:  # where nothing was known yet
        print("chcverify: interrupted", file=sys.stderr)
        status = 130
    sys.exit(status)


def _command(arguments: list[str], started: float) -> int:
    child = None
    if _decides(arguments):
        from chcverify.supervisor import early

        child = early()
    try:
        from chcverify.cli.app import run

        return run(arguments, started, child)
    finally:
        if child is not None:
            child.kill()


def _decides(arguments: list[str]) -> bool:
    """Is there a verdict to come, as far as the first argument shows? To be wrong costs time only."""
    first = arguments[0] if arguments else ""
    return first in ("verify", "annotate") or (first.startswith("-") and len(arguments) > 1) or os.path.isfile(first)


def _open_standard_streams() -> None:
    """Streams that the caller closed lead nowhere: else the next file that is opened would take their place."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(number, mode))


if __name__ == "__main__":
    main()
