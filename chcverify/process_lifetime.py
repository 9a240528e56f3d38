"""Processes that end with their parent and adopt what their children leave behind (Linux: prctl)."""

import ctypes
import signal

_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36  # of linux/prctl.h
_prctl = ctypes.CDLL(None, use_errno=True).prctl  # looked up here: it may be called between fork and exec


def end_with_parent(number: int = signal.SIGKILL) -> None:
    """Lets this process get the signal when its parent ends; a parent that has ended before is not noticed."""
    _prctl(_SET_PDEATHSIG, number, 0, 0, 0)


def adopt_orphans() -> None:
    """Makes this process the parent of descendants whose own parent ends."""
    _prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
