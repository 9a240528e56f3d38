"""The worker's solvers give the same answers, with values that satisfy the script."""

import io
import json
import time

import pytest
import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Unknown
from solvers.bounded import backends, engine, worker
from solvers.bounded.engine import no_answer
from solvers.engine import Context

SCRIPT = """(set-logic ALL)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (= (bvmul x y) #x23))
(assert (bvult #x01 x))
(assert (bvult x #x08))
(check-sat)
"""


@pytest.mark.parametrize("solver", ["z3", "cvc5", "bitwuzla"])
def test_answers(solver: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(solver)

    def ask(script: str) -> dict[str, object]:
        request = {"script": script, "values": ["x", "y"], "milliseconds": 60_000, "megabytes": 1_000}
        monkeypatch.setattr(worker, "end_with_parent", lambda: None)
        monkeypatch.setattr(worker, "_limit_memory", lambda megabytes: None)
        monkeypatch.setattr("sys.argv", ["worker", solver])
        monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(request)))
        worker.main()
        return json.loads(capsys.readouterr().out)

    reply = ask(SCRIPT)
    assert reply["answer"] == "sat" and set(reply["values"]) == {"x", "y"}
    check = z3.Solver()
    # the script with the values
    values = "".join(f"(assert (= {name} {value}))" for name, value in reply["values"].items())
    check.from_string(SCRIPT.replace("(check-sat)", values))
    assert check.check() == z3.sat
    assert ask(SCRIPT.replace("#x23))", "#x23))(assert (= x y))"))["answer"] == "unsat"
    assert ask("(assert (no-such-function))")["answer"] == "unknown"


def test_without_memory_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "SOLVER_MB", 2)
    monkeypatch.setattr(backends, "QUESTION_RESOURCES", 1)
    x, y = z3.BitVecs("x y", 32)
    # x * y = 77; 1 < x
    answer = backends.decide(z3.And(x * y == 77, z3.UGT(x, 1)), time.monotonic() + 60)
    assert answer.status == "unknown" and answer.out_of_memory
    assert "MB of memory are not enough for " in no_answer(answer)


def test_an_unrolling_that_needs_too_much_memory_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([100.0, *range(100, 100_000, 250)])
    monkeypatch.setattr(engine, "_resident_mb", lambda: next(sizes))
    monkeypatch.setattr(engine, "GLANCE_S", 0.0)
    counter = Predicate("counter", (z3.IntSort(),))
    (i,) = counter.formals
    clauses = [
        Clause(counter(z3.IntVal(0)), (), z3.BoolVal(True)),
        # counter(i) & i < 99 => counter(i + 1);  counter(i) & i > 99 => false
        Clause(counter(i + 1), (counter(i),), i < 99),
        Clause(None, (counter(i),), i > 99),
    ]
    assert engine.Bounded().solve(HornSystem.of(clauses), Context.within(60)) == Unknown("memory limit after 5 steps")
