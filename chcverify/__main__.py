"""Entry point of `chcverify` and `python -m chcverify`."""

import os
import sys
import time


def main() -> None:
    started = time.monotonic()
    _open_standard_streams()
    from chcverify.cli.app import run

    sys.exit(run(sys.argv[1:], started))


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
