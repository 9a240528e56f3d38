"""The class of a machine, for results that are kept: processor, number of cores, memory. No name of a host."""

import os
import platform
from pathlib import Path


def machine_class() -> str:
    """Processor, usable cores and memory of this machine in one line."""
    return f"{_processor()}, {len(os.sched_getaffinity(0))} cores, {_gigabytes():.0f} GB, {platform.system()}"


def _processor() -> str:
    for line in _lines("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _gigabytes() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
