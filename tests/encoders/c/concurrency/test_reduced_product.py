"""Reduced products: the same answers as the product of all interleavings, by fewer clauses."""

import pytest

from chcverify.certificate.kernel.policy import certify
from chcverify.results.result import Safe, Unsafe
from encoders.c.concurrency.reduced_product import SwitchOrder, encode_reduced
from encoders.c.concurrency.thread_clauses import ThreadEncoding
from encoders.c.concurrency.thread_product import encode_product
from encoders.c.frontend import load_source
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import ILP32
from solvers.engine import Context
from solvers.spacer.engine import Spacer
from tests.encoders.c.concurrency.thread_texts import ADD, HEAD, LOCKED, OFTEN, SAFE, UNSAFE

WAIT = " pthread_join(t, 0); pthread_join(u, 0); "
BOTH = " int main(void) { %s pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);" + WAIT + "%s return 0; }"
COUNTED = BOTH.replace("g,", "f,") % ("", "if (x != 2) reach_error();")
DOUBLES = "int k; void *f(void *p) { while (x < k) { x = x + x; x = x + x; } return 0; }"
DOUBLES += " void *g(void *p) { while (y < k) { y = y + y; y = y + y; } return 0; }"
DOUBLES += BOTH % (
    "k = __VERIFIER_nondet_int(); x = y = __VERIFIER_nondet_int(); __VERIFIER_assume(0 < k && k < 9 && 0 < x);",
    "if (x != y) reach_error();",
)
ATOMIC_ADD = "void *f(void *p) { __VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end(); return 0; }"
DISABLED = (
    "void *f(void *p) { pthread_mutex_lock(&m); y = 1; if (x) reach_error(); pthread_mutex_unlock(&m); return 0; }"
)
DISABLED += " void *g(void *p) { pthread_mutex_lock(&m); x = !y; pthread_mutex_unlock(&m); return 0; }"


def loaded(text: str, order: SwitchOrder) -> ThreadEncoding:
    return encode_reduced(load_source(HEAD + text, "a.c", ILP32, "unreach-call", threads=True), order)


def is_safe(encoding: ThreadEncoding) -> bool:
    if not any(clause.is_query for clause in encoding.system.clauses):
        return True
    result = Spacer().solve(encoding.system, Context.within(300))
    assert isinstance(result, Safe | Unsafe)
    if isinstance(result, Safe):
        assert certify(encoding.system, result.model, Context.within(300).deadline, "off").accepted
    return isinstance(result, Safe)


@pytest.mark.parametrize("order", SwitchOrder)
@pytest.mark.parametrize("name", [*SAFE, *UNSAFE])
def test_errors(name: str, order: SwitchOrder) -> None:
    assert is_safe(loaded({**SAFE, **UNSAFE}[name], order)) == (name in SAFE)


@pytest.mark.parametrize("order", SwitchOrder)
def test_what_threads_do_to_each_other_is_kept(order: SwitchOrder) -> None:
    assert is_safe(loaded(LOCKED + COUNTED, order))
    assert not is_safe(loaded(ADD + COUNTED, order))
    assert not is_safe(loaded(DISABLED + BOTH % ("", ""), order))  # the second thread may be the first to lock


def test_threads_in_step_have_a_simple_relation() -> None:
    assert is_safe(loaded(DOUBLES, SwitchOrder.EACH_WRITE))


def test_fewer_clauses() -> None:
    program = load_source(HEAD + DOUBLES, "a.c", ILP32, "unreach-call", threads=True)
    whole = encode_product(program, False)
    assert len(encode_reduced(program, SwitchOrder.THREAD_BY_THREAD).system.clauses) < len(whole.system.clauses) / 2


def test_what_commutes_by_its_meaning_is_claimed() -> None:
    found = loaded(ATOMIC_ADD + COUNTED, SwitchOrder.THREAD_BY_THREAD)
    claims = [clause for clause in found.system.clauses if clause.name == "steps that do not commute"]
    assert len(claims) == 1 and not claims[0].body and claims[0].is_query
    assert is_safe(found)


def test_a_step_of_main_after_which_nothing_is_left_does_not_hide_others() -> None:
    early = " int main(void) { pthread_create(&t, 0, f, 0); return 0; }"
    assert not is_safe(loaded("void *f(void *p) { reach_error(); return 0; }" + early, SwitchOrder.EACH_ROUND))


def test_templates_are_refused() -> None:
    with pytest.raises(Unsupported, match="product of templates"):
        loaded(LOCKED + OFTEN, SwitchOrder.THREAD_BY_THREAD)
