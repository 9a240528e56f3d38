"""Steps that commute, by what they use or by what they mean."""

from encoders.c.concurrency.commutation import Commutation
from encoders.c.concurrency.control_states import ControlStates
from encoders.c.concurrency.flat_threads import flatten_threads
from encoders.c.concurrency.shared_state import shared_state
from encoders.c.concurrency.thread_clauses import ThreadClauses
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.frontend import load_source
from encoders.c.types.c_types import ILP32
from tests.encoders.c.concurrency.thread_texts import HEAD

SECTION = "void *%s(void *p) { __VERIFIER_atomic_begin(); %s __VERIFIER_atomic_end(); return 0; }"
MAIN = " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); return x + y; }"


def commutes(first: str, later: str) -> tuple[bool, int]:
    """May the section of the second thread come before that of the first one, and how many claims does that need?"""
    text = HEAD + SECTION % ("f", first) + SECTION % ("g", later) + MAIN
    state = shared_state(flatten_threads(load_source(text, "a.c", ILP32, "unreach-call", threads=True)), False)
    clauses = ThreadClauses(state, LinearIntegers())
    found = clauses.all_steps(clauses.initial_run())
    states = ControlStates(state, clauses, found)
    commutation = Commutation(clauses, found, states.flags)
    entry = found[2].thread.function.entry
    steps = [step for step in found[1].steps if step.source == found[1].thread.function.entry]
    assert steps and all(commutation.footprint(step).writes for step in steps)
    may = all(commutation.may_come_first(2, entry, step, {}) for step in steps)
    return may, len(commutation.claims)


def test_steps_apart_commute_without_a_claim() -> None:
    assert commutes("x = x + 1;", "y = 2;") == (True, 0)


def test_sums_commute_by_their_meaning() -> None:
    may, claims = commutes("x = x + 1;", "x = x + 2;")
    assert may and claims


def test_what_depends_on_the_order_does_not_commute() -> None:
    assert not commutes("x = x + 1;", "x = 2 * y;")[0]
    assert not commutes("x = y;", "y = 5;")[0]


def test_a_failure_counts_as_a_step() -> None:
    assert not commutes("x = x + 1;", "if (x == 1) reach_error();")[0]
    assert commutes("y = y + 1;", "if (x == 1) reach_error();")[0]


def test_what_a_step_makes_possible_does_not_come_before_it() -> None:
    assert not commutes("x = x + 1;", "__VERIFIER_assume(x == 1); y = 3;")[0]
