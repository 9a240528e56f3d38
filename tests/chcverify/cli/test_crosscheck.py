"""Two engines against each other: those that agree, and one that lies."""

import json
import time
from pathlib import Path

import pytest
import z3

from chcverify.certificate.model import Model
from chcverify.cli.app import run as command
from chcverify.errors import InputError
from chcverify.horn.system import HornSystem
from chcverify.options import CheckOptions, EngineOptions, InputOptions, Limits, Options, OutputOptions
from chcverify.results.outcome import Outcome
from chcverify.results.result import Result, Safe, Unknown
from chcverify.run.cross_check import run
from chcverify.task import Task
from solvers import registry
from solvers.engine import Context, Requirements

CLAUSES = """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) {bad}) false)))
(check-sat)
"""


class Liar:
    """Says safe, always: its model is none."""

    name = "liar"
    description = "for tests"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        return Safe(Model({predicate: z3.BoolVal(True) for predicate in system.predicates}))


class Silent(Liar):
    name = "silent"

    def solve(self, system: HornSystem, context: Context) -> Result:
        return Unknown("says nothing")


@pytest.fixture(autouse=True)
def more_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    table = {**registry._TABLE, "liar": "test_crosscheck:Liar", "silent": "test_crosscheck:Silent"}
    monkeypatch.setattr(registry, "_TABLE", table)


def crossed(tmp_path: Path, bad: str, engines: tuple[str, ...] = (), certificate: str | None = None) -> Outcome:
    file = tmp_path / "p.smt2"
    file.write_text(CLAUSES.format(bad=bad))
    options = Options(
        InputOptions(str(file)),
        Limits(timeout=600, jobs=1),
        EngineOptions(engines),
        CheckOptions(cross_check=True),
        OutputOptions(certificate=certificate),
    )
    return run(Task(str(file), "horn", "check-sat"), options, time.monotonic())


@pytest.mark.parametrize(("bad", "word", "said"), [("(< x 0)", "sat", "safe"), ("(= x 3)", "unsat", "unsafe")])
def test_engines_that_agree(tmp_path: Path, bad: str, word: str, said: str) -> None:
    outcome = crossed(tmp_path, bad)
    assert outcome.word == word and outcome.checkers
    assert outcome.statistics["cross-check"] == {"answers": {"pdr": said, "spacer on original": said}, "agree": True}


def test_a_liar_is_found_out_and_both_certificates_are_kept(tmp_path: Path) -> None:
    outcome = crossed(tmp_path, "(= x 3)", ("liar", "spacer"), str(tmp_path / "c.smt2"))
    assert outcome.word == "unknown" and "disagree" in outcome.reason
    told = outcome.statistics["cross-check"]
    assert told["agree"] is False
    assert told["files"] == [str(tmp_path / "c.liar.smt2"), str(tmp_path / "c.spacer.json")]
    assert "define-fun" in Path(told["files"][0]).read_text()
    assert json.loads(Path(told["files"][1]).read_text())["steps"]


def test_a_liar_that_happens_to_be_right_decides_nothing(tmp_path: Path) -> None:
    outcome = crossed(tmp_path, "(< x 0)", ("liar", "spacer"))
    assert outcome.word == "sat" and outcome.engine.startswith("spacer")
    assert crossed(tmp_path, "(< x 0)", ("liar", "silent")).word == "unknown"


def test_certificates_that_cannot_be_written(tmp_path: Path) -> None:
    outcome = crossed(tmp_path, "(= x 3)", ("liar", "spacer"), str(tmp_path / "none" / "c"))
    assert all("cannot be written" in file for file in outcome.statistics["cross-check"]["files"])


def test_disagreement_is_exit_status_4(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.smt2").write_text(CLAUSES.format(bad="(= x 3)"))
    asked = ["verify", "p.smt2", "--cross-check", "--engine", "liar,spacer", "--timeout", "600"]
    assert command(asked, time.monotonic()) == 4
    out, err = capfd.readouterr()
    assert out == "unknown\n"
    assert "cross-check  liar: safe, spacer on original: unsafe" in err
    assert Path("cross-check.liar.smt2").exists() and Path("cross-check.spacer.json").exists()


def test_an_engine_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no engine 'nope'"):
        crossed(tmp_path, "(= x 3)", ("nope", "spacer"))
