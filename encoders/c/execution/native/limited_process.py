"""Processes of unknown origin: limited in time, memory, files and processes, in a directory of their own."""

import contextlib
import math
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from chcverify.effort import LONG_STEP_S
from chcverify.options import MEGABYTE
from chcverify.quick_dataclass import dataclass

# Limits are set by a process of its own just before it becomes the program: no code runs between fork and exec.
_LAUNCH = """import os, resource, sys
for name, value in zip(("CPU", "AS", "FSIZE", "NPROC", "CORE"), map(int, sys.argv[1:6])):
    if value >= 0:
        limit, hard = getattr(resource, "RLIMIT_" + name), resource.getrlimit(getattr(resource, "RLIMIT_" + name))[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (value, value))
os.execve(sys.argv[6], sys.argv[6:], dict(os.environ))
"""


@dataclass(frozen=True)
class NativeLimits:
    """Limits of a native run, which starts no further process."""

    seconds: float = LONG_STEP_S
    """Of the run; compilation gets as much again."""
    memory: int | None = 4096
    """MB of address space; None for no limit, which sanitizers need."""
    file_size: int = 64
    """MB."""


def run_in(
    directory: Path, command: Sequence[str], limits: NativeLimits, processes: int, **environment: str
) -> tuple[int | None, str]:
    """The command's exit status (None: out of time) and standard error; nothing of its session lives on.

    processes: that it may start, -1 for any number.
    """
    memory = -1 if limits.memory is None else limits.memory * MEGABYTE
    numbers = (math.ceil(limits.seconds) + 1, memory, limits.file_size * MEGABYTE, processes, 0)
    path = directory / "stderr"
    with open(path, "wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _LAUNCH, *map(str, numbers), *command],
            cwd=directory,
            env={"PATH": os.environ.get("PATH", os.defpath), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
        try:
            status = process.wait(limits.seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return status, path.read_text(encoding="utf-8", errors="replace")


def ending(status: int | None) -> str:
    """The end of a process in words."""
    if status is None:
        return "it is out of time"
    if status < 0:
        return f"it ends by {signal.Signals(-status).name}"
    return "it ends"
