"""ctigar: answers with checked certificates on small systems, on programs, and beside Spacer on random systems."""

import os

import pytest
import z3
from linear_systems import LINEAR_CASES, ONE_LOOP, accepted, of_program
from pdr_systems import Case, counter, equal_counters

from chcverify.results.result import Safe, Unknown, Unsafe
from solvers.ctigar.engine import Ctigar
from solvers.ctigar.predicate_abstraction import Abstraction
from solvers.engine import Context
from solvers.pdr.transition_system.rule_system import RuleSystem

SECONDS = 60.0  # many times what is needed
EXAMPLES = int(os.environ.get("CHCVERIFY_EXAMPLES", "20"))


# Relations that hold in two loops at once come into the domain late: more than a test may take.
CASES = [case for case in LINEAR_CASES if case.name != "two-phases"]


@pytest.mark.parametrize("refinement", ["eager", "lazy"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_answer_and_certificate(case: Case, refinement: str) -> None:
    context = Context(Context.within(SECONDS).deadline, options={"refinement": refinement})
    result = Ctigar().solve(case.system, context)
    assert isinstance(result, Safe if case.safe else Unsafe), result
    assert accepted(case.system, result)


@pytest.mark.parametrize("task", ONE_LOOP)
def test_one_loop_programs(task: str) -> None:
    assert isinstance(of_program(Ctigar(), task, SECONDS), Safe)
    assert isinstance(of_program(Ctigar(), f"{task}-unsafe", SECONDS), Unsafe)


def test_domain_begins_with_the_atoms_of_single_predicates() -> None:
    problem = RuleSystem(counter(10))
    domain = Abstraction(problem).domain[0]
    texts = {str(problem.raw.wrap(formula)) for formula in domain}
    assert {"$0 >= 0", "$0 <= 0"} <= texts  # of the fact x = 0
    assert len(domain) == len(texts) == 4  # and x < 10, x > 10, not those with two states


def test_refinement_adds_each_formula_once() -> None:
    problem = RuleSystem(counter(10))
    abstraction = Abstraction(problem)
    formula = problem.raw.handle(z3.Int("$0") >= 5)
    assert abstraction.refine(0, [formula])
    assert not abstraction.refine(0, [formula, problem.raw.negate(formula)])


@pytest.mark.parametrize("options, word", [({"speed": "9"}, "speed"), ({"refinement": "none"}, "none")])
def test_wrong_options_are_a_reason(options: dict[str, str], word: str) -> None:
    result = Ctigar().solve(equal_counters(), Context(Context.within(600).deadline, options=options))
    assert isinstance(result, Unknown) and word in result.reason
