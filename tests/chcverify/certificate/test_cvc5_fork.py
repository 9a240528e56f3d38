"""A fork that was made before any solver was loaded answers as cvc5 does. Each test has an interpreter without z3."""

import subprocess
import sys
from pathlib import Path

BEGIN = """
import os, resource, sys, time
from chcverify.certificate.kernel.checkers.cvc5_fork import ForkedCvc5
from chcverify.certificate.kernel.checkers.cvc5_process import Cvc5, WarmCvc5
"""
ASK = """
def ask(spare, script):
    with Cvc5(time.monotonic() + 60, spare) as solver:
        answer = solver.check("(set-logic ALL)" + script, 60)
        return answer, solver._process and solver._process.pid
"""


def run(code: str, directory: Path) -> str:
    """What the code prints, in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + ASK + code], cwd=directory, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_answers_one_after_the_other(tmp_path: Path) -> None:
    code = """
fork = ForkedCvc5()
import z3
spare = WarmCvc5(fork)
print(ask(spare, "(assert false)(check-sat)") == (("unsat", ""), fork.pid))
print(ask(spare, "(assert true)(check-sat)") == (("sat", ""), fork.pid))
print("z3" in open(f"/proc/{fork.pid}/maps").read(), sorted(os.listdir(f"/proc/{fork.pid}/fd")))
spare.stop()
print(os.path.exists(f"/proc/{fork.pid}"), fork.returncode)
"""
    assert run(code, tmp_path).splitlines() == ["True", "True", "False ['0', '1', '2']", "False -9"]


def test_it_ends_unused(tmp_path: Path) -> None:
    code = """
fork = ForkedCvc5()
print("cvc5" in open(f"/proc/{fork.pid}/maps").read())
fork.stop()
print(os.path.exists(f"/proc/{fork.pid}"))
"""
    assert run(code, tmp_path).split() == ["False", "False"]


def test_it_has_the_limit_of_memory_of_the_run(tmp_path: Path) -> None:
    code = """
fork = ForkedCvc5()
resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
spare = WarmCvc5(fork)
print(resource.prlimit(fork.pid, resource.RLIMIT_AS)[0] == 1 << 32, ask(spare, "(assert false)(check-sat)")[0][0])
spare.stop()
"""
    assert run(code, tmp_path).split() == ["True", "unsat"]


def test_it_is_replaced_once_it_is_dead(tmp_path: Path) -> None:
    code = """
fork = ForkedCvc5()
spare = WarmCvc5(fork)
ask(spare, "(assert true)(check-sat)")
os.kill(fork.pid, 9)
print(ask(spare, "(assert false)(check-sat)")[0][0])
print(ask(spare, "(assert false)(check-sat)")[0][0])
spare.stop()
"""
    assert run(code, tmp_path).split() == ["unknown", "unsat"]


def test_it_ends_with_its_parent(tmp_path: Path) -> None:
    code = """
read, write = os.pipe()
child = os.fork()
if child == 0:
    os.write(write, str(ForkedCvc5().pid).encode())
    os._exit(0)
os.waitpid(child, 0)
pid = int(os.read(read, 20))
def runs():
    try:
        return open(f"/proc/{pid}/stat").read().split()[2] != "Z"
    except OSError:
        return False
while runs():
    time.sleep(0.01)
print("ended")
"""
    assert run(code, tmp_path).split() == ["ended"]


def test_files_of_the_current_directory_are_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "cvc5.py").write_text("open('loaded', 'w')\nraise SystemExit\n")
    code = """
spare = WarmCvc5(ForkedCvc5())
print(ask(spare, "(assert false)(check-sat)")[0][0], os.path.exists("loaded"))
spare.stop()
"""
    assert run(code, tmp_path).split() == ["unsat", "False"]


def test_not_where_a_solver_is_loaded(tmp_path: Path) -> None:
    code = """
import z3
try:
    ForkedCvc5()
except RuntimeError as error:
    print(error)
"""
    assert run(code, tmp_path) == "a solver is loaded\n"
