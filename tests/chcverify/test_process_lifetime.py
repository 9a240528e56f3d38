"""Processes end with their parent, and orphans are adopted."""

import signal
import subprocess
import sys

CHILD = """
import os, signal, sys
from chcverify.process_lifetime import end_with_parent
end_with_parent(signal.{number})
print(os.getpid(), flush=True)
signal.pause()
"""
PARENT = """
import os, subprocess, sys
from chcverify.process_lifetime import adopt_orphans
adopt_orphans()
middle = subprocess.Popen([sys.executable, "-c", sys.argv[1], sys.argv[2]], stdout=subprocess.PIPE)
child = int(middle.stdout.readline())
middle.kill()
middle.wait()
pid, status = os.waitpid(child, 0)
print(os.WTERMSIG(status))
"""
MIDDLE = """
import subprocess, sys
subprocess.run([sys.executable, "-c", sys.argv[1]])
"""


def test_a_process_ends_with_its_parent_and_is_adopted() -> None:
    for number in ("SIGKILL", "SIGTERM"):
        command = [sys.executable, "-c", PARENT, MIDDLE, CHILD.format(number=number)]
        ended = subprocess.run(command, capture_output=True, text=True, check=True)
        assert int(ended.stdout) == signal.Signals[number]
