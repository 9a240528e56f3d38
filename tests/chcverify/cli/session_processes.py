"""The processes of a command that leads a session of its own."""

import time
from pathlib import Path


def living_processes(session: int) -> list[int]:
    """The living processes of the session, its leader among them."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def gone(session: int) -> bool:
    """Is no process of the session left, after a minute at the latest?"""
    end = time.monotonic() + 60
    while living_processes(session) and time.monotonic() < end:
        time.sleep(0.02)
    return not living_processes(session)
