"""Workers end when they should, say why, and leave nothing behind."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chcverify.portfolio import processes
from chcverify.portfolio.processes import Channel, Message, Worker, items_limited, run_limited, wait


def alive(pid: int) -> bool:
    """Is the process there and not a zombie?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pid: int, seconds: float = 600.0) -> bool:
    end = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not alive(pid)


def message(worker: Worker, seconds: float = 600.0):
    """The first message of a worker that sends one."""
    end = time.monotonic() + seconds
    while not worker.messages and worker.outcome is None and time.monotonic() < end:
        wait([worker], 0.2)
    return worker.messages[0]


def below(pid: int) -> set[int]:
    """The children of a process."""
    return {int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def children() -> set[int]:
    return below(os.getpid())


def test_value_travels():
    outcome = run_limited(lambda: {"a": [1, 2]}, 600.0)
    assert outcome.ok and outcome.value == {"a": [1, 2]} and not children()


def test_large_value_travels():
    assert run_limited(lambda: b"x" * 20_000_000, 600.0).value == b"x" * 20_000_000


def test_items_before_a_failure_arrive():
    def items():
        yield from range(3)
        raise ValueError

    assert tuple(items_limited(items, 600.0)) == (0, 1, 2) and not children()


def test_items_before_the_end_of_the_time_arrive():
    def items():
        yield "first"
        time.sleep(600)

    assert tuple(items_limited(items, 3.0)) in ((), ("first",)) and not children()


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda: 1 / 0, "internal error: ZeroDivisionError: division by zero"),
        (lambda: os.kill(os.getpid(), signal.SIGSEGV), "killed by SIGSEGV"),
        (lambda: os._exit(7), "ended with status 7"),
        (lambda: sys.exit("enough"), "SystemExit: enough"),
        (lambda: lambda: None, "AttributeError"),  # not picklable
    ],
)
def test_crashes_are_reasons(function, reason, capfd):
    outcome = run_limited(function, 600.0)
    assert not outcome.ok and outcome.value is None
    assert outcome.reason.startswith(reason) or "pickle" in outcome.reason
    assert capfd.readouterr() == ("", "")


def test_time_limit():
    outcome = run_limited(lambda: time.sleep(600), 0.2)
    assert outcome.reason == "time limit" and not children()


def test_time_limit_of_a_worker_that_ignores_signals():
    def stubborn():
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass

    assert run_limited(stubborn, 0.3).reason == "time limit"


def test_memory_limit():
    def hungry():
        blocks = []
        while True:
            blocks.append(bytearray(8 << 20))

    assert run_limited(hungry, 600.0, memory_mb=100).reason == "memory limit of 100 MB"


def test_memory_limit_in_z3():
    def hungry():
        import z3

        solver, terms = z3.SimpleSolver(), z3.BitVecs("a b c d", 512)
        solver.add(terms[0] * terms[1] * terms[2] == terms[3], terms[0] * terms[3] != terms[1])
        return str(solver.check())

    reason = run_limited(hungry, 600.0, memory_mb=60).reason
    assert "memory limit" in reason


def test_killed_at_random_times():
    seed = random.Random(1)
    for _ in range(5):
        worker = Worker(lambda channel: [channel.send(Message(i)) for i in range(10**9)], 600.0)
        end = time.monotonic() + seed.uniform(0.0, 0.05)
        while time.monotonic() < end:
            wait([worker], 0.01)
        os.kill(worker.pid, signal.SIGKILL)
        while worker.outcome is None:
            wait([worker], 1.0)
        assert worker.outcome.reason == "killed by SIGKILL" and gone(worker.pid)
    assert not children()


def test_whole_tree_is_killed():
    def parent(channel: Channel):
        inner = Worker(lambda channel: time.sleep(600), 600.0)
        outer = subprocess.Popen(["sh", "-c", "setsid sleep 600 & sleep 600"])
        while len(below(outer.pid)) < 2:  # setsid has become the first sleep, or not yet
            time.sleep(0.01)
        channel.send(Message((inner.pid, outer.pid)))
        time.sleep(600)

    worker = Worker(parent, 600.0)
    told = message(worker)
    assert all(map(alive, told))
    tree = set(told) | below(told[1])
    worker.kill()
    assert len(tree) >= 3 and all(map(gone, tree))


def test_nothing_survives_a_dead_parent():
    script = """
import os, time
from chcverify.portfolio import processes
from chcverify.portfolio.processes import Message, Worker, wait
def middle(channel):
    inner = Worker(lambda channel: time.sleep(600), 600.0)
    channel.send(Message(inner.pid))
    time.sleep(600)
worker = Worker(middle, 600.0)
while not worker.messages:
    wait([worker], 1.0)
print(worker.pid, worker.messages[0], flush=True)
time.sleep(600)
"""
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert len(pids) == 2 and all(map(alive, pids))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert all(map(gone, pids))


def test_interrupt_kills_the_worker_and_is_raised(monkeypatch):
    """A signal whose handler raises, while the parent waits."""

    def interrupt(signum, frame):
        raise KeyboardInterrupt

    monkeypatch.setattr(processes, "wait", lambda workers, seconds: signal.raise_signal(signal.SIGALRM))
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_limited(lambda: time.sleep(600), 600.0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert not children()


def test_messages_both_ways():
    def echo(channel: Channel):
        received = []
        while "stop" not in received:
            received += channel.receive()
            time.sleep(0.005)
        channel.send(Message("stopping"))
        return received

    worker = Worker(echo, 600.0)
    for word in ("a", "b" * 300_000, "stop"):
        worker.send(word)
    while worker.outcome is None:
        wait([worker], 0.05)
    assert worker.messages == ["stopping"] and worker.outcome.value == ["a", "b" * 300_000, "stop"]


def test_a_slow_reader_does_not_block_the_sender():
    worker = Worker(lambda channel: time.sleep(600), 600.0)
    for _ in range(50):
        worker.send("x" * 100_000)
    assert worker.channel.backlog > 1_000_000
    worker.kill()


def test_importing_the_process_layer_does_not_import_z3():
    script = "import sys, chcverify.portfolio.processes; sys.exit('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_what_a_child_sent_is_read_though_it_ended_before_an_order_came():
    worker = Worker(lambda channel: 7, 600.0)
    while (status := Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()[0]) != "Z":
        assert status
        time.sleep(0.01)
    worker.send("an order")
    while worker.poll() is None:
        time.sleep(0.01)
    assert worker.outcome is not None and worker.outcome.value == 7
