"""The certificate checker: every obligation of a certificate refuted by z3. Only `unsat` accepts.

Each query gets a fresh solver. A solver with push and pop would be cheaper by some 0.3 ms a clause, but could carry
assertions, lemmas and a mode of solving from one clause to the next; nothing can leak where nothing is shared.
"""

import itertools
import math
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.certificate_obligations import (
    MalformedCertificate,
    Obligation,
    derivation_obligations,
    model_obligations,
)
from chcverify.certificate.kernel.obligation import HOLDS as HOLDS
from chcverify.certificate.kernel.obligation import CheckFinding as CheckFinding
from chcverify.certificate.kernel.second_process import answers
from chcverify.certificate.model import Model
from chcverify.certificate.search.congruences import is_contradictory
from chcverify.certificate.search.integer_polynomials import PolynomialTooLarge
from chcverify.certificate.search.linearise import linearised
from chcverify.certificate.search.splitting import cases, goals
from chcverify.effort import GLANCE_S, MAX_FORMULAS, PROLONGED_FACTOR
from chcverify.horn.system import HornSystem
from chcverify.terms.bitvectors.words_apart import weaker
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    disjuncts,
    free_variables,
    has_quantifier,
    is_nonlinear,
    subterms,
)

CHECKER = f"z3 {z3.get_version_string()}"
SLICE_S = 0.5
"""Seconds for a query of the first round, and for one with quantifiers in its assumptions as it is: those of models of
linked data took at most 0.41 s each and 2.6 s together (dll-insert of benchmarks/linked), and 10 s in parts."""
QUICK_PART_S = 0.01
"""Seconds for each conjunct of the goal, which replace GLANCE_S where their sum is larger. With facts about 50
cells (overwrite_item of cJSON) an obligation took 0.2 s as it is, and 1.8 s in parts."""
BITS_QUICK_S = 0.02
"""The time for an obligation about bit-vectors before it is asked without circuits: small ones are refuted in 0.3
to 0.7 ms as they are, and need 7 to 40 ms without circuits."""
ALONE_S = 1.0
"""Seconds after which a second process may help. Chosen by hand."""


@dataclass(frozen=True)
class Verdict:
    """The verdict of one checker on a certificate; reason: why it is not accepted, or the obligation left open."""

    accepted: bool
    checker: str
    reason: str


def check_model(system: HornSystem, model: Model, deadline: float) -> Verdict:
    """The verdict of z3 on a model. deadline: time.monotonic(), after which the model is rejected."""
    return check(lambda: model_obligations(system, model), discharge, CHECKER, deadline)


def check_derivation(system: HornSystem, derivation: Derivation, deadline: float) -> Verdict:
    """The verdict of z3 on a derivation. deadline: time.monotonic(), after which the derivation is rejected."""
    return check(lambda: derivation_obligations(system, derivation, deadline), discharge, CHECKER, deadline)


Discharge = Callable[[Sequence[Obligation], float], list[CheckFinding]]
_STOPPED = ("timeout", "canceled")  # z3's reasons where its time is over
_Refute = Callable[[z3.BoolRef, int, float], CheckFinding]


def check(obligations: Callable[[], Sequence[Obligation]], solve: Discharge, checker: str, deadline: float) -> Verdict:
    """The verdict of one solver alone."""
    try:
        items = obligations()
    except (MalformedCertificate, z3.Z3Exception) as error:
        return Verdict(False, checker, str(error))
    return summary(items, solve(items, deadline), checker)


def summary(obligations: Sequence[Obligation], findings: Sequence[CheckFinding], checker: str) -> Verdict:
    """Accepted if all hold; else the reason names the first that fails, or the first that is open."""
    for status in ("fails", "unknown"):
        for obligation, finding in zip(obligations, findings, strict=True):
            if finding.status == status:
                return Verdict(False, checker, f"{obligation.name}: {finding.reason}")
    return Verdict(True, checker, "")


def discharge(obligations: Sequence[Obligation], deadline: float, processes: int = 1) -> list[CheckFinding]:
    """z3's finding for each obligation, in order. Stops at the first that fails: the others are then unknown.

    The open obligations are asked again in rounds, each with twice the time and another configuration. processes: if
    more than one, a second one helps where it takes longer than a moment. What holds then is as with one; in what order
    obligations are asked, and so which of several that fail is named, may differ.
    """
    findings = [CheckFinding("unknown", "not reached in time")] * len(obligations)
    rest = list(range(len(obligations)))
    turn, slice_ = 0, SLICE_S
    alone_until = time.monotonic() + ALONE_S if processes > 1 else math.inf
    while rest and time.monotonic() < deadline:

        def ask(index: int, turn: int = turn, seconds: float = slice_) -> CheckFinding:
            return _ask(obligations[index], turn, seconds, deadline)

        with closing(_asked(rest, ask, deadline, alone_until)) as found:
            for index, finding in found:
                findings[index] = finding
                if finding.status == "fails":
                    return findings
        rest = [index for index in rest if findings[index].status == "unknown"]
        turn, slice_ = turn + 1, slice_ * 2
    return findings


def _asked(
    rest: Sequence[int], ask: Callable[[int], CheckFinding], deadline: float, alone_until: float
) -> Generator[tuple[int, CheckFinding]]:
    """The findings on these obligations, by number, as they come; from `alone_until` on by two processes."""
    for position, index in enumerate(rest):
        now = time.monotonic()
        if now >= deadline:
            return
        if now >= alone_until and position < len(rest) - 1:
            yield from answers(rest[position:], ask, deadline)
            return
        yield index, ask(index)


def discharge_quickly(obligations: Sequence[Obligation], deadline: float) -> list[CheckFinding]:
    """z3's finding for each obligation, in order, by one short query each. Stops at the first that fails."""
    findings = [CheckFinding("unknown", "not reached in time")] * len(obligations)
    for index, obligation in enumerate(obligations):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            findings[index] = _refute(obligation.negated(), 0, min(left, GLANCE_S))
        except z3.Z3Exception as error:
            findings[index] = CheckFinding("unknown", f"z3: {error}")
        if findings[index].status == "fails":
            break
    return findings


def _ask(obligation: Obligation, turn: int, seconds: float, deadline: float = math.inf) -> CheckFinding:
    """The finding on one obligation in the given turn, from 0; seconds: for each query of this turn."""
    try:
        if obligation.ground and turn == 0 and (simplified := _evaluate(obligation)).status != "unknown":
            return simplified
        formula = obligation.negated()
        goal = z3.Goal()
        goal.add(formula)
        if turn % 2 == 0 and _is_nonlinear(goal):
            if _refute_by_linear_arithmetic(obligation, turn, seconds, deadline) == HOLDS:
                return HOLDS
            turn = turn or 1  # the core alone is of no use
        is_bits = _is_bits(goal)
        if is_bits and turn % 2 == 0 and _refute_words(obligation, formula, seconds, deadline) == HOLDS:
            return HOLDS
        is_blasted = is_bits or _is_floats(goal)
        if turn == 0 and is_blasted:
            left = deadline - time.monotonic()
            finding = _refute(formula, _SOLVED, min(left, PROLONGED_FACTOR * seconds))
            if finding.status != "unknown":
                return finding
        elif turn == 0 and _is_real(goal):
            finding = _refute_by_goals(obligation, PROLONGED_FACTOR * seconds, deadline)
            if finding.status != "unknown":
                return finding
        elif turn % 2 == 0:
            left = deadline - time.monotonic()
            finding = _refute(formula, turn, min(left, seconds if turn else min(seconds, _quick_s(obligation))))
            if turn or finding.status != "unknown":
                return finding
        elif turn > 1 and is_blasted:
            return _refute(formula, 1, min(deadline - time.monotonic(), seconds))
        return _refute_in_parts(obligation, turn, seconds, deadline)
    except z3.Z3Exception as error:
        return CheckFinding("unknown", f"z3: {error}")


def _quick_s(obligation: Obligation) -> float:
    """The seconds in which to try an obligation as it is, before that in parts."""
    assumption, goal = obligation.build()
    if has_quantifier(assumption):
        return SLICE_S
    # Of 109 with products in models of vec, 107 took 0.2 s together as they are, and 2.6 s in parts.
    return max(GLANCE_S, QUICK_PART_S * len(conjuncts(goal)))


def _evaluate(obligation: Obligation) -> CheckFinding:
    """The finding on a ground obligation by simplification alone. Under assumptions, these are equations about reads
    of arrays, which replace one side by the other."""
    assumption, instance = obligation.build()
    value = z3.simplify(instance)
    given = [(equation.arg(0), equation.arg(1)) for equation in conjuncts(assumption) if z3.is_eq(equation)]
    for _ in given:  # one read may be at the place that another one gives
        if z3.is_true(value):
            break
        value = z3.simplify(z3.substitute(value, *given))
    if z3.is_true(value):
        return HOLDS
    if z3.is_false(value) and not obligation.variables:
        return CheckFinding("fails", "its constraint does not hold")
    return CheckFinding("unknown", "not simplified to a truth value")


def _refute_in_parts(obligation: Obligation, turn: int, seconds: float, deadline: float) -> CheckFinding:
    """The finding by a query for each case and goal; if that leaves it open, by a query for each goal."""
    by_cases = _queries(obligation, by_cases=True)
    finding = _refute_all(by_cases, _refute, turn, seconds, deadline)
    if finding.status == "unknown" and len(whole := _queries(obligation, by_cases=False)) < len(by_cases):
        finding = _refute_all(whole, _refute, turn, seconds, deadline)
    return finding


def _refute_by_goals(obligation: Obligation, seconds: float, deadline: float) -> CheckFinding:
    """The finding by z3's older simplex, as a whole or with a query for each goal. seconds: for each of them."""
    finding = _refute(obligation.negated(), _OLD_SIMPLEX, min(deadline - time.monotonic(), GLANCE_S))
    by_goals = _queries(obligation, by_cases=False)
    if finding.status == "unknown" and len(by_goals) > 1:
        finding = _refute_all(by_goals, _refute, _OLD_SIMPLEX, seconds, deadline)
    return finding


def _is_real(goal: z3.Goal) -> bool:
    """True for linear arithmetic over the reals alone, once quotients of numerals are numerals."""
    is_linear = z3.Probe("is-qflra")
    return bool(is_linear(goal)) or (
        bool(z3.Probe("is-qfnra")(goal)) and bool(is_linear(z3.Tactic("simplify")(goal)[0]))
    )


def _is_nonlinear(goal: z3.Goal) -> bool:
    """True if the formula has products or quotients of integer variables, and no other theory; where a numeral is
    negated, as in (* (- 1) x), only once it is simplified."""
    return bool(z3.Probe("is-qfnia")(goal)) and not z3.Probe("is-qflia")(z3.Tactic("simplify")(goal)[0])


def _is_bits(goal: z3.Goal) -> bool:
    """Bit-vectors without quantifiers or arrays: of what differs between set-ups only bit-blasting is of use."""
    return bool(z3.Probe("is-qfbv")(goal))


def _is_floats(goal: z3.Goal) -> bool:
    """Floating-point numbers without quantifiers or arrays, which are bit-blasted, too. A proof about a floor function
    of all doubles is checked in 13 s by the tactic for them, and not in 40 s by the core."""
    return bool(z3.Probe("is-qffpbv")(goal))


def _queries(obligation: Obligation, by_cases: bool) -> list[z3.BoolRef]:
    """The queries that must all be refuted: each part of the goal negated, in each case or the whole assumption."""
    assumption, goal = obligation.build()
    parts = goals(goal, MAX_FORMULAS)
    given = cases(assumption) if by_cases else [assumption]
    if len(given) * len(parts) > MAX_FORMULAS:
        given = [assumption]
    return [z3.And(case, z3.Not(part)) for case, part in itertools.product(given, parts)]


def _refute_all(
    queries: Sequence[z3.BoolRef], refute: _Refute, turn: int, seconds: float, deadline: float
) -> CheckFinding:
    """HOLDS if all queries are refuted, else the first other finding. seconds: for each query."""
    end = min(deadline, time.monotonic() + 2 * PROLONGED_FACTOR * seconds)
    for query in queries:
        finding = refute(query, turn, min(seconds, end - time.monotonic()))
        if finding != HOLDS:
            return finding
    return HOLDS


def _refute_by_linear_arithmetic(obligation: Obligation, turn: int, seconds: float, deadline: float) -> CheckFinding:
    """HOLDS if products and quotients do not matter, in the obligation as a whole or in each of its cases and goals.

    The whole is asked in the first turn only: it has the same time in each.
    """
    if turn == 0:
        whole = _refute_linearised(obligation.negated(), 0, min(deadline - time.monotonic(), GLANCE_S))
        if whole == HOLDS:
            return whole
    return _refute_all(_queries(obligation, by_cases=True), _refute_linearised, 0, seconds, deadline)


def _refute_linearised(formula: z3.BoolRef, turn: int, seconds: float) -> CheckFinding:
    """Refutes the formula by algebra modulo a power of two, or a weaker linear formula; if that fails, the finding is
    "unknown".

    Of linear formulas first the conjuncts that are linear, then all without equations about if-then-else: most of these
    describe how a value wrapped around, of which congruences keep what matters. seconds: of the processor, since
    formulas are built, too.
    """
    end = time.process_time() + seconds
    if is_contradictory(formula, seconds):
        return HOLDS
    parts = conjuncts(formula)
    without_products = [part for part in parts if not any(map(is_nonlinear, subterms(part)))]
    if (
        len(without_products) < len(parts)
        and _refute(conjunction(without_products), turn, min(seconds, GLANCE_S)) == HOLDS
    ):
        return HOLDS
    fewer = [part for part in parts if not z3.is_eq(part) or not any(map(_is_choice, subterms(part)))]
    lighter = [(conjunction(fewer), end - seconds / 2)] if len(fewer) < len(parts) else []
    for attempt, until in (*lighter, (formula, end)):
        with suppress(PolynomialTooLarge):
            if time.process_time() >= until:
                continue
            linear = linearised(attempt)
            # What took most of the time to build gets as much again for its query.
            if _refute(linear, turn, max(until - time.process_time(), seconds / 2)) == HOLDS:
                return HOLDS
    return CheckFinding("unknown", "not by linear arithmetic")


def _refute_words(obligation: Obligation, formula: z3.BoolRef, seconds: float, deadline: float) -> CheckFinding:
    """HOLDS if the obligation is small, or if it hardly matters how sums of words are computed; otherwise "unknown".

    formula: the obligation, negated.
    """
    if _refute(formula, _SOLVED, BITS_QUICK_S) == HOLDS or _follows_by_equations(obligation, seconds, deadline):
        return HOLDS
    lighter = weaker(formula)
    if lighter is not None and _refute(lighter, 0, min(deadline - time.monotonic(), seconds)) == HOLDS:
        return HOLDS
    return CheckFinding("unknown", "not without circuits")


def _follows_by_equations(obligation: Obligation, seconds: float, deadline: float) -> bool:
    """Does a disjunct of the goal follow in two steps: its equations, each from those conjuncts of the assumption that
    are about its variables alone, and then, with the equations, the rest?"""
    assumption, goal = obligation.build()
    given = [({variable.get_id() for variable in free_variables(part)}, part) for part in conjuncts(assumption)]
    end = min(deadline, time.monotonic() + PROLONGED_FACTOR * seconds)

    def follows(equation: z3.BoolRef) -> bool:
        own = {variable.get_id() for variable in free_variables(equation)}
        about = [part for variables, part in given if variables <= own]
        return bool(about) and _refute(z3.And(*about, z3.Not(equation)), 0, end - time.monotonic()) == HOLDS

    for parts in map(conjuncts, disjuncts(goal)):
        equations = [part for part in parts if z3.is_eq(part)]
        rest = conjunction(part for part in parts if not z3.is_eq(part))
        if equations and all(map(follows, equations)):
            query = z3.And(assumption, *equations, z3.Not(rest))
            if _refute(query, _SOLVED, end - time.monotonic()) == HOLDS:
                return True
    return False


def _is_choice(term: z3.ExprRef) -> bool:
    return bool(z3.is_app_of(term, z3.Z3_OP_ITE))


def _refute(formula: z3.BoolRef, turn: int, seconds: float) -> CheckFinding:
    """seconds: of the clock; short ones (SLICE_S) of the processor, but several times as many of the clock at
    most."""
    if seconds <= 0:
        return CheckFinding("unknown", "timeout")
    solver = _SETUPS[turn % len(_SETUPS)](turn)
    solver.add(formula)
    used_up = time.process_time() + seconds
    end = time.monotonic() + seconds * (PROLONGED_FACTOR if seconds <= SLICE_S else 1)
    answer = _answer(solver, seconds)
    while answer == z3.unknown and solver.reason_unknown() in _STOPPED:
        left = min(used_up - time.process_time(), end - time.monotonic())
        if left < 0.3 * seconds:
            break
        answer = _answer(solver, left)  # it was stopped by the clock while it waited for the processor
    if answer == z3.unsat:
        return HOLDS
    if answer == z3.sat:
        return CheckFinding("fails", "it does not hold")
    return CheckFinding("unknown", solver.reason_unknown())


def _answer(solver: z3.Solver, seconds: float) -> z3.CheckSatResult:
    """seconds: of the clock."""
    solver.set("timeout", max(1, int(seconds * 1000)))
    # exists variables. body & constraint & ~head
    return solver.check()


def _simple(turn: int) -> z3.Solver:
    """The SMT core alone: the fastest start, and quantifiers by E-matching and models."""
    solver = z3.SimpleSolver()
    solver.set("random_seed", turn)
    return solver


def _by_logic(turn: int) -> z3.Solver:
    """The tactic that z3 chooses for the formula's logic (bit-blasting, nlsat, quantifier elimination)."""
    solver = z3.Solver()
    solver.set("random_seed", turn)
    return solver


def _old_arithmetic(turn: int) -> z3.Solver:
    solver = _simple(turn)
    solver.set("smt.arith.solver", 2)
    return solver


def _preprocessed(turn: int) -> z3.Solver:
    return z3.Then("simplify", "propagate-values", "solve-eqs", "elim-uncnstr", "simplify", "smt").solver()


def _without_patterns(turn: int) -> z3.Solver:
    """Quantifiers by models only."""
    solver = _simple(turn)
    solver.set("smt.ematching", False)
    return solver


def _purified(turn: int) -> z3.Solver:
    """Quotients and remainders become variables with polynomial equations: wrap-around in nonlinear arithmetic."""
    return z3.Then("simplify", "purify-arith", "propagate-values", "solve-eqs", "smt").solver()


_SETUPS: tuple[Callable[[int], z3.Solver], ...] = (
    _simple,
    _by_logic,
    _purified,
    _without_patterns,
    _old_arithmetic,
    _preprocessed,
)
_OLD_SIMPLEX = _SETUPS.index(_old_arithmetic)
_SOLVED = _SETUPS.index(_preprocessed)  # for words, whose equations make circuits smaller
