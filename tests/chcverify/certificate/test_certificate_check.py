"""The checkers accept certificates and reject every mutation of them; what they cannot decide in time, too."""

import signal
import time

import pytest
import z3
from certificate_systems import (
    DERIVATION,
    INT,
    MODEL,
    SAFE,
    UNSAFE,
    P,
    Q,
    integers,
    wrong_derivations,
    wrong_models,
    x,
    y,
)

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.kernel.certificate_obligations import model_obligations
from chcverify.certificate.kernel.checkers import cvc5_checker, z3_checker
from chcverify.certificate.kernel.checkers.cvc5_process import Cvc5, WarmCvc5
from chcverify.certificate.kernel.obligation import Obligation
from chcverify.certificate.model import Model
from chcverify.certificate.search.splitting import cases, goals
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.processes import run_limited

CHECKERS = pytest.mark.parametrize("checker", [z3_checker, cvc5_checker], ids=["z3", "cvc5"])


def soon(seconds: float = 600.0) -> float:
    return time.monotonic() + seconds


@CHECKERS
def test_right_certificates_are_accepted(checker):
    for verdict in (
        checker.check_model(SAFE, MODEL, soon()),
        checker.check_derivation(UNSAFE, DERIVATION, soon()),
    ):
        assert verdict.accepted, verdict.reason
        assert verdict.reason == ""


@CHECKERS
@pytest.mark.parametrize(("change", "model"), list(wrong_models()), ids=lambda value: str(value)[:40])
def test_wrong_models_are_rejected(checker, change, model):
    verdict = checker.check_model(SAFE, model, soon())
    assert not verdict.accepted, change
    assert verdict.reason


def test_wrong_derivations_are_rejected():
    mutants = list(wrong_derivations())
    assert len(mutants) > 130
    for change, derivation in mutants:
        verdict = z3_checker.check_derivation(UNSAFE, derivation, soon())
        assert not verdict.accepted, change
        assert verdict.reason


def test_a_certificate_of_another_system_is_rejected():
    assert not z3_checker.check_model(UNSAFE, MODEL, soon()).accepted
    assert not z3_checker.check_derivation(SAFE, DERIVATION, soon()).accepted


def test_reasons_name_the_clause():
    wrong = MODEL.updated({Q: z3.BoolVal(True)})
    assert z3_checker.check_model(SAFE, wrong, soon()).reason == "clause 3: it does not hold"
    named = HornSystem(
        SAFE.predicates, (*SAFE.clauses[:3], Clause(None, SAFE.clauses[3].body, y != 20, name="assertion"))
    )
    assert "clause 3 (assertion)" in z3_checker.check_model(named, wrong, soon()).reason


@CHECKERS
def test_values_are_found_for_variables_that_no_fact_determines(checker):
    # x > 1 & x * x = y & u = x => P(y, u + 0);  P(x, y) & x = 49 & y < z & z < 9 => false
    square, z = z3.Ints("square z")
    system = HornSystem.of(
        [
            Clause(P(square, z3.IntVal(0)), (), z3.And(x > 1, x * x == square)),
            Clause(None, (P(x, y),), z3.And(x == 49, y < z, z < 9)),
        ]
    )
    right = Derivation((Step(0, integers(49, 0), ()), Step(1, (), (0,))))
    wrong = Derivation((Step(0, integers(50, 0), ()), Step(1, (), (0,))))
    assert checker.check_derivation(system, right, soon()).accepted
    assert not checker.check_derivation(system, wrong, soon(3)).accepted


def test_division_by_zero_proves_nothing():
    # A step must hold whatever division by zero gives: x = y div 0 => P(x, y)
    system = HornSystem.of([Clause(P(x, y), (), x == y / z3.IntVal(0)), Clause(None, (P(x, y),), z3.BoolVal(True))])
    derivation = Derivation((Step(0, integers(5, 7), ()), Step(1, (), (0,))))
    assert not z3_checker.check_derivation(system, derivation, soon(3)).accepted
    assert not cvc5_checker.check_derivation(system, derivation, soon(3)).accepted


@CHECKERS
def test_quantifiers_with_clashing_names(checker):
    # Bound variables named like the clauses' variables and like printed names must not be captured.
    other = Predicate("other", (INT, INT))
    first, _ = other.formals
    system = HornSystem.of([Clause(other(x, y), (), z3.BoolVal(True)), Clause(None, (other(x, y),), z3.BoolVal(False))])
    for bound in (x, z3.Int("v_0"), z3.Int("q!0")):
        assert checker.check_model(system, Model({other: z3.Exists([bound], bound > first)}), soon()).accepted
        everything = z3.ForAll([bound], z3.Exists([y], z3.And(y > bound, bound >= first)))
        assert not checker.check_model(system, Model({other: everything}), soon(5)).accepted
        # forall b. (exists b. b > the outer b): printed without care it would read b > b
        inner = z3.substitute(z3.Exists([bound], bound > z3.Int("hole")), (z3.Int("hole"), bound))
        assert checker.check_model(system, Model({other: z3.ForAll([bound], inner)}), soon()).accepted


@CHECKERS
def test_quantified_models_of_arrays(checker):
    # i = 0 => Fill(i, a);  Fill(i, a) & i < 8 => Fill(i + 1, a[i := 1]);
    # Fill(i, a) & i = 8 & 0 <= k < 8 & a[k] != 1 => false
    array = z3.ArraySort(INT, INT)
    fill = Predicate("Fill", (INT, array))
    i, k, a, b = z3.Int("i"), z3.Int("k"), z3.Const("a", array), z3.Const("b", array)
    system = HornSystem.of(
        [
            Clause(fill(i, a), (), i == 0),
            Clause(fill(k, b), (fill(i, a),), z3.And(i < 8, k == i + 1, b == z3.Store(a, i, 1))),
            Clause(None, (fill(i, a),), z3.And(i == 8, k >= 0, k < 8, a[k] != 1)),
        ]
    )
    index, contents = fill.formals

    def filled(bound: z3.ArithRef) -> Model:
        return Model(
            {fill: z3.And(index >= 0, z3.ForAll([k], z3.Implies(z3.And(k >= 0, k < bound), contents[k] == 1)))}
        )

    assert checker.check_model(system, filled(index), soon()).accepted
    assert not checker.check_model(system, filled(index - 1), soon(5)).accepted
    assert not checker.check_model(system, filled(index + 1), soon(5)).accepted


def hard() -> tuple[HornSystem, Model]:
    """A system whose only clause no solver decides at once: a^3 + b^3 = c^3 has no solution."""
    a, b, c = z3.Ints("a b c")
    fermat = z3.And(a > 2, b > 2, c > 2, a * a * a + b * b * b == c * c * c)
    return HornSystem.of([Clause(None, (), fermat)]), Model({})


@CHECKERS
def test_a_timeout_is_a_rejection(checker):
    system, model = hard()
    for seconds in (0.4, 0.0, -5.0):
        verdict = checker.check_model(system, model, soon(seconds))
        assert not verdict.accepted
        assert verdict.reason.startswith("clause 0: ")
    assert not checker.check_derivation(UNSAFE, DERIVATION, soon(-1)).accepted


@pytest.mark.parametrize("turn", range(1, 2 * len(z3_checker._SETUPS)))
def test_every_set_up_decides(turn):
    right, wrong = model_obligations(SAFE, MODEL), model_obligations(SAFE, MODEL.updated({P: z3.BoolVal(True)}))
    assert {z3_checker._ask(obligation, turn, 600).status for obligation in right} == {"holds"}
    assert "fails" in {z3_checker._ask(obligation, turn, 600).status for obligation in wrong}


def test_cases_and_goals_are_all_there_is():
    a, b, c = z3.Bools("a b c")
    nested = z3.And(a, z3.Or(b, z3.Or(a, c)), z3.Or(a, z3.Not(c)))
    denied = z3.Not(z3.Or(z3.Not(a), z3.And(b, c, z3.Implies(a, b)), z3.Not(z3.Or(b, c))))
    implied = z3.Implies(a, z3.And(b, z3.Or(z3.Not(c), z3.And(a, z3.Not(z3.Or(b, c)))), c))
    constants = [z3.BoolVal(True), z3.BoolVal(False), z3.And(), z3.Or(), z3.And(a, z3.Or())]
    both = z3.Or(z3.And(a, b), z3.And(b, c))
    opaque = z3.And(z3.Xor(a, b), z3.Or(z3.If(a, b, c), a == c, z3.Not(z3.ForAll([x], z3.Or(b, x > 0)))))
    for formula in (*constants, a, z3.Or(a, b), z3.Not(z3.And(a, b)), nested, denied, implied, both, opaque):
        solver = z3.Solver()
        # formula <=/=> OR cases, or formula <=/=> AND goals
        solver.add(z3.Or(formula != z3.Or(cases(formula)), formula != z3.And(goals(formula, 50))))
        assert solver.check() == z3.unsat, formula
    assert [len(cases(formula)) for formula in (a, z3.Not(z3.And(a, b)), nested, denied, opaque)] == [1, 2, 3, 3, 3]
    assert [len(goals(formula, 50)) for formula in (a, z3.Not(z3.Or(a, b)), implied, both, opaque)] == [1, 2, 5, 1, 2]
    assert goals(implied, 3) == [implied]


def test_goals_that_share_parts_are_not_multiplied_out():
    goal = z3.And(*z3.Bools("a b"))
    for level in range(60):
        one, other = z3.Bools(f"one{level} other{level}")
        goal = z3.And(z3.Or(one, goal), z3.Or(other, goal))
    assert len(goals(goal, 500)) == 1


@pytest.mark.parametrize("turn", range(8))
def test_cases_and_parts_together(turn):
    """|x| = 2 & |y| = 3 & a choice says how z wraps around => x^2 y^2 = 36 & x^2 < 9 & z z >= 0; not x y = 6."""
    z = z3.Int("z")
    choice = z == z3.If(x * y > 5, x * y - 10, x * y)
    assumption = z3.And(z3.Or(x == 2, x == -2), z3.Or(y == 3, y == -3), choice)
    right = z3.And(x * x * y * y == 36, z3.Implies(x > 0, z3.And(x * x < 9, x * y < 7)))
    assert z3_checker._ask(Obligation("right", lambda: (assumption, right)), turn, 5) == z3_checker.HOLDS
    wrong = z3_checker._ask(Obligation("wrong", lambda: (assumption, z3.And(right, x * y == 6))), turn, 5)
    assert wrong.status != "holds"


def test_a_negated_numeral_is_no_product(monkeypatch):
    """In the text of a model -1 is (- 1): a solver reads (* (- 1) x) as a product of two terms."""
    monkeypatch.setattr(z3_checker, "_refute_by_linear_arithmetic", lambda *arguments: pytest.fail("linear"))
    read = z3.parse_smt2_string("(assert (<= (+ (* (- 1) x) y) (- 2)))", decls={"x": x, "y": y})
    assert z3_checker._ask(Obligation("text", lambda: (read[0], y < x)), 0, 5) == z3_checker.HOLDS


@pytest.mark.parametrize("wrong", [None, "equation", "rest", "premise"])
def test_words_need_no_circuits_where_equations_follow_from_two_inequalities(wrong):
    """a - b = 3 by two inequalities, one of which may say 4; a goal of two disjuncts, the second holds."""
    a, b, c = z3.BitVecs("a b c", 32)
    assumption = [a - b - 3 >= 0, b - a + (4 if wrong == "premise" else 3) >= 0, a - c + 5 >= 0, c - 9 >= 0]
    goal = z3.And(a == b + (4 if wrong == "equation" else 3), b - c + (7 if wrong == "rest" else 8) >= 0)
    obligation = Obligation("words", lambda: (z3.And(assumption), z3.Or(z3.And(a == c, c >= 0), goal)))
    assert z3_checker._follows_by_equations(obligation, 5, soon()) == (wrong is None)
    assert (z3_checker._ask(obligation, 0, 5) == z3_checker.HOLDS) == (wrong is None)


@pytest.mark.parametrize("turn", [1, 3, 5])
def test_each_case_of_an_invariant_counts(turn):
    """P(n, m): n counts to 20, m is the sum so far. The invariant tells m for each n; then it is wrong for one n."""
    P2, n, m = Predicate("P", (INT, INT)), *z3.Ints("n m")
    step = Clause(P2(n + 1, m + n), (P2(n, m),), n < 20)
    system = HornSystem.of([Clause(P2(n, m), (), z3.And(n == 0, m == 0)), step, Clause(None, (P2(n, m),), m > 190)])

    def statuses(wrong):
        first, second_ = P2.formals
        sums = [i * (i - 1) // 2 + (i == wrong) for i in range(21)]
        model = Model({P2: z3.Or([z3.And(first == i, second_ == value) for i, value in enumerate(sums)])})
        return [z3_checker._ask(obligation, turn, 600).status for obligation in model_obligations(system, model)]

    assert statuses(None) == ["holds"] * 3
    assert statuses(13)[1] == "fails"


def test_cvc5_starts_again_after_it_died_and_leaves_no_process():
    with Cvc5(soon()) as solver:
        assert solver.check("(set-logic ALL)(assert false)(check-sat)", 5)[0] == "unsat"
        process = solver._process
        assert process is not None
        process.kill()
        process.wait()
        assert solver.check("(set-logic ALL)(assert false)(check-sat)", 5)[0] == "unknown"
        assert solver.check("(set-logic ALL)(assert true)(check-sat)", 5)[0] == "sat"
        process = solver._process
    assert process is not None
    assert process.poll() is not None


def test_a_spare_process_of_cvc5_answers_one_after_the_other():
    spare = WarmCvc5()
    try:
        for _ in range(3):
            assert run_limited(lambda: _decided(spare), 20).value == spare._process.pid
        with Cvc5(soon(), spare) as solver:  # while it is claimed, others start their own
            assert solver.check("(set-logic ALL)(assert true)(check-sat)", 5) == ("sat", "")
            assert run_limited(lambda: _decided(spare), 20).value not in (None, spare._process.pid)
        assert run_limited(lambda: _decided(spare), 20).value == spare._process.pid
    finally:
        spare.stop()


def test_a_spare_process_of_cvc5_is_not_given_back_before_its_answer():
    spare = WarmCvc5()
    try:
        with pytest.raises(KeyboardInterrupt), Cvc5(soon(), spare) as solver:
            assert solver.check("(set-logic ALL)(assert true)(check-sat)", 5) == ("sat", "")
            raise KeyboardInterrupt
        assert spare._process.wait(10) == -signal.SIGKILL
        assert run_limited(lambda: _decided(spare), 20).value not in (None, spare._process.pid)
    finally:
        spare.stop()


def _decided(spare):
    with Cvc5(soon(), spare) as solver:
        assert solver.check("(set-logic ALL)(assert false)(check-sat)", 5) == ("unsat", "")
        return solver._process.pid


@pytest.mark.parametrize("text", ["", "(check-sat", "(assert (= x 1))(check-sat)", "(check-sat)(check-sat)"])
def test_cvc5_refuses_what_it_cannot_read(text):
    with Cvc5(soon()) as solver:
        assert solver.check(text, 5)[0] in ("refused", "unknown")
