"""Engine `explicit-refined`: every answer's certificate is accepted by the checker."""

import time
from itertools import product

import pytest
import z3
from finite_systems import FiniteMaker

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from solvers.engine import Context
from solvers.explicit.fact_model import has_value
from solvers.explicit.fact_values import ANY, Others, Value, equal, is_exact
from solvers.explicit.precision import ValuePrecision, compared_values
from solvers.explicit.refined_engine import ExplicitRefined
from solvers.spacer import Spacer

INT, BOOL = z3.IntSort(), z3.BoolSort()
state, flag, hit, noise, after, other = z3.Ints("state flag hit noise after other")
AT = Predicate("AT", (INT, INT, INT, INT))
HERE = AT(state, flag, hit, noise)


def certified(system: HornSystem, context: Context | None = None) -> Result:
    """The engine's answer, accepted by the checker."""
    result = ExplicitRefined().solve(system, context or Context.within(600))
    deadline = time.monotonic() + 600
    if isinstance(result, Safe):
        verdict = check_model(system, result.model, deadline)
        assert verdict.accepted, verdict.reason
    elif isinstance(result, Unsafe):
        verdict = check_derivation(system, result.derivation, deadline)
        assert verdict.accepted, verdict.reason
    return result


def step(when: z3.BoolRef, *to: z3.ExprRef | int) -> Clause:
    """AT(state, flag, hit, noise) & when => AT(to)."""
    terms = [z3.IntVal(term) if isinstance(term, int) else term for term in to]
    return Clause(AT(*terms), (HERE,), when)


def machine(last: z3.BoolRef) -> HornSystem:
    """A protocol with four states; a flag is set in one of them, `hit` is an input that decides where it goes on."""
    return HornSystem.of(
        [
            # state = 10 & flag = 0 => AT(state, flag, hit, noise)
            Clause(HERE, (), z3.And(state == 10, flag == 0)),
            step(state == 10, 20, flag, hit, noise + 1),
            step(z3.And(state == 20, hit == 0), 30, 1, hit, noise * noise),
            step(z3.And(state == 20, hit != 0), 40, flag, hit, other),
            step(state == 40, 20, flag, hit, noise),
            # AT(state, flag, hit, noise) & last => false
            Clause(None, (HERE,), last),
        ]
    )


def test_a_state_machine_is_its_control_flow_graph() -> None:
    statistics: dict[str, object] = {}
    context = Context(time.monotonic() + 600, statistics=statistics)
    answer = certified(machine(z3.And(state == 40, flag == 1)), context)
    assert isinstance(answer, Safe)
    assert statistics["arguments"] == 2, "what is not asked for has no values"


def test_cases_of_inputs_are_distinguished() -> None:
    assert isinstance(certified(machine(z3.And(state == 30, hit == 5))), Safe)
    assert isinstance(certified(machine(z3.And(state == 30, flag == 0))), Safe)


def test_violations_have_the_values_of_the_inputs() -> None:
    assert isinstance(certified(machine(z3.And(state == 40, hit == 7, noise == 12))), Unsafe)
    assert isinstance(certified(machine(z3.And(state == 30, noise == 49))), Unsafe)


def test_relations_between_values_are_unknown() -> None:
    pair = Predicate("PAIR", (INT, INT))
    system = HornSystem.of(
        [
            Clause(pair(state, state), (), z3.BoolVal(True)),
            Clause(None, (pair(state, flag),), state != flag),
        ]
    )
    assert isinstance(certified(system), Unknown)


def test_clauses_that_derive_nothing_are_left_out() -> None:
    # state = 10 & flag = 0 => AT(..); AT(..) & noise > hit & noise < hit => AT(.., flag = 1, ..); flag = 1 => false
    system = HornSystem.of(
        [
            Clause(HERE, (), z3.And(state == 10, flag == 0)),
            step(z3.And(noise > hit, noise < hit), state, 1, hit, noise),
            Clause(None, (HERE,), flag == 1),
        ]
    )
    assert isinstance(certified(system), Safe)


def test_recursion() -> None:
    call, result = Predicate("CALL", (INT, INT)), Predicate("RESULT", (INT, INT, INT))

    def clause(head: Application | None, body: tuple[Application, ...], constraint: z3.BoolRef) -> Clause:
        return Clause(head, body, constraint)

    clauses = [
        clause(call(state, noise), (), z3.And(state == 3, noise >= 0)),
        clause(call(after, noise), (call(state, noise),), z3.And(state > 0, after == state - 1)),
        clause(result(state, noise, flag), (call(state, noise),), z3.And(state == 0, flag == 1)),
        clause(
            result(state, noise, flag),
            (call(state, noise), result(after, other, flag)),
            z3.And(state > 0, after == state - 1),
        ),
    ]
    assert isinstance(
        certified(HornSystem.of([*clauses, clause(None, (result(state, noise, flag),), flag != 1)])), Safe
    )
    assert isinstance(
        certified(HornSystem.of([*clauses, clause(None, (result(state, noise, flag),), state == 2)])), Unsafe
    )


def test_no_time_is_unknown() -> None:
    assert isinstance(certified(machine(z3.And(state == 40, flag == 1)), Context.within(0)), Unknown)


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_spacer(seed: int) -> None:
    system = FiniteMaker(seed).system()
    answers = {type(certified(system, Context.within(5))), type(Spacer().solve(system, Context.within(5)))}
    assert not {Safe, Unsafe} <= answers


def test_others_are_no_value_of_the_excluded_ones() -> None:
    others = Others(frozenset((0, 3)))
    assert equal(others, 3) is False and equal(0, others) is False
    assert equal(others, 1) is ANY and equal(others, others) is ANY and equal(others, ANY) is ANY
    same = Others(frozenset((3, 0)))
    assert not is_exact(others) and others == same and hash(others) == hash(same) and others != Others(frozenset((0,)))
    assert (others + 1) is ANY and (others <= 3) is ANY  # type: ignore[operator]
    solver = z3.Solver()
    # (state has the value) differs from: state is none of 0, 3
    solver.add(has_value(state, others) != z3.And(state != 0, state != 3))
    assert solver.check() == z3.unsat


def test_kept_facts_cover_the_fact() -> None:
    precision = ValuePrecision()
    for i in (0, 1, 2):
        precision.track((AT, i))
    precision.distinguish((AT, 1), (0, 1))
    precision.distinguish((AT, 2), (5,))
    kept = list(precision.abstracted(AT, (7, ANY, ANY, 9)))
    ones: tuple[Value, ...] = (0, 1, Others(frozenset((0, 1))))
    assert kept == [(7, one, two, ANY) for one, two in product(ones, (5, Others(frozenset((5,)))))]
    solver = z3.Solver()
    fact = z3.And(state == 7)
    # the fact & none of those that are kept
    solver.add(fact, *(z3.Not(z3.And(list(map(has_value, (state, flag, hit, noise), values)))) for values in kept))
    assert solver.check() == z3.unsat


def test_values_that_clauses_compare_with() -> None:
    compared = compared_values(machine(z3.And(state == 40, flag == 1)))
    assert set(compared[AT, 0]) == {10, 20, 40}
    assert set(compared[AT, 1]) == {0, 1} and compared[AT, 2] == (0,)
    assert (AT, 3) not in compared
