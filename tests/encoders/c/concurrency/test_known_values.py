"""What threads know of shared variables without a solver: it is inductive, and locks keep others out."""

import pytest
import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.terms.core.traversal import conjunction
from encoders.c.concurrency.owicki_gries import encode_threads
from encoders.c.concurrency.thread_clauses import ThreadEncoding
from encoders.c.frontend import load_source
from encoders.c.types.c_types import ILP32
from tests.encoders.c.concurrency.thread_texts import (
    ADD,
    ATOMIC,
    HEAD,
    LOCKED,
    NO_RACE,
    OFTEN,
    RACE,
    SAFE,
    TWICE,
    UNSAFE,
)

TESTED = {**SAFE, **UNSAFE, **NO_RACE, **RACE}
BY_HAND = "void *f(void *p) { __VERIFIER_atomic_begin(); __VERIFIER_assume(!y); y = 1; __VERIFIER_atomic_end();"
BY_HAND += " x = 1; if (x != 1) reach_error(); x = 0;"
BY_HAND += " __VERIFIER_atomic_begin(); y = 0; __VERIFIER_atomic_end(); return 0; }"


def encoded(text: str) -> ThreadEncoding:
    return encode_threads(load_source(HEAD + text, "a.c", ILP32, "unreach-call", threads=True), False)


def violated(system: HornSystem, model: Model) -> list[str]:
    """The clauses with a head that what is known does not satisfy."""
    found = []
    for clause in system.clauses:
        if clause.head is not None:
            solver = z3.Solver()
            solver.add(clause.constraint, *map(model.instantiate, clause.body), z3.Not(model.instantiate(clause.head)))
            if solver.check() != z3.unsat:
                found.append(clause.name)
    return found


def passed(encoding: ThreadEncoding) -> int:
    """The clauses whose constraint can hold with what is known."""
    model = Model(encoding.known)
    parts = ([clause.constraint, *map(model.instantiate, clause.body)] for clause in encoding.system.clauses)
    solvers = [z3.Solver() for _ in encoding.system.clauses]
    for solver, part in zip(solvers, parts, strict=True):
        solver.add(conjunction(part))
    return sum(solver.check() != z3.unsat for solver in solvers)


@pytest.mark.parametrize("name", sorted(TESTED))
def test_what_is_known_is_inductive(name: str) -> None:
    encoding = encoded(TESTED[name])
    assert not violated(encoding.system, Model(encoding.known))


@pytest.mark.parametrize("text", [LOCKED + OFTEN, LOCKED + TWICE, BY_HAND + OFTEN])
def test_a_lock_keeps_the_steps_of_others_out(text: str) -> None:
    encoding = encoded(text)
    assert not violated(encoding.system, Model(encoding.known))
    assert passed(encoding) < 0.8 * len(encoding.system.clauses)


def test_a_lock_by_hand_is_enough_for_the_assertion() -> None:
    encoding = encoded(BY_HAND + OFTEN)
    model = Model(encoding.known)
    for clause in encoding.system.clauses:
        if clause.is_query:
            solver = z3.Solver()
            solver.add(clause.constraint, *map(model.instantiate, clause.body))
            assert solver.check() == z3.unsat


@pytest.mark.parametrize("text", [ADD + OFTEN, ATOMIC + OFTEN])
def test_what_others_change_is_not_known(text: str) -> None:
    assert not violated(encoded(text).system, Model(encoded(text).known))
