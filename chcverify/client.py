"""The client of `chcverify serve`: `python -m chcverify.client SOCKET ARGUMENTS...`. Loads nothing but this module."""

import json
import os
import socket
import sys
from collections.abc import Sequence


def ask(path: str, arguments: Sequence[str], directory: str | None = None) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of the command with these arguments, run by a service.

    path: of the service's socket. directory: in which to run it, the current one if None. OSError if there is no
    service; ValueError if it ended before its reply.
    """
    request = {"arguments": list(arguments), "directory": directory or os.getcwd()}
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(path)
        connection.sendall(json.dumps(request).encode() + b"\n")
        with connection.makefile("rb") as stream:
            reply = json.loads(stream.readline())
    return reply["status"], reply["output"], reply["errors"]


def main() -> int:
    """Prints what the service answers; its exit status."""
    if len(sys.argv) < 3:
        print("usage: python -m chcverify.client SOCKET ARGUMENTS...", file=sys.stderr)
        return 2
    try:
        status, output, errors = ask(sys.argv[1], sys.argv[2:])
    except (OSError, ValueError) as error:
        print(f"chcverify: no answer from {sys.argv[1]}: {error}", file=sys.stderr)
        return 2
    sys.stdout.write(output)
    sys.stdout.flush()
    sys.stderr.write(errors)
    return status


if __name__ == "__main__":
    sys.exit(main())
