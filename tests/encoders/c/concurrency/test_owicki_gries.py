"""Thread-modular clauses: models of safe programs are accepted, programs with races have none."""

import pytest

from chcverify.certificate.kernel.policy import certify
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Safe, Unsafe
from encoders.c.concurrency.flat_threads import flatten_threads
from encoders.c.concurrency.owicki_gries import encode_threads
from encoders.c.concurrency.races import may_conflict
from encoders.c.concurrency.shared_state import shared_state
from encoders.c.concurrency.step_paths import StepFinder
from encoders.c.concurrency.thread_clauses import ThreadEncoding
from encoders.c.encoding.initial_values import constant_of
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.frontend import load_source
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import ILP32
from solvers.engine import Context
from solvers.registry import get
from solvers.spacer.engine import Spacer
from tests.encoders.c.concurrency.thread_texts import ADD, ATOMIC, HEAD, NO_RACE, OFTEN, RACE, SAFE, TWICE, UNSAFE


def encoded(text: str, races: bool) -> ThreadEncoding:
    checked = "no-data-race" if races else "unreach-call"
    return encode_threads(load_source(HEAD + text, "a.c", ILP32, checked, threads=True), races)


@pytest.mark.parametrize(("name", "races"), [*((name, True) for name in NO_RACE), *((name, False) for name in SAFE)])
def test_models_of_safe_programs_are_accepted(name: str, races: bool) -> None:
    encoding = encoded(NO_RACE[name] if races else SAFE[name], races)
    result = Spacer().solve(encoding.system, Context.within(300))
    assert isinstance(result, Safe)
    assert certify(encoding.system, result.model, Context.within(300).deadline, "off").accepted


@pytest.mark.parametrize(("name", "races"), [*((name, True) for name in RACE), *((name, False) for name in UNSAFE)])
def test_faulty_programs_have_no_model(name: str, races: bool) -> None:
    encoding = encoded(RACE[name] if races else UNSAFE[name], races)
    assert isinstance(Spacer().solve(encoding.system, Context.within(300)), Unsafe)


def test_recursion_is_refused() -> None:
    with pytest.raises(Unsupported, match="recursion of f"):
        encoded("void *f(void *p) { return f(p); }" + TWICE, True)


def test_a_loop_in_a_section_is_followed_for_some_rounds() -> None:
    """That there are no more is a query; where the number of rounds is a constant, none is needed."""
    names = []
    for bound in ("n", "9"):
        loop = f"int n = *(int *)p; for (int i = 0; i < {bound}; i++) x = x + 1;"
        section = ATOMIC.replace("x = x + 1;", loop)
        clauses = encoded(section + TWICE, True).system.clauses
        names.append([clause.name for clause in clauses if clause.is_query])
    what = "not modelled: more than 50 rounds of a loop in an atomic section"
    assert what in names[0] and what not in names[1]


def test_steps_and_accesses_of_a_thread() -> None:
    threads = flatten_threads(load_source(HEAD + ADD + TWICE, "a.c", ILP32, "no-data-race", threads=True))
    assert [(thread.number, thread.is_template) for thread in threads.threads] == [(1, False), (2, False), (3, False)]
    state, theory = shared_state(threads, True), LinearIntegers()
    one, two = (
        StepFinder(state, theory, thread, lambda variable: constant_of(theory, variable)).found()
        for thread in threads.threads[1:]
    )
    # reads x, writes x, ends
    assert len(one.steps) == 3 and not one.failures
    reads, writes = sorted((access for found in one.accesses.values() for access in found), key=lambda a: a.writes)
    other = next(access for found in two.accesses.values() for access in found if not access.writes)
    assert may_conflict(state.memory, reads, other, ()) is None
    assert may_conflict(state.memory, writes, other, ()) is not None


BEGIN, END = "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"
TAKEN = f"void *f(void *p) {{ {BEGIN} %s y = 1; {END} x = 1; if (x != 1) reach_error(); x = 0; {BEGIN} y = 0; {END}"
TAKEN += " return 0; }"


@pytest.mark.parametrize(
    ("waits", "is_safe"), [("__VERIFIER_assume(y == 0);", True), ("__VERIFIER_assume(y < 2);", False)]
)
def test_the_last_writer_of_a_lock_tells_who_holds_it(waits: str, is_safe: bool) -> None:
    """Many threads take a lock that is a variable of the program; the second one can be taken twice."""
    system = encoded(TAKEN % waits + OFTEN, False).system
    assert all("<last writer of y>" in predicate.names for predicate in system.predicates)
    made = SystemVariants(Context.within(300).deadline).cases(system)
    assert made is not None
    result = get("df-boxes-eq").solve(made[0], Context.within(300))
    assert isinstance(result, Safe) == is_safe
    if isinstance(result, Safe):
        model = made[1].model(result.model)
        assert certify(system, model, Context.within(300).deadline, "off").accepted


def test_sections_that_do_nothing_are_no_steps() -> None:
    text = f"void *f(void *p) {{ x = 1; {BEGIN} {END} x = 2; return 0; }}"
    without = text.replace(f"{BEGIN} {END}", "")
    clauses = [encoded(each + TWICE, False).system.clauses for each in (text, without)]
    assert len(clauses[0]) == len(clauses[1])
