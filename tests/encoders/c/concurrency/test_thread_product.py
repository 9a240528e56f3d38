"""The product of all threads: models of safe programs are accepted, faulty programs have derivations."""

import pytest

from chcverify.certificate.kernel.policy import certify
from chcverify.results.result import Safe, Unsafe
from encoders.c.concurrency.thread_clauses import ThreadEncoding
from encoders.c.concurrency.thread_product import encode_product
from encoders.c.frontend import load_source
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import ILP32
from solvers.engine import Context
from solvers.spacer.engine import Spacer
from tests.encoders.c.concurrency.thread_texts import ADD, HEAD, LOCKED, NO_RACE, OFTEN, RACE, SAFE, TWICE, UNSAFE

COUNTED = " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0);"
COUNTED += " pthread_join(u, 0); if (x != 2) reach_error(); return 0; }"
ONE, OTHER = "pthread_mutex_lock(&m); pthread_mutex_lock(&n);", "pthread_mutex_lock(&n); pthread_mutex_lock(&m);"
BOTH = "void *f(void *p) { %s x = 1; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); return 0; }"
PAIR = " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); return 0; }"


def product(text: str, races: bool = False, deadlocks: bool = False) -> ThreadEncoding:
    checked = "no-data-race" if races else "no-deadlock" if deadlocks else "unreach-call"
    return encode_product(load_source(HEAD + text, "a.c", ILP32, checked, threads=True), races, deadlocks)


def is_safe(encoding: ThreadEncoding) -> bool:
    result = Spacer().solve(encoding.system, Context.within(300))
    assert isinstance(result, Safe | Unsafe)
    if isinstance(result, Safe):
        assert certify(encoding.system, result.model, Context.within(300).deadline, "off").accepted
    return isinstance(result, Safe)


@pytest.mark.parametrize("name", sorted(NO_RACE.keys() - {"instances"}))
def test_programs_without_races(name: str) -> None:
    assert is_safe(product(NO_RACE[name], races=True))


@pytest.mark.parametrize("name", sorted(RACE.keys() - {"instances"}))
def test_programs_with_races(name: str) -> None:
    assert not is_safe(product(RACE[name], races=True))


@pytest.mark.parametrize("name", [*SAFE, *UNSAFE])
def test_errors(name: str) -> None:
    assert is_safe(product({**SAFE, **UNSAFE}[name])) == (name in SAFE)


def test_what_no_thread_shows_alone_is_proved() -> None:
    assert is_safe(product(LOCKED + COUNTED))
    assert not is_safe(product(ADD + COUNTED))


def test_deadlocks() -> None:
    assert not is_safe(product(BOTH % ONE + BOTH.replace("*f", "*g") % OTHER + PAIR, deadlocks=True))
    assert is_safe(product(BOTH % ONE + BOTH.replace("*f", "*g") % ONE + PAIR, deadlocks=True))
    itself = LOCKED.replace("x = x + 1;", "pthread_mutex_lock(&m);")
    waits = " int main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }"
    assert not is_safe(product(itself + waits, deadlocks=True))


def test_threads_that_may_be_created_repeatedly_have_no_product() -> None:
    with pytest.raises(Unsupported, match="product of templates"):
        product(LOCKED + OFTEN)


def test_flags_are_a_part_of_the_control_state() -> None:
    names = [clause.name for clause in product(LOCKED + TWICE, races=True).system.clauses if clause.is_query]
    assert not names  # with the owner of the mutex in the control state, no pair of accesses is left
