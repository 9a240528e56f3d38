"""ctigar: answers with checked certificates on small systems, on programs, and beside Spacer on random systems."""

import os

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_systems import LINEAR_CASES, ONE_LOOP, LinearMaker, accepted, certified, of_program
from pdr_systems import Case, counter, equal_counters

from chcverify.result import Safe, Unknown, Unsafe
from solvers.ctigar.abstraction import Abstraction
from solvers.ctigar.engine import Ctigar
from solvers.engine import Context, Lemma
from solvers.pdr.problem import Problem
from solvers.spacer import Spacer

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
    problem = Problem(counter(10))
    domain = Abstraction(problem).domain[0]
    texts = {str(problem.raw.lower(formula)) for formula in domain}
    assert {"$0 >= 0", "$0 <= 0"} <= texts  # of the fact x = 0
    assert len(domain) == len(texts) == 4  # and x < 10, x > 10, not those with two states


def test_refinement_adds_each_formula_once() -> None:
    problem = Problem(counter(10))
    abstraction = Abstraction(problem)
    formula = problem.raw.lift(z3.Int("$0") >= 5)
    assert abstraction.refine(0, [formula])
    assert not abstraction.refine(0, [formula, problem.raw.negate(formula)])


class ListBus:
    """Gives one lemma and remembers what it gets."""

    def __init__(self, given: list[Lemma]) -> None:
        self.given, self.got = given, list[Lemma]()

    def publish(self, lemmas: list[Lemma]) -> None:
        self.got.extend(lemmas)

    def poll(self) -> list[Lemma]:
        out, self.given = self.given, []
        return out


def test_lemmas_of_the_bus_are_used_and_not_sent_back() -> None:
    system = equal_counters()
    f, g, _ = system.predicates[0].formals
    bus = ListBus([Lemma(system.predicates[0], f == g, "other")])
    result = Ctigar().solve(system, Context(Context.within(SECONDS).deadline, bus=bus))
    assert isinstance(result, Safe) and accepted(system, result)
    assert all(not lemma.formula.eq(f == g) for lemma in bus.got)


@pytest.mark.parametrize("options, word", [({"speed": "9"}, "speed"), ({"refinement": "none"}, "none")])
def test_wrong_options_are_a_reason(options: dict[str, str], word: str) -> None:
    result = Ctigar().solve(equal_counters(), Context(Context.within(9).deadline, options=options))
    assert isinstance(result, Unknown) and word in result.reason


def test_no_time_is_unknown() -> None:
    result = Ctigar().solve(equal_counters(), Context.within(0))
    assert isinstance(result, Unknown) and "time" in result.reason


def test_same_seed_same_run() -> None:
    figures = []
    for _ in range(2):
        context = Context.within(SECONDS, seed=7)
        assert isinstance(Ctigar().solve(equal_counters(), context), Safe)
        figures.append({k: v for k, v in context.statistics.items() if "z3" not in k})
    assert figures[0] == figures[1]


@settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES <= 100, database=None)
@given(st.integers(0, 10**9))
def test_agrees_with_spacer(seed: int) -> None:
    system = LinearMaker(seed).system()
    answers = {type(certified(engine, system, 2)) for engine in (Ctigar(), Spacer())}
    assert not {Safe, Unsafe} <= answers, f"seed {seed}\n{system}"
