"""Who must accept what: the table of both solvers' findings."""

import time

import pytest
import z3
from certificate_systems import DERIVATION, MODEL, SAFE, UNSAFE, P, Q, wrong_derivations, wrong_models

from chcverify.certificate.kernel import policy
from chcverify.certificate.kernel.checkers import cvc5_checker, z3_checker
from chcverify.certificate.kernel.checkers.z3_checker import CheckFinding
from chcverify.certificate.kernel.policy import certify

MODES = ("auto", "require", "off")


def soon(seconds: float = 600.0) -> float:
    return time.monotonic() + seconds


@pytest.mark.parametrize("mode", MODES)
def test_right_certificates(mode, monkeypatch):
    # Time enough for the second opinion on a machine that is busy with other work.
    monkeypatch.setattr(policy, "QUESTION_S", 600.0)
    monkeypatch.setattr(policy, "EARLY_SHARE", 1.0)
    for system, certificate in ((SAFE, MODEL), (UNSAFE, DERIVATION)):
        result = certify(system, certificate, soon(), mode)
        assert result.accepted
        assert result.checkers == (
            (z3_checker.CHECKER,) if mode == "off" else (z3_checker.CHECKER, cvc5_checker.checker())
        )


def test_wrong_certificates():
    for _, model in wrong_models():
        result = certify(SAFE, model, soon())
        assert not result.accepted
        assert result.reason
        assert result.checkers == ()
    for _, derivation in list(wrong_derivations())[::10]:
        assert not certify(UNSAFE, derivation, soon()).accepted


ANSWER = {"h": CheckFinding("holds"), "f": CheckFinding("fails", "no"), "u": CheckFinding("unknown", "timeout")}
TABLE = [
    # z3 and cvc5 on the four clauses, and whether auto, require and off accept
    ("hhhh", "hhhh", "ARO"),
    ("hhhh", "huhh", "AO"),
    ("hhhh", "uuuu", "AO"),
    ("hhhh", "hhfh", "O"),
    ("huhh", "hhhh", "A"),
    ("huhh", "uhuu", "A"),
    ("huhh", "huhh", ""),
    ("huhh", "fhhh", ""),
    ("uuuu", "hhhh", "A"),
    ("uuuu", "hhhu", ""),
    ("hhfh", "hhhh", ""),
    ("fuuu", "hhhh", ""),
]


@pytest.mark.parametrize(("first", "other", "accepting"), TABLE)
@pytest.mark.parametrize("mode", MODES)
def test_table(monkeypatch, first, other, accepting, mode):
    """off asks z3 alone; auto needs one proof of each clause; require needs both; a refutation always rejects."""

    def answers(letters):
        return lambda obligations, deadline, *_: [ANSWER[letters[_number(obligation)]] for obligation in obligations]

    monkeypatch.setattr(z3_checker, "discharge", answers(first))
    monkeypatch.setattr(cvc5_checker, "discharge", answers(other))
    result = certify(SAFE, MODEL, soon(), mode)
    assert result.accepted == (mode[0].upper() in accepting)
    assert bool(result.reason) != result.accepted
    assert bool(result.checkers) == result.accepted


def test_solvers_that_accept_together_are_named_together(monkeypatch):
    half = [ANSWER["h"], ANSWER["u"], ANSWER["h"], ANSWER["h"]]
    monkeypatch.setattr(z3_checker, "discharge", lambda obligations, deadline, processes: half)
    monkeypatch.setattr(
        cvc5_checker,
        "discharge",
        lambda obligations, deadline, spare: [ANSWER["h" if len(obligations) == 1 else "u"]] * len(obligations),
    )
    assert certify(SAFE, MODEL, soon()).checkers == (f"{z3_checker.CHECKER} and {cvc5_checker.checker()} together",)


def _number(obligation) -> int:
    return int(obligation.name.removeprefix("clause "))


def test_a_second_opinion_gets_a_small_share_of_the_time(monkeypatch):
    granted = []

    def discharge(obligations, deadline, spare):
        granted.append(deadline - time.monotonic())
        return [ANSWER["u"]] * len(obligations)

    monkeypatch.setattr(cvc5_checker, "discharge", discharge)
    assert certify(SAFE, MODEL, soon(6000)).accepted
    assert certify(SAFE, MODEL, soon(50)).accepted
    assert granted[0] <= policy.QUESTION_S
    assert granted[1] <= policy.EARLY_SHARE * 50


def test_late_is_rejected():
    for mode in MODES:
        assert not certify(SAFE, MODEL, soon(-1), mode).accepted
        assert not certify(UNSAFE, DERIVATION, soon(-1), mode).accepted


def test_what_z3_cannot_say_is_no_certificate():
    broken = MODEL.updated({P: z3.IntVal(3), Q: z3.BoolVal(True)})
    assert not certify(SAFE, broken, soon()).accepted
