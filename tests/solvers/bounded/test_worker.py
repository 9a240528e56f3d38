"""The worker's solvers give the same answers, with values that satisfy the script."""

import io
import json

import pytest
import z3

from solvers.bounded import worker

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
        request = {"script": script, "values": ["x", "y"], "milliseconds": 60_000}
        monkeypatch.setattr(worker, "end_with_parent", lambda: None)
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
