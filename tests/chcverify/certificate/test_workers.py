"""The workers of solvers answer scripts, and the names of checks stand in the text of certificates."""

import io
import json
import time
from pathlib import Path

import pytest
import z3

from chcverify.certificate.files.named_checks import named_checks, with_checks
from chcverify.certificate.kernel.checkers import bitwuzla_checker, bitwuzla_worker, cvc5_worker
from chcverify.certificate.kernel.checkers.cvc5_checker import script
from chcverify.certificate.kernel.checkers.cvc5_process import Cvc5
from chcverify.certificate.kernel.obligation import Obligation

UNSAT = "(set-logic ALL)(declare-const b (_ BitVec 8))(assert (bvult b b))(check-sat)"
SAT = UNSAT.replace("bvult b b", "= b b")


def test_cvc5_answers() -> None:
    assert cvc5_worker.solve(UNSAT, 60_000) == ("unsat", "") and cvc5_worker.solve(SAT, 60_000) == ("sat", "")
    answer, reason = cvc5_worker.solve("(assert (unknown-symbol))(check-sat)", 60_000)
    assert answer == "refused" and reason


@pytest.mark.parametrize("number", ["0", "7", "-1", "-281474976710656", "2.5", "-2.5", "-3.0", "1/3", "-1/3"])
def test_cvc5_reads_arrays_that_hold_a_number_everywhere(number: str) -> None:
    """The text is z3's: such an array has that number at any index."""
    i, value = z3.Int("i"), z3.RealVal(number) if "." in number or "/" in number else z3.IntVal(number)
    arrays = z3.K(z3.IntSort(), value), z3.K(z3.ArraySort(z3.IntSort(), z3.BitVecSort(8)), z3.K(z3.IntSort(), value))
    index = z3.Const("index", arrays[1].domain())
    for cell in (arrays[0][i], arrays[1][index][i]):
        assert cvc5_worker.solve(script(cell != value, [i, index]), 60_000) == ("unsat", "")
        assert cvc5_worker.solve(script(cell == value, [i, index]), 60_000) == ("sat", "")


def test_cvc5_finds_instances_that_are_no_terms() -> None:
    """For any array there is a number that is negative, or at which it holds 0: the script has no such number."""
    a, k, m = z3.Array("a", z3.IntSort(), z3.IntSort()), z3.Int("k"), z3.Int("m")
    ends = [z3.Or(index < 0, a[index] == 0) for index in (k, m)]
    claim = z3.Exists([k, m], z3.And(*ends, k <= 63, m <= 63, k <= m))
    assert cvc5_worker.solve(script(z3.Not(claim), [a]), 60_000) == ("unsat", "")


def test_bitwuzla_answers() -> None:
    pytest.importorskip("bitwuzla")
    assert bitwuzla_worker.solve(UNSAT, 60_000) == ("unsat", "") and bitwuzla_worker.solve(SAT, 60_000) == ("sat", "")
    answer, reason = bitwuzla_worker.solve("(assert (unknown-symbol))(check-sat)", 60_000)
    assert answer == "unknown" and reason


def test_files_of_the_current_directory_are_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cvc5", "bitwuzla", "json", "chcverify"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'loaded')!r}, 'w')\nraise SystemExit\n")
    monkeypatch.chdir(tmp_path)
    with Cvc5(time.monotonic() + 60) as solver:
        assert solver.check(SAT, 60) == ("sat", "")
    if bitwuzla_checker.available():
        byte = z3.BitVec("b", 8)
        obligation = Obligation("one", lambda: (byte == 1, byte != 2), variables=(byte,))
        (finding,) = bitwuzla_checker.discharge([obligation], time.monotonic() + 60)
        assert finding.status == "holds"
    assert not (tmp_path / "loaded").exists()


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
