"""A process of cvc5 that is a fork of this one, made while no solver is loaded here. It loads cvc5 once it is wanted.

A new interpreter takes 0.015 s of processor time for its own start. Like that one, the fork has an address space of its
own in which no other solver is, and no file of this process but its two pipes. Imports no solver.
"""

import contextlib
import gc
import os
import resource
import signal
import sys
from io import RawIOBase
from typing import IO, NoReturn

from chcverify.process_lifetime import end_with_parent

_SOLVERS = ("z3", "cvc5", "bitwuzla", "pysmt", "flint", "ppl")


class ForkedCvc5:
    """The part of `subprocess.Popen` that `cvc5_process.py` needs. RuntimeError where a solver is loaded already."""

    def __init__(self) -> None:
        if any(name in sys.modules for name in _SOLVERS):
            raise RuntimeError("a solver is loaded")
        self.returncode: int | None = None
        read, ask = os.pipe()
        answers, write = os.pipe()
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            _serve(parent, read, write)
        os.close(read)
        os.close(write)
        self.stdin: IO[bytes] | RawIOBase = os.fdopen(ask, "wb", buffering=0)
        self.stdout: IO[bytes] | RawIOBase = os.fdopen(answers, "rb", buffering=0)

    def start(self) -> None:
        """Lets it load cvc5, with the limit of memory that this process has now. OSError if it has ended."""
        with contextlib.suppress(OSError):
            resource.prlimit(self.pid, resource.RLIMIT_AS, resource.getrlimit(resource.RLIMIT_AS))
        self.stdin.write(b"\n")

    def communicate(self) -> None:
        """Closes the pipes, and waits for the end of the process if it is a child of this one."""
        self.stdin.close()
        self.stdout.close()
        if self.returncode is None:
            self.returncode = 0
            with contextlib.suppress(ChildProcessError):
                self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def stop(self) -> None:
        """Ends it, unused."""
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
        self.communicate()


def _serve(parent: int, read: int, write: int) -> NoReturn:
    """The fork's whole life: waits until cvc5 is wanted, then answers scripts."""
    try:
        os.dup2(read, 0)
        os.dup2(write, 1)
        for name in os.listdir("/proc/self/fd"):
            if int(name) > 2:
                with contextlib.suppress(OSError):
                    os.close(int(name))
        end_with_parent()
        if os.getppid() == parent and os.read(0, 1):
            sys.path[:] = filter(None, sys.path)  # none from the current directory, as in a new interpreter
            gc.disable()  # nothing of what is loaded is garbage
            from chcverify.certificate.kernel.checkers.cvc5_worker import main

            gc.freeze()
            gc.enable()
            main()
    finally:
        os._exit(0)
