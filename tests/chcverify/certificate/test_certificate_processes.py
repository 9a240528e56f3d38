"""Obligations that two processes check: the same findings as by one, and no process left behind."""

import os
import time
from pathlib import Path

import pytest

from chcverify.certificate.kernel.certificate_obligations import model_obligations
from chcverify.certificate.kernel.checkers import z3_checker
from chcverify.certificate.kernel.obligation import HOLDS, CheckFinding, MalformedCertificate
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.kernel.second_process import answers
from tests.chcverify.certificate.certificate_systems import MODEL, SAFE, wrong_models

HERE = os.getpid()


def soon(seconds: float = 60) -> float:
    return time.monotonic() + seconds


def children() -> list[int]:
    """The processes that this one has started and not ended."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.append(int(status.parent.name))
    return found


@pytest.fixture(autouse=True)
def two_at_once(monkeypatch):
    """The second process starts at once; afterwards it is gone."""
    monkeypatch.setattr(z3_checker, "ALONE_S", -1.0)
    before = set(children())
    yield
    assert set(children()) <= before


def test_right_and_wrong_models():
    assert certify(SAFE, MODEL, soon(), "off", processes=2).accepted
    for _, model in wrong_models():
        assert not certify(SAFE, model, soon(), "off", processes=2).accepted


def test_same_findings():
    for _, model in [("right", MODEL), *wrong_models()]:
        try:
            obligations = model_obligations(SAFE, model)
        except MalformedCertificate:  # refused before any solver is asked
            continue
        alone = z3_checker.discharge(obligations, soon())
        together = z3_checker.discharge(obligations, soon(), 2)
        assert all(finding == HOLDS for finding in alone) == all(finding == HOLDS for finding in together)
        assert any(finding.status == "fails" for finding in alone) == any(f.status == "fails" for f in together)
        # What is known to hold or to fail is never the other.
        for one, other in zip(alone, together, strict=True):
            assert "unknown" in (one.status, other.status) or one == other


def test_both_answer():
    """Each takes the next question while the other is busy."""

    def ask(question: int) -> CheckFinding:
        time.sleep(0.05)
        return CheckFinding("unknown", str(os.getpid()))

    found = dict(answers(range(20), ask, soon()))
    assert sorted(found) == list(range(20))
    assert len({finding.reason for finding in found.values()}) == 2


@pytest.mark.parametrize("end", [os._exit, lambda status: os.abort(), lambda status: os.kill(os.getpid(), 9)])
def test_a_process_that_dies_answers_nothing(end):
    """What it had taken stays open, everything else is answered."""

    def ask(question: int) -> CheckFinding:
        if os.getpid() != HERE:
            end(1)
        time.sleep(0.02)
        return HOLDS

    found = dict(answers(range(10), ask, soon()))
    assert len(found) >= 9
    assert all(finding == HOLDS for finding in found.values())


def test_what_a_dead_process_took_is_asked_again(monkeypatch):
    ask = z3_checker._ask

    def dying(obligation, turn, seconds, deadline):
        if os.getpid() != HERE:
            os._exit(0)
        return ask(obligation, turn, seconds, deadline)

    monkeypatch.setattr(z3_checker, "_ask", dying)
    assert certify(SAFE, MODEL, soon(), "off", processes=2).accepted


def test_no_fork_is_possible(monkeypatch):
    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    assert certify(SAFE, MODEL, soon(), "off", processes=2).accepted


def test_the_deadline_ends_both():
    def ask(question: int) -> CheckFinding:
        time.sleep(0.5 if os.getpid() == HERE else 60)
        return HOLDS

    begin = time.monotonic()
    found = dict(answers(range(4), ask, begin + 0.2))
    assert set(found.values()) <= {HOLDS}
    assert len(found) < 4


def test_closed_before_the_end():
    """The caller has seen enough: the fork is ended although it would go on for a minute."""

    def ask(question: int) -> CheckFinding:
        time.sleep(0.0 if os.getpid() == HERE else 60)
        return HOLDS

    found = answers(range(4), ask, soon())
    assert next(found)[1] == HOLDS
    found.close()
