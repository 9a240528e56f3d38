"""One command in a process tree of its own, limited and measured. Run as a script: `python -I runner.py`.

Reads one JSON object from standard input: `command` (words), `wall_seconds`, `cpu_seconds` (of all processes together,
or null), `megabytes` (address space of each process, or null), `cores` (processor numbers, or null). Writes one JSON
object to standard output: `output` and `errors` (text), `status` (exit status, negative: a signal), `wall_seconds`,
`cpu_seconds` (user and system time of all processes of the tree), `peak_megabytes` (of the largest single process),
`timed_out`, `failure` (why the command could not be started, else "").

The runner adopts processes whose parent ended (PR_SET_CHILD_SUBREAPER), so it can end and count all of them, and it
ends them when its own parent ends. It imports the standard library alone, since it is started once for each run.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

from chcverify.effort import GLANCE_S
from chcverify.options import MEGABYTE
from chcverify.process_lifetime import adopt_orphans, end_with_parent

KEPT_BYTES = 1 << 16
"""Bytes of each end of an output: more than the verdict and the reason of any tool. Chosen by hand."""
POLL_SECONDS = 0.01
"""Seconds of the clock between two looks at a process. Chosen by hand."""
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def main() -> int:
    given: dict[str, Any] = json.load(sys.stdin)
    adopt_orphans()
    signal.signal(signal.SIGTERM, _end_everything)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the campaign, which then ends its runners
    end_with_parent(signal.SIGTERM)
    if os.getppid() == 1:
        return 1  # the parent ended before the call above
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        result = run(given, output, errors)
        result["output"], result["errors"] = _both_ends(output), _both_ends(errors)
    return _write_result(result)


def _write_result(result: dict[str, Any]) -> int:
    """Writes the result for the campaign. One that has ended, with nobody left to read it, is no error to report."""
    data = memoryview(json.dumps(result).encode())
    try:
        while data:
            data = data[os.write(1, data) :]
    except BrokenPipeError:
        return 1
    return 0


def run(given: dict[str, Any], output: Any, errors: Any) -> dict[str, Any]:
    """Starts the command, waits for it or for the limit, ends what is left of its tree, and measures."""
    start = time.monotonic()
    try:
        process = subprocess.Popen(
            given["command"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            process_group=0,
            preexec_fn=lambda: _limit(given),
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return _result(start, 127, False, f"cannot be started: {error}")
    status = _wait(process.pid, start + float(given["wall_seconds"]), given.get("cpu_seconds"))
    timed_out = status is None
    wall = time.monotonic() - start
    _end_descendants()
    result = _result(start, -signal.SIGKILL if status is None else status, timed_out, "")
    result["wall_seconds"] = wall
    return result


def _limit(given: dict[str, Any]) -> None:
    """In the child, before the command starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if given["megabytes"]:
        limit = int(given["megabytes"]) * MEGABYTE
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    if given["cores"]:
        os.sched_setaffinity(0, given["cores"])


def _wait(pid: int, deadline: float, cpu_limit_s: float | None) -> int | None:
    """The exit status of the process, None if the deadline (time.monotonic()) passes first, or its tree uses more
    processor time than the limit."""
    next_sum = time.monotonic()
    while True:
        ended, raw = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(raw)
        now = time.monotonic()
        if now >= deadline:
            return None
        if cpu_limit_s is not None and now >= next_sum:
            next_sum = now + GLANCE_S
            if _used_by_descendants(os.getpid()) >= cpu_limit_s:
                return None
        time.sleep(POLL_SECONDS)


def _used_by_descendants(pid: int) -> float:
    """Seconds of processor time of all descendants that run, and of those that they have waited for."""
    return sum(_used(child) + _used_by_descendants(child) for child in _children(pid))


def _used(pid: int) -> float:
    """Seconds of processor time of a process and of its children that it has waited for; 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            after_name = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, after_name[11:15])) / TICKS_PER_SECOND  # utime, stime, cutime, cstime


def _end_descendants() -> None:
    """Kills all children and adopted descendants until none is left. Reaping adds their times to RUSAGE_CHILDREN."""
    while True:
        for pid in _children(os.getpid()):
            _kill(pid)
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(POLL_SECONDS)
        except ChildProcessError:
            return


def _children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def _kill(pid: int) -> None:
    """Kills a process after its descendants, so that none of them is adopted while it could start another."""
    for child in _children(pid):
        _kill(child)
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _end_everything(number: int, frame: Any) -> None:
    _end_descendants()
    os._exit(128 + number)


def _result(start: float, status: int, timed_out: bool, failure: str) -> dict[str, Any]:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "status": status,
        "wall_seconds": time.monotonic() - start,
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "peak_megabytes": used.ru_maxrss / 1024,
        "timed_out": timed_out,
        "failure": failure,
    }


def _both_ends(file: Any) -> str:
    """The text of a file; of a long one the beginning and the end."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    data = file.read(KEPT_BYTES if size > 2 * KEPT_BYTES else size)
    if size > 2 * KEPT_BYTES:
        file.seek(-KEPT_BYTES, os.SEEK_END)
        data += b"\n...\n" + file.read(KEPT_BYTES)
    return str(data.decode("utf-8", "replace"))


if __name__ == "__main__":
    sys.exit(main())
