"""Solvers of other makes: here small scripts that answer as such solvers do."""

import os
import shutil
import sys
import time
from pathlib import Path

import pytest
import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown
from solvers.engine import Context
from solvers.registry import get

P = Predicate("P", (z3.IntSort(),))
Z3 = shutil.which("z3", path=str(Path(sys.executable).parent))


def system() -> HornSystem:
    x, y = z3.Ints("x y")
    # x = 0 => P(x); P(x) & y = x + 1 => P(y); P(x) & x < 0 => false
    step = Clause(P(y), (P(x),), y == x + 1)
    return HornSystem.of([Clause(P(x), (), x == 0), step, Clause(None, (P(x),), x < 0)])


@pytest.fixture
def solve(tmp_path: Path):
    def run(script: str, arguments: str = "{file}", seconds: float = 600.0):
        path = tmp_path / "solver.py"
        path.write_text(script)
        engine = get(f"external:{sys.executable} {path} {arguments}")
        return engine.solve(system(), Context.within(seconds))

    return run


def test_model_is_read(solve):
    result = solve("print('sat\\n(\\n(define-fun P ((x Int)) Bool (>= x 0))\\n)')")
    assert isinstance(result, Safe)
    assert check_model(system(), result.model, time.monotonic() + 600).accepted


def test_the_clauses_arrive(solve):
    """The script is a real solver: z3 on the file."""
    script = """
import sys, z3
solver = z3.SolverFor("HORN")
solver.from_file(sys.argv[1])
print(solver.check())
print(solver.model().sexpr())
"""
    result = solve(script)
    assert isinstance(result, Safe), result
    assert check_model(system(), result.model, time.monotonic() + 600).accepted


@pytest.mark.skipif(not Z3, reason="the z3-solver package brings no z3 command here")
@pytest.mark.parametrize("quote", ["", "'"])
def test_a_solver_of_another_make(quote):
    """The command of the z3-solver package; quotes around a command with commas survive the option's parser."""
    result = get(f"external:{quote}{Z3} -model -T:{{seconds}} {{file}}{quote}").solve(system(), Context.within(600))
    assert isinstance(result, Safe), result
    assert check_model(system(), result.model, time.monotonic() + 600).accepted


def test_file_is_appended_if_it_is_not_named(solve):
    script = "import sys; print('unsat' if sys.argv[-1].endswith('.smt2') and open(sys.argv[-1]).read() else 'sat')"
    assert solve(script, "") == Unknown(f"{sys.executable} says unsat without a certificate")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("print('unknown')", "says unknown"),
        ("print('sat')", "says sat without a model"),
        ("print('sat\\n(define-fun P ((x Real)) Bool true')", "unreadable"),
        ("print('error: no such option')", "gave no answer, exit status 0: error: no such option"),
        ("import sys; print('oh no', file=sys.stderr); sys.exit(4)", "gave no answer, exit status 4: oh no"),
        ("import os; os.abort()", "gave no answer, exit status -6"),
    ],
)
def test_no_answer_has_a_reason(solve, script, reason):
    result = solve(script)
    assert isinstance(result, Unknown) and reason in result.reason


def test_missing_command():
    result = get("external:no-such-solver-here {file}").solve(system(), Context.within(600))
    assert result == Unknown("no-such-solver-here: No such file or directory")


def test_time_limit_kills_the_whole_group(solve, tmp_path):
    script = f"""
import subprocess, time
child = subprocess.Popen(["sleep", "600"])
open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
time.sleep(600)
"""
    for seconds in (1.0, 5.0, 25.0, 125.0):  # the first in which the script had begun
        assert solve(script, seconds=seconds) == Unknown("time limit")
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
            break
    pid = int((tmp_path / "pid").read_text())
    end = time.monotonic() + 600
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < end:
        time.sleep(0.02)
    state = Path(f"/proc/{pid}/stat")
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"
