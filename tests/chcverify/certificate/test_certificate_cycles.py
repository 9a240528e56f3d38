"""Cycles: z3, cvc5 and the stand-alone checker accept those that are right, and each of them rejects every change."""

import time
from dataclasses import replace

import pytest
import z3
from cycle_systems import ARRAYS, CASES, CHOICES, COUNT, COUNTER, Case, changed_cycles, n

from chcverify.certificate.derivation import Cycle, Derivation, HasCycles, Step, derived
from chcverify.certificate.files.certificate_text import derivation_from_text, derivation_to_text
from chcverify.certificate.kernel.certificate_obligations import derivation_obligations
from chcverify.certificate.kernel.checkers import cvc5_checker, z3_checker
from chcverify.certificate.kernel.checkers.cvc5_checker import script
from chcverify.certificate.kernel.checkers.cvc5_process import Cvc5
from chcverify.certificate.kernel.obligation import MalformedCertificate
from chcverify.certificate.kernel.policy import certify
from chcverify.terms.core.array_extensionality import has_lambda
from chcverify.transforms.base import ClauseRenumbering, TranslationError
from tests.chcverify.certificate.stand_alone_checker import stand_alone_checker, status_of

EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
GUARDS = ("(> x 0)", f"(< x {COUNT - 1})", "(distinct x 5000)")


def soon(seconds: float = 600.0) -> float:
    return time.monotonic() + seconds


@pytest.fixture
def alone(tmp_path, capsys):
    """The stand-alone checker, in this process: exit status and its line."""
    module = stand_alone_checker()

    def main(case: Case, text: str) -> tuple[int, str]:
        status = status_of(module, tmp_path, text, case.text)
        return status, capsys.readouterr().out.strip()

    return main


@EVERY_CASE
def test_accepted_by_all(case, alone):
    system = case.system
    for checker in (z3_checker, cvc5_checker):
        verdict = checker.check_derivation(system, case.derivation, soon())
        assert verdict.accepted, verdict.reason
    assert certify(system, case.derivation, soon(), "require").accepted
    assert alone(case, derivation_to_text(system, case.derivation)) == (0, "accepted")


@EVERY_CASE
def test_no_obligation_has_a_lambda_or_an_array_that_is_compared(case):
    for obligation in derivation_obligations(case.system, case.derivation, soon()):
        assert not has_lambda(*obligation.build())


@EVERY_CASE
@pytest.mark.parametrize("guard", GUARDS)
def test_a_guard_that_fails_once(case, guard, alone):
    """At the first or last iteration only, or only in the middle."""
    changed = case.guarded(guard)
    assert changed.text != case.text
    if case is CHOICES and guard == GUARDS[1]:
        changed = case.guarded(f"(< x {COUNT - 2})")  # its last iteration is the one before
    rejected_by_all(changed, case.derivation, alone)


@EVERY_CASE
def test_every_change_is_rejected(case, alone):
    system = case.system
    mutants = list(changed_cycles(case.derivation))
    assert len(mutants) > 30
    for number, (what, derivation) in enumerate(mutants):
        assert not z3_checker.check_derivation(system, derivation, soon()).accepted, what
        text = _text(case, derivation) if number % (len(mutants) // 30) == 0 else None  # a second takes ten of them
        if text is not None and not _is_harmless_alone(what):
            assert alone(case, text)[0] != 0, what


@EVERY_CASE
def test_the_second_solver_refutes_every_change_by_itself(case):
    """All but those that are refused at once, or for lack of values for the query that z3 has to find."""
    refuted = 0
    with Cvc5(soon(120)) as solver:
        for what, derivation in changed_cycles(case.derivation):
            try:
                obligations = derivation_obligations(case.system, derivation, soon())
            except (MalformedCertificate, z3.Z3Exception):
                continue
            refuted += 1
            for obligation in obligations:
                answer, _ = solver.check(script(obligation.negated(), obligation.variables), 20)
                assert answer in ("sat", "unsat"), what
                if answer == "sat":
                    break
            else:
                pytest.fail(what)
    assert refuted > 5


def rejected_by_all(case, derivation, alone):
    for checker in (z3_checker, cvc5_checker):
        verdict = checker.check_derivation(case.system, derivation, soon())
        assert not verdict.accepted
        assert "not hold" in verdict.reason
    assert alone(case, derivation_to_text(case.system, derivation))[0] == 1


def _text(case: Case, derivation: Derivation) -> str | None:
    """The derivation as a file, None if it cannot be one."""
    try:
        return derivation_to_text(case.system, derivation)
    except (IndexError, z3.Z3Exception):
        return None


def _is_harmless_alone(what: str) -> bool:
    """The stand-alone checker takes the clause's number as a hint, terms of any kind, the first of two values, and more
    premises than are needed."""
    return any(harmless in what for harmless in (": clause", "twice", "ToInt", "a premise more"))


@EVERY_CASE
def test_files(case):
    text = derivation_to_text(case.system, case.derivation)
    back = derivation_from_text(case.system, text)
    assert derivation_to_text(case.system, back) == text
    assert '"version": 2' in text
    assert z3_checker.check_derivation(case.system, back, soon()).accepted
    for cycle, read in zip(case.derivation.steps, back.steps, strict=True):
        if isinstance(cycle, Cycle):
            assert isinstance(read, Cycle)
            assert (read.count, read.start) == (cycle.count, cycle.start)
            assert [link.premises for link in read.links] == [link.premises for link in cycle.links]


def test_the_variable_in_files_has_a_name_of_its_own():
    """Whatever it is called in the derivation, and whatever the clauses call theirs."""
    text = COUNTER.text.replace("x", "n").replace("(declare-fun P", "(declare-fun n!1 (Int) Bool)(declare-fun P")
    case = replace(COUNTER, text=text)
    written = derivation_to_text(case.system, case.derivation)
    assert '"cycle": "n!2"' in written
    assert z3_checker.check_derivation(case.system, derivation_from_text(case.system, written), soon()).accepted


def test_names_in_lambdas_capture_nothing(alone):
    """Bound variables that are called like the cycle's, one below the other."""
    text = ARRAYS.text
    (first, cycle, *rest) = ARRAYS.derivation.steps
    inner = z3.Lambda([n], 2 * n + z3.Lambda([n], z3.IntVal(0) * n)[n])
    family = z3.substitute(z3.Lambda([n], z3.If(z3.And(n >= 0, n < z3.Int("m")), inner[n], 0)), (z3.Int("m"), n + 1))
    arguments = (cycle.links[0].arguments[0], family)
    changed = replace(cycle, links=(replace(cycle.links[0], arguments=arguments),))
    derivation = Derivation((first, changed, *rest))
    case = Case("captured", text, derivation)
    written = derivation_to_text(case.system, derivation)
    for candidate in (derivation, derivation_from_text(case.system, written)):
        assert certify(case.system, candidate, soon(), "require").accepted
    assert alone(case, written) == (0, "accepted")


def test_what_a_cycle_derives():
    system, derivation = ARRAYS.system, ARRAYS.derivation
    predicate, arguments = derived(system, derivation.steps[1])
    assert predicate == system.by_name["P"]
    assert arguments[0].eq(z3.IntVal(COUNT))
    assert z3.simplify(arguments[1][COUNT - 1]).eq(z3.IntVal(2 * COUNT - 2))
    assert derived(system, derivation.steps[-1]) == (None, ())
    with pytest.raises(HasCycles):
        derivation.ground_steps  # noqa: B018


def test_a_cycle_is_no_last_step_and_steps_have_no_free_variables():
    system, (first, cycle, query) = COUNTER.system, COUNTER.derivation.steps
    for steps in ((first, cycle), (cycle,), (first, Step(1, (n,), (0,)), Step(2, (), (1,))), (first, query, cycle)):
        assert not z3_checker.check_derivation(system, Derivation(steps), soon()).accepted


def test_transforms_carry_no_cycle_back():
    back = ClauseRenumbering([0, 1, 2])
    with pytest.raises(TranslationError, match="cycles"):
        back.derivation(COUNTER.derivation)
    assert back.derivation(Derivation(COUNTER.derivation.steps[:1])).ground_steps
