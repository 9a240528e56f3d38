"""Thread-modular clauses: models of safe programs are accepted, programs with races have none."""

import pytest

from chcverify.certificate.kernel.policy import certify
from chcverify.results.result import Safe, Unsafe
from encoders.c.concurrency.flat_threads import flatten_threads
from encoders.c.concurrency.owicki_gries import ThreadEncoding, encode_threads
from encoders.c.concurrency.races import may_conflict
from encoders.c.concurrency.shared_state import shared_state
from encoders.c.concurrency.step_paths import StepFinder
from encoders.c.encoding.initial_values import constant_of
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.frontend import load_source
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import ILP32
from solvers.engine import Context
from solvers.spacer.engine import Spacer

HEAD = """
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **); pthread_t pthread_self(void); void pthread_exit(void *);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int);
void reach_error(void) {} int __VERIFIER_nondet_int(void);
typedef struct { struct { int __owner, __count, __kind; } __data; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int x, y; pthread_mutex_t m, n; pthread_t t, u;
"""
ADD = "void *f(void *p) { x = x + 1; return 0; }"
LOCKED = "void *f(void *p) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return 0; }"
ATOMIC = "void *f(void *p) { __VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end(); return 0; }"
TWICE = " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); return 0; }"
OFTEN = " int main(void) { for (int i = 0; i < 9; i++) pthread_create(&t, 0, f, 0); return 0; }"
NO_RACE = {
    "lock": LOCKED + TWICE,
    "instances": LOCKED + OFTEN,
    "section": ATOMIC + TWICE,
    "join": ADD + " int main(void) { x = 1; pthread_create(&t, 0, f, 0); pthread_join(t, 0); x = 2; return 0; }",
    "arguments": "void *f(void *p) { *(int *)p = 1; return 0; }"
    " int main(void) { pthread_create(&t, 0, f, &x); pthread_create(&u, 0, f, &y); return 0; }",
}
RACE = {
    "nothing": ADD + TWICE,
    "instances": ADD + OFTEN,
    "two locks": LOCKED
    + LOCKED.replace("*f(", "*g(").replace("&m", "&n")
    + " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); return 0; }",
    "main": ADD + " int main(void) { pthread_create(&t, 0, f, 0); x = 1; return 0; }",
    "section and none": ATOMIC + " int main(void) { pthread_create(&t, 0, f, 0); return x; }",
    "neighbouring bit-fields": "struct { unsigned a : 3, b : 3; } s; void *f(void *p) { s.a = 1; return 0; }"
    " int main(void) { pthread_create(&t, 0, f, 0); s.b = 1; return 0; }",
    "never read": "void *f(void *p) { y = 1; return 0; }" + TWICE,
    "argument": "void *f(void *p) { *(int *)p = 1; return 0; }"
    " int main(void) { int z; pthread_create(&t, 0, f, &z); z = 2; return 0; }",
    "before a thread waits for ever": "void *f(void *p) { int c = 0; y = 1; __VERIFIER_assume(c); return 0; }"
    " void *g(void *p) { __VERIFIER_atomic_begin(); int c = y; __VERIFIER_atomic_end(); if (c == 1) x = 1; return 0; }"
    " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); x = 2; return 0; }",
    "after exit of a thread": "void *f(void *p) { x = 1; pthread_exit(0); return 0; }"
    " int main(void) { pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); return 0; }",
}
SAFE = {
    "set once": "void *f(void *p) { __VERIFIER_atomic_begin(); if (!x) x = 1; __VERIFIER_atomic_end(); return 0; }"
    " int main(void) { pthread_create(&t, 0, f, 0); if (x > 1) reach_error(); return 0; }",
}
UNSAFE = {
    "between two reads": "void *f(void *p) { x = 1; return 0; }"
    " int main(void) { pthread_create(&t, 0, f, 0); if (x != x) reach_error(); return 0; }",
    "lost update": ADD + " int main(void) { pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);"
    " pthread_join(t, 0); pthread_join(u, 0); if (x != 2) reach_error(); return 0; }",
    "result": "void *f(void *p) { return p; } int main(void) { void *r; pthread_create(&t, 0, f, &x);"
    " pthread_join(t, &r); if (r == &x) reach_error(); return 0; }",
}


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


def test_a_loop_in_a_section_is_not_modelled() -> None:
    section = ATOMIC.replace("x = x + 1;", "while (x < 9) x = x + 1;")
    names = [clause.name for clause in encoded(section + TWICE, True).system.clauses if clause.is_query]
    assert "not modelled: a loop in an atomic section" in names


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
