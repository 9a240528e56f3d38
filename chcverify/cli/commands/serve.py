"""`chcverify serve`: the command as a service on a local socket."""

import os
import signal
import sys
import time
from collections.abc import Sequence
from typing import Any

import click

from chcverify.cli.shared_options import Start
from chcverify.run.prefork import Pool, Reply, listen, preload
from chcverify.run.prefork import serve as serve_requests
from chcverify.run.supervisor import Early

_STREAMS = (1, 2)


@click.command("serve", short_help="Answer requests on a local socket.")
@click.argument("socket")
@click.option("--idle", default=2, type=click.IntRange(1, 64), show_default=True, help="Processes that wait.")
@click.option("--most", default=8, type=click.IntRange(1, 1024), show_default=True, help="Requests answered at once.")
@click.pass_obj
def command(start: Start, /, **given: Any) -> int:
    """Answer requests on the new local SOCKET until Ctrl-C or SIGTERM.

    Each request is a run of the command, in a process in which everything is loaded.
    `python -m chcverify.client SOCKET ARGUMENTS` asks and prints like `chcverify ARGUMENTS`. Only the user who started
    the service can connect.
    """
    path = os.path.abspath(given["socket"])
    listener = listen(path)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        preload()
        print(f"chcverify serves {path}", file=sys.stderr, flush=True)
        serve_requests(listener, answer, Pool(given["idle"], given["most"]))
    except KeyboardInterrupt:
        return 0
    finally:
        listener.close()
        os.unlink(path)
    return 0


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def answer(arguments: Sequence[str], child: Early) -> Reply:
    """The result of the command with these arguments, in this process."""
    from chcverify.cli.app import run

    files = [os.memfd_create("stream") for _ in _STREAMS]
    for stream, file in zip(_STREAMS, files, strict=True):
        os.dup2(file, stream)
    status = 2
    if list(arguments[:1]) == ["serve"]:
        print("chcverify: a request cannot be to serve", file=sys.stderr)
    else:
        status = run(list(arguments), time.monotonic(), child)
    sys.stdout.flush()
    sys.stderr.flush()
    output, errors = (_content(file) for file in files)
    return {"status": status, "output": output, "errors": errors}


def _content(file: int) -> str:
    with os.fdopen(file, "rb") as stream:
        stream.seek(0)
        return stream.read().decode(errors="replace")
