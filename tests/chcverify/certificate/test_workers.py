"""The workers of solvers answer scripts, and the names of checks stand in the text of certificates."""

import io
import json

import pytest

from chcverify.certificate.files.named_checks import named_checks, with_checks
from chcverify.certificate.kernel import bitwuzla_worker, cvc5_worker

UNSAT = "(set-logic ALL)(declare-const b (_ BitVec 8))(assert (bvult b b))(check-sat)"
SAT = UNSAT.replace("bvult b b", "= b b")


def test_cvc5_answers() -> None:
    assert cvc5_worker.solve(UNSAT, 60_000) == ("unsat", "") and cvc5_worker.solve(SAT, 60_000) == ("sat", "")
    answer, reason = cvc5_worker.solve("(assert (unknown-symbol))(check-sat)", 60_000)
    assert answer == "unknown" and reason


def test_bitwuzla_answers() -> None:
    pytest.importorskip("bitwuzla")
    assert bitwuzla_worker.solve(UNSAT, 60_000) == ("unsat", "") and bitwuzla_worker.solve(SAT, 60_000) == ("sat", "")
    answer, reason = bitwuzla_worker.solve("(assert (unknown-symbol))(check-sat)", 60_000)
    assert answer == "unknown" and reason


def test_a_line_for_each_query(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cvc5_worker, "end_with_parent", lambda: None)
    requests = [json.dumps({"script": script, "milliseconds": 60_000}) for script in (UNSAT, SAT)]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(requests)))
    cvc5_worker.main()
    version, *answers = map(json.loads, capsys.readouterr().out.splitlines())
    assert "version" in version and [answer["answer"] for answer in answers] == ["unsat", "sat"]


@pytest.mark.parametrize("text", ['{"format": 1, "steps": []}', "(define-fun P ((x Int)) Bool (> x 0))\n"])
def test_names_of_checks(text: str) -> None:
    names = ("a.c:3:1:division", "a.c:9:2:null")
    assert named_checks(with_checks(text, names)) == names
    assert named_checks(text) == ()
    if text.startswith("{"):
        assert json.loads(with_checks(text, names))["steps"] == []
