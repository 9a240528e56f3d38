"""pdkind: answers with checked certificates on small systems, on programs, and beside Spacer on random systems."""

import os

import pytest
import z3
from linear_systems import LINEAR_CASES, ONE_LOOP, certified, of_program, rotation
from pdr_systems import Case, equal_counters

from chcverify.results.result import Safe, Unknown, Unsafe
from solvers.engine import Context
from solvers.pdkind.engine import PdKind
from solvers.pdkind.rule_paths import InductionStepCase, Unrolling
from solvers.pdr.transition_system.rule_system import RuleSystem

SECONDS = 60.0  # many times what is needed
EXAMPLES = int(os.environ.get("CHCVERIFY_EXAMPLES", "20"))
x, y, z = z3.Ints("x y z")


@pytest.mark.parametrize("case", LINEAR_CASES, ids=lambda case: case.name)
def test_answer_and_certificate(case: Case) -> None:
    assert isinstance(certified(PdKind(), case.system, SECONDS), Safe if case.safe else Unsafe)


@pytest.mark.parametrize("task", ONE_LOOP)
def test_one_loop_programs(task: str) -> None:
    assert isinstance(of_program(PdKind(), task, SECONDS), Safe)
    assert isinstance(of_program(PdKind(), f"{task}-unsafe", SECONDS), Unsafe)


def test_k_inductive_proof_becomes_an_inductive_model() -> None:
    system = rotation(z3.And(x == 1, y == 2, z == 3))
    assert isinstance(certified(PdKind(), system, SECONDS), Safe)


def test_violation_after_several_steps() -> None:
    result = certified(PdKind(), rotation(z3.And(x == 1, y == 2, z == 2)), SECONDS)
    assert isinstance(result, Unsafe) and len(result.derivation.steps) == 3


def test_step_case_looks_k_rules_back() -> None:
    problem = RuleSystem(rotation(z3.And(x == 1, y == 2, z == 3)))
    raw, formals = problem.raw, problem.formals[0]
    different = raw.negate(raw.equation(formals[0], formals[1]))
    for k in (1, 2, 3, 4):
        case = InductionStepCase(Unrolling(problem), k, 0, 1_000_000)
        case.assume(0, different)
        # The state before the query is among those for which the lemma is assumed.
        assert case.counterexample(problem.query, ()) is None
        assert (case.counterexample(0, [raw.negate(different)]) is None) == (k >= 3)


def test_states_before_a_path_lead_into_the_cube() -> None:
    problem = RuleSystem(rotation(z3.And(x == 1, y == 2, z == 3)))
    case = InductionStepCase(Unrolling(problem), 2, 0, 1_000_000)
    cube = problem.cube([problem.raw.equation(problem.formals[0][0], problem.raw.handle(z3.IntVal(7)))])
    model = case.counterexample(0, cube)
    assert model is not None
    predicate, before = case.before(model, 0, cube)
    # two rotations before, the first value was the third
    assert predicate == 0 and problem.raw.wrap(problem.raw.conjunction(before), z3.main_ctx()).sexpr().count("$2") >= 1
    assert [rule.head for rule, _ in case.path(model, 0)] == [0, 0]


@pytest.mark.parametrize(
    "options, word", [({"speed": "9"}, "speed"), ({"depth": "deep"}, "deep"), ({"depth": "0"}, "depth")]
)
def test_wrong_options_are_a_reason(options: dict[str, str], word: str) -> None:
    result = PdKind().solve(equal_counters(), Context(Context.within(600).deadline, options=options))
    assert isinstance(result, Unknown) and word in result.reason
